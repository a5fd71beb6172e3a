//! The pages of phases and of estimates in a real browser, on a desk and on a phone: words can be read, tables are
//! not taller than they must be, and nothing runs but their own script.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

#[path = "support/asked.rs"]
mod asked;
#[path = "support/chromium.rs"]
mod chromium;

use asked::{asked, asked_with, browser, check};
use chromium::Chromium;
use iotempo_analysis::estimate::{Combined, CombinedPoint};
use iotempo_analysis::phases::{IoPhase, PhaseFinder, Settings};
use iotempo_model::{Api, FileCounters, Op, OpCounters, Rank, Seconds, SizeCount, size_bin};
use iotempo_report::estimate::EstimatePage;
use iotempo_report::phases::PhasesPage;
use iotempo_report::{Fact, Table, Units};
use serde_json::{Value, json};

const HOSTILE: &str = "</script><img src=x onerror=\"hacked = 1\">";

/// What a process wrote to a file of its own: a header and a body.
fn written(file: u64, rank: i32, start_s: f64) -> FileCounters {
    let mut counters = FileCounters::new(file, Api::Posix);
    (counters.rank, counters.processes) = (Some(Rank(rank)), Some(64));
    let mut sizes = OpCounters::default().sizes;
    (sizes[size_bin(4096)], sizes[size_bin(25_165_824)]) = (1, 7);
    *counters.of_mut(Op::Write) = OpCounters {
        requests: 8,
        bytes: 4096 + 7 * 25_165_824,
        start: Seconds::new(start_s),
        end: Seconds::new(start_s + 4.25),
        time_s: 3.5,
        sizes,
        ..OpCounters::default()
    };
    let frequent = [(25_165_824, 7), (4096, 1)];
    for (place, (size, count)) in counters.frequent.iter_mut().zip(frequent) {
        *place = SizeCount { size, count };
    }
    counters
}

fn phases() -> Vec<IoPhase> {
    let mut finder = PhaseFinder::new(Settings::default());
    for step in 0..9_u64 {
        for rank in 0..64 {
            let file = step * 64 + u64::try_from(rank).unwrap();
            finder.push(&written(file, rank, 50.0 * step as f64 + 1.234_567));
        }
    }
    finder.push(&written(9999, 14, 470.0));
    finder.finish().phases
}

