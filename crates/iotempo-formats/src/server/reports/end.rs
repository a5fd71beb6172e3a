//! What is told at the end of a log.

use super::Reports;
use crate::error::{Error, ErrorKind, Place};
use crate::server::options::{Clock, Reading};
use crate::table::bad_rows::BadRows;
use crate::zone;
use iotempo_model::{Warning, counted};
use std::mem;

/// What a reader knows at the end of a log.
pub(in crate::server) struct End<'e> {
    pub(in crate::server) format: &'static str,
    pub(in crate::server) unit: &'static str,
    /// What to say of a log without any interval.
    pub(in crate::server) nothing: &'static str,
    /// Whoever read its times; `None` where it has none.
    pub(in crate::server) clock: Option<&'e zone::Clock>,
    pub(in crate::server) bad: &'e BadRows,
    /// What else was left out.
    pub(in crate::server) left_out: Option<&'e str>,
    /// Rows that say the same in two units, and not the same.
    pub(in crate::server) contradictions: u64,
    pub(in crate::server) damage: Option<Error>,
}

impl Reports<'_> {
    /// What was found.
    ///
    /// # Errors
    /// Where there is no interval in it.
    pub(in crate::server) fn finish(mut self, end: End<'_>) -> Result<Reading, Error> {
        self.flush(true)?;
        self.hand_on_sums()?;
        if self.gate.samples() == 0 {
            if let Some(error) = end.damage {
                return Err(error);
            }
            let what = match (self.number, self.since_boot) {
                (0, 1..) => {
                    "the log holds one report, which is about all the time since the machine was \
                     started: a second one is needed"
                        .to_owned()
                }
                (0, _) => end.nothing.to_owned(),
                _ => "none of its targets is asked for".to_owned(),
            };
            if self.number == 0 {
                return Err(Error::new("", Place::Whole, ErrorKind::Unsupported(what)));
            }
        }
        self.tell(&end);
        for warning in end.clock.map(zone::Clock::warnings).into_iter().flatten() {
            self.gate.add_warning(warning);
        }
        if let Some(warning) = end.bad.warning() {
            self.gate.add_warning(warning);
        }
        let clock = match end.clock {
            Some(clock) => clock
                .zone()
                .map_or(Clock::Epoch, |zone| Clock::Zone(zone.name().to_owned())),
            None if self.start.is_some() => Clock::Epoch,
            None => Clock::Relative,
        };
        Ok(self.gate.finish(end.format, end.unit, clock, end.damage))
    }

    fn tell(&mut self, end: &End<'_>) {
        if self.since_boot > 0 {
            let message = format!(
                "{} about all the time since the machine was started: left out",
                counted(self.since_boot, "report")
            );
            self.gate.warn("since-boot", message);
        }
        if self.anew > 0 {
            let message = format!(
                "the log begins anew {}: how much time passed in between is unknown",
                counted(self.anew, "time")
            );
            self.gate.warn("gaps-unknown", message);
        }
        let reasons = [
            "what they move is counted on the devices that they are on",
            "sums beside what they are sums of",
            "what they move is counted in the sum",
        ];
        for (index, reason) in reasons.into_iter().enumerate() {
            let names = mem::take(&mut self.left_out[index]);
            if names.is_empty() {
                continue;
            }
            let more = match self.left_out_more[index] {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let message = format!("left out: {}{more}: {reason}", names.join(", "));
            self.gate.warn("left-out", message);
        }
        if let Some(what) = end.left_out {
            self.gate.warn("left-out", format!("left out: {what}"));
        }
        if self.pace.stretched > 0 {
            let message = format!(
                "{} longer by up to 1 s by their stamps, which have no fractions: either the \
                 clock's rounding, or a missing report",
                counted(self.pace.stretched, "interval")
            );
            self.gate.warn("coarse-stamps", message);
        }
        if end.contradictions > 0 {
            let message = format!(
                "{} where two columns in different units contradict each other: the first was \
                 believed",
                counted(end.contradictions, "row")
            );
            self.gate.warn("unit-doubtful", message);
        }
        if self.pace.compared >= 3 && self.pace.unlike * 2 > self.pace.compared {
            let message = format!(
                "volumes and rates do not fit the times of {} of {} reports: one of them has \
                 another unit than the log says",
                self.pace.unlike, self.pace.compared
            );
            self.gate.warn("unit-doubtful", message);
        }
    }
}

/// What a log that was cut off says about itself.
pub(in crate::server) fn cut_off(place: Place) -> Warning {
    let message = format!("the log ends at {place} without being closed: nothing before is lost");
    Warning::new("cut-off", message)
}
