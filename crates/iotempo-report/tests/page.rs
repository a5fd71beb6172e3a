//! A page holds what is known, is small, needs nothing beside it, and runs nothing but its own.
#![allow(clippy::unwrap_used)]

#[path = "support/made.rs"]
mod made;

use iotempo_analysis::period::Verdict;
use iotempo_model::Signal;
use iotempo_report::{Mark, Part, PeriodPage, Spectrum, Units};
use made::{HOSTILE, checkpoints, hostile, html, irregular, nothing, odd, page, seconds, signal};
use serde_json::Value;

/// The JSON that pictures are drawn from.
fn data(html: &str) -> Value {
    let start = html.split("id=\"data\">").nth(1).unwrap();
    serde_json::from_str(start.split("</script>").next().unwrap()).unwrap()
}

/// The text between tags, entities and all.
fn text(html: &str) -> String {
    let body = html.split("<body>").nth(1).unwrap();
    let body = body.split("<script").next().unwrap();
    let parts = body
        .split('<')
        .map(|part| part.split_once('>').map_or(part, |(_, text)| text));
    parts.collect::<Vec<_>>().join(" ").replace('\u{a0}', " ")
}

fn tags(html: &str, tag: &str) -> usize {
    html.matches(&format!("<{tag}")).count()
}

#[test]
fn a_page_says_what_was_found_and_how() {
    let page = page(
        "runs/heat3d.darshan",
        vec![checkpoints(1.0), irregular(1.0)],
    );
    let html = html(&page);
    let text = text(&html);
    for said in [
        "I/O repeats every 47.00 s ± 0.19 s, 98 % sure.",
        "Not periodic: phases come at irregular times (best guess: every",
        "Seen in dxt (darshan 3.41), resolved to 1 µs.",
        "This source cannot show STDIO",
        "12 requests end before they begin",
        "95 % interval 46.81 s to 47.19 s",
        "since previous start (s)",
        "Changes of behaviour",
        "Other periods",
        "94.0 s ± 0.4 s",
        "peaks of the autocorrelation",
        "2e-14",
        "What FTIO’s method answers",
        "0.0213 Hz",
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        "--checkpoint-every 200",
        "DXT_POSIX",
        "iotempo 0.1.0",
        "start_s",
    ] {
        assert!(text.contains(said), "{said} is missing");
    }
    assert_eq!(tags(&html, "figure"), 10);
    assert_eq!(
        data(&html)["parts"][0]["phases"].as_array().unwrap().len(),
        18
    );
}

#[test]
fn every_row_of_phases_is_that_of_the_finding() {
    let part = checkpoints(1.0);
    let phase = part.finding.rhythms[0].phases[1];
    let since = (phase.start - part.finding.rhythms[0].phases[0].start).get();
    let html = html(&page("x", vec![part]));
    let row = format!(
        "<tr><td>2</td><td>{:.0}</td><td>{:.0}</td><td>7</td><td>{since:.0}</td><td>",
        phase.start.get(),
        phase.end.get()
    );
    assert!(html.contains(&row), "{row}");
}

#[test]
fn nothing_from_a_log_becomes_markup() {
    let hostile = html(&hostile());
    let plain = html(&page("plain", vec![checkpoints(1.0), irregular(1.0)]));
    for tag in ["script", "/script", "img", "!--", "link", "iframe", "svg"] {
        assert_eq!(tags(&hostile, tag), tags(&plain, tag), "<{tag}");
    }
    // Attributes of tags hold no quote that ends them.
    let markup = hostile.split("id=\"data\">").next().unwrap();
    assert!(!markup.contains("\" onload=") && !markup.contains("' onload="));
    let drawn = &data(&hostile)["parts"][0]["spectrum"]["marks"][0][1];
    assert_eq!(drawn, HOSTILE, "what is escaped comes back as it was");
}

#[test]
fn a_page_names_no_other_place() {
    let html = html(&page("x", vec![checkpoints(1.0)]));
    let policy =
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-";
    assert!(html.contains(policy));
    // The name of an XML vocabulary looks like an address and is never asked.
    let rest = html.replace("http://www.w3.org/2000/svg", "");
    for elsewhere in [
        "http:", "https:", "//cdn", "@import", "url(h", "src=\"", "fetch(", "XMLHttp",
    ] {
        assert!(!rest.contains(elsewhere), "{elsewhere}");
    }
    assert_eq!(
        rest.matches("href=\"").count(),
        rest.matches("href=\"data:,\"").count()
    );
}

