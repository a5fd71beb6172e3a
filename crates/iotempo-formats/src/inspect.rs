//! What is in an input, and what it can tell.

use crate::darshan;
use crate::detect::detect_with;
use crate::error::Error;
use crate::input::Input;
use crate::reading::{ReadOptions, Reading, Section};
use iotempo_model::{
    Bytes, FileId, FileTable, Interval, Job, Op, Request, RequestSink, Selecting, Selection,
    Source, Warning,
};
use serde::{Serialize, Serializer};
use std::collections::HashSet;
use std::io;

/// What is in an input. A value that could not be determined is `None`.
#[derive(Debug, Clone, Serialize)]
pub struct Inspection {
    /// The format and its version, such as `darshan 3.41`.
    pub format: String,
    /// The evidence that an analysis would use.
    pub source: Source,
    /// Nothing shorter than this can be seen in it.
    pub resolution_s: Option<f64>,
    /// The job.
    pub job: Job,
    /// The parts of the input.
    #[serde(rename = "modules")]
    pub sections: Vec<Section>,
    /// How many rows the evidence has: requests, bins, spans, phases or samples.
    pub rows: u64,
    /// How many requests there are; `None` where the evidence does not hold single ones, and for a
    /// part of it where rows stand for several.
    pub requests: Option<u64>,
    /// How many processes the job had; where the input does not say, how many were seen.
    pub ranks: Option<u64>,
    /// How many ranks moved data; `None` where the evidence does not name them.
    pub active_ranks: Option<u64>,
    /// How many files they were on; `None` where requests do not name their file.
    pub files: Option<u64>,
    /// Bytes read.
    pub bytes_read: f64,
    /// Bytes written.
    pub bytes_written: f64,
    /// When the first request started.
    pub start_s: Option<f64>,
    /// When the last request ended.
    pub end_s: Option<f64>,
    /// Every kind of evidence in the input, best first.
    pub sources: Vec<Evidence>,
    /// Facts for a person, such as the byte order.
    pub details: Details,
    /// Which layer was taken where several saw the same bytes.
    pub layer_note: Option<String>,
    /// What was repaired or left out.
    pub warnings: Vec<Warning>,
    /// Whether a part of the input was lost to damage.
    pub damaged: bool,
}

/// A kind of evidence that an input holds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Evidence {
    /// The kind.
    pub source: Source,
    /// Nothing shorter than this can be seen in it.
    pub resolution_s: Option<f64>,
    /// How many rows it has: requests, bins, spans, phases or samples.
    pub rows: u64,
    /// Bytes read.
    pub bytes_read: f64,
    /// Bytes written.
    pub bytes_written: f64,
    /// When its first request started.
    pub start_s: Option<f64>,
    /// When its last request ended.
    pub end_s: Option<f64>,
    /// What it hides.
    pub cannot_show: &'static str,
}

/// Facts for a person, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Details(pub Vec<(String, String)>);

impl Serialize for Details {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

/// Looks at all of an input.
///
/// # Errors
/// As [`read`](crate::read).
pub fn inspect(input: Input, options: &ReadOptions) -> Result<Inspection, Error> {
    inspect_part(input, options, &Selection::default())
}

/// Looks at an input and counts the requests that `selection` keeps.
///
/// # Errors
/// As [`read`](crate::read).
pub fn inspect_part(
    input: Input,
    options: &ReadOptions,
    selection: &Selection,
) -> Result<Inspection, Error> {
    let input = input.unwrapped()?;
    let format = detect_with(input.head(), options)?;
    if format.is_darshan() {
        return darshan::inspect(input, format, options, selection);
    }
    let mut summary = Summary::default();
    let mut selecting = Selecting::new(selection, &mut summary);
    let mut reading = crate::read(input, options, &mut selecting)?;
    reading.warnings.extend(selecting.warnings());
    let unknown = reading.requests.is_some() && !selection.keeps_all();
    let mut inspection = summary.inspection(reading);
    if unknown {
        inspection.requests = None;
    }
    Ok(inspection)
}

/// Counts what passes by.
#[derive(Debug, Default)]
pub(crate) struct Summary {
    requests: u64,
    bytes: [Bytes; 2],
    span: Option<Interval>,
    ranks: HashSet<i32>,
    last_rank: Option<i32>,
    names: FileTable,
    /// By file: whether there was a request on it.
    touched: Vec<bool>,
}

impl RequestSink for Summary {
    fn file(&mut self, name: &str) -> FileId {
        self.names.intern(name)
    }

    fn push(&mut self, request: Request) -> io::Result<()> {
        self.requests += 1;
        let sum = &mut self.bytes[request.op as usize];
        *sum = *sum + request.bytes;
        self.span = Some(
            self.span
                .map_or(request.when, |span| span.hull(request.when)),
        );
        if self.last_rank != Some(request.rank.0) {
            self.last_rank = Some(request.rank.0);
            self.ranks.insert(request.rank.0);
        }
        let file = request.file.0 as usize;
        if self.touched.len() <= file {
            self.touched.resize(file + 1, false);
        }
        self.touched[file] = true;
        Ok(())
    }
}

impl Summary {
    fn ranks(&self) -> Option<u64> {
        let ranks = self.ranks.iter().filter(|rank| **rank >= 0).count() as u64;
        (ranks > 0).then_some(ranks)
    }

