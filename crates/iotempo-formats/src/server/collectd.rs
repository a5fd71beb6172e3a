//! collectd's rates of disks, as Elasticsearch gives them back: documents in any order, the answer
//! to one question or a list of such answers.
//!
//! A rate is that of the interval that ends at the stamp. No document says how long that is: it is
//! the time that mostly lies between two of them.

use super::devices::is_counted_elsewhere;
use super::gate::Gate;
use super::options::{Clock as WhoseClock, Options, Reading};
use super::quantity::Quantity;
use crate::error::{Error, ErrorKind, Place};
use crate::input::Input;
use crate::json::lexer::Json;
use crate::series::{Token, Tokens, Window};
use crate::zone::{DateOrder, Written};
use iotempo_model::{Op, Seconds, TargetKind, ThroughputSink, counted};
use memchr::memmem;
use std::collections::{BTreeSet, HashMap, HashSet};

pub(super) fn sniff(head: &[u8]) -> bool {
    let begins = matches!(head.trim_ascii_start().first(), Some(b'{' | b'['));
    let words: [&[u8]; 3] = [b"\"_source\"", b"\"@timestamp\"", b"\"collectd_type\""];
    begins && words.iter().all(|word| memmem::find(head, word).is_some())
}

/// What a document says that matters here.
#[derive(Default)]
struct Document {
    time: Option<f64>,
    host: String,
    kind: String,
    instance: String,
    rates: [Option<f64>; 2],
}

/// A rate of a disk in both directions.
struct Sample {
    disk: u32,
    end: f64,
    rates: [Option<f64>; 2],
}

pub(super) fn read(
    input: Input,
    options: &Options,
    sink: &mut dyn ThroughputSink,
) -> Result<Reading, Error> {
    let mut json = Json::new(Window::new(input.into_reader()), &options.limits);
    let mut documents = Documents {
        quantity: options.quantity,
        most: options.limits.decoded / size_of::<Sample>() as u64,
        limit: options.limits.decoded,
        ..Documents::default()
    };
    let damage = documents.read(&mut json).err();
    match damage {
        Some(error) if documents.samples.is_empty() => return Err(error),
        None if documents.samples.is_empty() => return Err(documents.nothing()),
        _ => {}
    }
    documents.hand_on(options, sink, damage)
}

#[derive(Default)]
struct Documents {
    quantity: Quantity,
    most: u64,
    limit: u64,
    disks: HashMap<(String, String), u32>,
    samples: Vec<Sample>,
    /// Of documents that are no rates of disks.
    others: BTreeSet<String>,
    other_documents: u64,
    incomplete: u64,
}

impl Documents {
    fn read(&mut self, json: &mut Json) -> Result<(), Error> {
        while json.more()? {
            loop {
                let source = json.next()? == Token::Text("_source");
                if source && json.next()? == Token::Map {
                    self.document(json)?;
                }
                if json.depth() == 0 {
                    break;
                }
            }
        }
        Ok(())
    }

    fn document(&mut self, json: &mut Json) -> Result<(), Error> {
        let depth = json.depth();
        let mut document = Document::default();
        loop {
            let key = match json.next()? {
                Token::End => break,
                Token::Text(key) => key.to_owned(),
                _ => continue,
            };
            let value = json.next()?;
            match (key.as_str(), value) {
                ("@timestamp", Token::Text(text)) => {
                    document.time = match Written::parse(text, DateOrder::MonthFirst) {
                        Some(Written::Epoch(epoch)) => Some(epoch),
                        // Elasticsearch keeps times in UTC.
                        Some(Written::Civil(civil)) => Some(civil.as_utc()),
                        None => None,
                    }
                }
                ("@timestamp", Token::Number(ms)) => document.time = Some(ms / 1000.0),
                ("hostname" | "host", Token::Text(text)) => document.host = text.to_owned(),
                ("collectd_type", Token::Text(text)) => document.kind = text.to_owned(),
                ("plugin_instance", Token::Text(text)) => document.instance = text.to_owned(),
                ("read", Token::Number(rate)) => document.rates[0] = Some(rate),
                ("write", Token::Number(rate)) => document.rates[1] = Some(rate),
                (_, Token::Map | Token::List) => json.leave(depth + 1)?,
                _ => {}
            }
        }
        self.take(document)
    }

