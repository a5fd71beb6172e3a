//! What is said about findings of every kind.

use super::analysed::{Analysed, Answer};
use super::args::Method;
use super::lines::Lines;
use super::result::ResultView;
use super::summary;
use crate::cli::Units;
use crate::settings::{Settings, Stated};
use crate::style::Style;
use iotempo_analysis::period::{
    Alias, Estimate, PeriodFinding, Phase, Rhythm, Segment, Verdict, Witness, WitnessKind,
};
use iotempo_model::{Bytes, Origin, Seconds, Signal, Source, Warning};

fn seconds(value: f64) -> Seconds {
    Seconds::new(value).expect("finite")
}

fn bytes(value: f64) -> Bytes {
    Bytes::new(value).expect("finite")
}

fn estimate(value: f64, half: f64) -> Estimate {
    Estimate {
        value: seconds(value),
        low: seconds(value - half),
        high: seconds(value + half),
    }
}

/// Phases of a tenth of the period, of 1 GiB each.
fn rhythm(period: f64, count: usize, confidence: f64) -> Rhythm {
    let phase = |index: usize| Phase {
        start: seconds(period * index as f64),
        end: seconds(period * (index as f64 + 0.1)),
        bytes: bytes(f64::from(1 << 30)),
    };
    Rhythm {
        period: estimate(period, 0.012 * period),
        confidence,
        jitter: Some(0.025),
        phases: (0..count).map(phase).collect(),
        next_start: Some(estimate(period * count as f64, 1.0)),
        bytes: bytes(f64::from(1 << 30) * count as f64),
    }
}

fn finding(verdict: Verdict, rhythms: Vec<Rhythm>, candidate: Option<Rhythm>) -> PeriodFinding {
    PeriodFinding {
        verdict,
        rhythms,
        candidate,
        segments: Vec::new(),
        alias: None,
        witnesses: Vec::new(),
    }
}

fn analysed(finding: PeriodFinding) -> Analysed {
    let mut origin = Origin::new(Source::Samples);
    origin.resolution = Some(seconds(1.0));
    let samples = vec![1e8; 480];
    Analysed {
        input: "job.csv".to_owned(),
        sha256: None,
        member: false,
        format: "table of samples".to_owned(),
        origin,
        damaged: false,
        warnings: vec![Warning::new("no-time", "no column holds a time")],
        signal: Some(Signal::new(Seconds::ZERO, seconds(1.0), samples)),
        bytes: 48e9,
        answer: Answer::Ours(Box::new(finding)),
        beside: None,
        threshold: 0.5,
        unselected: None,
        character: None,
    }
}

fn stated() -> Stated {
    let words = crate::cli::SelectArgs {
        start: None,
        end: None,
        op: None,
        ranks: None,
        files: None,
        source: None,
        api: crate::cli::ApiChoice::Auto,
        columns: Vec::new(),
        step: None,
    };
    Settings::new(words).expect("no contradiction").stated
}

fn printed(finding: PeriodFinding) -> String {
    let mut out = Vec::new();
    let style = Style::plain(Units::Iec);
    summary::print(&mut out, &analysed(finding), &stated(), (style, None)).expect("in memory");
    String::from_utf8(out).expect("text")
}

#[test]
fn everything_that_was_found_is_said() {
    let mut found = finding(
        Verdict::Periodic,
        vec![rhythm(47.0, 10, 0.982), rhythm(600.0, 2, 0.7)],
        None,
    );
    let segment = |start: f64, end: f64, period: Option<Estimate>| Segment {
        start: seconds(start),
        end: seconds(end),
        bytes: bytes(f64::from(1 << 30)),
        confidence: if period.is_some() { 0.9 } else { 0.0 },
        period,
    };
    found.segments = vec![
        segment(0.0, 240.0, Some(estimate(20.0, 0.3))),
        segment(240.0, 480.25, None),
    ];
    found.alias = Some(Alias {
        apparent: seconds(2.2),
        step: seconds(1.0),
        could_be: [seconds(0.6875), seconds(1.8333)],
    });
    let witness = |kind, period: f64, agrees| Witness {
        kind,
        period: seconds(period),
        p_value: 1e-9,
        agrees,
    };
    found.witnesses = vec![
        witness(WitnessKind::Volume, 47.0, true),
        witness(WitnessKind::Spectrum, 47.1, true),
        witness(WitnessKind::Autocorrelation, 94.0, false),
    ];
    let expected = "\
job.csv
  repeats every 47.0 s ± 0.6 s (confidence 98 %)

  phases       10, each 4.7 s long and 1 GiB on average
  moved        10 GiB, 22.4 % of all data
  jitter       1.18 s from start to start, 2.5 % of the period
  next phase   at 470.0 s ± 1.0 s, had the run gone on
  also         every 600 s ± 7 s, about 10 min (confidence 70 %): 2 GiB, 4.5 % of all data
  also         every 2.2 s, too fast for these samples to be sure of (below)
  evidence     volume, spectrum agree; autocorrelation sees 94 s
  looked at    44.7 GiB from 0 s to 480 s, 480 samples of 1 s
  source       samples (table of samples), resolution 1 s
  cannot show  ranks, files, requests, and anything faster than one sample

behaviour changes
  0 s to 240 s           1 GiB  every 20.0 s ± 0.3 s (confidence 90 %)
  240 s to 480.25 s      1 GiB  no rhythm

  the spectrum has another line at 2.2 s, so close to the step of the samples (1 s) that a faster rhythm of 687.5 ms or 1.83 s would look the same

warnings
  no column holds a time [no-time]
";
    assert_eq!(printed(found), expected);
}

