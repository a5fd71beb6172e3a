//! What should be known before a signature is believed.

use super::finding::{SampleBurst, Signature};
use super::numbers::{median, quantile};
use super::outliers;
use super::samples::{SampleSet, TELLING};
use super::settings::{Method, Settings};
use iotempo_model::{Warning, counted};

/// All that there is to say of a signature, its samples and the bursts of each of these.
pub(super) fn of(
    signature: &Signature,
    set: &SampleSet,
    bursts: &[Vec<SampleBurst>],
    settings: &Settings,
) -> Vec<Warning> {
    let doubts = [
        hardly_longer(signature),
        hardly_enough(set.prepared.len()),
        shorter(signature, set),
        busy_others(signature, set),
        steady(signature, set, settings),
        volumes(signature, set, bursts),
    ];
    doubts.into_iter().flatten().collect()
}

/// What to say where no burst can be told because nothing but bursts is there.
pub(super) fn no_room() -> Warning {
    short_beside("nearly all")
}

/// The code of the warning that bursts were left out which may be the application's.
pub const BURSTS_LEFT_OUT: &str = "bursts-left-out";

/// What to say of bursts that may be the application's, and may be others'.
pub(super) fn left_out(bursts: usize) -> Option<Warning> {
    let message = format!(
        "most runs share {} more of about this size, left out because they cannot be told from those of other jobs: \
         runs in quieter hours, or more of them, may settle it",
        counted(bursts as u64, "burst"),
    );
    (bursts > 0).then(|| Warning::new(BURSTS_LEFT_OUT, message))
}

/// The share of a run that bursts may fill, and still be told from what is always there.
const FILLED: f64 = 0.5;

/// What to say of runs that are hardly longer than their bursts.
fn hardly_longer(signature: &Signature) -> Option<Warning> {
    let bursts = signature.bursts.iter();
    let busy: f64 = bursts.map(|burst| burst.end_s - burst.start_s).sum();
    let share = busy / (signature.step_s * signature.rates.len() as f64);
    (share > FILLED).then(|| short_beside(&format!("{:.0} %", 100.0 * share.min(1.0))))
}

fn short_beside(share: &str) -> Warning {
    let message = format!(
        "bursts fill {share} of a run, and leave too little quiet time to tell who else may be in them, and, where \
         nothing is known around the runs, what is always there: volumes may be too small by as much"
    );
    Warning::new("runs-short-beside-bursts", message)
}

/// The share of a run by which a signature may be shorter without a word.
const SHORTER: f64 = 0.02;

/// What to say where runs take longer than the signature: its times between bursts are not those of a usual run, unless
/// runs that do more than others were cut off.
fn shorter(signature: &Signature, set: &SampleSet) -> Option<Warning> {
    let mut runs: Vec<f64> = set.prepared.iter().map(|s| s.whole.len() as f64).collect();
    let usual_s = set.step * median(&mut runs);
    let lasts_s = signature.step_s * signature.rates.len() as f64;
    let share = 1.0 - lasts_s / usual_s;
    let without_delays = signature
        .timing
        .is_some_and(|timing| timing.delay_share > 0.0);
    (share > SHORTER && !set.cut_off).then(|| {
        let why = match without_delays {
            true => "delays that differ from run to run were taken out",
            false => "runs that take longer were made shorter",
        };
        let message = format!(
            "the median run lasts {usual_s:.0} s, the signature {lasts_s:.0} s: {why}, and most runs have their bursts up \
             to {:.0} % later, and a period that much longer",
            100.0 * (usual_s / lasts_s - 1.0)
        );
        Warning::new("shorter-than-runs", message)
    })
}

/// The share of what an application moves in its bursts that others may move meanwhile without a word.
const BUSY: f64 = 0.1;

/// What to say where others move much while the application does not run. What they move just beside a burst is taken
/// out of it, but not what comes and goes.
fn busy_others(signature: &Signature, set: &SampleSet) -> Option<Warning> {
    let share = share_of_others(signature, set);
    (share > BUSY).then(|| {
        let message = format!(
            "around the runs others move, in as much time and beyond what is always there, {:.0} % of what the bursts do: \
             volumes may be too large by up to as much, and bursts may begin too early or end too late",
            100.0 * share
        );
        Warning::new("busy-others", message)
    })
}

