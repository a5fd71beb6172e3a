//! One mode of TMIO, one direction, one metric: a section in the making.

use crate::reading::Section;
use iotempo_model::{Api, FileId, Op, Warning};

/// A mean transfer below this is more likely one in MB: of 1 KiB if bytes, of 1 GB if MB.
pub(crate) const SMALLEST_MEAN_BYTES: f64 = 1024.0;

/// What is known of a mode so far.
#[derive(Debug)]
pub(crate) struct Mode {
    pub(crate) name: String,
    pub(crate) op: Op,
    pub(crate) api: Api,
    pub(crate) file: FileId,
    /// Whether its records became requests. The bandwidth that an application would have needed
    /// (TMIO's `_b`) describes the same bytes as the one that it had (`_t`).
    pub(crate) counted: bool,
    /// Whether its bytes are a rate times a time.
    pub(crate) from_rates: bool,
    pub(crate) records: u64,
    pub(crate) accepted: u64,
    pub(crate) bytes: f64,
    /// Requests inside its records, where the input says.
    pub(crate) requests: Option<u64>,
    /// Bytes as the input sums them up, and how far rounding may put them off.
    pub(crate) stated_bytes: Option<(f64, f64)>,
    /// Records as the input counts them.
    pub(crate) stated_records: Option<f64>,
    pub(crate) damage: Option<String>,
}

impl Mode {
    /// A mode of which nothing is known but its name.
    pub(crate) fn new(name: &str, op: Op, api: Api, file: FileId) -> Self {
        Self {
            name: name.to_owned(),
            op,
            api,
            file,
            counted: true,
            from_rates: false,
            records: 0,
            accepted: 0,
            bytes: 0.0,
            requests: None,
            stated_bytes: None,
            stated_records: None,
            damage: None,
        }
    }

    /// Adds a total that the input states and the tolerance within which it is to be believed.
    pub(crate) fn state_bytes(&mut self, bytes: f64, tolerance: f64) {
        let (sum, slack) = self.stated_bytes.unwrap_or_default();
        self.stated_bytes = Some((sum + bytes, slack + tolerance));
    }

    /// Adds a number of records that the input states.
    pub(crate) fn state_records(&mut self, records: f64) {
        *self.stated_records.get_or_insert_default() += records;
    }

    /// Adds requests inside the records.
    pub(crate) fn add_requests(&mut self, requests: u64) {
        let known = self.requests.get_or_insert_default();
        *known = known.saturating_add(requests);
    }

    /// Whether its transfers are so small that their unit is in doubt.
    pub(crate) fn doubtful_mean(&self) -> Option<f64> {
        let mean = self.bytes / self.accepted as f64;
        let doubtful = self.from_rates && mean > 0.0 && mean < SMALLEST_MEAN_BYTES;
        doubtful.then_some(mean)
    }

    /// Where the input contradicts itself. A damaged mode is bound to.
    pub(crate) fn contradictions(&self) -> Vec<Warning> {
        let mut warnings = Vec::new();
        if !self.counted || self.damage.is_some() {
            return warnings;
        }
        let name = &self.name;
        if let Some((stated, slack)) = self.stated_bytes
            && (self.bytes - stated).abs() > slack
        {
            let message = format!(
                "{name}: the input states {stated} bytes in total, its records hold {}",
                self.bytes
            );
            warnings.push(Warning::new("total-mismatch", message));
        }
        if let Some(stated) = self.stated_records
            && stated != self.records as f64
        {
            let message = format!(
                "{name}: the input states {stated} records, it holds {}",
                self.records
            );
            warnings.push(Warning::new("count-mismatch", message));
        }
        warnings
    }

    /// The section of this mode.
    pub(crate) fn section(self) -> Section {
        let bytes = self.counted.then_some(self.bytes);
        Section {
            name: self.name,
            records: self.records,
            requests: self.requests.filter(|_| self.counted),
            bytes_read: bytes.filter(|_| self.op == Op::Read),
            bytes_written: bytes.filter(|_| self.op == Op::Write),
            damage: self.damage,
            ..Section::default()
        }
    }
}

/// The direction that a name speaks of: `read_sync`, `MPI_File_write_all`, `bytes_written`.
pub(crate) fn direction_of(name: &str) -> Option<Op> {
    const READ: [&str; 6] = ["read", "reads", "pread", "fread", "readv", "preadv"];
    const WRITE: [&str; 7] = [
        "write", "writes", "written", "pwrite", "fwrite", "writev", "pwritev",
    ];
    let lower = name.to_ascii_lowercase();
    let speaks = |known: &[&str]| {
        lower
            .split(|c: char| !c.is_ascii_alphabetic())
            .any(|word| known.contains(&word))
    };
    match (speaks(&READ), speaks(&WRITE)) {
        (true, false) => Some(Op::Read),
        (false, true) => Some(Op::Write),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_speak_of_a_direction_in_whole_words() {
        for (name, op) in [
            ("read_sync", Some(Op::Read)),
            ("write_async_t", Some(Op::Write)),
            ("MPI_File_write_all", Some(Op::Write)),
            ("disk__bytes_written", Some(Op::Write)),
            ("pread64", Some(Op::Read)),
            ("threads_total", None),
            ("already_sent", None),
            ("read_and_write", None),
            ("", None),
        ] {
            assert_eq!(direction_of(name), op, "{name}");
        }
    }
}
