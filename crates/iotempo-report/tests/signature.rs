//! The page of a signature holds what is known, is small, needs nothing beside it, and runs nothing but
//! its own.
#![allow(clippy::unwrap_used)]

#[path = "support/applications.rs"]
mod applications;
#[path = "support/made.rs"]
mod made;

use applications::{hostile, html, outlier, page, run, usual};
use iotempo_analysis::period::Verdict;
use iotempo_model::Warning;
use iotempo_report::Units;
use iotempo_report::signature::{RunPart, SignaturePage, no_rhythm};
use serde_json::{Value, json};

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
    let html = html(&usual());
    assert!(html.starts_with("<!doctype html>") && html.ends_with("</html>"));
    let text = text(&html);
    for said in [
        "alice, s3d, 64 nodes",
        "Unsure: 5 bursts, 400 GiB in all, in 1 h.",
        "What runs have in common, of which several were in progress at once",
        "most runs",
        "I/O repeats every 47.00 s ± 0.19 s, 98 % sure.",
        "9 runs of 18 jobs are used. 2 of them ran while another one did",
        "what all jobs moved (read and write), every 2 s",
        "They cannot show whose bytes these are",
        "smoothed once, not twice",
        "95 % interval 46.81 s to 47.19 s",
        "a row is 2.2 GiB/s high",
        "sacct",
        "Europe/Berlin",
        "LDMS CSV (damaged)",
        "bytes, counted since the mount",
        "2,000,000",
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        "density_fraction",
        "iotempo 0.1.0",
        "1,008",
    ] {
        assert!(text.contains(said), "{said} is missing: {text}");
    }
    for row in [
        "<tr><td>2</td><td>1000 s</td><td>40 s</td><td>80 GiB</td><td>80 GiB to 80 GiB</td><td>2 GiB/s</td><td>9 of 9</td></tr>",
        "<td>418002</td><td>2026-09-21T17:00:00Z</td><td>1 h</td>",
        "<td>6 s</td><td>5 + 1</td><td>yes</td></tr>",
        "<td>-</td><td>-</td><td>no: far more bytes than the others</td></tr>",
        "<tr><td>7</td><td>900, 901, 902, 903, 904, …</td><td>the servers&#39; log does not cover it</td></tr>",
        "<tr><td>1</td><td>7</td><td>did not end well: FAILED</td></tr>",
        "<tr><td>quiet.csv</td><td>95.4 MiB/s</td><td>85.8 MiB/s</td><td>03 h: 107.3 MiB/s</td>\
         <td>19 h: 170.9 MiB/s</td><td>102 starts</td></tr>",
        "<td>nowhere whole for as long</td></tr>",
    ] {
        assert!(html.contains(row), "{row}");
    }
}

