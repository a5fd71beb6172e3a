//! From the timeline of a signature to the places of a sample.

use super::template::{Common, Template};

/// Times and places that belong together; between them lie straight lines.
pub(super) struct Warp {
    knots: Vec<(f64, f64)>,
}

impl Warp {
    /// The bursts of a template, when they begin on a new timeline, and where in the sample.
    pub(super) fn new(bursts: &[Common], starts: &[usize], anchors: &[f64]) -> Self {
        let mut knots = vec![(0.0, 0.0)];
        for (k, burst) in bursts.iter().enumerate() {
            let (start, anchor) = (starts[k] as f64, anchors[k]);
            let next = starts.get(k + 1);
            let room = next.map_or(f64::INFINITY, |next| *next as f64 - start);
            let length = (burst.points() as f64).min(room - 1.0).max(0.0);
            for knot in [(start, anchor), (start + length, anchor + length)] {
                let last = knots[knots.len() - 1];
                if knot.0 > last.0 {
                    // Nothing comes before what comes before it.
                    knots.push((knot.0, knot.1.max(last.1)));
                } else if knots.len() == 1 {
                    knots[0] = knot;
                }
            }
        }
        Self { knots }
    }

    /// The last time and place that are known.
    pub(super) fn end(&self) -> (f64, f64) {
        self.knots[self.knots.len() - 1]
    }

    /// Where the bursts of a template on the same timeline begin.
    pub(super) fn starts(&self, template: &Template) -> Vec<f64> {
        let starts = template.bursts.iter().map(|burst| burst.start as f64);
        starts.map(self.walk()).collect()
    }

    /// The rates of a sample on the timeline.
    pub(super) fn applied(&self, rates: &[f64], length: usize) -> Vec<f64> {
        let mut walk = self.walk();
        let at = |time: usize| {
            // Not `round`, which is a call on processors without an instruction for it.
            let place = walk(time as f64) + 0.5;
            let inside = (place >= 0.0).then(|| rates.get(place as usize));
            inside.flatten().copied().unwrap_or(0.0)
        };
        (0..length).map(at).collect()
    }

    /// The places of times that never go back.
    fn walk(&self) -> impl FnMut(f64) -> f64 + '_ {
        let mut next = 0;
        move |time| {
            while self.knots.get(next).is_some_and(|knot| knot.0 <= time) {
                next += 1;
            }
            let (t0, x0) = self.knots[next.saturating_sub(1)];
            match self.knots.get(next) {
                Some(&(t1, x1)) if next > 0 => x0 + (time - t0) * (x1 - x0) / (t1 - t0),
                _ => x0 + time - t0,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::template::burst;
    use super::*;

    #[test]
    fn bursts_are_moved_and_what_lies_between_is_stretched() {
        let bursts = [burst(10, 14), burst(30, 34)];
        let warp = Warp::new(&bursts, &[10, 30], &[12.0, 37.0]);
        let rates: Vec<f64> = (0..60).map(f64::from).collect();
        let moved = warp.applied(&rates, 40);
        assert_eq!(moved[10..15], [12.0, 13.0, 14.0, 15.0, 16.0]);
        assert_eq!(moved[30..35], [37.0, 38.0, 39.0, 40.0, 41.0]);
        assert_eq!(moved[0], 0.0);
        assert_eq!(moved[39], 46.0);
        assert!(moved.windows(2).all(|pair| pair[0] <= pair[1]));
    }

    #[test]
    fn places_outside_of_a_sample_move_nothing() {
        let warp = Warp::new(&[burst(0, 3)], &[0], &[-2.0]);
        assert_eq!(warp.applied(&[7.0, 8.0], 5), [0.0, 0.0, 7.0, 8.0, 0.0]);
    }

    #[test]
    fn bursts_in_the_wrong_order_do_not_turn_time_around() {
        let bursts = [burst(10, 14), burst(20, 24)];
        let warp = Warp::new(&bursts, &[10, 20], &[30.0, 5.0]);
        let rates: Vec<f64> = (0..60).map(f64::from).collect();
        let moved = warp.applied(&rates, 30);
        assert!(moved.windows(2).all(|pair| pair[0] <= pair[1]), "{moved:?}");
    }
}