    fn take(&mut self, document: Document) -> Result<(), Error> {
        if document.kind != self.wanted() {
            self.other_documents += 1;
            if self.others.len() < 20 {
                self.others.insert(document.kind);
            }
            return Ok(());
        }
        let (Some(end), false) = (document.time, document.rates == [None; 2]) else {
            self.incomplete += 1;
            return Ok(());
        };
        if self.samples.len() as u64 >= self.most {
            let (what, limit) = ("documents that must be put in order", self.limit);
            let kind = ErrorKind::Budget { what, limit };
            return Err(Error::new("", Place::Whole, kind));
        }
        let next = u32::try_from(self.disks.len()).unwrap_or(u32::MAX);
        let disk = *self
            .disks
            .entry((document.host, document.instance))
            .or_insert(next);
        self.samples.push(Sample {
            disk,
            end,
            rates: document.rates,
        });
        Ok(())
    }

    /// The kind of documents that hold what is asked for.
    fn wanted(&self) -> &'static str {
        self.quantity.pick("disk_octets", "disk_ops")
    }

    fn nothing(&self) -> Error {
        let kinds: Vec<_> = self.others.iter().map(String::as_str).collect();
        let message = format!(
            "documents of collectd without rates of disks ({}): they are of {}",
            self.wanted(),
            kinds.join(", ")
        );
        Error::new("", Place::Whole, ErrorKind::Unsupported(message))
    }

    fn hand_on(
        mut self,
        options: &Options,
        sink: &mut dyn ThroughputSink,
        damage: Option<Error>,
    ) -> Result<Reading, Error> {
        self.samples
            .sort_by(|a, b| a.disk.cmp(&b.disk).then(a.end.total_cmp(&b.end)));
        let step = options.interval.map(Seconds::get).or_else(|| self.step());
        let step = step.ok_or_else(|| {
            let message = "one document of each disk: how long its interval is cannot be told (give \
                           the interval)";
            Error::new("", Place::Whole, ErrorKind::Unsupported(message.to_owned()))
        })?;
        let mut gate = Gate::new(options, sink);
        let series = self.series(&mut gate);
        for sample in &self.samples {
            let Some(Some(series)) = series.get(sample.disk as usize) else {
                continue;
            };
            for (op, rate) in [Op::Read, Op::Write].into_iter().zip(sample.rates) {
                let Some(rate) = rate else { continue };
                let when = (sample.end - step, sample.end);
                gate.moved(*series, op, when, rate * step)?;
            }
        }
        self.tell(&mut gate);
        let unit = self.quantity.pick(
            "bytes per second over the interval that ends at the stamp",
            "operations per second over the interval that ends at the stamp",
        );
        let format = "collectd in Elasticsearch";
        Ok(gate.finish(format, unit, WhoseClock::Epoch, damage))
    }

    /// The time that mostly lies between two samples of a disk, to a tenth of a second.
    fn step(&self) -> Option<f64> {
        let mut often: HashMap<i64, u64> = HashMap::new();
        for two in self.samples.windows(2) {
            let since = two[1].end - two[0].end;
            if two[0].disk == two[1].disk && since > 0.05 && since < 1e9 {
                *often.entry((since * 10.0).round() as i64).or_default() += 1;
            }
        }
        let most = often
            .into_iter()
            .max_by_key(|&(tenths, count)| (count, -tenths));
        most.map(|(tenths, _)| tenths as f64 / 10.0)
    }

    /// The series of each disk that holds each byte once.
    fn series(&self, gate: &mut Gate<'_>) -> Vec<Option<super::gate::Series>> {
        let mut by_host: HashMap<&str, HashSet<String>> = HashMap::new();
        for (host, name) in self.disks.keys() {
            by_host.entry(host).or_default().insert(name.clone());
        }
        let mut disks: Vec<_> = self.disks.iter().collect();
        disks.sort_by_key(|&(_, &index)| index);
        let mut left_out = BTreeSet::new();
        let series = disks.into_iter().map(|((host, name), _)| {
            let twice = by_host
                .get(host.as_str())
                .is_some_and(|names| is_counted_elsewhere(name, names));
            if twice && !gate.is_chosen_by_name() {
                left_out.insert(name.as_str());
                return None;
            }
            gate.series(host, name, TargetKind::Device)
        });
        let series: Vec<_> = series.collect();
        if !left_out.is_empty() {
            let names: Vec<_> = left_out.into_iter().take(20).collect();
            let names = names.join(", ");
            let message = format!(
                "{names}: their {} are those of a disk, too: left out",
                self.quantity.name()
            );
            gate.warn("left-out", message);
        }
        series
    }

    fn tell(&self, gate: &mut Gate<'_>) {
        if self.other_documents > 0 {
            let kinds: Vec<_> = self.others.iter().map(String::as_str).collect();
            let message = format!(
                "{} of {}: no rates of disks, left out",
                counted(self.other_documents, "document"),
                kinds.join(", ")
            );
            gate.warn("left-out", message);
        }
        if self.incomplete > 0 {
            let documents = counted(self.incomplete, "document");
            let message = format!("{documents} without a time or without rates: left out");
            gate.warn("bad-rows", message);
        }
    }
}
