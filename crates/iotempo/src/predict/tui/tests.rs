//! What is seen, on a terminal of letters.

use super::chart::Zoom;
use super::draw::Scene;
use super::known::Known;
use super::theme::Theme;
use super::watcher::Look;
use iotempo_analysis::online::{self, Prediction, State};
use iotempo_live::{Event, Job};
use iotempo_model::{Api, Bytes, FileId, Interval, Op, Rank, Request, RequestSink, Seconds};
use iotempo_report::Units;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::style::Color;
use std::time::Instant;

const MIB: f64 = 1024.0 * 1024.0;

fn seconds(value: f64) -> Seconds {
    Seconds::new(value).expect("a value")
}

/// A real job that is fed requests, and what the view knows of it.
struct Fed {
    job: Job,
    known: Known,
}

impl Fed {
    fn new() -> Self {
        Self {
            job: Job::new(online::Settings::default()),
            known: Known::default(),
        }
    }

    fn phase(&mut self, op: Op, start: f64, length: f64, bytes: f64) {
        let when = Interval::new(seconds(start), seconds(start + length)).expect("a value");
        let request = Request {
            rank: Rank(0),
            op,
            api: Api::Posix,
            file: FileId(0),
            when,
            bytes: Bytes::new(bytes).expect("a value"),
        };
        self.job.push(request).expect("a value");
    }

    /// Lets the view know what is expected.
    fn look(&mut self) {
        let prediction = self.job.predict();
        self.tell(prediction);
    }

    fn tell(&mut self, prediction: Prediction) {
        self.known.learn(Look {
            event: Event::Prediction(Box::new(prediction)),
            totals: self.job.totals(),
            recording: self.job.recorded(),
            now: Some(self.job.newest().expect("a value")),
            newest: self.job.newest(),
            warning: None,
            taken: Instant::now(),
        });
    }

    /// 2 s of 8 MiB written and 1 MiB read every 20 s.
    fn periodic(phases: u32) -> Self {
        let mut fed = Self::new();
        for phase in 0..phases {
            let start = 20.0 * f64::from(phase);
            fed.phase(Op::Write, start, 2.0, 8.0 * MIB);
            fed.phase(Op::Read, start, 0.5, MIB);
            fed.look();
        }
        fed
    }

    fn state(&self) -> State {
        self.known.prediction.as_ref().expect("a value").state
    }
}

fn scene(known: &Known, now: Option<f64>) -> Scene<'_> {
    Scene {
        source: "logs/job",
        units: Units::Iec,
        theme: Theme { colour: true },
        keys: true,
        zoom: Zoom::Periods,
        scroll: 0,
        paused: false,
        helps: false,
        known,
        now,
    }
}

fn terminal(scene: &Scene, width: u16, height: u16) -> Terminal<TestBackend> {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a value");
    terminal
        .draw(|frame| frame.render_widget(scene, frame.area()))
        .expect("a value");
    terminal
}

fn lines(scene: &Scene, width: u16, height: u16) -> Vec<String> {
    let terminal = terminal(scene, width, height);
    let buffer = terminal.backend().buffer();
    let row = |y| {
        (0..width)
            .map(|x| buffer[(x, y)].symbol())
            .collect::<String>()
    };
    (0..height).map(row).collect()
}

fn text(scene: &Scene, width: u16, height: u16) -> String {
    lines(scene, width, height).join("\n")
}

#[test]
fn a_rhythm_is_shown_with_all_that_is_known_of_it() {
    let fed = Fed::periodic(12);
    let shown = lines(&scene(&fed.known, Some(230.0)), 80, 24);
    let all = shown.join("\n");
    assert!(
        shown[0].contains("logs/job") && shown[0].contains("3 min 50 s"),
        "{all}"
    );
    assert!(
        shown[0].contains("▲ 96 MiB") && shown[0].contains("▼ 12 MiB"),
        "{all}"
    );
    assert!(shown[0].contains("24 requests"), "{all}");
    assert!(
        shown[1].contains("● periodic") && shown[1].contains("every 20.0"),
        "{all}"
    );
    assert!(
        shown[1].contains("95 %: 19.") && shown[1].contains("almost certain"),
        "{all}"
    );
    assert!(shown[2].contains("next phase in 10.0 s ±"), "{all}");
    assert!(shown[2].contains("9 MiB, 2 s long"), "{all}");
    // 230 s in 512 bars at the most.
    let title = "bandwidth per 500 ms, last 16 periods";
    assert!(shown[3].contains(title), "{all}");
    assert!(shown[3].contains("━ phase ▒ next ░ its start"), "{all}");
    assert!(all.contains("▲ write") && all.contains("▼ read"), "{all}");
    assert!(
        all.contains("judged") && all.contains("within interval, mean error"),
        "{all}"
    );
    assert!(all.contains("✓ within") && all.contains("200.0 s"), "{all}");
    assert!(shown[23].contains("q quit"), "{all}");
}

