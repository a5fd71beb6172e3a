//! Whether the servers' clocks show another time than the scheduler's.

use super::company::Company;
use super::mined::CLOCKS;
use iotempo_analysis::runs::{Beside, Cutter, Run, Side};
use iotempo_analysis::signature::{Shared, Signature};
use iotempo_model::Warning;

/// The share of the runs beside which the log must be known, and how many at the least.
const KNOWN: f64 = 0.6;
const FEWEST: usize = 3;

/// The part of the least burst that must be there. What is read first is mostly read at once, and less than what is
/// written: before the start, less is enough, where more runs have it.
const PART: f64 = 0.5;
const SMALLER: f64 = 0.25;
const FEWEST_SMALLER: usize = 5;

/// What others move is at the same moment of most runs by chance, too: of so many other times before and as many
/// behind, at none may it be as much, and at few of them a good part of it. Where no other times are known,
/// what is beside the runs is compared with itself, and of that there is more.
const OTHER_TIMES: i64 = 20;
const FEW_OF_THEM: usize = 2;
const GOOD_PART: f64 = 0.5;
const UNKNOWN_PART: f64 = 0.8;

/// So many steps are between what is beside the runs and the next that is looked at: they belong to neither.
const APART: i64 = 2;

/// Jobs that wait for each other start within so many steps, a little before what is looked at beside the runs.
const NEAR: f64 = 2.0;

/// What to say where servers move as much as in a burst beside runs, at the same moment in most of them.
pub(super) fn clocks_may_differ(
    cutter: &Cutter<'_>,
    runs: &[&Run],
    busy: &[(f64, f64)],
    found: &Signature,
    company: &Company<'_>,
) -> Option<Warning> {
    let edge = |side| Edge::new(cutter, runs, busy, side, found);
    let (after, before) = (edge(Side::After), edge(Side::Before));
    // What is as small on both sides comes and goes beside the runs, and is of others.
    let is_input = || {
        let (enough, both) = (before.rows.len() >= FEWEST_SMALLER, after.holds(SMALLER));
        enough && !both && before.goes_on(SMALLER, company)
    };
    let burst = "about as much as in a burst";
    let (place, much, doubt) = match (after.goes_on(PART, company), before.goes_on(PART, company)) {
        (true, false) => ("just after runs end", burst, "ahead of"),
        (false, true) => ("just before runs start", burst, "behind"),
        // Runs follow each other so soon that it is both.
        (true, true) => ("between runs", burst, "ahead of or behind"),
        (false, false) if is_input() => ("just before runs start", "a smaller burst", "behind"),
        (false, false) => return None,
    };
    let message = format!(
        "{place}, servers move {much}, at the same moment in most: are their clocks {doubt} the scheduler's \
         (--clocks-ahead), or a zone not the right one?"
    );
    Some(Warning::new(CLOCKS, message))
}

/// What lies beside the runs on one side.
struct Edge<'a> {
    cutter: &'a Cutter<'a>,
    busy: &'a [(f64, f64)],
    found: &'a Signature,
    rows: Vec<Beside>,
    /// So many of these tell what most of the runs have.
    enough: usize,
    /// What most have at the same moment.
    shared: Shared,
}

impl<'a> Edge<'a> {
    fn new(
        cutter: &'a Cutter<'a>,
        runs: &[&Run],
        busy: &'a [(f64, f64)],
        side: Side,
        found: &'a Signature,
    ) -> Self {
        let next_to = |run: &&Run| cutter.next_to(run, side, busy);
        let rows: Vec<Beside> = runs.iter().filter_map(next_to).collect();
        let enough = ((KNOWN * runs.len() as f64).ceil() as usize).max(FEWEST);
        let rates: Vec<Vec<f64>> = rows.iter().map(|row| row.rates.clone()).collect();
        let step_s = runs.first().map_or(1.0, |run| run.step_s);
        Self {
            cutter,
            busy,
            found,
            shared: found.shared_by(&rates, enough, step_s),
            rows,
            enough,
        }
    }

    /// Whether most have this part of a burst at the same moment.
    fn holds(&self, part: f64) -> bool {
        let least = self.found.part_of_least(part);
        least.is_some_and(|least| self.shared.bytes >= least)
    }

