//! `iotempo correlate`: do these jobs slow down when the file system is busy?

mod args;
mod clocks;
mod csv;
mod dates;
mod doubts;
mod group;
mod page;
mod result;
mod rows;
mod studied;
mod summary;
mod table;
mod traced;
mod watched;
mod words;

pub(crate) use args::CorrelateArgs;

use crate::Outcome;
use crate::cli::CommonArgs;
use crate::envelope::Envelope;
use crate::pool;
use crate::settings::usage_error;
use crate::style::Style;
use crate::talk::Talk;
use iotempo_analysis::correlate::study::StudySettings;
use result::{GroupResult, Stated};
use std::io::{self, BufWriter, Write};
use std::num::NonZeroUsize;
use studied::Verdict;

pub(crate) const EXAMPLES: &str = "\
Examples:
  iotempo correlate --darshan logs/ --log iostat.json
  iotempo correlate --darshan logs/ --log lmt/*.h5 --mount /scratch -o correlate.html
  iotempo correlate --darshan logs/ --log ost.csv --time touched --measure volume --load bytes-read
  iotempo correlate --darshan logs/ --log iostat-x.txt --time meta --load reads --measure volume
  iotempo correlate --table jobs.csv --x traffic/seconds --y io_time --group app,fs --when start";

/// Runs the verb.
pub(crate) fn run(words: CorrelateArgs, common: &CommonArgs) -> anyhow::Result<Outcome> {
    page::check(&words)?;
    if words.clocks.op.is_some() {
        let hint = "--op: use --load bytes-read or --load bytes-written";
        return Err(usage_error(hint).into());
    }
    let talk = match words.table.table {
        Some(_) => Talk::new(common, "groups"),
        None => Talk::new(common, "logs and groups"),
    };
    let mut jobs = match words.table.table {
        Some(_) => table::read(&words)?,
        None => traced::read(&words, common, &talk)?,
    };
    let settings = StudySettings {
        permutations: words.sure.permutations,
        fewest: words.sure.min_jobs,
        bandwidth: words.sure.bandwidth.bandwidth(),
        seed: words.sure.seed,
        threads: NonZeroUsize::new(pool::threads(common.threads)),
        ..StudySettings::default()
    };
    let mut subjects = std::mem::take(&mut jobs.subjects);
    group::label(&mut subjects, common.units);
    jobs.doubts = doubts::doubts(&subjects);
    let groups = studied::study(subjects, &words, &settings, || talk.done(1));
    talk.finish();
    jobs.warnings
        .extend(studied::floor(&groups, words.table.table.is_none()));
    for warning in jobs.warnings.iter().chain(&jobs.doubts.short) {
        talk.warn(warning);
    }
    let mut out = BufWriter::new(io::stdout().lock());
    if common.json {
        let stated = Stated::new(&words, &settings, &jobs);
        let mut envelope = Envelope::new(&mut out, "correlate", &stated)?;
        for studied in &groups {
            envelope.result(&GroupResult::new(studied))?;
        }
        for failure in &jobs.failures {
            envelope.error(failure.clone());
        }
        envelope.finish()?;
    } else if words.csv {
        csv::write(&mut out, &groups)?;
    } else {
        summary::print(&mut out, &jobs, &groups, Style::new(common))?;
    }
    out.flush()?;
    // Behind the answer, which is not lost where there is no room for a page.
    page::write(&words, &settings, &jobs, &groups, common.units)?;
    let slow = groups
        .iter()
        .any(|studied| studied.verdict() == Verdict::SlowsDown);
    Ok(match (jobs.failures.is_empty(), slow) {
        (false, _) => Outcome::SomeFailed,
        // Nothing of what was read could be used.
        (true, false) if groups.is_empty() && jobs.is_useless() => Outcome::SomeFailed,
        (true, false) if words.exit_code => Outcome::NothingFound,
        _ => Outcome::AllRead,
    })
}