/// What others move around the runs in as much time as bursts last, as a share of these; 0 where too little is known.
fn share_of_others(signature: &Signature, set: &SampleSet) -> f64 {
    let points: usize = set.others.iter().map(Vec::len).sum();
    if points < TELLING {
        return 0.0;
    }
    let usual = set.others.iter().flatten().sum::<f64>() / points as f64;
    let lasts: f64 = signature.bursts.iter().map(|b| b.end_s - b.start_s).sum();
    usual * lasts / signature.bytes().max(f64::MIN_POSITIVE)
}

/// What to say of so few runs that nobody can tell which of them is unlike the others.
fn hardly_enough(runs: usize) -> Option<Warning> {
    (runs < outliers::FEWEST).then(|| {
        let message = format!(
            "the signature is made of {runs} runs: among fewer than {} outliers cannot be told, and bursts may \
             be those of others",
            outliers::FEWEST
        );
        Warning::new("few-runs", message)
    })
}

/// The share of what an application moves in its bursts that it may move beside them without a word.
const STEADY: f64 = 0.1;

/// So many times what is always there around runs may be always there in them: others differ from hour to hour.
const ORDINARY: f64 = 1.5;

/// What to say where more is always there in the runs than around them, or where nobody knows what is around them, and
/// it is more than the bursts are: it was taken away, and may be the application's.
fn steady(signature: &Signature, set: &SampleSet, settings: &Settings) -> Option<Warning> {
    let lasts_s = signature.step_s * signature.rates.len() as f64;
    let times = |rate: f64| rate * lasts_s / signature.bytes().max(f64::MIN_POSITIVE);
    let message = match set.around {
        Some(around) if set.background > ORDINARY * around => {
            let times = times(set.background - around);
            (times > STEADY).then(|| {
                format!(
                    "all through the runs more is moved than around them, {times:.1} times as much in all as in the bursts: \
                     it was taken for background, but is probably the application's own, unless others are busier \
                     at these hours"
                )
            })
        }
        Some(_) => None,
        // Other methods do not look around.
        None if settings.method != Method::Auto => None,
        None => {
            let times = times(set.background);
            (times > 1.0).then(|| {
                format!(
                    "what is moved all through the runs, and was taken for background, is {times:.1} times as much as the \
                     bursts are: it may be the application's own, because the logs do not tell what is moved around them"
                )
            })
        }
    };
    message.map(|message| Warning::new("steady", message))
}

/// Fewer runs show no kinds.
const FEWEST_OF_KINDS: usize = 4;

/// A fifth of the runs moves so many times as much as another fifth where there are two kinds of them.
const KINDS: f64 = 1.5;

/// Others come in lumps: so many times what they usually move, as a share of a run's bursts, they move more in one run
/// than in another.
const LUMPS: f64 = 3.0;

/// So many times as much as the signature has in a burst may be in those of the runs: others are in some of these.
const MORE: f64 = 1.1;

/// What to say where the bursts of runs do not move what those of the signature do.
fn volumes(signature: &Signature, set: &SampleSet, bursts: &[Vec<SampleBurst>]) -> Option<Warning> {
    let mut times: Vec<f64> = bursts
        .iter()
        .filter_map(|bursts| signature.times_as_much(bursts))
        .collect();
    let usual = median(&mut times);
    let (less, more) = (quantile(&mut times, 0.2), quantile(&mut times, 0.8));
    let others = share_of_others(signature, set);
    if times.len() >= FEWEST_OF_KINDS && more >= KINDS * less + LUMPS * others {
        let many = times.iter().filter(|times| **times * KINDS.sqrt() >= more);
        let message = format!(
            "in the same bursts {} move {more:.1} times as much as the signature, and others {less:.1} times: are they runs \
             of one application? Volumes are those of neither kind where they differ",
            counted(many.count() as u64, "run"),
        );
        return Some(Warning::new("volumes-differ", message));
    }
    (usual > MORE + others).then(|| {
        let message = format!(
            "most runs move {usual:.2} times as much in their bursts as the signature does: they write faster at one time \
             than at another, so that their bursts do not cover each other, or others are in them"
        );
        Warning::new("runs-move-more", message)
    })
}

impl Signature {
    /// How many times as much as its own bursts those of a run move that are the same, usually.
    fn times_as_much(&self, bursts: &[SampleBurst]) -> Option<f64> {
        let places = self.places_of(bursts);
        let mut times: Vec<f64> = bursts
            .iter()
            .zip(places)
            .filter_map(|(burst, place)| Some(burst.bytes / self.bursts[place?].bytes))
            .collect();
        (!times.is_empty()).then(|| median(&mut times))
    }
}
