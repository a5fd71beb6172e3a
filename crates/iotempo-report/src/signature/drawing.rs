//! What the pictures are drawn from, as JSON inside the page.

use super::{Beside, RunPart, ShownRun, SignaturePage};
use crate::clock::utc;
use crate::data::{Buckets, MOST_BUCKETS, Short, exact, rates, short};
use crate::plain::plain;
use iotempo_analysis::signature::Signature;
use serde::Serialize;

/// Stretches of a run that are drawn: its row is low, and there are many.
pub(super) const MOST_ROW_BUCKETS: usize = 800;
/// Logs whose hours are drawn.
pub(super) const MOST_LOGS: usize = 24;
/// Bursts that are shaded. Beyond that there is one for every pixel.
const MOST_BURSTS: usize = 2000;

/// All pictures of a page. Times are seconds from the start of a run.
#[derive(Serialize)]
pub(super) struct Drawing {
    base: f64,
    names: [&'static str; 7],
    signature: Option<Course>,
    rows: Vec<Row>,
    /// What fills the height of a row, in bytes per second.
    highest: Short,
    compared: Vec<Hours>,
}

#[derive(Serialize)]
struct Course {
    length: Short,
    signal: Buckets,
    /// Start, end, how many runs have it.
    bursts: Vec<(Short, Short, usize)>,
    runs: usize,
}

#[derive(Serialize)]
struct Row {
    job: String,
    date: Option<String>,
    length: Short,
    signal: Buckets,
    /// Start, end, and the number of the common burst that it is.
    bursts: Vec<(Short, Short, Option<usize>)>,
    /// Why it was left out.
    why: Option<String>,
}

/// What is met by hour of the day, in bytes per second.
#[derive(Serialize)]
struct Hours {
    met: Vec<Option<Short>>,
    starts: Vec<usize>,
    best: Option<usize>,
    worst: Option<usize>,
}

impl Drawing {
    pub(super) fn of(page: &SignaturePage) -> Self {
        let (rows, _) = page.rows();
        let compared = page.compared.iter().take(MOST_LOGS);
        Self {
            base: page.units.base(),
            names: page.units.names(),
            signature: page.signature.as_ref().ok().map(|it| course(it, page)),
            highest: short(highest(&rows)),
            rows: rows.into_iter().map(row).collect(),
            compared: compared.filter_map(hours).collect(),
        }
    }
}

/// The highest rate of runs that are used, else of all: one that was left out, perhaps because it is
/// many times as high, must not make all others flat.
pub(super) fn highest(rows: &[&ShownRun]) -> f64 {
    let of = |runs: &mut dyn Iterator<Item = &&ShownRun>| {
        let rates = runs.flat_map(|run| run.rates.iter().copied());
        rates.filter(|rate| rate.is_finite()).fold(0.0, f64::max)
    };
    let used = of(&mut rows.iter().filter(|run| run.left_out().is_none()));
    if used > 0.0 {
        used
    } else {
        of(&mut rows.iter())
    }
}

fn course(signature: &Signature, page: &SignaturePage) -> Course {
    let bursts = signature.bursts.iter().take(MOST_BURSTS);
    Course {
        length: exact(signature.step_s * signature.rates.len() as f64),
        signal: rates(&signature.rates, signature.step_s, MOST_BUCKETS),
        bursts: bursts
            .map(|burst| (exact(burst.start_s), exact(burst.end_s), burst.support))
            .collect(),
        runs: page.used(),
    }
}

fn row(run: &ShownRun) -> Row {
    let bursts = match &run.part {
        RunPart::Used(bursts) => bursts.as_slice(),
        RunPart::LeftOut(_) => &[],
    };
    let bursts = bursts.iter().take(MOST_BURSTS);
    Row {
        job: plain(&run.job),
        date: utc(run.start_epoch_s),
        length: exact(run.length_s()),
        signal: rates(&run.rates, run.step_s, MOST_ROW_BUCKETS),
        bursts: bursts
            .map(|(burst, common)| {
                let number = common.map(|place| place + 1);
                (exact(burst.start_s), exact(burst.end_s), number)
            })
            .collect(),
        why: run.left_out().map(plain),
    }
}

fn hours(beside: &Beside) -> Option<Hours> {
    let clash = beside.clash.as_ref()?;
    let met = |hour: usize| clash.by_hour.get(hour).copied().flatten();
    Some(Hours {
        met: (0..24)
            .map(|hour| met(hour).map(|met| short(met.met_bytes_per_s)))
            .collect(),
        starts: (0..24)
            .map(|hour| met(hour).map_or(0, |met| met.starts))
            .collect(),
        best: clash.best_hour().map(|hour| hour.hour),
        worst: clash.worst_hour().map(|hour| hour.hour),
    })
}
