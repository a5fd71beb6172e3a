//! Where the regions of a log lie, and whether what is left of a module is a start of it.

use crate::rows::Rows;
use iotempo_formats::darshan::{DxtRecord, DxtTable, ModuleData, Records};
use std::ops::Range;

/// The bytes of a log's regions.
pub struct Regions {
    pub job: Range<usize>,
    pub names: Range<usize>,
    /// Those of modules with data, in order.
    pub modules: Vec<Range<usize>>,
}

impl Regions {
    /// Reads the header of a sound log.
    pub fn of(log: &[u8]) -> Self {
        let word = |at: usize| {
            let bytes = log[at..at + 8].try_into().expect("8 bytes");
            let number = if log[8] == 0x37 {
                u64::from_le_bytes(bytes)
            } else {
                u64::from_be_bytes(bytes)
            };
            number as usize
        };
        let (size, names_at, slots) = if log.starts_with(b"3.41") {
            (1328, 32, 64)
        } else {
            (360, 24, 16)
        };
        let region = |at: usize| word(at)..word(at) + word(at + 8);
        let names = region(names_at);
        Self {
            job: size..names.start,
            modules: (1..=slots)
                .map(|slot| region(names_at + 16 * slot))
                .filter(|region| !region.is_empty())
                .collect(),
            names,
        }
    }
}

/// How much of a module is left.
pub struct Left {
    pub records: usize,
    /// Of all that the module held.
    pub share: f64,
    pub is_all: bool,
}

/// Whether the records of `part` are the first of `whole`, each the same to the last bit. Of
/// requests, the last record may have lost some at its end.
pub fn is_start_of(part: &ModuleData, whole: &ModuleData) -> Result<Left, String> {
    let module = whole.module.expect("a known module");
    let (ours, all) = (
        Rows::of(module, &part.records),
        Rows::of(module, &whole.records),
    );
    let left = Left {
        records: ours.ends.len(),
        share: ours.words.len() as f64 / all.words.len() as f64,
        is_all: ours.words == all.words && ours.texts == all.texts,
    };
    let same = match (&part.records, &whole.records) {
        (Records::Dxt(part), Records::Dxt(whole)) => dxt_is_start_of(part, whole),
        _ => all.words.starts_with(&ours.words) && all.texts.starts_with(&ours.texts),
    };
    let records = left.records;
    same.then_some(left).ok_or_else(|| {
        format!(
            "{module}: {records} records are not the first of {}",
            all.ends.len()
        )
    })
}

fn dxt_is_start_of(part: &DxtTable, whole: &DxtTable) -> bool {
    let bits = |times: &[f64]| times.iter().map(|t| t.to_bits()).collect::<Vec<_>>();
    let last = part.records.len().saturating_sub(1);
    let mut pairs = part.records.iter().zip(&whole.records).enumerate();
    pairs.all(|(index, (ours, all))| ours == all || index == last && is_cut(ours, all))
        && part.records.len() <= whole.records.len()
        && whole.offsets.starts_with(&part.offsets)
        && whole.lengths.starts_with(&part.lengths)
        && whole.threads.starts_with(&part.threads)
        && bits(&whole.starts).starts_with(&bits(&part.starts))
        && bits(&whole.ends).starts_with(&bits(&part.ends))
}

/// Whether a record lost requests at its end: reads first, because they follow the writes.
fn is_cut(ours: &DxtRecord, all: &DxtRecord) -> bool {
    let counts = DxtRecord {
        writes: all.writes,
        reads: all.reads,
        ..ours.clone()
    };
    let only_reads = ours.writes == all.writes && ours.reads <= all.reads;
    let writes_too = ours.writes < all.writes && ours.reads == 0;
    counts == *all && (only_reads || writes_too)
}
