//! Rates that somebody chose: what they cannot show, and which ones would.

use super::args::Rate;
use super::figures;
use super::question::Question;
use crate::human;
use iotempo_analysis::period::{FEWEST_SAMPLES, PeriodFinding};
use iotempo_analysis::{ftio, sampling};
use iotempo_model::{Hertz, Interval, MAX_SAMPLES, Seconds, Signal, Warning};
use std::fmt;

impl Question<'_> {
    /// The rate at which FTIO takes samples; `None` where the events themselves decide.
    pub(super) fn ftio_rate(&self) -> Option<Chosen> {
        let plan = self.plan;
        if let Some(rate) = plan.ftio.rate_of_heatmap(self.trace) {
            return Some(Chosen::ByHeatmap(rate));
        }
        let chosen = match plan.rate {
            Some(_) => Chosen::AskedOfFtio,
            None => Chosen::ByFtio,
        };
        plan.fixed_rate().map(chosen)
    }

    /// Why so many samples cannot be taken, and what to do about it.
    pub(super) fn too_fine(&self, chosen: Chosen, window: Interval) -> String {
        let span = window.length().get();
        let (samples, most) = (chosen.samples(window), self.plan.most_samples());
        let lower = match chosen {
            Chosen::ByHeatmap(_) => None,
            _ => Some(format!(
                "take -f {} or less",
                rounded_down(most as f64 / span)
            )),
        };
        let more_memory = (samples <= MAX_SAMPLES as f64).then(|| {
            let needed = self.plan.memory_limit_gb * samples / most as f64;
            format!("raise --memory-limit to {}", rounded_up(needed))
        });
        let shorter = "or choose a shorter time with --start and --end".to_owned();
        let advice: Vec<_> = lower
            .into_iter()
            .chain(more_memory)
            .chain([shorter])
            .collect();
        format!(
            "{chosen} {} out of {}, and --memory-limit {} GB allows {}: {}",
            chosen.makes(samples),
            human::duration(span),
            self.plan.memory_limit_gb,
            human::count(most as u64),
            advice.join(", "),
        )
    }

    /// Why so few samples show nothing, and what would.
    pub(super) fn too_coarse(&self, chosen: Chosen, window: Interval) -> String {
        let span = window.length().get();
        let lowest = rounded_up(FEWEST_SAMPLES as f64 / span);
        let advice = match chosen {
            Chosen::Asked(_) => {
                let own = self.own_step(window);
                format!(": take -f {lowest} or more, or leave it out{own}")
            }
            Chosen::AskedOfFtio(_) | Chosen::ByFtio(_) => {
                format!(": take -f {lowest} or more, or -f -1")
            }
            Chosen::ByHeatmap(_) => String::new(),
        };
        format!(
            "{chosen} {} out of {}, and nothing can be seen to repeat in fewer than \
             {FEWEST_SAMPLES}{advice}",
            chosen.makes(chosen.samples(window)),
            human::duration(span),
        )
    }

    /// What there would be without a rate.
    fn own_step(&self, window: Interval) -> String {
        let own = sampling::as_recorded(&self.bandwidth, &self.trace.origin, window);
        own.map_or(String::new(), |own| {
            let step = human::duration(own.step().get());
            format!(" (without -f: {step} a sample)")
        })
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
    pub(super) fn ftio_rate_warning(
        &self,
        finding: &ftio::Finding,
        part: Option<Interval>,
    ) -> Option<Warning> {
        let events = finding.sampling.and_then(|sampling| {
            let [start, end] = [sampling.t_start_s, sampling.t_end_s].map(Seconds::new);
            Interval::new(start?, end?).ok()
        });
        let window = events.or_else(|| self.ftio_window(part))?;
        let chosen = self.ftio_rate().filter(|rate| rate.too_low(window))?;
        Some(Warning::new("rate-low", self.too_coarse(chosen, window)))
    }
}

/// A rate, and who chose it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Chosen {
    /// The user, with `-f`.
    Asked(Hertz),
    /// The user, for FTIO's method.
    AskedOfFtio(Hertz),
    /// FTIO, unasked.
    ByFtio(Hertz),
    /// The bins of a heatmap, for FTIO's method: it does not heed `-f` there.
    ByHeatmap(Hertz),
}

impl Chosen {
    const fn rate(self) -> Hertz {
        match self {
            Self::Asked(rate)
            | Self::AskedOfFtio(rate)
            | Self::ByFtio(rate)
            | Self::ByHeatmap(rate) => rate,
        }
    }

    /// How many samples it takes of a window: FTIO leaves out what does not fill one.
    pub(super) fn samples(self, window: Interval) -> f64 {
        let samples = window.length().get() * self.rate().get();
        match self {
            Self::Asked(_) => samples.ceil().max(1.0),
            _ => samples.floor(),
        }
    }

    /// Whether it leaves nothing to look at.
    pub(super) fn too_low(self, window: Interval) -> bool {
        window.length() > Seconds::ZERO && self.samples(window) < FEWEST_SAMPLES as f64
    }

    /// `makes 3 samples`; `make 3` where the samples are named before.
    fn makes(self, samples: f64) -> String {
        match self {
            Self::Asked(_) | Self::AskedOfFtio(_) => {
                format!("makes {}", human::plural(samples as u64, "sample"))
            }
            Self::ByFtio(_) | Self::ByHeatmap(_) => {
                format!("make {}", human::count(samples as u64))
            }
        }
    }
}

impl fmt::Display for Chosen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rate = figures::significant(self.rate().get(), 6);
        match self {
            Self::Asked(_) | Self::AskedOfFtio(_) => write!(f, "-f {rate}"),
            Self::ByFtio(_) => write!(f, "{rate} samples a second, FTIO's default,"),
            Self::ByHeatmap(_) => write!(f, "{rate} samples a second, by the bins of the heatmap,"),
        }
    }
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
