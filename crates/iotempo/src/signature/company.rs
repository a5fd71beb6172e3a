//! Whether other jobs are in progress when an application seems to move something while it does not run: jobs that
//! prepare its input, or look at its results, start and end with it.

use iotempo_analysis::binomial;

/// From when to when: of jobs, and of moments.
type Span = (f64, f64);

/// The share of the moments at which a job must be there, and how seldom that may be chance.
const MOST: f64 = 0.6;
const CHANCE: f64 = 0.01;

/// When jobs of others ran, by user and name.
pub(super) struct Company<'a> {
    families: Vec<&'a [Span]>,
}

impl<'a> Company<'a> {
    pub(super) fn new(families: Vec<&'a [Span]>) -> Self {
        Self { families }
    }

    /// Whether, at most of these moments, jobs of one user and name are in progress that are not so for most of the
    /// time.
    pub(super) fn is_there_at(&self, moments: &[Span]) -> bool {
        self.any(moments, |jobs| jobs.to_vec())
    }

    /// Whether, in most of these moments, jobs of one user and name start or end, which they seldom do else.
    pub(super) fn comes_or_goes_at(&self, moments: &[Span]) -> bool {
        self.any(moments, |jobs| {
            let ends = jobs.iter().flat_map(|&(start, end)| [start, end]);
            ends.map(|at| (at, at)).collect()
        })
    }

    fn any(&self, moments: &[Span], of: impl Fn(&[Span]) -> Vec<Span>) -> bool {
        let mut families = self.families.iter();
        families.any(|jobs| {
            let spans = of(jobs);
            let met =
                |(from, to): &&Span| spans.iter().any(|(start, end)| start < to && end > from);
            let held = moments.iter().filter(met).count();
            let is_most = held > 0 && held as f64 >= MOST * moments.len() as f64;
            is_most && {
                let usual = usually(spans, moments);
                binomial::at_least(held, moments.len(), usual) * self.families.len() as f64
                    <= CHANCE
            }
        })
    }
}

/// At which share of all moments of the same length one of these spans is.
fn usually(mut spans: Vec<Span>, moments: &[Span]) -> f64 {
    let known = spans.iter().chain(moments);
    let (first, last) = known.fold((f64::INFINITY, f64::NEG_INFINITY), |(first, last), span| {
        (first.min(span.0), last.max(span.1))
    });
    let lengths = moments.iter().map(|(from, to)| to - from);
    let length = lengths.sum::<f64>() / moments.len() as f64;
    spans.sort_by(|one, other| one.0.total_cmp(&other.0));
    let (taken, _) = spans
        .iter()
        .fold((0.0, first), |(taken, until), (start, end)| {
            let (from, to) = (until.max(start - length), *end);
            (taken + (to - from).max(0.0), until.max(to))
        });
    (taken / (last - first)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So many jobs of ten minutes, one each hour, that start so many seconds into it.
    fn hourly(into: f64, jobs: usize) -> Vec<Span> {
        let start = |hour: usize| 3600.0 * hour as f64 + into;
        (0..jobs)
            .map(|hour| (start(hour), start(hour) + 600.0))
            .collect()
    }

    #[test]
    fn jobs_that_come_with_each_run_are_company() {
        let moments: Vec<Span> = (0..10)
            .map(|hour| {
                (
                    3600.0 * f64::from(hour) + 700.0,
                    3600.0 * f64::from(hour) + 720.0,
                )
            })
            .collect();
        let (with, later) = (hourly(600.0, 10), hourly(1200.0, 10));
        assert!(Company::new(vec![&later, &with]).is_there_at(&moments));
        assert!(!Company::new(vec![&later]).is_there_at(&moments));
        assert!(!Company::new(vec![&with[..5]]).is_there_at(&moments));
        assert!(!Company::new(Vec::new()).is_there_at(&moments));
        // Those that are nearly always there are no company.
        let always: Vec<Span> = with
            .iter()
            .map(|(start, _)| (*start, start + 3300.0))
            .collect();
        assert!(!Company::new(vec![&always]).is_there_at(&moments));
        assert!(!Company::new(vec![&[(-1e6, 1e6)]]).is_there_at(&moments));
        // But they may start with each.
        let since: Vec<Span> = moments.iter().map(|(_, end)| (end - 60.0, *end)).collect();
        let started: Vec<Span> = always
            .iter()
            .map(|(start, end)| (start + 90.0, *end))
            .collect();
        assert!(Company::new(vec![&started]).comes_or_goes_at(&since));
        assert!(!Company::new(vec![&with]).comes_or_goes_at(&since));
    }
}
