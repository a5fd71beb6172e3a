use super::*;
use iotempo_analysis::period::{Estimate, Phase};
use iotempo_model::{Bytes, Seconds};

const GIB: f64 = 1024.0 * 1024.0 * 1024.0;

fn seconds(value: f64) -> Seconds {
    Seconds::new(value).expect("finite")
}

/// 2 GiB/s for 4 s out of every 20, three times.
fn bursts(start: f64) -> Signal {
    let rate = |index: usize| if index % 10 < 2 { 2.0 * GIB } else { 0.0 };
    Signal::new(seconds(start), seconds(2.0), (0..30).map(rate).collect())
}

fn rhythm() -> Rhythm {
    let exactly = |value| Estimate {
        value: seconds(value),
        low: seconds(value),
        high: seconds(value),
    };
    let phase = |start| Phase {
        start: seconds(start),
        end: seconds(start + 4.0),
        bytes: Bytes::new(8.0 * GIB).expect("positive"),
    };
    Rhythm {
        period: exactly(20.0),
        confidence: 1.0,
        jitter: Some(0.0),
        phases: [0.0, 20.0, 40.0].map(phase).to_vec(),
        next_start: Some(exactly(60.0)),
        bytes: Bytes::new(24.0 * GIB).expect("positive"),
    }
}

fn small<'a>(signal: &'a Signal, rhythm: Option<&'a Rhythm>) -> Chart<'a> {
    Chart {
        columns: 35,
        rows: 2,
        rhythm,
        ..Chart::new(signal)
    }
}

fn check(chart: &Chart<'_>, expected: &[&str]) {
    let lines = chart.lines();
    assert_eq!(lines, expected, "\n{}", lines.join("\n"));
}

#[test]
fn bursts_stand_over_their_phases_and_the_next_is_dashed() {
    let (signal, rhythm) = (bursts(0.0), rhythm());
    check(
        &small(&signal, Some(&rhythm)),
        &[
            "GiB/s",
            "2 ┤⣿⣿        ⣿⣿        ⣿⣿",
            "  │⣿⣿        ⣿⣿        ⣿⣿",
            "0 ┼━━────────━━────────━━────────┄┄",
            "   ╵0        ╵20       ╵40 s",
        ],
    );
}

#[test]
fn a_terminal_without_braille_gets_the_same_picture() {
    let (signal, rhythm) = (bursts(0.0), rhythm());
    let chart = Chart {
        columns: 37,
        rows: 3,
        glyphs: Glyphs::Ascii,
        units: Units::Si,
        ..small(&signal, Some(&rhythm))
    };
    check(
        &chart,
        &[
            "GB/s",
            "2.5 +::        ::        ::",
            "    |##        ##        ##",
            "    |##        ##        ##",
            "  0 +==--------==--------==--------~~",
            "     '0        '20       '40 s",
        ],
    );
}

#[test]
fn colours_wrap_the_parts_and_nothing_else() {
    let (signal, rhythm) = (bursts(0.0), rhythm());
    let plain = small(&signal, Some(&rhythm));
    let coloured = Chart {
        palette: Palette::ANSI,
        ..plain
    };
    let lines = coloured.lines();
    assert!(lines[3].starts_with("\x1b[2m0 ┼\x1b[0m\x1b[1;32m━━\x1b[0m\x1b[2m────"));
    assert!(lines[3].ends_with("\x1b[1;33m┄┄\x1b[0m"));
    let mut bare = lines.join("\n");
    for code in ["0", "2", "36", "1;32", "1;33"] {
        bare = bare.replace(&format!("\x1b[{code}m"), "");
    }
    assert_eq!(bare, plain.lines().join("\n"));
}

#[test]
fn the_highest_rate_of_a_column_is_drawn_and_the_smallest_is_seen() {
    // One sample of 1000 at full rate, one at a thousandth.
    let mut samples = vec![0.0; 1000];
    (samples[500], samples[900]) = (1024.0, 1.0);
    let signal = Signal::new(seconds(0.0), seconds(1.0), samples);
    check(
        &small(&signal, None),
        &[
            "KiB/s",
            "1 ┤                ⡇",
            "  │                ⡇           ⢀",
            "0 ┼────────────────────────────────",
            "   ╵0              ╵500 s",
        ],
    );
}

#[test]
fn phases_closer_than_a_cell_are_told_apart_by_halves() {
    let signal = Signal::new(seconds(0.0), seconds(1.0), vec![1.0; 60]);
    let mut rhythm = rhythm();
    rhythm.next_start = None;
    for (phase, (start, end)) in rhythm
        .phases
        .iter_mut()
        .zip([(0.0, 1.0), (3.0, 4.0), (4.0, 9.0)])
    {
        (phase.start, phase.end) = (seconds(start), seconds(end));
    }
    let chart = Chart {
        columns: 33,
        ..small(&signal, Some(&rhythm))
    };
    assert_eq!(chart.lines()[3], "0 ┼╾╼━━╾─────────────────────────");
}

#[test]
fn times_since_1970_are_counted_from_the_start() {
    let signal = bursts(1_396_310_700.0);
    let lines = small(&signal, None).lines();
    assert_eq!(lines[4], "   ╵0 s after 2014-04-01T00:05:00Z");
    let later = bursts(1e6);
    let lines = small(&later, None).lines();
    assert_eq!(lines[4], "   ╵0        ╵20 s after 1000000 s");
}

#[test]
fn what_cannot_be_drawn_has_no_lines_and_nothing_breaks() {
    let signal = |step, samples| Signal::new(seconds(0.0), seconds(step), samples);
    assert_eq!(Chart::new(&signal(1.0, vec![])).lines(), [""; 0]);
    assert_eq!(Chart::new(&signal(0.0, vec![1.0])).lines(), [""; 0]);
    assert_eq!(Chart::new(&signal(1.0, vec![0.0; 9])).lines(), [""; 0]);
    for samples in [
        vec![0.0, 2.0],
        vec![f64::NAN, 1.0],
        vec![f64::MAX],
        vec![-5.0, 3.0],
    ] {
        let signal = signal(1e-9, samples);
        for (columns, rows) in [(0, 0), (24, 1), (80, 7), (300, 40)] {
            let chart = Chart {
                columns,
                rows,
                ..Chart::new(&signal)
            };
            let lines = chart.lines();
            assert_eq!(lines.len(), rows.max(1) + 3);
            let widest = lines.iter().map(|line| line.chars().count()).max();
            assert!(widest <= Some(columns.max(24)), "{lines:#?}");
        }
    }
}
