//! What a study says, in words.

use super::studied::{Studied, Verdict};
use crate::cli::Units;
use crate::human::{bytes, plural, printable};
use iotempo_analysis::association::Coefficient;
use iotempo_analysis::correlate::study::{Lag, Slowdown};
use iotempo_analysis::correlate::{During, Measure, Traffic};
use iotempo_report::correlate::Unit;
pub(super) use iotempo_report::correlate::{chance as percent, title};
use iotempo_report::quantity::{duration, short};

/// One or two sentences about a group.
pub(super) fn sentence(studied: &Studied) -> String {
    let what = match studied.subject.label.as_str() {
        "all jobs" => "all jobs".to_owned(),
        label => format!("{} of {}", studied.time_of(), printable(label)),
    };
    let what = capitalised(&what);
    match studied.verdict() {
        Verdict::Undetermined => {
            format!(
                "{what}: nothing can be said, because {}.",
                why_nothing(studied)
            )
        }
        Verdict::NoSign => format!(
            "{what}: no sign that they rise or fall with the load ({}{}).",
            rank(studied),
            at_most(studied)
        ),
        Verdict::Mixed => format!(
            "{what} depend on the load, but not in one direction ({}{}).",
            rank(studied),
            at_most(studied)
        ),
        verdict => {
            let how = match studied.study.cost() {
                Ok(slowdown) => times(slowdown, studied, verdict == Verdict::SlowsDown),
                Err(_) if verdict == Verdict::SlowsDown => "take longer under load".to_owned(),
                Err(_) => "take less time under load".to_owned(),
            };
            format!("{what} {how} ({}).", rank(studied))
        }
    }
}

/// Why there is no coefficient, or no chance of it.
fn why_nothing(studied: &Studied) -> String {
    let left_out = studied.subject.left_out.reasons();
    if let Some(reason) = left_out.first().filter(|_| studied.study.jobs == 0) {
        return format!("no job is left ({})", reason.words());
    }
    if studied.misses_own_traffic() {
        let why = "the servers' logs count less than most of the jobs moved themselves, so that nobody knows what others \
                   did (caches, other file systems: --mount; --load of the direction that the jobs do not use)";
        return why.to_owned();
    }
    if studied.hides_what_is_built_in() {
        let why = "volumes grow with the length of a job by construction, and without twenty days of servers' logs \
                   nobody knows by how much (--measure rate or others)";
        return why.to_owned();
    }
    let reasons = studied
        .study
        .measured
        .iter()
        .find_map(|one| match &one.value {
            Err(why) => Some(why.to_string()),
            Ok(measured) => measured.permuted.as_ref().err().map(ToString::to_string),
        });
    reasons.unwrap_or_else(|| "no test could be made".to_owned())
}

/// `take 1.6 × as long in the busiest tenth of hours (95 % CI 1.4–1.9)`. `rises` is what ranks say, which the
/// busiest may contradict by a little.
fn times(slowdown: &Slowdown, studied: &Studied, rises: bool) -> String {
    let when = when(slowdown);
    let interval = interval(slowdown);
    let usual = match &studied.study.within {
        Some(within) if within.stretches > 1 => " as is usual in their weeks",
        Some(_) => " as is usual on their weekday",
        None => "",
    };
    let ratio = slowdown.ratio;
    // As far as it is shown.
    let shown = (100.0 * ratio).round();
    match rises {
        true if shown <= 100.0 => format!(
            "take about as long ({ratio:.2} ×){usual} {when}{interval}, but longer with the load by rank"
        ),
        false if shown >= 100.0 => format!(
            "take about as long ({ratio:.2} ×){usual} {when}{interval}, but less time with the load by rank"
        ),
        _ => format!("take {ratio:.2} × as long{usual} {when}{interval}"),
    }
}

fn when(slowdown: &Slowdown) -> String {
    match slowdown.busy.hours {
        true => "in the busiest tenth of hours".to_owned(),
        false => format!(
            "in the busiest {} of {} runs",
            slowdown.busy_jobs,
            slowdown.busy_jobs + slowdown.other_jobs
        ),
    }
}

fn interval(slowdown: &Slowdown) -> String {
    slowdown
        .interval
        .as_ref()
        .map_or_else(String::new, |range| {
            let percent = (100.0 * range.level).round();
            format!(" ({percent:.0} % CI {:.2}–{:.2})", range.low, range.high)
        })
}

/// How much a busy hour could cost at the most, where nothing is seen.
fn at_most(studied: &Studied) -> String {
    match studied.study.cost() {
        Ok(slowdown) => format!(
            "; {:.2} × as long {}{}",
            slowdown.ratio,
            when(slowdown),
            interval(slowdown)
        ),
        Err(_) => String::new(),
    }
}

