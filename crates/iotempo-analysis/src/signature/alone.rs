//! Which runs of an application were alone: what servers saw of two at once is both.

/// The share of its time that a run may have spent beside another one and still count as alone.
const HARDLY: f64 = 0.02;

/// For each run, by its start and end in seconds, whether no other of these was in progress meanwhile. One
/// whose times are not known counts as alone, and is beside nobody; one without an end is in progress to the
/// last moment that is known.
#[must_use]
pub fn alone(spans: &[Option<(f64, f64)>]) -> Vec<bool> {
    let moments = spans.iter().flatten().flat_map(|span| [span.0, span.1]);
    let last = moments.filter(|at| at.is_finite()).fold(f64::MIN, f64::max);
    let until_last = |span: &Option<(f64, f64)>| {
        let (start, end) = span.filter(|(start, end)| start.is_finite() && end > start)?;
        Some((start, end.min(last)))
    };
    let spans: Vec<Option<(f64, f64)>> = spans.iter().map(until_last).collect();
    let crowd = Crowd::of(spans.iter().flatten());
    spans
        .iter()
        .map(|span| {
            span.is_none_or(|(start, end)| {
                let shared = crowd.shared_until(end) - crowd.shared_until(start);
                shared <= HARDLY * (end - start)
            })
        })
        .collect()
}

/// How long at least two ran at once, summed up to each moment at which one began or ended.
struct Crowd {
    /// The moment, the seconds up to it, and how many ran from it on.
    moments: Vec<(f64, f64, i64)>,
}

impl Crowd {
    fn of<'a>(spans: impl Iterator<Item = &'a (f64, f64)>) -> Self {
        let changes = |&(start, end): &(f64, f64)| [(start, 1), (end, -1)];
        let mut changes: Vec<(f64, i64)> = spans.flat_map(changes).collect();
        changes.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let (mut last, mut shared, mut running) = (f64::NEG_INFINITY, 0.0, 0);
        let mut moments = Vec::with_capacity(changes.len());
        for (at, change) in changes {
            if running > 1 {
                shared += at - last;
            }
            running += change;
            last = at;
            moments.push((at, shared, running));
        }
        Self { moments }
    }

    /// The seconds up to a moment that is one of its own.
    fn shared_until(&self, at: f64) -> f64 {
        let behind = self.moments.partition_point(|moment| moment.0 <= at);
        behind
            .checked_sub(1)
            .map_or(0.0, |last| self.moments[last].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(spans: &[(f64, f64)]) -> Vec<bool> {
        alone(&spans.iter().copied().map(Some).collect::<Vec<_>>())
    }

    #[test]
    fn runs_that_follow_each_other_are_alone() {
        assert_eq!(
            told(&[(0.0, 100.0), (100.0, 200.0), (300.0, 400.0)]),
            [true; 3]
        );
        assert!(told(&[]).is_empty());
    }

    #[test]
    fn runs_at_the_same_time_are_not() {
        let spans = [(0.0, 100.0), (50.0, 150.0), (149.0, 300.0), (400.0, 500.0)];
        assert_eq!(told(&spans), [false, false, true, true]);
        assert_eq!(told(&[(0.0, 1000.0), (10.0, 20.0)]), [true, false]);
        assert_eq!(told(&[(0.0, 100.0), (0.0, 100.0)]), [false; 2]);
    }

    #[test]
    fn one_without_an_end_is_beside_all_that_follow() {
        let told = told(&[(0.0, 50.0), (60.0, f64::INFINITY), (70.0, 90.0)]);
        assert_eq!(told, [true, false, false]);
    }

    #[test]
    fn times_that_make_no_sense_are_not_known() {
        let nonsense = [(50.0, 20.0), (f64::NAN, 90.0), (60.0, f64::NAN)];
        let mut spans = vec![(0.0, 100.0)];
        spans.extend(nonsense);
        assert_eq!(told(&spans), [true; 4]);
        spans.push((50.0, 150.0));
        assert_eq!(told(&spans), [false, true, true, true, false]);
    }

    #[test]
    fn one_that_is_not_known_is_beside_nobody() {
        let spans = [Some((0.0, 100.0)), None, Some((100.0, 200.0))];
        assert_eq!(alone(&spans), [true; 3]);
    }
}
