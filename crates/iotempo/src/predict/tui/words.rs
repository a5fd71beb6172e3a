//! How things stand, in words.

use iotempo_analysis::online::{NextPhase, Prediction, State};
use iotempo_analysis::period::Estimate;
use iotempo_model::Seconds;
use iotempo_report::Units;
use iotempo_report::clock::Clock;
use iotempo_report::figures::{Written, confidence, significant};
use iotempo_report::quantity::{bytes, duration};

/// What a state is marked with, so that nobody needs its colour.
pub(super) fn symbol(state: State) -> &'static str {
    match state {
        State::Learning => "…",
        State::Periodic => "●",
        State::Overdue => "!",
        State::Changed => "≠",
        State::NotPeriodic => "○",
        State::Ended => "■",
    }
}

pub(super) fn state(state: State) -> &'static str {
    match state {
        State::Learning => "learning",
        State::Periodic => "periodic",
        State::Overdue => "overdue",
        State::Changed => "changed",
        State::NotPeriodic => "not periodic",
        State::Ended => "ended",
    }
}

/// What a state means, the longest text first.
pub(super) fn meaning(prediction: &Prediction, clock: Clock) -> Vec<String> {
    if let Some(period) = &prediction.period {
        let texts = rhythm(period, prediction.confidence);
        return match prediction.state {
            State::Ended => texts.iter().map(|text| format!("it was {text}")).collect(),
            _ => texts,
        };
    }
    match prediction.state {
        State::Changed => {
            let what = "what repeated does so no more; listening for a new rhythm";
            let end = prediction.changed_at.map(|end| clock.at(end.get()));
            let end = end.map(|end| format!("{what} (the one before ended at {end})"));
            let short = vec![what.to_owned(), "the rhythm is lost".to_owned()];
            end.into_iter().chain(short).collect()
        }
        State::Learning => vec![
            format!("no rhythm yet: {}", prediction.verdict),
            "no rhythm yet".to_owned(),
        ],
        _ => vec![prediction.verdict.to_string()],
    }
}

fn rhythm(period: &Estimate, sure: f64) -> Vec<String> {
    let written = Written::new(period);
    let (every, interval) = (&written.value, &written.interval);
    let (word, share) = (sureness(sure), confidence(sure));
    let unknown = written.error.is_none();
    let long = format!("a phase every {every} (95 %: {interval}), {word} ({share})");
    let mut texts = vec![
        format!("every {}, {word} ({share})", written.short()),
        format!("every {every}, {share} sure"),
        format!("every {every}"),
    ];
    if !unknown {
        texts.insert(
            0,
            format!("every {every} (95 %: {interval}), {word} ({share})"),
        );
        texts.insert(0, long);
    }
    texts
}

/// A probability as a word.
pub(super) fn sureness(share: f64) -> &'static str {
    match share {
        0.95.. => "almost certain",
        0.8.. => "very likely",
        0.5.. => "likely",
        _ => "a guess",
    }
}

/// Seconds after which a look has seen what was written.
const LOOK_S: f64 = 1.5;

/// The phase to expect, the longest text first; `newest` is the end of data that came since it was.
pub(super) fn next_phase(
    next: &NextPhase,
    now: f64,
    newest: Option<f64>,
    units: Units,
) -> Vec<String> {
    let start = &next.start;
    let (moved, length) = (bytes(next.bytes.get(), units), rough(next.length.get()));
    let ahead = start.value.get() - now;
    // Late is what comes after its interval, and what a look has had time to see.
    let late = (start.high - start.value).get().max(next.length.get()) + LOOK_S;
    let margin = margin(start);
    let (when, short) = if newest.is_some_and(|end| end > start.low.get()) {
        // Nobody judges it before it is over.
        let when = if ahead < 0.0 { "ago" } else { "from now" };
        let away = countdown(ahead.abs());
        (
            format!("data has come for the phase expected {away} {when}{margin}"),
            "data of the next phase has come".to_owned(),
        )
    } else if ahead >= 0.0 {
        let ahead = countdown(ahead);
        (
            format!("next phase in {ahead}{margin}"),
            format!("next phase in {ahead}"),
        )
    } else if now <= start.value.get() + late {
        let ago = countdown(-ahead);
        (
            format!("next phase is due: expected {ago} ago{margin}"),
            "next phase is due".to_owned(),
        )
    } else {
        let ago = countdown(-ahead);
        (
            format!("next phase is late: expected {ago} ago{margin}"),
            format!("next phase is late by {ago}"),
        )
    };
    vec![
        format!("{when}, {moved}, {length} long"),
        format!("{when}, {moved}"),
        when,
        short,
    ]
}