/// The rank correlation with its interval and chance.
pub(super) fn rank(studied: &Studied) -> String {
    let Some(rank) = studied.study.telling() else {
        return "no rank correlation".to_owned();
    };
    let interval = rank.interval.as_ref().map_or_else(
        |_| String::new(),
        |range| format!(" [{:.2}, {:.2}]", range.low, range.high),
    );
    let null = rank.shifted.as_ref().filter(|null| null.keeps_built_in);
    let built_in = null.map_or_else(String::new, |null| format!(", {:.2} built in", null.mean));
    let chance = match studied.adjusted {
        Some(chance) => format!(", by chance {}", percent(chance)),
        None => String::new(),
    };
    format!(
        "rank correlation {:.2}{interval}{built_in}{chance}",
        rank.value
    )
}

/// A coefficient's name in tables and JSON.
pub(super) const fn name(coefficient: Coefficient) -> &'static str {
    match coefficient {
        Coefficient::Pearson => "pearson",
        Coefficient::Spearman => "spearman",
        Coefficient::Distance => "distance",
        Coefficient::DistanceCorrected => "distance-corrected",
        Coefficient::Information { .. } => "information",
    }
}

/// A coefficient must gain as much before clocks are doubted.
const GAIN: f64 = 0.1;

/// Whether jobs and servers would agree better, were their clocks set otherwise.
pub(super) fn clocks(studied: &Studied) -> Option<String> {
    if studied.verdict() == Verdict::Undetermined {
        return None;
    }
    let value = |lag: &Lag| lag.value.map(f64::abs);
    let now = studied.lags.iter().find(|lag| lag.ahead_s == 0.0);
    let now = now.and_then(value)?;
    let best = studied
        .lags
        .iter()
        .filter(|lag| lag.value.is_some())
        .max_by(|a, b| value(a).unwrap_or(0.0).total_cmp(&value(b).unwrap_or(0.0)))?;
    (value(best)? > now + GAIN).then(|| {
        let side = if best.ahead_s < 0.0 { "behind" } else { "ahead" };
        format!(
            "The rank correlation would be {:.2}, were the servers' clocks {side} by {} s: see --clocks-ahead.",
            best.value.unwrap_or(0.0),
            best.ahead_s.abs()
        )
    })
}

/// The unit of loads; that of a table only its author knows.
pub(super) fn load_unit(studied: &Studied) -> Unit {
    let traced = studied.subject.traced.as_ref();
    traced.map_or(Unit::OfColumn, |traced| Unit::of(traced.metric))
}

/// What the load of a job is, and of which part of its time; that of a table only its author knows.
pub(super) fn load_of(studied: &Studied) -> Option<String> {
    let traced = studied.subject.traced.as_ref()?;
    let (traffic, measure) = (traced.metric.traffic, traced.metric.measure);
    let what = traffic_name(traffic);
    let meanwhile = match traced.time.during() {
        During::Run => "while the job ran",
        During::Files => "while the job used files",
        During::Reads => "while the job read",
        During::Writes => "while the job wrote",
    };
    Some(match measure {
        Measure::Volume => format!("{what} on all servers {meanwhile}"),
        Measure::Others if traffic.is_bytes() => {
            format!("{what} per second by others {meanwhile}")
        }
        // Nobody knows which operations are the job's own.
        Measure::Rate | Measure::Others => {
            format!("{what} per second, on all servers {meanwhile}")
        }
    })
}

pub(super) const fn traffic_name(traffic: Traffic) -> &'static str {
    match traffic {
        Traffic::Bytes => "bytes read and written",
        Traffic::BytesRead => "bytes read",
        Traffic::BytesWritten => "bytes written",
        Traffic::Reads => "read operations",
        Traffic::Writes => "write operations",
    }
}

/// A load with its unit.
fn load(studied: &Studied, load: f64, units: Units) -> String {
    match load_unit(studied) {
        Unit::Bytes => bytes(load, units),
        Unit::BytesPerSecond => format!("{}/s", bytes(load, units)),
        Unit::Operations => format!("{} operations", short(load, 3)),
        Unit::OperationsPerSecond => format!("{} operations/s", short(load, 3)),
        Unit::OfColumn => format!("{} (in the unit of --x)", short(load, 3)),
    }
}

/// What a prediction says.
pub(super) fn expected(studied: &Studied, units: Units) -> Option<String> {
    Some(match studied.expected.as_ref()? {
        Ok(expected) => {
            let [low, middle, high] = expected.times_s;
            format!(
                "Expected at a load of {}: {}, in nine of ten runs {} to {} (rests on about {}).",
                load(studied, expected.load, units),
                duration(middle),
                duration(low),
                duration(high),
                plural(expected.effective_jobs.round() as u64, "run"),
            )
        }
        Err(why) => format!("Expected at that load: nobody knows ({why})."),
    })
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}