/// The columns of the chart that hold one of these letters in a row of bars.
fn columns(line: &str, letters: &[char]) -> Vec<usize> {
    let places = line.chars().enumerate();
    let hits = places.filter(|(_, letter)| letters.contains(letter));
    hits.map(|(column, _)| column).collect()
}

#[test]
fn the_next_phase_is_a_band_behind_the_present() {
    let fed = Fed::periodic(12);
    let shown = lines(&scene(&fed.known, Some(230.0)), 80, 24);
    let row = shown
        .iter()
        .find(|line| line.contains("▲ write"))
        .expect("a value");
    let now = columns(row, &['┊'])[0];
    let band = columns(row, &['▒', '░']);
    // The picture is 12 columns to its axis, and the phase is half a period away.
    let (cells, length) = (68.0, 230.0 + 25.0);
    let expected = 12.0 + 240.0 / length * cells;
    assert!(
        !band.is_empty() && band.iter().all(|column| *column > now),
        "{row}"
    );
    assert!(
        (band[0] as f64 - expected).abs() <= 1.5,
        "{band:?} {expected}"
    );
    let base = shown
        .iter()
        .rfind(|line| line.contains('┼'))
        .expect("a value");
    let body = columns(row, &['▒']);
    assert_eq!(columns(base, &['┄'])[0], body[0], "{base}");
    let marked = base
        .split('─')
        .filter(|part| part.contains(['━', '╼', '╾']));
    assert_eq!(marked.count(), 12, "{base}");
}

#[test]
fn directions_have_their_own_lane_and_colour() {
    let fed = Fed::periodic(12);
    let scene = scene(&fed.known, Some(230.0));
    let terminal = terminal(&scene, 80, 24);
    let buffer = terminal.backend().buffer();
    let is_bar = |symbol: &str| symbol.starts_with(|c| ('\u{2801}'..='\u{28ff}').contains(&c));
    let rows_of = |colour: Color| -> Vec<u16> {
        let cells = (0..24_u16).flat_map(|y| (0..80_u16).map(move |x| (x, y)));
        let ours = cells.filter(|at| buffer[*at].fg == colour && is_bar(buffer[*at].symbol()));
        ours.map(|(_, y)| y).collect()
    };
    let (written, read) = (
        rows_of(scene.theme.written().fg.expect("a value")),
        rows_of(scene.theme.read().fg.expect("a colour")),
    );
    assert!(
        written.iter().max() < read.iter().min(),
        "{written:?} {read:?}"
    );
    assert!(!written.is_empty() && !read.is_empty());
}

#[test]
fn without_colour_nothing_is_coloured() {
    let fed = Fed::periodic(12);
    let mut scene = scene(&fed.known, Some(230.0));
    scene.theme.colour = false;
    let terminal = terminal(&scene, 120, 40);
    let cells = &terminal.backend().buffer().content;
    assert!(
        cells
            .iter()
            .all(|cell| cell.fg == Color::Reset && cell.bg == Color::Reset)
    );
}

#[test]
fn a_lane_that_moved_nothing_is_not_there() {
    let mut fed = Fed::new();
    for phase in 0..6 {
        fed.phase(Op::Read, 10.0 * f64::from(phase), 1.0, MIB);
    }
    fed.look();
    let shown = text(&scene(&fed.known, Some(52.0)), 80, 24);
    assert!(
        shown.contains("▼ read") && !shown.contains("▲ write"),
        "{shown}"
    );
}

#[test]
fn a_lane_that_moved_nothing_of_late_is_not_there() {
    let mut fed = Fed::new();
    fed.phase(Op::Read, 0.0, 0.5, MIB);
    for phase in 0..30 {
        fed.phase(Op::Write, 20.0 * f64::from(phase), 2.0, MIB);
        fed.look();
    }
    let mut scene = scene(&fed.known, Some(583.0));
    let periods = text(&scene, 80, 24);
    assert!(!periods.contains("▼ read"), "{periods}");
    scene.zoom = Zoom::All;
    let all = text(&scene, 80, 24);
    assert!(all.contains("▼ read") && all.contains("▲ write"), "{all}");
}

#[test]
fn a_phase_that_does_not_come_is_late_and_then_the_rhythm_is_lost() {
    let mut fed = Fed::periodic(12);
    let late = text(&scene(&fed.known, Some(246.0)), 80, 24);
    assert!(
        late.contains("next phase is late: expected 6.0 s ago"),
        "{late}"
    );
    let narrow = text(&scene(&fed.known, Some(246.0)), 40, 10);
    assert!(narrow.contains("next phase is late by 6.0 s "), "{narrow}");
    // Twice something small, far behind the deadline: what repeated is over.
    for start in [300.0, 307.0] {
        fed.phase(Op::Write, start, 1.0, MIB);
        fed.look();
    }
    assert_eq!(fed.state(), State::Changed);
    let lost = text(&scene(&fed.known, Some(310.0)), 80, 24);
    assert!(
        lost.contains("≠ changed") && lost.contains("no more"),
        "{lost}"
    );
    assert!(
        lost.contains("no phase can be foretold") && lost.contains("✗ missed"),
        "{lost}"
    );
}