#[test]
fn pictures_are_drawn_from_the_findings() {
    let html = html(&usual());
    assert_eq!(
        tags(&html, "figure"),
        4,
        "signature, runs, two logs by hour"
    );
    let data = data(&html);
    assert_eq!(data["signature"]["bursts"][1], json!([1000, 1040, 9]));
    assert_eq!(data["signature"]["length"], 3600);
    let rows = data["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 10);
    // Those that were left out are below all others.
    assert_eq!(rows[9]["job"], "418003");
    assert_eq!(rows[9]["why"], "far more bytes than the others");
    assert_eq!(rows[9]["bursts"], json!([]));
    assert_eq!(rows[0]["why"], Value::Null);
    assert_eq!(rows[0]["bursts"][1], json!([1000, 1040, 2]));
    assert_eq!(rows[0]["bursts"][5], json!([2000, 2020, null]));
    // Rows are as high as the highest run that is used.
    let highest = data["highest"].as_f64().unwrap() / 1024_f64.powi(3);
    assert!((2.0..2.25).contains(&highest), "{highest}");
    let [quiet, busy] = [&data["compared"][0], &data["compared"][1]];
    assert_eq!((&quiet["best"], &quiet["worst"]), (&json!(3), &json!(19)));
    assert_eq!(quiet["met"][2], Value::Null);
    assert_eq!(busy["met"][0], 3e9);
}

#[test]
fn no_peak_of_a_run_is_lost() {
    let mut long = run(0);
    long.rates = vec![1e6; 500_000];
    long.rates[123_457] = 7.654_321e12;
    let page = page(vec![long]);
    let html = html(&page);
    let row = &data(&html)["rows"][0]["signal"];
    let high = row["high"].as_array().unwrap();
    assert!(high.len() <= 800, "{}", high.len());
    let highest = high.iter().map(|value| value.as_f64().unwrap());
    let highest = highest.fold(0.0, f64::max) * row["unit"].as_f64().unwrap();
    assert!((highest / 7.654e12 - 1.0).abs() < 1e-3, "{highest}");
}

#[test]
fn forty_rows_are_drawn_and_the_others_listed() {
    let mut runs: Vec<_> = (0..60).map(run).collect();
    runs.extend((60..75).map(outlier));
    let html = html(&page(runs));
    let data = data(&html);
    let rows = data["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 40);
    let left_out = rows.iter().filter(|row| !row["why"].is_null());
    assert_eq!(left_out.count(), 8);
    // The newest of both.
    assert_eq!(
        (&rows[31]["job"], &rows[39]["job"]),
        (&json!("418059"), &json!("418074"))
    );
    assert!(text(&html).contains("35 older runs are in the table only."));
    assert_eq!(html.matches("<td>yes</td>").count(), 60);
    assert!(html.len() < 1_000_000, "{} bytes", html.len());
}

#[test]
fn without_a_signature_the_runs_are_there() {
    let why = "no burst is common to enough runs".to_owned();
    let found = usual();
    let html = html(&SignaturePage {
        signature: Err(why),
        period: None,
        compared: Vec::new(),
        ..found
    });
    let text = text(&html);
    assert!(text.contains("No signature: no burst is common to enough runs."));
    assert_eq!(tags(&html, "figure"), 1);
    assert_eq!(data(&html)["signature"], Value::Null);
    let nothing = applications::html(&SignaturePage {
        signature: Err("no run could be cut out".to_owned()),
        period: None,
        runs: Vec::new(),
        rejected: Vec::new(),
        compared: Vec::new(),
        ..usual()
    });
    assert_eq!((tags(&nothing, "figure"), tags(&nothing, "table")), (0, 1));
}

#[test]
fn what_is_between_bursts_says_nothing_where_others_were_left_out() {
    let mut page = usual();
    let period = page.period.as_mut().unwrap();
    let guess = period.rhythms.remove(0);
    period.rhythms.clear();
    period.candidate = Some(guess);
    period.verdict = Verdict::TooUnsure;
    let said = text(&html(&page));
    assert!(said.contains("Not sure enough: every 47"), "{said}");
    let left_out = Warning::new("bursts-left-out", "most runs share 2 bursts more");
    page.warnings.push(left_out);
    let said = text(&html(&page));
    let unknown = "Period unknown: bursts were left out (see warnings).";
    assert!(said.contains(unknown), "{said}");
    assert!(!said.contains("Not sure enough"), "{said}");
    let period = page.period.unwrap();
    let told = no_rhythm(&period, page.threshold, &page.warnings);
    assert_eq!(
        format!("{told}."),
        unknown.replacen('P', "p", 1),
        "as elsewhere"
    );
}

#[test]
fn nothing_from_a_log_becomes_markup() {
    let (bad, plain) = (html(&hostile()), html(&usual()));
    for tag in ["script", "/script", "img", "!--", "link", "iframe", "svg"] {
        assert_eq!(tags(&bad, tag), tags(&plain, tag), "<{tag}");
    }
    let markup = bad.split("id=\"data\">").next().unwrap();
    assert!(!markup.contains("\" onload=") && !markup.contains("' onload="));
    for unseen in ['\u{1b}', '\0', '\u{202e}'] {
        assert!(!bad.contains(unseen), "{unseen:?}");
    }
    assert!(bad.contains("\\u{1b}[31m\\u{0}\\u{202e}"));
    assert!(bad.len() < 2 * plain.len(), "{} bytes", bad.len());
    let job = data(&bad)["rows"][0]["job"].as_str().unwrap().to_owned();
    assert!(job.starts_with(made::HOSTILE), "{job}");
}

#[test]
fn numbers_that_are_none_are_not_drawn() {
    let mut odd = usual();
    odd.runs[0].rates = vec![f64::NAN, f64::INFINITY, 1e9, f64::MAX];
    odd.runs[1].rates = Vec::new();
    odd.runs[2].start_epoch_s = 1e300;
    odd.runs[4].part = RunPart::Used(Vec::new());
    if let Ok(found) = &mut odd.signature {
        found.rates = vec![f64::NAN; 3];
        found.bursts.clear();
    }
    let html = html(&odd);
    assert!(!data(&html).to_string().contains("NaN"));
    assert_eq!(
        data(&html)["rows"][0]["signal"]["high"]
            .as_array()
            .unwrap()
            .len(),
        4
    );
}

#[test]
fn a_page_names_no_other_place() {
    let html = html(&usual());
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
}

#[test]
fn units_are_those_of_choice() {
    let html = html(&SignaturePage {
        units: Units::Si,
        ..usual()
    });
    assert_eq!(data(&html)["names"][3], "GB");
    assert!(text(&html).contains(" GB/s") && !text(&html).contains("GiB"));
}
