//! Whether runs that are called by one name are of two kinds.

use iotempo_analysis::runs::Run;
use iotempo_analysis::signature::SignatureFinding;
use iotempo_report::quantity::duration;

/// The longest of a kind is shorter than the shortest of the other by this share.
const APART: f64 = 0.2;

/// Within a kind, lengths differ by no more than this share of what is between the kinds.
const ALIKE: f64 = 0.5;

/// So few may be any.
const FEWEST: usize = 2;

/// Says more where runs differ in length and are of two lengths.
pub(super) fn tell(finding: &mut SignatureFinding, runs: &[&Run]) {
    let mut told = finding.warnings.iter_mut();
    let told = told.find(|warning| warning.code == "durations-differ");
    let lengths = runs.iter().map(|run| run.step_s * run.rates.len() as f64);
    if let (Some(warning), Some([short, long])) = (told, two_kinds(lengths.collect())) {
        warning.message += &format!(
            "; {} last about {} and {} about {}: these may be two applications, so choose by --name, --nodes or \
             --account, or split the job log",
            short.len(),
            duration(short[short.len() / 2]),
            long.len(),
            duration(long[long.len() / 2]),
        );
    }
}

/// The lengths of two kinds, each in order, where there are two.
fn two_kinds(mut lengths: Vec<f64>) -> Option<[Vec<f64>; 2]> {
    lengths.sort_unstable_by(f64::total_cmp);
    let gap = |place: &usize| lengths[*place] / lengths[place - 1];
    let places = FEWEST..(lengths.len() + 1).saturating_sub(FEWEST);
    let widest = places.max_by(|a, b| gap(a).total_cmp(&gap(b)))?;
    let between = gap(&widest) - 1.0;
    let long = lengths.split_off(widest);
    let within = |kind: &[f64]| kind[kind.len() - 1] / kind[0] - 1.0;
    let alike = |kind: &[f64]| within(kind) <= ALIKE * between;
    (between > APART && alike(&lengths) && alike(&long)).then_some([lengths, long])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_kinds_are_apart_and_each_is_alike() {
        let split = |lengths: &[f64]| {
            let kinds = two_kinds(lengths.to_vec())?;
            Some(kinds.map(|kind| kind.len()))
        };
        assert_eq!(split(&[200.0, 101.0, 100.0, 205.0, 103.0]), Some([3, 2]));
        // Some are slower than others, more or less.
        assert_eq!(split(&[100.0, 120.0, 150.0, 170.0, 200.0]), None);
        // One that is longer is no kind.
        assert_eq!(split(&[100.0, 101.0, 102.0, 200.0]), None);
        assert_eq!(split(&[100.0, 101.0, 115.0, 116.0]), None);
        assert_eq!(split(&[100.0, 200.0]), None);
        assert_eq!(split(&[]), None);
    }
}