#[test]
fn long_signals_make_small_pages_and_keep_their_peaks() {
    let mut samples: Vec<f64> = (0..3_000_000).map(|i| f64::from(i % 97) * 1e7).collect();
    samples[2_000_001] = 7.654_321e12;
    let length = samples.len();
    let signal = Signal::new(seconds(1.6e9), seconds(0.01), samples);
    let power: Vec<f64> = (0..length / 2)
        .map(|k| if k == 700_000 { 9.0 } else { 1e-6 })
        .collect();
    let spectrum = Spectrum {
        frequencies_hz: (0..length / 2)
            .map(|k| k as f64 / (length as f64 * 0.01))
            .collect(),
        power,
        candidates: Vec::new(),
    };
    let part = Part {
        spectrum: Some(spectrum),
        ..Part::new("write", signal, nothing(Verdict::NoRepetition))
    };
    let html = html(&page("long", vec![part]));
    assert!(html.len() < 250_000, "{} bytes", html.len());
    let drawn = &data(&html)["parts"][0];
    let highest = |values: &Value| {
        let values = values.as_array().unwrap().iter();
        values
            .map(|value| value.as_f64().unwrap())
            .fold(0.0, f64::max)
    };
    assert_eq!(drawn["signal"]["high"].as_array().unwrap().len(), 4000);
    assert_eq!(highest(&drawn["signal"]["high"]), 7654.0);
    assert_eq!(drawn["signal"]["unit"], 1e9);
    assert!((highest(&drawn["spectrum"]["share"]) - 9.0 / (9.0 + 1.499_998)).abs() < 1e-4);
}

#[test]
fn ten_thousand_phases_are_listed_in_part_and_the_page_says_so() {
    let starts: Vec<f64> = (0..10_000).map(|i| f64::from(i) * 3.0).collect();
    let (signal, phases) = signal(&starts, 1.0, 30_000.0, 1.0);
    let mut finding = nothing(Verdict::Periodic);
    finding.rhythms = vec![made::rhythm(3.0, phases)];
    let html = html(&page("many", vec![Part::new("write", signal, finding)]));
    assert!(html.contains("… and 9,000 more."));
    assert!(html.contains("10,000 phases are too many to be shaded one by one."));
    assert!(html.len() < 300_000, "{} bytes", html.len());
}

#[test]
fn odd_signals_have_pages_too() {
    let html = html(&page("odd", odd()));
    assert!(html.contains("a faster rhythm of 666.7 ms or 2 s would look the same"));
    let data = data(&html);
    assert_eq!(data["parts"].as_array().unwrap().len(), 9);
    // What does not vary, or hardly at all, has neither spectrum nor scalogram.
    for constant in [1, 2, 4, 5] {
        assert!(data["parts"][constant]["spectrum"].is_null(), "{constant}");
        assert!(data["parts"][constant]["scalogram"].is_null(), "{constant}");
    }
    assert!(!text(&html).contains("NaN") && !html.contains("inf "));
}

#[test]
fn a_page_without_parts_says_that_nothing_moved() {
    let html = html(&page("nothing", Vec::new()));
    assert!(text(&html).contains("No data moved."));
    assert_eq!(tags(&html, "figure"), 0);
}

#[test]
fn units_are_those_of_choice() {
    let page = PeriodPage {
        units: Units::Si,
        ..page("x", vec![checkpoints(1.0)])
    };
    let html = html(&page);
    assert_eq!(data(&html)["names"][3], "GB");
    assert!(text(&html).contains(" GB/s") && !text(&html).contains("GiB/s"));
}

#[test]
fn marks_without_a_place_are_not_drawn() {
    let mut part = checkpoints(1.0);
    let nowhere = Mark {
        at: f64::NAN,
        label: "nowhere".to_owned(),
    };
    part.spectrum.as_mut().unwrap().candidates.push(nowhere);
    let html = html(&page("x", vec![part]));
    assert_eq!(
        data(&html)["parts"][0]["spectrum"]["marks"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}
