//! From what was read and found to what a page shows.

use super::settings;
use crate::cli::Units;
use crate::human;
use iotempo_analysis::period::PeriodFinding;
use iotempo_analysis::scalogram::Scalogram;
use iotempo_formats::Reading;
use iotempo_model::{Job, Signal};
use iotempo_report::{Fact, Part, PeriodPage};
use serde::Serialize;

/// An input that was read and analysed.
pub(crate) struct Analysed<'a> {
    /// The input, as the user named it.
    pub(crate) input: &'a str,
    pub(crate) sha256: Option<&'a str>,
    pub(crate) reading: &'a Reading,
    /// What was found, per direction or for both together.
    pub(crate) parts: Vec<Part>,
}

/// A finding with the evidence that a page shows.
pub(crate) fn part(name: &str, signal: Signal, finding: PeriodFinding) -> Part {
    Part {
        scalogram: Scalogram::of(&signal),
        ..Part::new(name, signal, finding)
    }
}

/// The page about an analysed input; `settings` are all in force, as JSON states them.
pub(crate) fn page(analysed: Analysed<'_>, settings: &impl Serialize, units: Units) -> PeriodPage {
    let Analysed {
        input,
        sha256,
        reading,
        parts,
    } = analysed;
    PeriodPage {
        input: input.to_owned(),
        sha256: sha256.map(str::to_owned),
        format: reading.format.clone(),
        source: reading.origin.source,
        resolution: reading.origin.resolution,
        facts: job_facts(&reading.origin.job),
        tables: Vec::new(),
        warnings: reading.warnings.clone(),
        parts,
        settings: settings::facts(settings),
        tool: concat!("iotempo ", env!("IOTEMPO_VERSION")).to_owned(),
        units: units.into(),
    }
}

fn job_facts(job: &Job) -> Vec<Fact> {
    let known = [
        ("program", job.exe.clone()),
        ("job", job.id.clone()),
        ("user", job.uid.map(|uid| uid.to_string())),
        ("ranks", job.ranks.map(human::count)),
        ("started", job.start_epoch_s.and_then(human::utc)),
        ("run time", job.run_time_s.map(human::duration)),
    ];
    let facts = known.into_iter();
    facts
        .filter_map(|(name, value)| Some(Fact::new(name, value?)))
        .collect()
}