fn phases_page() -> String {
    let phases = phases();
    let long = "a-folder-with-a-long-name/".repeat(5);
    let page = PhasesPage {
        input: HOSTILE.to_owned(),
        sha256: None,
        format: "darshan 3.41".to_owned(),
        facts: vec![Fact::new("program", HOSTILE)],
        run_time_s: Some(480.0),
        moved: Some("0 B read, 577 GiB written".to_owned()),
        files: phases
            .iter()
            .map(|_| vec![format!("/scratch/{long}{HOSTILE}"); 3])
            .collect(),
        phases,
        agreement: Vec::new(),
        cannot_show: "counters cannot show all".to_owned(),
        warnings: Vec::new(),
        settings: Vec::new(),
        tool: "iotempo".to_owned(),
        units: Units::Iec,
    };
    let mut bytes = Vec::new();
    page.write_into(&mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn estimate_page() -> String {
    let point = |(io_nodes, bandwidth, expected_regret)| CombinedPoint {
        io_nodes,
        time_s: 1e12 / bandwidth,
        overlapping_time_s: 1e12 / bandwidth,
        bytes_per_s: bandwidth,
        low_bytes_per_s: 0.9 * bandwidth,
        high_bytes_per_s: 1.4 * bandwidth,
        expected_regret,
    };
    let curve = [
        (0, 3e9, 0.039),
        (1, 1.6e9, 0.5),
        (2, 2.4e9, 0.4),
        (4, 3.6e9, 0.058),
        (8, 3.3e9, 0.1),
    ];
    let page = EstimatePage {
        input: HOSTILE.to_owned(),
        combined: Combined {
            bytes: 2e12,
            matched_bytes: 1e12,
            curve: curve.map(point).to_vec(),
            best: Some(4),
            left_out: Vec::new(),
        },
        phases: Table::default(),
        unmatched: vec![Fact::new("phase 2", HOSTILE)],
        provenance: vec![Fact::new("log", HOSTILE)],
        warnings: Vec::new(),
        settings: Vec::new(),
        units: Units::Si,
    };
    let mut bytes = Vec::new();
    page.write_into(&mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// What is seen of a page that is so wide.
fn looked_at(browser: &Chromium, page: &str, width: u32) -> Value {
    // No window is narrower than this; what is on a phone has a body that is.
    let window = format!("--window-size={},900", width.max(500));
    let style = format!("<style>body {{ width: {width}px; max-width: 100%; }}</style></head>");
    let page = page.replacen("</head>", &style, 1);
    check(&asked_with(browser, &page, LOOK, &[&window])).clone()
}

/// Texts and shapes as they are on the screen.
const LOOK: &str = "
    const boxes = [...document.querySelectorAll('main svg text')]
      .filter((text) => getComputedStyle(text).display !== 'none')
      .map((text) => ({ says: text.textContent, box: text.getBoundingClientRect() }));
    const outer = document.querySelector('main section').getBoundingClientRect();
    const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    const clashes = boxes.flatMap((one, at) => boxes.slice(at + 1)
      .filter((other) => meet(one.box, other.box)).map((other) => [one.says, other.says]));
    const outside = boxes.filter(({ box }) => box.left < outer.left - 1 || box.right > outer.right + 1
      || box.top < outer.top - 1 || box.bottom > outer.bottom + 1).map(({ says }) => says);
    const tables = [...document.querySelectorAll('.table tbody tr')].map((row) => row.offsetHeight);
    const bars = [...document.querySelectorAll('svg .bar')].map((bar) => bar.getBoundingClientRect());
    return {
      room: document.body.clientWidth, wide: document.body.scrollWidth,
      smallest: Math.min(...boxes.map(({ box }) => box.height)), texts: boxes.map(({ says }) => says),
      clashes, outside, tallest: Math.max(...tables),
      thinnest: bars.length ? Math.min(...bars.map((bar) => bar.width)) : null,
      within: bars.every((bar) => bar.left >= outer.left && bar.right <= outer.right + 1),
      points: document.querySelectorAll('svg circle').length, bars: bars.length,
      cells: [...document.querySelectorAll('.table td')].map((cell) => cell.textContent),
      hacked: typeof hacked, images: document.querySelectorAll('img, iframe, object').length,
    };";

/// What holds for any page at any width.
fn can_be_read(said: &Value, width: u32) {
    let room = said["room"].as_f64().unwrap();
    assert!(
        room <= f64::from(width) && room > f64::from(width) - 80.0,
        "{said}"
    );
    assert_eq!(said["wide"], said["room"], "nothing sticks out");
    // Letters of 11.5 pixels need a box of 12 or more.
    assert!(said["smallest"].as_f64() >= Some(12.0), "{said}");
    assert_eq!(said["clashes"], json!([]), "{said}");
    assert_eq!(said["outside"], json!([]), "{said}");
    assert_eq!(
        (&said["hacked"], &said["images"]),
        (&json!("undefined"), &json!(0))
    );
}

#[test]
fn phases_can_be_read_on_a_desk_and_on_a_phone() {
    let Some(browser) = browser("phases_can_be_read_on_a_desk_and_on_a_phone") else {
        return;
    };
    let page = phases_page();
    for width in [1300, 400] {
        let said = looked_at(&browser, &page, width);
        can_be_read(&said, width);
        assert_eq!((&said["bars"], &said["within"]), (&json!(10), &json!(true)));
        assert!(said["thinnest"].as_f64() >= Some(1.5), "{said}");
        // Three names of 140 letters wrap, and no row fills the screen.
        assert!(said["tallest"].as_f64() <= Some(300.0), "{width}: {said}");
        let cells = said["cells"].as_array().unwrap();
        for cell in ["rank 14", "all 64", "1.23 s", "7 × 24 MiB, 1 × 4 KiB"] {
            assert!(cells.contains(&json!(cell)), "{cell}: {said}");
        }
    }
}

#[test]
fn an_estimate_can_be_read_on_a_desk_and_on_a_phone() {
    let Some(browser) = browser("an_estimate_can_be_read_on_a_desk_and_on_a_phone") else {
        return;
    };
    let page = estimate_page();
    assert!(
        page.replace('\u{a0}', " ")
            .contains("whoever runs often loses least with 0")
    );
    for width in [1300, 400] {
        let said = looked_at(&browser, &page, width);
        can_be_read(&said, width);
        assert_eq!(said["points"], 5);
        let texts = said["texts"].as_array().unwrap();
        for label in ["GB/s", "I/O nodes", "8"] {
            assert!(texts.contains(&json!(label)), "{label}: {said}");
        }
    }
}

#[test]
fn pages_run_by_their_own_policy_and_ask_for_nothing() {
    let Some(browser) = browser("pages_run_by_their_own_policy_and_ask_for_nothing") else {
        return;
    };
    for page in [phases_page(), estimate_page()] {
        assert_eq!(browser.requests(&page), [""; 0]);
        let answer = asked(
            &browser,
            &page,
            "const names = ['h1', '.caption', 'svg text', 'th'];
             const contrasts = () => names.map((name) => contrast(document.querySelector(name)));
             const first = contrasts();
             document.getElementById('theme').click();
             return { first, second: contrasts() };",
        );
        let said = check(&answer);
        // WCAG 2.2, level AA.
        for theme in ["first", "second"] {
            for contrast in said[theme].as_array().unwrap() {
                assert!(contrast.as_f64() >= Some(4.5), "{said}");
            }
        }
    }
}
