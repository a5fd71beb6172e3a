//! Which questions an input can answer next, as commands.

use crate::human;
use crate::settings::Stated;
use iotempo_formats::Inspection;
use iotempo_model::Source;
use std::path::Path;

/// Commands that go on from here, with what they answer; none where there is nothing to ask about.
pub(super) fn commands(input: &str, found: &Inspection, stated: &Stated) -> Vec<(String, String)> {
    if found.rows == 0 {
        return other_evidence(input, found, stated).into_iter().collect();
    }
    let rate = rate(found);
    let table = if cfg!(feature = "tables") {
        ".parquet"
    } else {
        "-requests.csv"
    };
    let convert = |options: String, ending: &str| {
        let output = human::quoted(&format!("{}{ending}", stem(input)));
        command("convert", input, stated, &format!("{options}-o {output}"))
    };
    vec![
        (
            command("period", input, stated, ""),
            "does its I/O repeat, and at which period?".to_owned(),
        ),
        (
            convert(String::new(), table),
            format!("{}, as a table", rows(found.source)),
        ),
        (
            convert(format!("--signal --rate {rate} "), "-signal.csv"),
            format!("bytes per second, {}", steps(rate)),
        ),
        (
            command("inspect", input, stated, "--json"),
            "this page, for programs".to_owned(),
        ),
    ]
}

/// Where the evidence of choice shows nothing, another kind may.
fn other_evidence(input: &str, found: &Inspection, stated: &Stated) -> Option<(String, String)> {
    let others = found.sources.iter().filter(|other| other.rows > 0);
    let source = others.map(|other| other.source).next()?;
    let option = format!("--source {source}");
    let command = command("inspect", input, &stated.without_source(), &option);
    Some((command, format!("{source} shows something")))
}

/// A command on the same part of the same input.
fn command(verb: &str, input: &str, stated: &Stated, more: &str) -> String {
    let mut words = vec!["iotempo".to_owned(), verb.to_owned(), human::quoted(input)];
    words.extend(stated.words().iter().map(|word| human::quoted(word)));
    words.push(more.to_owned());
    words.join(" ").trim_end().to_owned()
}

/// What outputs are called after.
fn stem(input: &str) -> String {
    if input == "-" {
        return "stdin".to_owned();
    }
    let path = Path::new(input);
    // What follows a dot in the name of a folder is no ending.
    let stem = match path.is_dir() {
        true => path.file_name(),
        false => path.file_stem(),
    };
    let stem = stem.unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

/// What a row of the table is.
pub(crate) fn rows(source: Source) -> &'static str {
    match source {
        Source::Requests | Source::Dxt => "every request",
        Source::Heatmap => "bytes per rank and bin",
        Source::Counters => "bytes per file between its first and last access",
        Source::Phases => "every phase",
        Source::Samples => "every sample",
        Source::Server => "bytes per target and interval",
    }
}

/// Samples per second that the evidence can fill: 1, 2 or 5 times a power of ten.
fn rate(found: &Inspection) -> f64 {
    const FASTEST: f64 = 10.0;
    const MOST_SAMPLES: f64 = 1e6;
    let resolved = found
        .resolution_s
        .map_or(FASTEST, |shortest| 1.0 / shortest);
    let length = found
        .start_s
        .zip(found.end_s)
        .map_or(0.0, |(start, end)| end - start);
    rounded_down(resolved.min(MOST_SAMPLES / length).min(FASTEST))
}

fn rounded_down(rate: f64) -> f64 {
    // Divides rather than multiplies by a fraction, so that 0.05 is 0.05.
    let scaled = |digit: f64, power: i32| match power {
        0.. => digit * 10_f64.powi(power),
        _ => digit / 10_f64.powi(-power),
    };
    let power = rate.log10().floor() as i32;
    let steps = [5.0, 2.0, 1.0].map(|digit| scaled(digit, power));
    // What was computed as one over a round number may lie a little below it.
    let fits = |step: &f64| *step <= rate * (1.0 + 1e-9);
    let below = scaled(5.0, power - 1);
    let next = Some(scaled(1.0, power + 1)).filter(fits);
    next.or_else(|| steps.into_iter().find(fits))
        .unwrap_or(below)
}

/// How often that is, in words.
fn steps(rate: f64) -> String {
    match (1.0 / rate).round() {
        seconds if seconds > 1.0 => format!("every {seconds} s"),
        1.0 if rate == 1.0 => "once a second".to_owned(),
        _ if rate == 10.0 => "ten times a second".to_owned(),
        _ => format!("{rate} times a second"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_round_and_never_finer() {
        for (rate, expected) in [
            (10.0, 10.0),
            (1.0 / 0.2, 5.0),
            (1.0 / 3.2, 0.2),
            (1.0 / 0.3, 2.0),
            (0.999_999, 0.5),
            (1.0 / 20.0, 0.05),
            (1.0 / 7_000.0, 0.0001),
            (1.0 / 1e-3, 1000.0),
        ] {
            assert_eq!(rounded_down(rate), expected, "{rate}");
        }
        let said = [10.0, 5.0, 2.0, 1.0, 0.5, 0.2].map(steps);
        let expected = [
            "ten times a second",
            "5 times a second",
            "2 times a second",
            "once a second",
            "every 2 s",
            "every 5 s",
        ];
        assert_eq!(said, expected);
    }
}
