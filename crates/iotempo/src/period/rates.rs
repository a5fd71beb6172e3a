//! Rates that somebody chose: what they cannot show, and which ones would.

use super::args::Rate;
use super::figures;
use super::question::Question;
use crate::human;
use iotempo_analysis::period::PeriodFinding;
use iotempo_analysis::sampling;
use iotempo_model::{Hertz, Interval, MAX_SAMPLES, SamplingError, Signal, Warning};

impl Question<'_> {
    /// Why samples cannot be taken, and what to do about it.
    pub(super) fn refusal(&self, error: SamplingError) -> String {
        let SamplingError::TooManySamples { span, step } = error else {
            return error.to_string();
        };
        let (samples, most) = (span.get() / step.get(), self.plan.most_samples());
        if samples <= most as f64 {
            return error.to_string();
        }
        let highest = most as f64 / span.get();
        let more_memory = match samples <= MAX_SAMPLES as f64 {
            true => {
                let needed = self.plan.memory_limit_gb * samples / most as f64;
                format!(", raise --memory-limit to {}", rounded_up(needed))
            }
            false => String::new(),
        };
        format!(
            "-f {} makes {} samples out of {}, and --memory-limit {} GB allows {}: take -f {} or \
             less{more_memory}, or choose a shorter time with --start and --end",
            figures::significant(1.0 / step.get(), 6),
            human::count(samples.ceil() as u64),
            human::duration(span.get()),
            self.plan.memory_limit_gb,
            human::count(most as u64),
            rounded_down(highest),
        )
    }

    /// Why so few samples show nothing, and what would.
    pub(super) fn too_coarse(&self, rate: Hertz, window: Interval) -> String {
        let span = window.length();
        let samples = (span.get() * rate.get()).ceil().max(1.0);
        let lowest = rounded_up(FEWEST_SAMPLES / span.get());
        let own = sampling::as_recorded(&self.bandwidth, &self.trace.origin, window);
        let own = own.map_or(String::new(), |own| {
            let step = human::duration(own.step().get());
            format!(" (without -f: {step} a sample)")
        });
        format!(
            "-f {} makes {} out of {}, and nothing can be seen to repeat in fewer than \
             {FEWEST_SAMPLES}: take -f {lowest} or more, or leave it out{own}",
            figures::significant(rate.get(), 6),
            human::plural(samples as u64, "sample"),
            human::duration(span.get()),
        )
    }

    /// What a rate hides that somebody chose, or pretends to show.
    pub(super) fn rate_warning(&self, signal: &Signal, finding: &PeriodFinding) -> Option<Warning> {
        let Some(Rate::Fixed(rate)) = self.plan.rate else {
            return None;
        };
        let asked = figures::significant(rate.get(), 6);
        let step = signal.step().get();
        let origin = &self.trace.origin;
        if let Some(finest) = origin
            .resolution
            .filter(|finest| step < 0.99 * finest.get())
        {
            let message = format!(
                "-f {asked} takes a sample every {}, but the source has only one every {}: more \
                 than -f {} shows nothing new",
                human::duration(step),
                human::duration(finest.get()),
                rounded_up(1.0 / finest.get()),
            );
            return Some(Warning::new("rate-beyond-source", message));
        }
        let window = Interval::new(signal.start(), signal.time(signal.samples().len())).ok()?;
        let own = sampling::as_recorded(&self.bandwidth, origin, window).ok()?;
        let finer = own.step().get();
        (!finding.is_periodic() && finer < 0.99 * step).then(|| {
            let message = format!(
                "-f {asked} takes a sample every {}, which shows nothing faster than {}; without \
                 it there would be one every {}",
                human::duration(step),
                human::duration(3.0 * step),
                human::duration(finer),
            );
            Warning::new("rate-low", message)
        })
    }

    /// FTIO says that the window is too short, where the rate is too low.
    pub(super) fn ftio_rate_warning(&self, part: Option<Interval>) -> Option<Warning> {
        let (rate, window) = self.plan.fixed_rate().zip(self.ftio_window(part))?;
        let coarse = too_low(rate, window).then(|| self.too_coarse(rate, window))?;
        Some(Warning::new("rate-low", coarse))
    }
}

/// Fewer samples than this hold nothing that could be seen to repeat.
const FEWEST_SAMPLES: f64 = 6.0;

/// Whether a rate leaves nothing to look at.
pub(super) fn too_low(rate: Hertz, window: Interval) -> bool {
    let length = window.length().get();
    length > 0.0 && length * rate.get() < FEWEST_SAMPLES - 1.0
}

/// Three digits, not above the number.
fn rounded_down(number: f64) -> String {
    let unit = 10_f64.powf(number.log10().floor() - 2.0);
    figures::significant((number / unit).floor() * unit, 3)
}

/// Three digits, not below the number.
fn rounded_up(number: f64) -> String {
    let unit = 10_f64.powf(number.log10().floor() - 2.0);
    figures::significant((number / unit - 1e-9).ceil() * unit, 3)
}