    /// A file without a name is none, and neither is a layer of a heatmap or all files together.
    fn files(&self) -> Option<u64> {
        let is_file =
            |name: &str| !name.is_empty() && name != "<all files>" && !name.starts_with("heatmap:");
        let named = self.names.iter().filter(|(_, name)| is_file(name));
        let touched = |id: FileId| self.touched.get(id.0 as usize) == Some(&true);
        let files = named.filter(|(id, _)| touched(*id)).count() as u64;
        (files > 0).then_some(files)
    }

    fn bounds(&self) -> (Option<f64>, Option<f64>) {
        let start = self.span.map(|span| span.start().get());
        (start, self.span.map(|span| span.end().get()))
    }

    /// What one kind of evidence showed.
    pub(crate) fn evidence(&self, source: Source, resolution_s: Option<f64>) -> Evidence {
        let (start_s, end_s) = self.bounds();
        Evidence {
            source,
            resolution_s,
            rows: self.requests,
            bytes_read: self.bytes[Op::Read as usize].get(),
            bytes_written: self.bytes[Op::Write as usize].get(),
            start_s,
            end_s,
            cannot_show: source.cannot_show(),
        }
    }

    /// The inspection of an input that holds one kind of evidence.
    pub(crate) fn inspection(&self, reading: Reading) -> Inspection {
        let Reading {
            format,
            origin,
            sections,
            requests,
            warnings,
            damaged,
        } = reading;
        let resolution_s = origin.resolution.map(|resolution| resolution.get());
        let evidence = self.evidence(origin.source, resolution_s);
        let ranks = origin.job.ranks.or_else(|| self.ranks());
        let single = matches!(origin.source, Source::Requests | Source::Dxt);
        Inspection {
            format,
            source: origin.source,
            resolution_s,
            job: origin.job,
            sections,
            rows: evidence.rows,
            requests: single
                .then(|| requests.map_or(evidence.rows, |[read, written]| read + written)),
            ranks,
            active_ranks: self.ranks(),
            files: self.files(),
            bytes_read: evidence.bytes_read,
            bytes_written: evidence.bytes_written,
            start_s: evidence.start_s,
            end_s: evidence.end_s,
            sources: vec![evidence],
            details: Details::default(),
            layer_note: origin.layers,
            warnings,
            damaged,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use iotempo_model::Seconds;

    const TABLE: &str = "rank,op,file,start,end,bytes\n\
                         0,write,/a,1,2,100\n0,write,/b,2,4,50\n3,read,/a,0.5,1,7\n";

    fn inspected(text: &str, selection: &Selection) -> Inspection {
        inspect_part(Input::bytes(text), &ReadOptions::default(), selection).expect("a table")
    }

    #[test]
    fn an_inspection_counts_what_is_there() {
        let all = inspected(TABLE, &Selection::default());
        assert_eq!(
            (all.requests, all.ranks, all.files),
            (Some(3), Some(2), Some(2))
        );
        assert_eq!((all.bytes_read, all.bytes_written), (7.0, 150.0));
        assert_eq!((all.start_s, all.end_s), (Some(0.5), Some(4.0)));
        assert_eq!(all.sources[0].cannot_show, Source::Requests.cannot_show());
    }

    #[test]
    fn a_part_is_counted_as_a_part() {
        let window = Interval::new(Seconds::ZERO, Seconds::new(3.0).expect("finite"));
        let selection = Selection {
            window: window.ok(),
            op: Some(Op::Write),
            ..Selection::default()
        };
        let part = inspected(TABLE, &selection);
        assert_eq!((part.rows, part.bytes_written), (2, 125.0));
        assert_eq!(part.sections[0].records, 3, "the table itself stays whole");
    }

    #[test]
    fn what_nobody_says_is_not_determined() {
        let samples = inspected("time,bandwidth\n0,1\n1,1\n", &Selection::default());
        assert_eq!((samples.ranks, samples.files), (None, None));
        assert_eq!(samples.resolution_s, Some(1.0));
        let nothing = inspected("start,end,bytes\n", &Selection::default());
        assert_eq!((nothing.start_s, nothing.end_s), (None, None));
    }

    #[test]
    fn details_keep_their_order_in_json() {
        let pairs = [("b", "1"), ("a", "2")];
        let details = Details(pairs.map(|(k, v)| (k.to_owned(), v.to_owned())).to_vec());
        let json = serde_json::to_string(&details).expect("plain text");
        assert_eq!(json, "{\"b\":\"1\",\"a\":\"2\"}");
    }
}
