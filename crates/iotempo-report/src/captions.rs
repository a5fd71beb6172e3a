//! Which pictures a page has, what is said under them, and to those who cannot see them.

use crate::clock::Clock;
use crate::data::{self, Picture};
use crate::page::Part;
use crate::quantity::{Units, count, duration, rate};

/// A picture, drawn by the script.
pub(crate) struct Figure {
    pub(crate) picture: &'static str,
    pub(crate) title: &'static str,
    /// For those who cannot see it.
    pub(crate) alt: String,
    /// How to read it.
    pub(crate) caption: String,
    /// The highest amplitude, where colours stand for amplitudes.
    pub(crate) shades: Option<String>,
    /// Whether it takes a row of its own.
    pub(crate) wide: bool,
}

/// The pictures in which there is something to see.
pub(crate) fn figures(part: &Part, picture: &Picture, units: Units) -> Vec<Figure> {
    let phases = part.finding.best().map_or(0, |rhythm| rhythm.phases.len());
    let mut figures = Vec::new();
    if !part.signal.samples().is_empty() {
        figures.push(bandwidth(part, units));
    }
    if let Some(cells) = &picture.scalogram {
        figures.push(scalogram(rate(cells.highest(), units)));
    }
    if (3..=data::MOST_PHASES).contains(&phases) {
        figures.push(spacing(phases));
    }
    if picture.spectrum.is_some() {
        figures.push(spectrum(part));
    }
    if picture.autocorrelation.is_some() {
        figures.push(autocorrelation());
    }
    figures
}

fn bandwidth(part: &Part, units: Units) -> Figure {
    let signal = &part.signal;
    let samples = signal.samples();
    let finite = samples.iter().copied().filter(|x| x.is_finite());
    let highest = finite.fold(0.0, f64::max);
    let together = samples.len().div_ceil(data::MOST_BUCKETS);
    let step = duration(signal.step().get());
    let caption = match together {
        0 | 1 => format!("{} samples of {step} each.", count(samples.len() as u64)),
        _ => format!(
            "{} samples of {step} each, drawn as the lowest and highest of every {together}.",
            count(samples.len() as u64)
        ),
    };
    let clock = Clock::of_signal(signal);
    let next = part.finding.main().and_then(|rhythm| rhythm.next_start);
    let next = next.map_or(String::new(), |next| {
        format!(
            " The next phase is expected at {}.",
            clock.short_estimate(&next)
        )
    });
    Figure {
        picture: "bandwidth",
        title: "Bandwidth over time",
        alt: format!(
            "Bandwidth from {} to {}, at most {}. Its phases are listed in a table below.{next}",
            clock.at(signal.start().get()),
            clock.at(signal.time(samples.len()).get()),
            rate(highest, units)
        ),
        caption,
        shades: None,
        wide: true,
    }
}

fn scalogram(highest: String) -> Figure {
    Figure {
        picture: "scalogram",
        title: "Periods over time",
        alt: format!(
            "Amplitude of oscillations by period and time, at most {highest}. \
             Changes of the period are listed under changes of behaviour."
        ),
        caption:
            "How strongly the bandwidth swings at every period (Morlet wavelet; colours by the \
                  square root). A steady rhythm is a level bright line; one that slows down climbs."
                .to_owned(),
        shades: Some(highest),
        wide: true,
    }
}

fn spacing(phases: usize) -> Figure {
    Figure {
        picture: "spacing",
        title: "From phase to phase",
        alt: format!(
            "Time from the start of each of {phases} phases to the next; the same numbers are in \
             the table of phases."
        ),
        caption: "Each dot is a phase: how long after the previous one it began.".to_owned(),
        shades: None,
        wide: true,
    }
}

fn spectrum(part: &Part) -> Figure {
    let candidates = part
        .spectrum
        .iter()
        .flat_map(|spectrum| &spectrum.candidates);
    let candidates: Vec<_> = candidates.map(|mark| mark.label.as_str()).collect();
    let stand_out = match candidates.is_empty() {
        true => "No frequency is marked.".to_owned(),
        false => format!("Marked: {}.", candidates.join(", ")),
    };
    Figure {
        picture: "spectrum",
        title: "Spectrum",
        alt: format!("Share of every frequency in the variation of the bandwidth. {stand_out}"),
        caption: "How much of the variation each frequency carries. Short bursts also fill the \
                  multiples of their frequency."
            .to_owned(),
        shades: None,
        wide: false,
    }
}

fn autocorrelation() -> Figure {
    Figure {
        picture: "autocorrelation",
        title: "Autocorrelation",
        alt: "How much the bandwidth resembles itself some time later, by lag.".to_owned(),
        caption:
            "How much the bandwidth resembles itself some time later: 1 is equal. What repeats \
                  peaks at its period and at multiples of it."
                .to_owned(),
        shades: None,
        wide: false,
    }
}