    /// Whether that is so, and is neither chance nor of other jobs.
    fn goes_on(&self, part: f64, company: &Company<'_>) -> bool {
        self.holds(part) && !self.is_of_others(company) && {
            let (others, are_known) = self.shared_at_other_times();
            let as_much = |part: f64| {
                let least = part * self.shared.bytes;
                others.iter().filter(|other| **other >= least).count()
            };
            let good = if are_known { GOOD_PART } else { UNKNOWN_PART };
            as_much(1.0) == 0 && as_much(good) <= FEW_OF_THEM
        }
    }

    /// Whether other jobs are in progress at that moment, start between the end of the runs and that moment, or end
    /// between it and their start.
    fn is_of_others(&self, company: &Company<'_>) -> bool {
        let Shared { place, steps, .. } = self.shared;
        let at_it = |row: &Beside| row.moment(place, steps);
        let up_to_it = |row: &Beside| {
            let ((from, to), near) = (row.moment(0, place + steps), NEAR * row.step_s);
            match row.side {
                Side::Before => (from, to + near),
                Side::After => (from - near, to),
            }
        };
        let at_it: Vec<(f64, f64)> = self.rows.iter().map(at_it).collect();
        let up_to_it: Vec<(f64, f64)> = self.rows.iter().map(up_to_it).collect();
        company.is_there_at(&at_it) || company.comes_or_goes_at(&up_to_it)
    }

    /// What is shared as long before or later, and at more such times, and whether such times are
    /// known. Where a run was in progress then, or the log does not have it,
    /// what was moved at some other time while none was counts, or else what is beside this run.
    fn shared_at_other_times(&self) -> (Vec<f64>, bool) {
        let Some(longest) = self.rows.iter().max_by_key(|row| row.rates.len()) else {
            return (Vec::new(), false);
        };
        let next_s = longest.step_s * longest.rates.len() as f64;
        // What is beside other runs is just what is asked for.
        let taken = |&(start, end): &(f64, f64)| match longest.side {
            Side::Before => (start - next_s, end),
            Side::After => (start, end + next_s),
        };
        let taken: Vec<(f64, f64)> = self.busy.iter().map(taken).collect();
        let later = |row: &Beside, steps| self.cutter.later(row, steps, &taken);
        let half = longest.rates.len() as i64 / 2 + APART;
        let times = (2..2 + OTHER_TIMES).flat_map(|times| [times * half, -times * half]);
        let known: Vec<(f64, usize)> = times
            .clone()
            .flat_map(|steps| self.rows.iter().map(move |row| (row, steps)))
            .filter(|(row, steps)| later(row, *steps).is_some())
            .map(|(row, steps)| (row.start_s + row.step_s * steps as f64, row.rates.len()))
            .collect();
        let are_known = known.len() >= self.rows.len();
        let mut turn = Turn(1);
        let shared = times.enumerate().map(|(tried, steps)| {
            let then = |(place, row): (usize, &Beside)| {
                let some_time = || {
                    // No two runs have the same.
                    let at = (place * known.len() / self.rows.len() + tried) % known.len().max(1);
                    let (start_s, length) = known.get(at).filter(|_| are_known)?;
                    let steps = ((start_s - row.start_s) / row.step_s).round() as i64;
                    (*length >= row.rates.len()).then(|| later(row, steps))?
                };
                let turned = || {
                    let mut rates = some_time().unwrap_or_else(|| row.rates.clone());
                    turn.turn(&mut rates);
                    rates
                };
                later(row, steps).unwrap_or_else(turned)
            };
            let rates: Vec<Vec<f64>> = self.rows.iter().enumerate().map(then).collect();
            let step_s = self.rows.first().map_or(1.0, |row| row.step_s);
            self.found.shared_by(&rates, self.enough, step_s).bytes
        });
        (shared.collect(), are_known)
    }
}

/// Turns rates by a number that is another one each time, and the same in every run of the program.
struct Turn(u64);

impl Turn {
    fn turn(&mut self, rates: &mut [f64]) {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
        let by = (self.0 >> 33) as usize % rates.len().max(1);
        rates.rotate_left(by);
    }
}
