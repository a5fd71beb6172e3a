//! All that a reader hands on.

use iotempo_formats::server::{Options, Reading, read};
use iotempo_formats::{Error, Input};
use iotempo_model::{Moved, Op, Target, TargetId, ThroughputSink};
use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::Path;

/// Targets and volumes.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    pub(crate) targets: Vec<Target>,
    pub(crate) moved: Vec<Moved>,
}

impl ThroughputSink for Kept {
    fn target(&mut self, target: &Target) -> TargetId {
        self.targets.push(target.clone());
        TargetId(u32::try_from(self.targets.len() - 1).unwrap())
    }

    fn moved(&mut self, moved: Moved) -> io::Result<()> {
        self.moved.push(moved);
        Ok(())
    }
}

impl Kept {
    /// Bytes by target.
    pub(crate) fn by_target(&self, op: Op) -> BTreeMap<String, f64> {
        let mut sums = BTreeMap::new();
        for moved in self.moved.iter().filter(|moved| moved.op == op) {
            let label = self.targets[moved.target.0 as usize].label();
            *sums.entry(label).or_insert(0.0) += moved.bytes.get();
        }
        sums
    }

    /// Every volume in one direction as `(start, end, bytes)`.
    pub(crate) fn volumes(&self, op: Op) -> Vec<(f64, f64, f64)> {
        let numbers = |moved: &Moved| {
            let when = moved.when;
            (when.start().get(), when.end().get(), moved.bytes.get())
        };
        self.moved
            .iter()
            .filter(|moved| moved.op == op)
            .map(numbers)
            .collect()
    }
}

pub(crate) fn read_file(path: &Path) -> (Reading, Kept) {
    let input = Input::file(File::open(path).unwrap()).unwrap();
    read_input(input, &Options::default())
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

pub(crate) fn read_text(text: impl Into<Vec<u8>>) -> Result<(Reading, Kept), Error> {
    read_input(Input::bytes(text), &Options::default())
}

pub(crate) fn read_input(input: Input, options: &Options) -> Result<(Reading, Kept), Error> {
    let mut kept = Kept::default();
    let reading = read(input, options, &mut kept)?;
    Ok((reading, kept))
}

pub(crate) fn codes(reading: &Reading) -> Vec<&str> {
    reading
        .warnings
        .iter()
        .map(|warning| warning.code.as_ref())
        .collect()
}