#[test]
fn before_anything_came_it_waits() {
    let known = Known::default();
    let shown = text(&scene(&known, None), 80, 24);
    assert!(shown.contains("waiting for the first request"), "{shown}");
    assert!(shown.contains("nothing has moved yet"), "{shown}");
}

#[test]
fn one_phase_is_no_rhythm() {
    let shown = Fed::periodic(1);
    assert_eq!(shown.state(), State::Learning);
    let shown = text(&scene(&shown.known, Some(3.0)), 80, 24);
    assert!(shown.contains("… learning  no rhythm yet"), "{shown}");
}

#[test]
fn a_wide_screen_has_the_facts_beside_the_table() {
    let fed = Fed::periodic(12);
    let shown = text(&scene(&fed.known, Some(230.0)), 200, 50);
    for words in [
        "95 % interval",
        "jitter",
        "phases in",
        "error of bytes",
        "where it may begin",
    ] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
}

#[test]
fn a_small_screen_has_what_matters_most() {
    let fed = Fed::periodic(12);
    let shown = lines(&scene(&fed.known, Some(230.0)), 40, 10);
    assert!(shown[1].contains("● periodic  every 20.0"), "{shown:#?}");
    assert!(shown[2].contains("next phase in 10.0 s"), "{shown:#?}");
    assert!(shown.iter().any(|line| line.contains('▒')), "{shown:#?}");
    assert!(shown[9].contains("q quit"), "{shown:#?}");
}

#[test]
fn a_screen_without_room_for_a_picture_says_how_large_it_must_be() {
    let fed = Fed::periodic(12);
    let mut scene = scene(&fed.known, Some(230.0));
    for helps in [false, true] {
        scene.helps = helps;
        for (width, height, said) in [
            (80, 9, "too small: 40×10 or more"),
            (39, 24, "too small: 40×10 or more"),
            (15, 3, "40×10 or more"),
            (8, 1, "≥ 40×10"),
        ] {
            let shown = lines(&scene, width, height);
            assert_eq!(shown[0].trim_end(), said, "{width}×{height}");
            assert!(shown[1..].iter().all(|line| line.trim().is_empty()));
        }
    }
}

#[test]
fn keys_are_shown_over_the_picture() {
    let fed = Fed::periodic(12);
    let mut scene = scene(&fed.known, Some(230.0));
    assert!(text(&scene, 80, 24).contains("? keys"));
    scene.helps = true;
    for (width, height) in [(40, 10), (80, 24), (200, 50)] {
        let shown = text(&scene, width, height);
        for words in [
            " keys ",
            "q Esc Ctrl-C quit",
            "16 periods, all, minute ",
            "pause, go on",
            "newest, oldest forecast",
            "open and close this",
        ] {
            assert!(shown.contains(words), "{words}: {shown}");
        }
    }
}

/// Dates, all zooms, all sizes: nothing is drawn outside, and nothing panics.
#[test]
fn any_size_can_be_drawn() {
    let mut dated = Fed::new();
    for phase in 0..8 {
        let start = 1_700_000_000.0 + 30.0 * f64::from(phase);
        dated.phase(Op::Write, start, 1.0, MIB);
        dated.look();
    }
    let fed = Fed::periodic(12);
    let none = Known::default();
    let views = [
        (&fed.known, Some(230.0)),
        (&dated.known, Some(1_700_000_215.0)),
        (&none, None),
    ];
    for (known, now) in views {
        let mut scene = scene(known, now);
        for zoom in [Zoom::Periods, Zoom::All, Zoom::Minute] {
            scene.zoom = zoom;
            for height in (1..10).chain([13, 14, 17, 18, 24, 30, 50]) {
                for width in (1..20).chain([40, 59, 80, 119, 120, 400]) {
                    for helps in [false, true] {
                        scene.helps = helps;
                        terminal(&scene, width, height);
                    }
                }
            }
        }
    }
}

#[test]
fn scrolling_shows_older_forecasts() {
    let fed = Fed::periodic(16);
    let mut scene = scene(&fed.known, Some(310.0));
    let newest = text(&scene, 80, 24);
    assert!(newest.contains("1 to 5 of"), "{newest}");
    scene.scroll = 3;
    let older = text(&scene, 80, 24);
    assert!(older.contains("4 to 8 of") && older != newest, "{older}");
}

#[test]
fn who_cannot_press_keys_is_told() {
    let known = Known::default();
    let mut scene = scene(&known, None);
    scene.keys = false;
    let shown = text(&scene, 80, 24);
    assert!(shown.contains("no terminal to read keys from"), "{shown}");
}

#[test]
fn the_time_of_a_job_that_has_ended_stands_still() {
    let mut fed = Fed::periodic(8);
    let later = Instant::now() + std::time::Duration::from_secs(1000);
    let moves = fed.known.now(later).expect("a time");
    assert!(moves > 1000.0, "{moves}");
    let last = fed.job.end();
    let at = last.at.get();
    fed.tell(last);
    assert_eq!(fed.known.now(later), Some(at));
    assert!(at < 200.0);
}
