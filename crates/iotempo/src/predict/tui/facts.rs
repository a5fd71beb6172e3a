//! What is known of the rhythm and of past forecasts, a line each.

use super::draw::Scene;
use super::words::{instant, rough, sureness};
use iotempo_analysis::online::{Accuracy, Prediction};
use iotempo_report::figures::{Written, confidence, percent};
use iotempo_report::quantity::count;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Widget;

/// Columns of the names.
const NAMES: usize = 16;

/// Draws as many lines as fit.
pub(super) fn draw(scene: &Scene, area: Rect, buffer: &mut Buffer) {
    let Some(prediction) = &scene.known.prediction else {
        return;
    };
    let facts = facts(scene, prediction);
    for (row, (name, value)) in area.rows().zip(facts) {
        let name = format!(" {name:NAMES$}");
        Line::from_iter([
            ratatui::text::Span::styled(name, scene.theme.faint()),
            value.into(),
        ])
        .render(row, buffer);
    }
}

fn facts(scene: &Scene, prediction: &Prediction) -> Vec<(&'static str, String)> {
    let period = prediction.period.as_ref();
    let written = period.map(Written::new);
    let value = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    let sure = period.map(|_| {
        let share = prediction.confidence;
        format!("{}, {}", confidence(share), sureness(share))
    });
    let jitter = prediction.jitter;
    let changed = prediction.changed_at;
    let changed = changed.map(|at| instant(at, scene.clock(), scene.period()));
    let mut facts = vec![
        ("period", value(written.as_ref().map(|w| w.value.clone()))),
        ("95 % interval", value(written.map(|w| w.interval))),
        ("confidence", value(sure)),
        (
            "jitter",
            value(jitter.map(|jitter| format!("{} of the period", percent(jitter)))),
        ),
        ("made from", made_from(prediction)),
    ];
    facts.extend(changed.map(|at| ("changed", format!("at {at}"))));
    facts.extend(of_accuracy(&prediction.accuracy));
    facts
}

fn made_from(prediction: &Prediction) -> String {
    let length = prediction.window.map(|window| window.length().get());
    let length = length.map_or("nothing".to_owned(), rough);
    match prediction.phases {
        0 => length,
        phases => format!("{phases} phases in {length}"),
    }
}

fn of_accuracy(accuracy: &Accuracy) -> Vec<(&'static str, String)> {
    if accuracy.judged == 0 {
        return vec![("forecasts", "none judged yet".to_owned())];
    }
    let judged = count(accuracy.judged);
    let share = accuracy.within as f64 / accuracy.judged as f64;
    let mut facts = vec![
        (
            "forecasts",
            format!("{judged} judged, {} missed", count(accuracy.missed)),
        ),
        (
            "within interval",
            format!(
                "{} of {judged} ({})",
                count(accuracy.within),
                percent(share)
            ),
        ),
    ];
    if let (Some(error), Some(share)) = (accuracy.mean_error_s, accuracy.mean_error) {
        let text = format!("{}, {} of the period", rough(error), percent(share));
        facts.push(("mean error", text));
    }
    let bytes = accuracy.mean_bytes_error;
    facts.extend(bytes.map(|share| ("error of bytes", percent(share))));
    facts
}

/// How wrong forecasts were, in a line; the longest text first.
pub(super) fn accuracy(accuracy: &Accuracy) -> Vec<String> {
    if accuracy.judged == 0 {
        return vec!["forecasts: none judged yet".to_owned()];
    }
    let (judged, within) = (count(accuracy.judged), count(accuracy.within));
    let short = format!("{judged} judged, {within} within interval");
    let (Some(error), Some(share)) = (accuracy.mean_error_s, accuracy.mean_error) else {
        return vec![short];
    };
    let (error, share) = (rough(error), percent(share));
    vec![
        format!("forecasts: {short}, mean error {error} ({share} of the period)"),
        format!("forecasts: {short}, mean error {error} ({share})"),
        format!("{short}, mean error {error} ({share})"),
        format!("{within} of {judged} within, error {error} ({share})"),
        short,
        format!("{within} of {judged} within"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_running_accuracy_has_units() {
        let none = Accuracy::default();
        assert_eq!(accuracy(&none), ["forecasts: none judged yet"]);
        let some = Accuracy {
            judged: 12,
            missed: 1,
            within: 11,
            mean_error_s: Some(0.0814),
            mean_error: Some(0.0162),
            mean_bytes_error: None,
        };
        assert_eq!(
            accuracy(&some)[0],
            "forecasts: 12 judged, 11 within interval, mean error 81 ms (1.6 % of the period)"
        );
    }
}