/// To a tenth of a second, so that it can be read while it runs.
fn countdown(seconds: f64) -> String {
    if seconds < 120.0 {
        format!("{seconds:.1} s")
    } else {
        duration(seconds)
    }
}

/// ` ± 0.8 s`; nothing where it is not known.
fn margin(start: &Estimate) -> String {
    let (value, low, high) = (start.value.get(), start.low.get(), start.high.get());
    let half = (high - value).max(value - low);
    if half > 0.0 && half.is_finite() {
        format!(" ± {}", rough(half))
    } else {
        String::new()
    }
}

/// A length of time with two digits: nobody needs more of an error.
pub(super) fn rough(seconds: f64) -> String {
    let two: f64 = significant(seconds, 2).parse().unwrap_or(seconds);
    duration(two)
}

/// What times of the job count from, given its first one.
pub(super) fn clock(first: f64, now: f64) -> Clock {
    Clock::of(first, now)
}

/// An instant in a table: to a thousandth of a period, or the time of day.
pub(super) fn instant(at: Seconds, clock: Clock, period: Option<f64>) -> String {
    if clock == Clock::Calendar {
        let date = clock.at(at.get());
        return date.get("2023-11-14T".len()..).unwrap_or(&date).to_owned();
    }
    let decimals = period.map_or(2, |period| (3.0 - period.log10()).clamp(0.0, 6.0) as usize);
    format!("{:.decimals$} s", at.get())
}

/// The longest text that fits, or the last.
pub(super) fn fitting(texts: Vec<String>, width: usize) -> String {
    let mut texts = texts;
    let fits = texts.iter().position(|text| text.chars().count() <= width);
    let chosen = fits.unwrap_or(texts.len().saturating_sub(1));
    if texts.is_empty() {
        return String::new();
    }
    texts.swap_remove(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use iotempo_model::Bytes;

    fn estimate(value: f64, half: f64) -> Estimate {
        let [value, low, high] =
            [value, value - half, value + half].map(|v| Seconds::new(v).expect("a value"));
        Estimate { value, low, high }
    }

    #[test]
    fn the_countdown_says_when_how_much_and_how_long() {
        let next = NextPhase {
            start: estimate(100.0, 0.8),
            length: Seconds::new(3.4).expect("a value"),
            bytes: Bytes::new(1.2 * 1024.0 * 1024.0 * 1024.0).expect("a value"),
            bytes_range: None,
        };
        let at = |now| next_phase(&next, now, Some(87.0), Units::Iec)[0].clone();
        let what = "1.2 GiB, 3.4 s long";
        assert_eq!(at(87.7), format!("next phase in 12.3 s ± 800 ms, {what}"));
        let due = format!("next phase is due: expected 0.5 s ago ± 800 ms, {what}");
        assert_eq!(at(100.5), due);
        let due = format!("next phase is due: expected 2.0 s ago ± 800 ms, {what}");
        assert_eq!(at(102.0), due);
        let late = format!("next phase is late: expected 5.0 s ago ± 800 ms, {what}");
        assert_eq!(at(105.0), late);
        let here = &next_phase(&next, 101.5, Some(99.9), Units::Iec)[2];
        let expected = "data has come for the phase expected 1.5 s ago ± 800 ms";
        assert_eq!(here, expected);
    }

    #[test]
    fn a_rhythm_is_told_at_any_width() {
        let texts = rhythm(&estimate(5.02, 0.04), 0.98);
        let expected = "a phase every 5.02 s (95 %: 4.98 s to 5.06 s), almost certain (98 %)";
        assert_eq!(fitting(texts.clone(), 100), expected);
        assert_eq!(fitting(texts.clone(), 30), "every 5.02 s, 98 % sure");
        assert_eq!(fitting(texts, 1), "every 5.02 s");
    }

    #[test]
    fn instants_have_the_digits_that_matter() {
        let at = |value, period| instant(Seconds::new(value).expect("a value"), Clock::Run, period);
        assert_eq!(at(84.3051, Some(5.0)), "84.31 s");
        assert_eq!(at(84.3051, Some(0.5)), "84.305 s");
        assert_eq!(at(8430.51, Some(900.0)), "8431 s");
        let date = Seconds::new(1_700_000_000.25).expect("a value");
        assert_eq!(instant(date, Clock::Calendar, None), "22:13:20.250Z");
    }
}
