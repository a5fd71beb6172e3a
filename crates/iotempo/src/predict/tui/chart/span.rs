//! Which stretch of time is shown.

use crate::predict::tui::draw::Scene;
use iotempo_report::quantity::duration;

/// How much of the past is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::predict::tui) enum Zoom {
    /// The last 16 periods; all, where nothing repeats.
    #[default]
    Periods,
    All,
    Minute,
}

/// Periods that are shown.
const PERIODS: f64 = 16.0;
/// Periods of the future beside them: the next phase whole.
const AHEAD: f64 = 1.25;
/// Of a picture of fixed length, this share is the future.
const FUTURE: f64 = 0.2;
/// The shortest stretch that is shown, in seconds.
const SHORTEST: f64 = 0.1;

impl Zoom {
    pub(in crate::predict::tui) fn next(self) -> Self {
        match self {
            Self::Periods => Self::All,
            Self::All => Self::Minute,
            Self::Minute => Self::Periods,
        }
    }

    /// What is shown, in words, the longest first. How high a burst stands depends on how long the bars are that
    /// its bytes are spread over, in seconds.
    pub(in crate::predict::tui) fn words(
        self,
        period: Option<f64>,
        bar: Option<f64>,
    ) -> Vec<String> {
        let part = match self {
            Self::Periods if period.is_some() => "last 16 periods",
            Self::Periods | Self::All => "from the start",
            Self::Minute => "last minute",
        };
        match bar.map(duration) {
            Some(bar) => vec![
                format!("bandwidth per {bar}, {part}"),
                format!("per {bar}, {part}"),
                format!("per {bar}"),
            ],
            None => vec![format!("bandwidth, {part}"), part.to_owned()],
        }
    }
}

/// A stretch of time, in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Span {
    pub(super) from: f64,
    pub(super) to: f64,
}

impl Span {
    pub(super) fn of(scene: &Scene, now: f64, cells: u16) -> Self {
        let began = scene
            .known
            .recording
            .extent()
            .map_or(now, |(first, _)| first);
        let next = scene.known.prediction.as_ref().and_then(|p| p.next);
        let foreseen = next.map(|next| {
            next.start
                .high
                .get()
                .max(next.start.value.get() + next.length.get())
        });
        let all = (now - began).max(SHORTEST);
        let (past, future) = match (scene.zoom, scene.period()) {
            (Zoom::Periods, Some(period)) => ((PERIODS * period).min(all), AHEAD * period),
            (Zoom::Minute, _) => (60.0, foreseen.map_or(0.0, |_| 60.0 * FUTURE)),
            _ => {
                let ahead = foreseen.map_or(0.0, |end| (end - now).max(0.0));
                (all, ahead.min(all / 2.0))
            }
        };
        Self {
            from: now - past,
            to: now + future,
        }
        .aligned(cells)
    }

    pub(super) fn length(&self) -> f64 {
        self.to - self.from
    }

    /// Begins at a whole column, so that a picture that moves on moves by columns.
    fn aligned(self, cells: u16) -> Self {
        let width = self.length() / (2.0 * f64::from(cells.max(1)));
        let from = (self.from / width).floor() * width;
        Self {
            from,
            to: from + self.length(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_moves_by_whole_columns() {
        let at = |now: f64| {
            Span {
                from: now - 10.0,
                to: now,
            }
            .aligned(50)
        };
        assert_eq!(at(20.01), at(20.09));
        assert!((at(20.11).from - at(20.01).from - 0.1).abs() < 1e-9);
    }

    #[test]
    fn three_steps_of_zoom_lead_back() {
        let zoom = Zoom::default();
        assert_eq!(zoom.next().next().next(), zoom);
        assert_eq!(
            zoom.words(Some(2.0), Some(0.0625))[0],
            "bandwidth per 62.5 ms, last 16 periods"
        );
        assert_eq!(zoom.words(None, None)[0], "bandwidth, from the start");
    }
}
