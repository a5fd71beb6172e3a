//! From what was read and found to what a page shows.

use super::settings;
use crate::cli::Units;
use crate::human;
use iotempo_model::{Job, Origin, Warning};
use iotempo_report::{Fact, Part, PeriodPage, Table};
use serde::Serialize;

/// An input that was read and analysed.
pub(crate) struct Subject<'a> {
    /// The input, as the user named it.
    pub(crate) input: &'a str,
    pub(crate) sha256: Option<&'a str>,
    /// The format and its version.
    pub(crate) format: &'a str,
    pub(crate) origin: &'a Origin,
    pub(crate) warnings: &'a [Warning],
    /// What was found, per direction or for both together.
    pub(crate) parts: Vec<Part>,
}

/// The page about an analysed input; `settings` are all in force, as JSON states them.
pub(crate) fn page(subject: Subject<'_>, settings: &impl Serialize, units: Units) -> PeriodPage {
    let Subject {
        input,
        sha256,
        format,
        origin,
        warnings,
        parts,
    } = subject;
    PeriodPage {
        input: input.to_owned(),
        sha256: sha256.map(str::to_owned),
        format: format.to_owned(),
        source: origin.source,
        resolution: origin.resolution,
        facts: job_facts(&origin.job),
        tables: Vec::<Table>::new(),
        warnings: warnings.to_vec(),
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
