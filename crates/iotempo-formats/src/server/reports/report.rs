//! One report of a monitor: what each device of a machine moved since the report before.

/// A number of a log in bytes, and by how much it may be off, since it is printed with so many
/// digits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::server) struct Figure {
    pub(in crate::server) value: f64,
    pub(in crate::server) grain: f64,
}

/// What a device moved in one direction, as a log states it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(in crate::server) struct Flow {
    /// Bytes per second.
    pub(in crate::server) rate: Option<Figure>,
    /// Bytes.
    pub(in crate::server) volume: Option<Figure>,
}

/// Clocks of monitors tick a hundred times a second: intervals are known no better.
const TICK: f64 = 0.01;

impl Flow {
    pub(in crate::server) fn of_rate(value: f64) -> Self {
        Self {
            rate: Some(Figure { value, grain: 0.0 }),
            volume: None,
        }
    }

    pub(in crate::server) fn of_volume(value: f64) -> Self {
        Self {
            rate: None,
            volume: Some(Figure { value, grain: 0.0 }),
        }
    }

    /// Bytes in an interval of this length, from whichever number tells it better.
    pub(super) fn bytes(&self, length: f64) -> Option<f64> {
        match (self.rate, self.volume) {
            (None, None) => None,
            (Some(rate), None) => Some(rate.value * length),
            (None, Some(volume)) => Some(volume.value),
            (Some(rate), Some(volume)) => {
                let rates = rate.grain * length + rate.value * TICK;
                let better = volume.grain <= rates || !rates.is_finite();
                Some(if better {
                    volume.value
                } else {
                    rate.value * length
                })
            }
        }
    }

    /// How long the interval was, by volume and rate, and by which part that may be off.
    fn length(&self) -> Option<(f64, f64)> {
        let (rate, volume) = (self.rate?, self.volume?);
        let off = rate.grain / rate.value + volume.grain / volume.value;
        (rate.value > 0.0 && volume.value > 0.0 && off.is_finite())
            .then(|| (volume.value / rate.value, off))
    }
}

/// What one device moved.
#[derive(Debug, Clone, Copy)]
pub(in crate::server) struct Row {
    /// As [`Reports::device`](super::Reports::device) answered.
    pub(in crate::server) device: usize,
    /// By direction.
    pub(in crate::server) flows: [Flow; 2],
}

/// What a report covers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::server) enum Covers {
    /// The time since the report before.
    #[default]
    Interval,
    /// The same, or the time since the machine was started: the first report of `iostat`.
    PerhapsAllSinceBoot,
}

/// A report.
#[derive(Debug, Default)]
pub(in crate::server) struct Report {
    /// When it was made, which is when its interval ended.
    pub(in crate::server) end: Option<f64>,
    /// How long its interval was, where the log says so.
    pub(in crate::server) length: Option<f64>,
    pub(in crate::server) covers: Covers,
    pub(in crate::server) rows: Vec<Row>,
    /// Rates of requests, which times the interval are whole numbers. Asked of first reports.
    pub(in crate::server) counts: Vec<f64>,
    /// Whether rows of it could not be read.
    pub(in crate::server) torn: bool,
}

/// Volumes and rates that fit this well tell the interval.
const PRECISE: f64 = 0.02;

/// First reports that look like those of an interval by chance are taken for one this often.
const CHANCE: f64 = 0.05;

impl Report {
    /// The length of the interval, from its volumes and rates.
    pub(super) fn length_by_volume(&self) -> Option<f64> {
        let (length, off) = self.best_length()?;
        (off < PRECISE).then_some(length)
    }

    /// The same to the next second: volumes of few digits tell no more, and monitors that print
    /// them count in seconds.
    pub(super) fn seconds_by_volume(&self) -> Option<f64> {
        let (length, off) = self.best_length()?;
        let seconds = length.round();
        (seconds >= 1.0 && off * seconds < 0.5).then_some(seconds)
    }

    fn best_length(&self) -> Option<(f64, f64)> {
        let flows = self.rows.iter().flat_map(|row| &row.flows);
        let lengths = flows.filter_map(Flow::length);
        lengths.min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Whether anything was moved that only a rate tells of.
    pub(super) fn needs_length(&self) -> bool {
        let flows = self.rows.iter().flat_map(|row| &row.flows);
        flows
            .filter(|flow| flow.volume.is_none())
            .filter_map(|flow| flow.rate)
            .any(|rate| rate.value > 0.0)
    }

    /// Whether a first report is about all the time since the machine was started, given how long
    /// intervals are.
    ///
    /// Where the log states volumes beside rates, they tell. Else, requests do: in an interval of
    /// 1 s, rates of requests are whole numbers; over weeks they are not, but by chance.
    pub(super) fn is_since_boot(&self, usual: Option<f64>) -> bool {
        if self.covers == Covers::Interval {
            return false;
        }
        let Some(usual) = usual else { return true };
        if let Some(length) = self.length_by_volume() {
            return length > 2.0 * usual;
        }
        // The interval may be off by two ticks.
        let ticks = [-2.0, -1.0, 0.0, 1.0, 2.0].map(|ticks| usual + ticks * TICK);
        !ticks.into_iter().any(|length| {
            let grain = 0.005 * length;
            let whole = |count: f64| (count * length - (count * length).round()).abs() <= grain;
            let counts = || self.counts.iter().filter(|count| **count > 0.0);
            let chance: f64 = counts().map(|_| (2.0 * grain).min(1.0)).product();
            chance * ticks.len() as f64 <= CHANCE && counts().all(|&count| whole(count))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(counts: &[f64]) -> Report {
        Report {
            covers: Covers::PerhapsAllSinceBoot,
            counts: counts.to_vec(),
            ..Report::default()
        }
    }

    #[test]
    fn whole_numbers_of_requests_tell_an_interval_from_weeks() {
        assert!(!first(&[13.0]).is_since_boot(Some(1.0)));
        assert!(first(&[119.0, 26.82, 8.2]).is_since_boot(Some(1.0)));
        // 44.55 requests a second are 45 in 1.01 s.
        assert!(!first(&[44.55, 42.57, 1.98]).is_since_boot(Some(1.0)));
        assert!(first(&[117.34, 25.76]).is_since_boot(Some(1.0)));
        assert!(first(&[]).is_since_boot(Some(1.0)), "nothing tells");
        assert!(first(&[13.0]).is_since_boot(Some(60.0)), "all fit a minute");
        assert!(first(&[13.0]).is_since_boot(None));
    }

    #[test]
    fn the_better_number_is_taken() {
        let figure = |value, grain| Some(Figure { value, grain });
        let in_mib = Flow {
            rate: figure(16.5e6, 5e3),
            volume: figure(16e6, 1e6),
        };
        assert_eq!(in_mib.bytes(1.0), Some(16.5e6));
        let in_kib = Flow {
            rate: figure(16.5e6, 5.0),
            volume: figure(16e6, 1e3),
        };
        assert_eq!(in_kib.bytes(1.0), Some(16e6));
    }
}
