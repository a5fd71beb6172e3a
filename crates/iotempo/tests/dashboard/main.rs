//! The page of `iotempo serve` in a real browser, with a real server and a real program under the tracer.
#![allow(clippy::unwrap_used, clippy::print_stderr)]
#![cfg(target_os = "linux")]

#[path = "../common/mod.rs"]
mod common;

#[path = "../../../iotempo-report/tests/support/chromium.rs"]
mod chromium;

mod browser;

use browser::Browser;
use chromium::Chromium;
use common::Place;
use serde_json::json;
use std::fmt::Write;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A job whose name would run if it were taken for HTML.
const HOSTILE: &str = "<img src=x onerror=window.hacked=1>.csv";

/// A program that writes 4 MiB every second.
const PROGRAM: &str = include_str!("../common/steady.py");

/// Scripts that look at the page, by what they are about.
const ROW: &str = "[...document.querySelectorAll('#rows tr')].find((row) => \
                   row.querySelector('a').textContent === 'steady')";
const CHART: &str = "document.querySelector('#chart .written .mean')?.getAttribute('d')";
const SENTENCE: &str = "document.getElementById('sentence').textContent";
const LINK: &str = "document.getElementById('link').textContent";

/// A process that ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn program(place: &Place, words: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("iotempo"));
    command.current_dir(place.path(".")).args(words);
    for name in ["IOTEMPO_TOKEN", "IOTEMPO_TRACER", "LD_PRELOAD"] {
        command.env_remove(name);
    }
    command
}

/// A server for what is in `jobs`, and its address.
fn served(place: &Place, token: Option<&str>) -> (Running, String) {
    let words = ["serve", "jobs", "--listen", "127.0.0.1:0", "--every"];
    let mut command = program(place, &words);
    command.args(["200ms", "--state", "state"]);
    command.envs(token.map(|token| ("IOTEMPO_TOKEN", token)));
    let mut server = Running(command.stdout(Stdio::piped()).spawn().unwrap());
    let mut first = String::new();
    let mut out = BufReader::new(server.0.stdout.take().unwrap());
    out.read_line(&mut first).unwrap();
    let address = first.trim_end().strip_prefix("listening on ");
    let address = address.unwrap_or_else(|| panic!("{first:?}")).to_owned();
    (server, address)
}

/// Runs a program that writes every second, under the tracer, as the job `steady`.
fn steady(place: &Place) -> Running {
    place.write("steady.py", PROGRAM);
    let words = ["trace", "-q", "-o", "jobs", "--", "python3"];
    let mut command = program(place, &words);
    command.args(["steady.py", "out"]);
    command.env("IOTEMPO_JOB", "steady").stderr(Stdio::null());
    Running(command.spawn().unwrap())
}

/// A table of requests that came every 20 s.
fn table() -> String {
    let mut table = String::from("op,start,end,bytes\n");
    for phase in 0..12 {
        let start = 20 * phase;
        writeln!(table, "write,{start},{},5000000", start + 2).unwrap();
        writeln!(table, "read,{},{},1000000", start + 5, start + 6).unwrap();
    }
    table
}

/// A browser, or a word on why this test cannot run.
fn browser(test: &str) -> Option<Browser> {
    let python = Command::new("python3").arg("--version").output().is_ok();
    let found = Chromium::find().filter(|_| python);
    if found.is_none() {
        let missing = if python { "chromium" } else { "python3" };
        eprintln!("SKIPPED {test}: there is no {missing} (scripts/setup.sh installs it)");
    }
    found.map(|chromium| Browser::start(&chromium))
}

