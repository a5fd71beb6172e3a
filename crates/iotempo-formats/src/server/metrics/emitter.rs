//! Hands on the series that hold each byte once.

use super::super::devices::is_counted_elsewhere;
use super::super::flows::{Measure, Stamp};
use super::super::gate::Gate;
use super::super::options::{Clock, Options, Reading};
use super::super::readings::Readings;
use super::identity::{Identity, Meaning, View};
use super::wishes::Wishes;
use super::{Room, Survey, Taker};
use crate::error::{Error, ErrorKind, Place};
use iotempo_model::{Op, Target, TargetKind, ThroughputSink, Warning};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::io;

/// So many names are listed in a message.
const LISTED: usize = 8;

/// Passes values on to a sink.
pub(in crate::server) struct Emitter<'a> {
    gate: Gate<'a>,
    readings: Readings,
    wishes: Wishes,
    /// The views that are handed on: one, and those that have no byte in common with it.
    views: Vec<View>,
    devices: HashMap<String, HashSet<String>>,
    /// Targets that several series would be called by.
    crowded: HashSet<(Target, u8)>,
    taken: HashSet<(Target, u8)>,
    known: HashMap<Identity, Option<usize>>,
    left_out: BTreeMap<String, u64>,
    other: BTreeSet<String>,
    /// Those that may count bits or bytes, and names that would say which.
    unclear: BTreeMap<String, [String; 2]>,
    unwanted: BTreeSet<String>,
    undirected: bool,
    room: Room,
}

impl<'a> Emitter<'a> {
    pub(in crate::server) fn new(
        options: &'a Options,
        wishes: Wishes,
        measure: Measure,
        sink: &'a mut dyn ThroughputSink,
    ) -> Self {
        Self {
            gate: Gate::new(options, sink),
            readings: Readings::new(Stamp::End, measure),
            wishes,
            views: Vec::new(),
            devices: HashMap::new(),
            crowded: HashSet::new(),
            taken: HashSet::new(),
            known: HashMap::new(),
            left_out: BTreeMap::new(),
            other: BTreeSet::new(),
            unclear: BTreeMap::new(),
            unwanted: BTreeSet::new(),
            undirected: false,
            room: Room::new(&options.limits),
        }
    }

    /// Chooses among the series that there are, before their values come.
    pub(in crate::server) fn prepare(&mut self, survey: Survey) {
        // Once values came, the choice stands.
        let is_open = self.readings.uses() == 0;
        let mut called = HashSet::new();
        let mut found: Vec<View> = Vec::new();
        for identity in survey.order {
            let Some(meaning) = self.meaning(&identity) else {
                continue;
            };
            let view = identity.view(&self.wishes);
            if is_open && !found.contains(&view) {
                found.push(view.clone());
            }
            let target = identity.target(&self.wishes);
            if target.kind == TargetKind::Device {
                let devices = self.devices.entry(target.server.clone()).or_default();
                devices.insert(target.name.clone());
            }
            // Those of another view are left out.
            let key = (target, meaning.op.unwrap_or(Op::Write) as u8);
            if !called.insert((key.clone(), view)) {
                self.crowded.insert(key);
            }
        }
        // The sort is stable: of equals, the first that came.
        found.sort_by_key(View::rank);
        if is_open && !found.is_empty() {
            self.views.clear();
        }
        for view in found {
            self.is_taken(&view);
        }
    }

    /// Whether a view is handed on: the first is, and what no other that is handed on can hold.
    fn is_taken(&mut self, view: &View) -> bool {
        if self.views.contains(view) {
            return true;
        }
        let apart = self.views.iter().all(|other| view.is_apart_from(other));
        if apart {
            self.views.push(view.clone());
        }
        apart
    }

    fn meaning(&self, identity: &Identity) -> Option<Meaning> {
        let wanted = self.wishes.measurement.as_ref();
        if wanted.is_some_and(|one| *one != identity.measurement) {
            return None;
        }
        identity.meaning(&self.wishes)
    }

