//! Which part of some windows lies in the intervals that others touch.

use super::{Load, Window, Windows};

impl Load {
    /// How much of `windows` lies in the intervals that `looked_at` touches, as a share of their length; of instants
    /// as a share of their number. Windows that nobody knows are taken to lie there.
    pub(in crate::correlate) fn part_within(
        &self,
        windows: &[Window],
        looked_at: &Windows,
        shift_s: f64,
    ) -> f64 {
        if windows == looked_at.as_slice() {
            return 1.0;
        }
        let mut runs: Vec<(i64, i64)> = Vec::new();
        let known = self.each_run(looked_at.as_slice(), shift_s, |first, last| {
            match runs.last_mut() {
                Some(run) if run.1 + 1 == first => run.1 = last,
                _ => runs.push((first, last)),
            }
        });
        if known.is_err() {
            return 1.0;
        }
        let (mut inside, mut all) = ((0.0, 0_u64), (0.0, 0_u64));
        for window in windows {
            let Ok(one) = self.stretch(*window, shift_s) else {
                continue;
            };
            all = (all.0 + one.to_s - one.from_s, all.1 + 1);
            let next = runs.partition_point(|run| run.1 < one.first);
            for &(first, last) in runs[next..].iter().take_while(|run| run.0 <= one.last) {
                let (from_s, to_s) = (first as f64 * self.step_s, (last + 1) as f64 * self.step_s);
                inside.0 += (one.to_s.min(to_s) - one.from_s.max(from_s)).max(0.0);
                inside.1 += 1;
            }
        }
        match all {
            (_, 0) => 1.0,
            (length_s, _) if length_s > 0.0 => inside.0 / length_s,
            (_, count) => inside.1 as f64 / count as f64,
        }
    }
}