#[test]
fn a_job_appears_moves_and_is_understood_while_it_runs() {
    let Some(mut browser) = browser("a_job_appears_moves_and_is_understood_while_it_runs") else {
        return;
    };
    let place = Place::new();
    place.write(&format!("jobs/{HOSTILE}"), table());
    let (_server, address) = served(&place, None);
    browser.look_like(1400, "light");
    browser.open(&address);
    browser.until(&format!("{LINK} === 'live'"));

    // What a file is called is text.
    let name = browser.until("document.querySelector('#rows a')?.textContent");
    assert!(
        HOSTILE.starts_with(name.as_str().unwrap().trim_end_matches(".csv")),
        "{name}"
    );
    let elements = "document.querySelectorAll('img, main script, main iframe').length";
    assert_eq!(browser.asked(elements), 0);

    // Nobody reloads the page: the job comes by itself.
    assert!(browser.asked(&format!("!({ROW})")).as_bool().unwrap());
    let _program = steady(&place);
    browser.until(&format!("Boolean({ROW})"));
    browser.until(&format!(
        "({ROW}).querySelector('.state').textContent === 'periodic'"
    ));
    // The first few phases tell it roughly. A machine that is busy delays single phases, not the clock
    // that they follow.
    browser.until(&format!(
        "(([text, number, unit]) => Math.abs(number * (unit === 'ms' ? 0.001 : 1) - 1) < 0.03)\
         (/^([\\d.]+) (m?s) ± /.exec(({ROW}).cells[3].firstChild.textContent) ?? [])"
    ));
    let spark = format!("({ROW}).querySelector('.spark path').getAttribute('d').length > 50");
    browser.until(&spark);

    // By keys alone: filter, go to it, open it.
    browser.keys(&["/"]);
    browser.types("steady");
    browser.keys(&["Enter", "Enter"]);
    browser.until("location.hash === '#job/steady'");
    let first = browser.until(CHART);
    let prediction = browser.until("document.querySelector('#history td')?.textContent");
    browser.until(&format!("({CHART}) && ({CHART}) !== {first}"));
    browser.until(&format!(
        "document.querySelector('#history td').textContent !== {prediction}"
    ));
    // In words, with what is expected drawn ahead of the present.
    let sentence = format!(
        "/^Writes every [\\d.]+ m?s; next (in|is) .*, 4 MiB\\.$/.test({SENTENCE}) && {SENTENCE}"
    );
    browser.until(&sentence);
    browser.until("document.querySelector('#chart .next .edges') !== null");
    browser.until("document.querySelectorAll('#chart .past .came').length > 2");

    // The picture as a whole, its last minute, a value of it; the help; and back.
    browser.keys(&["a"]);
    browser
        .until("document.querySelector('[data-zoom=all]').getAttribute('aria-pressed') === 'true'");
    // What a bandwidth is a mean of is said.
    let bin = "/^Bandwidth (per|mean per [\\d.]+ m?s, lowest and highest per) [\\d.]+ m?s$/";
    browser.until(&format!(
        "{bin}.test(document.getElementById('chart-title').textContent)"
    ));
    browser.asked("document.getElementById('chart').focus()");
    browser.keys(&["ArrowLeft"]);
    browser.until(
        "/^[\\d.]+ s.*(written|no data)/s.test(document.getElementById('readout').textContent)",
    );
    browser.keys(&["?"]);
    assert_eq!(browser.asked("document.getElementById('help').open"), true);
    browser.keys(&["Escape"]);
    assert_eq!(browser.asked("document.getElementById('help').open"), false);
    browser.keys(&["Escape"]);
    browser.until("document.activeElement.textContent === 'steady' && !location.hash");
    browser.keys(&["/", "Escape", "j"]);
    let walked = |browser: &mut Browser, key| {
        browser.keys(&[key]);
        browser.asked("document.activeElement.textContent")
    };
    let names = ["ArrowUp", "j", "k", "ArrowDown"].map(|key| walked(&mut browser, key));
    assert_eq!(names[0], name);
    assert_eq!(names[1], "steady");
    assert_eq!((&names[2], &names[3]), (&names[0], &names[1]));

    // A second is not a thousand of something else, and a change is told as one.
    for (script, said) in [
        ("duration(0.99996)", "1 s"),
        ("duration(0.9994)", "999 ms"),
        (
            "whyNone({ state: 'changed', verdict: 'periodic' })",
            "the last one is over",
        ),
    ] {
        assert_eq!(browser.asked(script), said, "{script}");
    }
    assert_eq!(browser.asked("typeof hacked"), "undefined");
    assert_eq!(browser.complaints(), [""; 0]);
    let addresses = browser.addresses();
    assert!(addresses.len() > 5, "{addresses:?}");
    let home = |asked: &String| asked.starts_with(&address) || asked.starts_with("data:");
    assert!(addresses.iter().all(home), "{addresses:?}");
}

#[test]
fn a_token_is_asked_for_kept_in_the_tab_and_never_in_an_address() {
    let Some(mut browser) = browser("a_token_is_asked_for_kept_in_the_tab_and_never_in_an_address")
    else {
        return;
    };
    let place = Place::new();
    place.write("jobs/job.csv", table());
    let token = "a-token-of-26-characters-1";
    let (server, address) = served(&place, Some(token));
    browser.open(&address);
    browser.until(&format!("{LINK} === 'token needed'"));
    assert_eq!(
        browser.asked("document.querySelectorAll('#rows tr').length"),
        0
    );
    browser.types("not-the-token-of-the-server");
    browser.keys(&["Enter"]);
    browser.until("!document.getElementById('token-refused').hidden");
    browser.types(token);
    browser.keys(&["Enter"]);
    browser.until(&format!("{LINK} === 'live'"));
    browser.until("document.querySelectorAll('#rows tr').length === 1");
    // The same tab, once more: nothing is asked.
    browser.open(&address);
    browser.until(&format!("{LINK} === 'live'"));
    let kept = "[location.href, JSON.stringify(localStorage), document.cookie].join()";
    let kept = browser.asked(kept);
    assert!(!kept.as_str().unwrap().contains(token), "{kept}");
    let addresses = browser.addresses();
    assert!(
        !addresses.iter().any(|asked| asked.contains(token)),
        "{addresses:?}"
    );

    // A server that is gone is said to be.
    drop(server);
    browser.until(&format!("{LINK} === 'reconnecting'"));
    browser.until("/^as of /.test(document.getElementById('link-detail').textContent)");
    browser.until(&format!("{LINK} === 'server gone'"));
}