    fn choose(&mut self, identity: &Identity) -> Option<usize> {
        let Some(meaning) = self.meaning(identity) else {
            let clear = identity.clear_names(&self.wishes);
            match clear {
                Some(clear) if self.unclear.len() < LISTED => {
                    self.unclear.insert(identity.called(), clear);
                }
                None if self.other.len() < LISTED => {
                    self.other.insert(identity.called());
                }
                _ => {}
            }
            return None;
        };
        let view = identity.view(&self.wishes);
        if !self.is_taken(&view) && !self.gate.is_chosen_by_name() {
            *self.left_out.entry(identity.called()).or_default() += 1;
            return None;
        }
        let mut target = identity.target(&self.wishes);
        if target.kind == TargetKind::Device && !self.gate.is_chosen_by_name() {
            let devices = self.devices.entry(target.server.clone()).or_default();
            devices.insert(target.name.clone());
            if is_counted_elsewhere(&target.name, devices) {
                *self.left_out.entry(target.label()).or_default() += 1;
                return None;
            }
        }
        let op = meaning.op.unwrap_or_else(|| {
            self.undirected = true;
            Op::Write
        });
        let key = (target.clone(), op as u8);
        if self.crowded.contains(&key) || self.taken.contains(&key) {
            target.name = format!("{}{{{}}}", target.name, identity.written_labels());
        }
        self.taken.insert((target.clone(), op as u8));
        let series = self.gate.series(&target.server, &target.name, target.kind);
        let Some(series) = series else {
            if self.unwanted.len() < LISTED {
                self.unwanted.insert(target.label());
            }
            return None;
        };
        let name = identity.called();
        let (nature, scale) = (meaning.nature, meaning.scale);
        Some(self.readings.announce(&name, (series, op), nature, scale))
    }

    /// Notes what a decoder repaired or left out.
    pub(in crate::server) fn warn(&mut self, code: &'static str, message: impl Into<String>) {
        self.gate.warn(code, message);
    }

    /// Notes that times count from the start that the user stated.
    pub(in crate::server) fn use_start(&mut self) {
        self.gate.use_start();
    }

    /// Notes what somebody else says about the log.
    pub(in crate::server) fn add_warning(&mut self, warning: Warning) {
        self.gate.add_warning(warning);
    }

    /// How many values came in.
    pub(in crate::server) fn readings(&self) -> u64 {
        self.readings.count()
    }

    /// # Errors
    /// Where there was nothing to hand on.
    pub(in crate::server) fn finish(
        mut self,
        format: &str,
        clock: Clock,
        damage: Option<Error>,
    ) -> Result<Reading, Error> {
        self.readings.finish(&mut self.gate)?;
        if self.gate.samples() == 0 {
            return Err(damage.unwrap_or_else(|| self.nothing()));
        }
        self.tell();
        let unit = self.readings.unit(self.gate.quantity());
        Ok(self.gate.finish(format, unit, clock, damage))
    }

    /// Why there is nothing.
    fn nothing(&self) -> Error {
        let message = if self.readings.uses() > 0 {
            format!(
                "one reading of each of {} series: what moved shows only between two of them",
                self.readings.uses()
            )
        } else if !self.unwanted.is_empty() {
            format!(
                "none of the targets that were asked for; it has {}",
                listed(&self.unwanted)
            )
        } else if !self.unclear.is_empty() {
            self.unclear_units()
        } else if self.other.is_empty() {
            "no series in it".to_owned()
        } else {
            format!(
                "no series that counts {} by its name, but {}: say which are, \
                 as in read=NAME,write=NAME (--columns, or --log-columns of signature)",
                self.gate
                    .quantity()
                    .pick("bytes read or written", "read or write operations"),
                listed(&self.other)
            )
        };
        Error::new("", Place::Whole, ErrorKind::Unsupported(message))
    }

    fn unclear_units(&self) -> String {
        let clear = self.unclear.values().next().cloned();
        let [bits, bytes] = clear.unwrap_or_default();
        format!(
            "series that may count bits or bytes are left out: {}; state their unit, as in {bits}=NAME or \
             {bytes}=NAME (--columns, or --log-columns of signature)",
            listed(&self.unclear.keys().cloned().collect())
        )
    }

    fn tell(&mut self) {
        if !self.unclear.is_empty() {
            self.gate.warn("unit-unclear", self.unclear_units());
        }
        if self.undirected {
            let what = self
                .gate
                .quantity()
                .pick("which way bytes flow", "what operations do");
            let message = format!("nothing says {what}: they count as written");
            self.gate.warn("direction-unknown", message);
        }
        if !self.left_out.is_empty() {
            let all: u64 = self.left_out.values().sum();
            let names: BTreeSet<String> = self.left_out.keys().take(LISTED).cloned().collect();
            let message = format!(
                "{all} series left out that count the same {} again: {}",
                self.gate.quantity().name(),
                listed(&names)
            );
            self.gate.warn("left-out", message);
        }
    }
}

fn listed(names: &BTreeSet<String>) -> String {
    let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
    if names.len() >= LISTED {
        names.push("…");
    }
    names.join(", ")
}

impl Taker for Emitter<'_> {
    fn series(&mut self, identity: Identity) -> Result<Option<usize>, Error> {
        if let Some(known) = self.known.get(&identity) {
            return Ok(*known);
        }
        self.room.take(&identity)?;
        let chosen = self.choose(&identity);
        self.known.insert(identity, chosen);
        Ok(chosen)
    }

    fn reading(&mut self, series: usize, at: f64, value: f64) -> io::Result<()> {
        self.readings.take(&mut self.gate, series, at, value)
    }
}
