//! From rows to requests: judges the first rows, then lets requests through one by one.

use super::bad_rows::BadRows;
use super::times::Spread;
use crate::error::Error;
use crate::reading::{Reading, Section};
use iotempo_model::{
    Api, FileId, Intake, Op, Origin, RawRequest, RequestSink, Source, Warning, counted,
};
use std::io;

/// Rows on their way into a sink. Nothing enters it before the first rows have been judged, so that
/// what turns out to be no such table leaves nothing behind.
pub(super) struct Gate<'a> {
    intake: Intake<&'a mut dyn RequestSink>,
    waiting: Option<Vec<RawRequest>>,
    bad: BadRows,
    /// Rows that move no data, and the first word that said so.
    others: u64,
    first_other: String,
    bytes: [f64; 2],
    starts: Spread,
    last_file: Option<(String, FileId)>,
}

/// The numbers of a row or an object.
pub(super) struct Numbers {
    pub(super) rank: i64,
    pub(super) start: f64,
    pub(super) end: f64,
    pub(super) bytes: f64,
}

impl Numbers {
    /// The request that they are about.
    pub(super) fn request(&self, op: Op, api: Api, file: FileId) -> RawRequest {
        RawRequest {
            rank: self.rank,
            op,
            api,
            file,
            start: self.start,
            end: self.end,
            bytes: self.bytes,
        }
    }
}

impl<'a> Gate<'a> {
    pub(super) fn new(sink: &'a mut dyn RequestSink) -> Self {
        Self {
            intake: Intake::new(sink),
            waiting: Some(Vec::new()),
            bad: BadRows::default(),
            others: 0,
            first_other: String::new(),
            bytes: [0.0; 2],
            starts: Spread::default(),
            last_file: None,
        }
    }

    /// The id of a file; rows on the same file mostly follow each other.
    pub(super) fn file(&mut self, name: &str) -> FileId {
        if let Some((last, id)) = &self.last_file
            && last == name
        {
            return *id;
        }
        let id = self.intake.file(name);
        self.last_file = Some((name.to_owned(), id));
        id
    }

    pub(super) fn request(&mut self, raw: RawRequest) -> Result<(), Error> {
        self.bad.good();
        match &mut self.waiting {
            Some(waiting) => waiting.push(raw),
            None => self.pass(raw)?,
        }
        self.judge_if_due()
    }

    pub(super) fn bad(&mut self, error: impl FnOnce() -> Error) -> Result<(), Error> {
        self.bad.bad(error);
        self.judge_if_due()
    }

    /// A row about something that moves no data.
    pub(super) fn other(&mut self, word: &[u8]) -> Result<(), Error> {
        if self.others == 0 {
            self.first_other = String::from_utf8_lossy(word).into_owned();
        }
        self.others += 1;
        self.bad.good();
        self.judge_if_due()
    }

    fn judge_if_due(&mut self) -> Result<(), Error> {
        if self.bad.verdict_is_due() {
            self.judge()?;
        }
        Ok(())
    }

    fn judge(&mut self) -> Result<(), Error> {
        self.bad.judge()?;
        for raw in self.waiting.take().into_iter().flatten() {
            self.pass(raw)?;
        }
        Ok(())
    }

    fn pass(&mut self, raw: RawRequest) -> io::Result<()> {
        let before = self.intake.accepted();
        self.intake.offer(raw)?;
        if self.intake.accepted() > before {
            self.bytes[raw.op as usize] += raw.bytes;
            self.starts.add(raw.start);
        }
        Ok(())
    }

    /// What was found. `damage` ended the reading early: an error where it left nothing.
    pub(super) fn finish(
        mut self,
        format: &str,
        mut warnings: Vec<Warning>,
        damage: Option<Error>,
    ) -> Result<Reading, Error> {
        if self.waiting.is_some() {
            self.judge()?;
        }
        let damage = match damage {
            Some(error) if self.intake.accepted() == 0 => return Err(error),
            damage => damage.map(|error| error.to_string()),
        };
        warnings.extend(self.warnings());
        warnings.extend(damage.as_deref().map(damage_warning));
        Ok(Reading {
            requests: None,
            format: format.to_owned(),
            origin: Origin::new(Source::Requests),
            damaged: damage.is_some(),
            sections: vec![self.section(damage)],
            warnings,
        })
    }

    fn section(&self, damage: Option<String>) -> Section {
        Section {
            name: "requests".to_owned(),
            records: self.bad.rows(),
            requests: Some(self.intake.accepted()),
            bytes_read: Some(self.bytes[Op::Read as usize]),
            bytes_written: Some(self.bytes[Op::Write as usize]),
            damage,
            ..Section::default()
        }
    }

    fn warnings(&self) -> Vec<Warning> {
        let mut warnings: Vec<_> = self.bad.warning().into_iter().collect();
        if self.bad.rows() == 0 {
            warnings.push(Warning::new("empty", "there is a heading and no row"));
        }
        if self.others > 0 {
            let message = format!(
                "left out {} of calls that move no data (the first: {:?})",
                counted(self.others, "row"),
                self.first_other
            );
            warnings.push(Warning::new("other-operations", message));
        }
        warnings.extend(self.starts.warnings());
        warnings.extend(self.intake.warnings());
        warnings
    }
}

/// What to say where a table ends early.
pub(super) fn damage_warning(error: &str) -> Warning {
    let message = format!("the rest could not be read: {error}");
    Warning::new("damaged", message)
}