#[test]
fn every_verdict_is_a_sentence() {
    for (verdict, headline) in [
        (Verdict::Empty, "no data moved"),
        (Verdict::SinglePhase, "not periodic: all I/O is one phase"),
        (
            Verdict::Constant,
            "not periodic: data moves at an even rate all the time",
        ),
    ] {
        let text = printed(finding(verdict, Vec::new(), None));
        assert_eq!(text.lines().nth(1), Some(format!("  {headline}").as_str()));
    }
    let guess = Some(rhythm(12.3, 4, 0.207));
    let text = printed(finding(Verdict::Irregular, Vec::new(), guess));
    let headline = "  not periodic: phases come at irregular times (best guess: every 12.30 s ± 0.15 s, 21 % sure)";
    assert_eq!(text.lines().nth(1), Some(headline));
}

#[test]
fn a_mean_that_is_certain_of_phases_that_scatter_is_no_contradiction() {
    let uneven = Rhythm {
        jitter: Some(0.54),
        ..rhythm(46.0, 20, 0.93)
    };
    let text = printed(finding(Verdict::Irregular, Vec::new(), Some(uneven)));
    let headline = "  irregular: a phase every 46.0 s ± 0.6 s on average, but scattered by 24.84 s (54 %), too uneven to predict";
    assert_eq!(text.lines().nth(1), Some(headline));
}

#[test]
fn what_is_not_known_says_why() {
    let smeared = Rhythm {
        jitter: None,
        next_start: None,
        ..rhythm(46.0, 20, 0.93)
    };
    let text = printed(finding(Verdict::Periodic, vec![smeared], None));
    for said in [
        "  jitter       not known: the period comes from the spectrum, not from single phases\n",
        "  next phase   none: the rhythm was over before the end\n",
    ] {
        assert!(text.contains(said), "{text}");
    }
}

#[test]
fn what_is_too_fast_has_a_candidate_and_no_confidence() {
    let fast = finding(Verdict::TooFast, Vec::new(), Some(rhythm(2.0, 300, 0.999)));
    let analysed = analysed(fast);
    let json = serde_json::to_value(ResultView::new(&analysed, Method::Iotempo)).expect("JSON");
    assert_eq!(json["confidence"], serde_json::Value::Null);
    assert_eq!(json["candidate"]["confidence"], 0.999);
}

#[test]
fn a_line_says_what_matters() {
    let mut lines = Lines::new(Style::plain(Units::Iec));
    let mut out = Vec::new();
    let guess = Some(rhythm(12.3, 4, 0.207));
    for found in [
        finding(Verdict::Periodic, vec![rhythm(47.0, 10, 0.982)], None),
        finding(Verdict::Irregular, Vec::new(), guess),
    ] {
        lines.print(&mut out, &analysed(found)).expect("in memory");
    }
    lines.finish(&mut out, &stated()).expect("in memory");
    let expected = "              PERIOD   SURE PHASES     MOVED  VERDICT        WARN  INPUT
      47.0 s ± 0.6 s   98 %     10  44.7 GiB  periodic          1  job.csv
                   -      -      -  44.7 GiB  irregular         1  job.csv
2 inputs, 1 periodic, 89.4 GiB moved, 2 warnings
";
    assert_eq!(String::from_utf8(out).expect("text"), expected);
}

#[test]
fn json_keeps_the_guess_apart_from_the_answer() {
    let analysed = analysed(finding(
        Verdict::Irregular,
        Vec::new(),
        Some(rhythm(12.3, 4, 0.2)),
    ));
    let json = serde_json::to_value(ResultView::new(&analysed, Method::Iotempo)).expect("JSON");
    assert_eq!(json["period_s"], serde_json::Value::Null);
    assert_eq!(
        (&json["periodic"], &json["confidence"]),
        (&false.into(), &0.2.into())
    );
    assert_eq!(json["candidate"]["period_s"], 12.3);
    assert_eq!(
        json["candidate"]["phases"].as_array().map(Vec::len),
        Some(4)
    );
    assert_eq!(json["verdict"], "irregular");
    assert!(
        json.get("dominant_frequency_hz").is_none(),
        "nobody asked FTIO"
    );
}