#[test]
fn a_file_that_cannot_be_read_says_why_to_the_end() {
    let Some(mut browser) = browser("a_file_that_cannot_be_read_says_why_to_the_end") else {
        return;
    };
    let place = Place::new();
    place.write("jobs/noise.jsonl", "no such thing\n".repeat(10));
    let (_server, address) = served(&place, None);
    browser.look_like(1400, "light");
    browser.open(&address);
    let row = "document.querySelector('#rows tr')";
    browser.until(&format!(
        "{row}?.querySelector('.state').textContent === 'unreadable'"
    ));
    let why = browser.until("jobs.get('noise.jsonl')?.error");
    let small = format!("{row}.querySelector('td small')");
    assert_eq!(browser.asked(&format!("{small}.textContent")), why);
    let fits = format!("{small}.scrollWidth <= {small}.clientWidth");
    assert_eq!(browser.asked(&fits), true);
    browser.asked("location.hash = '#job/noise.jsonl'");
    browser.until(&format!("{SENTENCE} === 'Its files cannot be read.'"));
}

/// A job whose only forecast did not come: there is a number of them, and no distance.
#[test]
fn a_forecast_that_did_not_come_is_missed_and_not_unjudged() {
    let test = "a_forecast_that_did_not_come_is_missed_and_not_unjudged";
    let Some(mut browser) = browser(test) else {
        return;
    };
    let place = Place::new();
    place.write("jobs/job.csv", table());
    let (_server, address) = served(&place, None);
    browser.open(&address);
    browser.until("jobs.get('job.csv')?.prediction");
    let shown = |browser: &mut Browser, accuracy: &str| {
        let script = format!(
            "(() => {{ const row = new Row('x'); const job = {{ ...jobs.get('job.csv') }}; \
             job.prediction = {{ ...job.prediction, accuracy: {accuracy} }}; row.show(job); \
             return [row.parts.accuracy[0].textContent, row.parts.accuracy[1].textContent, \
             tilesOf(job).at(-1).join('|')]; }})()"
        );
        browser.asked(&script)
    };
    let missed = "{ judged: 1, missed: 1, within_interval: 0, mean_error_s: null, mean_error_fraction: null }";
    let said = [
        "1 missed",
        "0 of 1 in time",
        "Forecasts|1 missed|0 of 1 in their interval",
    ];
    assert_eq!(shown(&mut browser, missed), json!(said));
    let none = "{ judged: 0, missed: 0, within_interval: 0, mean_error_s: null, mean_error_fraction: null }";
    let none = shown(&mut browser, none);
    assert_eq!((&none[0], &none[1]), (&json!("none judged"), &json!("")));
}

#[test]
fn the_page_fits_and_can_be_read_in_both_themes() {
    let Some(mut browser) = browser("the_page_fits_and_can_be_read_in_both_themes") else {
        return;
    };
    let place = Place::new();
    place.write("jobs/job.csv", table());
    let long = format!("jobs/{}.csv", "long".repeat(50));
    place.write(&long, table());
    let (_server, address) = served(&place, None);
    browser.open(&address);
    let helpers =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../iotempo-report/tests/support/driver.js");
    let helpers = std::fs::read_to_string(helpers).unwrap();
    browser.until("document.querySelectorAll('#rows tr').length === 2");
    let job = browser.until("document.querySelector('#rows a').hash");
    browser.asked(&format!(
        "(() => {{ {helpers}; window.contrast = contrast; }})()"
    ));
    for width in [380, 800, 1400] {
        for scheme in ["light", "dark"] {
            browser.look_like(width, scheme);
            for (hash, seen) in [("", "#rows a"), (job.as_str().unwrap(), "#history td")] {
                browser.asked(&format!("location.hash = '{hash}'"));
                let shown = format!("document.querySelector('{seen}')?.offsetParent !== null");
                browser.until(&shown);
                let wide = browser.asked("document.documentElement.scrollWidth");
                assert!(
                    wide.as_u64() <= Some(width.into()),
                    "{width} {scheme} {hash}: {wide}"
                );
                let read = "[...document.querySelectorAll('main:not([hidden]) :is(h1, a, dt, dd, td, text, small)')]
                    .filter((one) => one.textContent && one.checkVisibility())
                    .map((one) => [contrast(one), one.textContent])
                    .reduce((least, one) => (one[0] < least[0] ? one : least))";
                let least = browser.asked(read);
                // WCAG 2.2, level AA.
                assert!(least[0].as_f64() >= Some(4.5), "{width} {scheme}: {least}");
            }
        }
    }
    assert_eq!(
        browser.asked("location.hash = '#job/none'"),
        json!("#job/none")
    );
    browser.until(&format!("{SENTENCE}.startsWith('There is no such job')"));
}
