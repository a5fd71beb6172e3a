//! When a target was watched, and by which log.

/// A stretch without a gap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Stretch {
    pub(super) start: f64,
    pub(super) end: f64,
    /// The log that covers it.
    pub(super) log: u32,
}

/// Stretches in order of time, none over another. A log without gaps costs one, however long it is.
#[derive(Debug, Default)]
pub(super) struct Coverage {
    stretches: Vec<Stretch>,
}

impl Coverage {
    pub(super) fn is_empty(&self) -> bool {
        self.stretches.is_empty()
    }

    pub(super) fn stretches(&self) -> &[Stretch] {
        &self.stretches
    }

    /// From the first instant that is covered to the last.
    pub(super) fn hull(&self) -> Option<(f64, f64)> {
        let (first, last) = (self.stretches.first()?, self.stretches.last()?);
        Some((first.start, last.end))
    }

    /// The first stretch that ends behind an instant.
    fn place(&self, at: f64) -> usize {
        match self.stretches.last() {
            // Logs mostly run forwards.
            Some(last) if last.end <= at => self.stretches.len(),
            _ => self.stretches.partition_point(|one| one.end <= at),
        }
    }

    /// Another log that covers a part of an interval.
    pub(super) fn other(&self, start: f64, end: f64, log: u32) -> Option<u32> {
        let behind = &self.stretches[self.place(start)..];
        let over = behind.iter().take_while(|one| one.start < end);
        over.map(|one| one.log).find(|&other| other != log)
    }

    /// The parts of an interval that no other log covers.
    pub(super) fn left_by_others(&self, start: f64, end: f64, log: u32) -> Vec<(f64, f64)> {
        let behind = &self.stretches[self.place(start)..];
        let over = behind.iter().take_while(|one| one.start < end);
        let (mut left, mut from) = (Vec::new(), start);
        for one in over.filter(|one| one.log != log) {
            if one.start > from {
                left.push((from, one.start));
            }
            from = from.max(one.end);
        }
        if from < end {
            left.push((from, end));
        }
        left
    }

    /// Adds an interval of a log that no other covers. Gaps of up to `tolerance` are none.
    pub(super) fn add(&mut self, start: f64, end: f64, log: u32, tolerance: f64) {
        let mut new = Stretch { start, end, log };
        let mut from = self.place(start - tolerance);
        let is_before = |one: &Stretch| one.log != log && one.start < start;
        from += usize::from(self.stretches.get(from).is_some_and(is_before));
        let touching = self.stretches[from..]
            .iter()
            .take_while(|one| one.start <= end + tolerance && one.log == log)
            .count();
        if let Some(first) = self.stretches.get(from).filter(|_| touching > 0) {
            new.start = new.start.min(first.start);
            new.end = new.end.max(self.stretches[from + touching - 1].end);
        }
        self.stretches.splice(from..from + touching, [new]);
    }

    /// The parts of an interval that nothing covers.
    pub(super) fn gaps(&self, start: f64, end: f64) -> impl Iterator<Item = (f64, f64)> {
        let behind = &self.stretches[self.place(start)..];
        let over = behind.iter().take_while(move |one| one.start < end);
        let edges = over
            .map(|one| (one.start, one.end))
            .chain([(end, f64::INFINITY)]);
        let mut from = start;
        edges.filter_map(move |(begin, stop)| {
            let gap = (begin > from).then_some((from, begin));
            from = from.max(stop);
            gap
        })
    }

    /// How much of an interval is covered.
    pub(super) fn seconds(&self, start: f64, end: f64) -> f64 {
        let behind = &self.stretches[self.place(start)..];
        let over = behind.iter().take_while(|one| one.start < end);
        over.map(|one| one.end.min(end) - one.start.max(start))
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covered(all: &[(f64, f64, u32)]) -> Coverage {
        let mut coverage = Coverage::default();
        for &(start, end, log) in all {
            coverage.add(start, end, log, 0.01);
        }
        coverage
    }

    #[test]
    fn what_touches_is_one_stretch_in_whatever_order_it_comes() {
        let forwards = covered(&[(0.0, 1.0, 0), (1.0, 2.0, 0), (5.0, 6.0, 0)]);
        let backwards = covered(&[(5.0, 6.0, 0), (1.0, 2.0, 0), (0.0, 1.0, 0)]);
        assert_eq!(forwards.stretches(), backwards.stretches());
        assert_eq!(forwards.stretches().len(), 2);
        let closed = covered(&[(0.0, 2.0, 0), (4.0, 6.0, 0), (1.9, 4.005, 0)]);
        assert_eq!(closed.hull(), Some((0.0, 6.0)));
        assert_eq!(closed.stretches().len(), 1);
    }

    #[test]
    fn gaps_and_seconds_complete_each_other() {
        let coverage = covered(&[(0.0, 2.0, 0), (4.0, 6.0, 1)]);
        let gaps: Vec<_> = coverage.gaps(-1.0, 9.0).collect();
        assert_eq!(gaps, [(-1.0, 0.0), (2.0, 4.0), (6.0, 9.0)]);
        assert_eq!(coverage.seconds(-1.0, 9.0), 4.0);
        assert_eq!(coverage.gaps(0.5, 1.5).count(), 0);
        assert_eq!(coverage.gaps(2.5, 3.0).collect::<Vec<_>>(), [(2.5, 3.0)]);
    }

    #[test]
    fn what_others_cover_is_told_from_what_is_left() {
        let coverage = covered(&[(0.0, 2.0, 0), (4.0, 6.0, 1)]);
        assert_eq!(coverage.other(2.0, 4.0, 7), None);
        assert_eq!(coverage.other(1.0, 3.0, 0), None);
        assert_eq!(coverage.other(1.0, 3.0, 7), Some(0));
        assert_eq!(coverage.left_by_others(1.0, 5.0, 7), [(2.0, 4.0)]);
        assert_eq!(coverage.left_by_others(1.0, 5.0, 1), [(2.0, 5.0)]);
        let touching = covered(&[(0.0, 2.0, 0), (2.0, 3.0, 1), (3.0, 4.0, 1)]);
        assert_eq!(touching.hull(), Some((0.0, 4.0)));
        assert_eq!(touching.stretches().len(), 2);
    }
}
