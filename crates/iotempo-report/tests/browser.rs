//! Pages in a real browser: pictures are drawn, zoom together and can be read; nothing is fetched.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

#[path = "support/asked.rs"]
mod asked;
#[path = "support/chromium.rs"]
mod chromium;
#[path = "support/made.rs"]
mod made;

use asked::{asked, browser, check};
use made::{checkpoints, hostile, html, irregular, odd, page};

#[test]
fn the_page_draws_all_its_pictures_by_itself() {
    let Some(browser) = browser("the_page_draws_all_its_pictures_by_itself") else {
        return;
    };
    let page = html(&page("x.darshan", vec![checkpoints(0.5), irregular(0.5)]));
    // As it is, its policy in force: the browser runs the script by its digest.
    let dom = browser.dom(&page);
    assert_eq!(dom.matches("data-picture=").count(), 10);
    assert_eq!(dom.matches("data-drawn=\"yes\"").count(), 10);
}

#[test]
fn pictures_hold_what_was_found() {
    let Some(browser) = browser("pictures_hold_what_was_found") else {
        return;
    };
    let page = html(&page("x.darshan", vec![checkpoints(0.5)]));
    let answer = asked(
        &browser,
        &page,
        "const map = await colours(figure('scalogram').querySelector('image').getAttribute('href'));
         return {
           rate: path('bandwidth', '.rate .high').length,
           phases: path('bandwidth', '.phases path').split('M').length - 1,
           next: path('bandwidth', '.next path:not(.doubt)').length > 10,
           segments: texts('bandwidth', '.segments text'),
           unit: texts('bandwidth', '.title'),
           dots: figure('spacing').querySelectorAll('.gaps circle').length,
           lines: path('spectrum', '.lines path').length,
           found: texts('spectrum', '.period text'),
           marks: texts('spectrum', '.marks text'),
           peaks: figure('autocorrelation').querySelectorAll('.marks circle').length,
           map,
         };",
    );
    let said = check(&answer);
    assert!(
        said["rate"].as_u64() > Some(1000) && said["lines"].as_u64() > Some(1000),
        "{said}"
    );
    assert_eq!(said["phases"], 18);
    assert_eq!(said["next"], true);
    assert_eq!(
        said["segments"],
        serde_json::json!(["every 47 s", "every 94 s"])
    );
    assert_eq!(
        said["unit"],
        serde_json::json!(["time (s)", "bandwidth (GiB/s)"])
    );
    assert_eq!(said["dots"], 17);
    assert_eq!(said["found"], serde_json::json!(["47 s"]));
    assert_eq!(said["marks"], serde_json::json!(["2nd harmonic"]));
    assert_eq!(said["peaks"], 2);
    // A picture, and no flat colour: 256 by 64 cells of many shades.
    assert_eq!(
        (
            said["map"]["width"].as_u64(),
            said["map"]["height"].as_u64()
        ),
        (Some(256), Some(64))
    );
    assert!(said["map"]["colours"].as_u64() > Some(100), "{said}");
}

#[test]
fn pictures_over_time_zoom_together_and_come_back() {
    let Some(browser) = browser("pictures_over_time_zoom_together_and_come_back") else {
        return;
    };
    let page = html(&page("x.darshan", vec![checkpoints(0.5), irregular(0.5)]));
    let answer = asked(
        &browser,
        &page,
        "const all = () => ({ time: ticks('bandwidth'), map: ticks('scalogram'), gaps: ticks('spacing'),
           other: ticks('bandwidth', 1), lag: ticks('autocorrelation') });
         const start = all();
         await dragged('bandwidth', 0.25, 0.5);
         const dragged_ = all();
         await keyed('bandwidth', '+');
         const closer = all();
         await wheeled('scalogram', 300);
         const wheel = all();
         svg('bandwidth').dispatchEvent(new MouseEvent('dblclick', { bubbles: true }));
         await drawn();
         return { start, dragged: dragged_, closer, wheel, end: all() };",
    );
    let said = check(&answer);
    let numbers = |of: &str, what: &str| -> Vec<f64> {
        let ticks = said[of][what].as_array().unwrap().iter();
        ticks
            .map(|tick| tick.as_str().unwrap().parse().unwrap())
            .collect()
    };
    for of in ["start", "dragged", "closer", "wheel", "end"] {
        for other in ["map", "gaps", "other"] {
            assert_eq!(said[of]["time"], said[of][other], "{of} {other}");
        }
        assert_eq!(said[of]["lag"], said["start"]["lag"], "lags are no times");
    }
    assert_eq!(said["start"], said["end"]);
    let ends = |of: &str| (numbers(of, "time")[0], *numbers(of, "time").last().unwrap());
    let (first, last) = ends("dragged");
    // A quarter and a half of 0 to 1180 s, at round numbers inside.
    assert!(
        (295.0..330.0).contains(&first) && (550.0..=590.0).contains(&last),
        "{said}"
    );
    let width = |of: &str| ends(of).1 - ends(of).0;
    assert!(width("closer") < 0.7 * width("dragged"), "{said}");
    assert!(width("wheel") > width("closer"), "{said}");
}

#[test]
fn values_are_read_by_pointer_and_by_keys() {
    let Some(browser) = browser("values_are_read_by_pointer_and_by_keys") else {
        return;
    };
    let page = html(&page("x.darshan", vec![checkpoints(0.5)]));
    let answer = asked(
        &browser,
        &page,
        "await pointed('bandwidth', 23 / 1180);
         const phase = readout('bandwidth');
         const elsewhere = svg('scalogram').querySelectorAll('.cursor').length;
         await pointed('scalogram', 0.2);
         const map = readout('scalogram');
         await pointed('spectrum', 0.5);
         const line = readout('spectrum');
         svg('autocorrelation').focus();
         await keyed('autocorrelation', 'ArrowRight');
         const spoken = figure('autocorrelation').querySelector('[role=status]').textContent;
         const key = figure('bandwidth').querySelector('.key');
         key.click();
         await drawn();
         const hidden = [key.getAttribute('aria-pressed'), svg('bandwidth').querySelectorAll('.layer.phases').length];
         return { phase, elsewhere, map, line, spoken, hidden, label: svg('bandwidth').getAttribute('aria-label') };",
    );
    let said = check(&answer);
    let phase = said["phase"].as_array().unwrap();
    assert!(phase[0].as_str().unwrap().ends_with(" s"), "{said}");
    assert!(phase[1].as_str().unwrap().contains("GiB/s"), "{said}");
    assert_eq!(phase[2], "phase 1 of 18");
    assert_eq!(
        said["elsewhere"], 1,
        "the pointer is shown in all pictures over time"
    );
    assert!(
        said["map"][1].as_str().unwrap().starts_with("period "),
        "{said}"
    );
    assert!(said["line"][0].as_str().unwrap().ends_with(" Hz"), "{said}");
    assert!(
        said["spoken"].as_str().unwrap().starts_with("lag "),
        "{said}"
    );
    assert_eq!(said["hidden"], serde_json::json!(["false", 0]));
    assert!(
        said["label"]
            .as_str()
            .unwrap()
            .starts_with("Bandwidth from 0 s to 1180 s")
    );
}

#[test]
fn a_hostile_log_runs_nothing_even_without_the_policy() {
    let Some(browser) = browser("a_hostile_log_runs_nothing_even_without_the_policy") else {
        return;
    };
    let answer = asked(
        &browser,
        &html(&hostile()),
        "await drawn();
         return { hacked: typeof hacked, images: document.querySelectorAll('img, iframe, object').length,
           drawn: document.querySelectorAll('[data-drawn=yes]').length,
           label: texts('spectrum', '.marks text')[0] };",
    );
    let said = check(&answer);
    assert_eq!(said["hacked"], "undefined");
    assert_eq!(said["images"], 0);
    assert_eq!(said["drawn"], 10);
    assert_eq!(said["label"], made::HOSTILE);
}

#[test]
fn odd_signals_are_drawn_without_an_error() {
    let Some(browser) = browser("odd_signals_are_drawn_without_an_error") else {
        return;
    };
    let answer = asked(
        &browser,
        &html(&page("odd", odd())),
        "await drawn();
         const wrong = [...document.querySelectorAll('svg *')].filter((element) =>
           [...element.attributes].some(({ value }) => /NaN|Infinity|undefined/.test(value))
             || /NaN|Infinity|undefined/.test(element.textContent));
         return { wrong: wrong.map((element) => element.outerHTML.slice(0, 200)),
           drawn: document.querySelectorAll('[data-drawn=yes]').length,
           figures: document.querySelectorAll('figure').length };",
    );
    let said = check(&answer);
    assert_eq!(said["wrong"], serde_json::json!([]));
    assert_eq!(said["drawn"], said["figures"]);
}

#[test]
fn both_themes_can_be_read_and_the_page_fits_a_phone() {
    let Some(browser) = browser("both_themes_can_be_read_and_the_page_fits_a_phone") else {
        return;
    };
    let page = html(&page("x.darshan", vec![checkpoints(0.5)]));
    let page = page.replacen("</head>", "<style>body { width: 400px; }</style></head>", 1);
    let answer = asked(
        &browser,
        &page,
        "const contrasts = () => ['h1', '.caption', 'svg text', 'figcaption', '.tiles dd', 'svg .segments text']
           .map((name) => contrast(document.querySelector(name)));
         const first = contrasts();
         document.getElementById('theme').click();
         const second = contrasts();
         const themes = document.documentElement.dataset.theme;
         const pictures = [...document.querySelectorAll('svg')].map((one) => one.viewBox.baseVal.width);
         return { first, second, themes, wide: document.body.scrollWidth, picture: Math.max(...pictures) };",
    );
    let said = check(&answer);
    // WCAG 2.2, level AA.
    for contrast in ["first", "second"]
        .iter()
        .flat_map(|theme| said[theme].as_array().unwrap())
    {
        assert!(contrast.as_f64() >= Some(4.5), "{said}");
    }
    assert_eq!(said["themes"], "dark");
    assert_eq!(said["wide"], 400, "{said}");
    assert!(said["picture"].as_f64() < Some(400.0), "{said}");
}

#[test]
fn the_page_asks_the_network_for_nothing() {
    let Some(browser) = browser("the_page_asks_the_network_for_nothing") else {
        return;
    };
    let page = html(&page("x.darshan", vec![checkpoints(0.5)]));
    assert_eq!(browser.requests(&page), [""; 0]);
    // The log would have told.
    let policy = page
        .split("default-src")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap();
    let open = page.replacen(&format!("default-src{policy}"), "", 1);
    let image = "http://elsewhere.example/x.png";
    let open = open.replacen("</body>", &format!("<img src=\"{image}\"></body>"), 1);
    assert_eq!(browser.requests(&open), [image]);
}

#[test]
fn times_since_1970_are_dates() {
    let Some(browser) = browser("times_since_1970_are_dates") else {
        return;
    };
    let seconds = |value| iotempo_model::Seconds::new(value).unwrap();
    let samples = (0..600).map(|second| if second % 15 < 3 { 5e6 } else { 0.0 });
    let signal = iotempo_model::Signal::new(seconds(1.7e9), seconds(1.0), samples.collect());
    let nothing = made::nothing(iotempo_analysis::period::Verdict::Irregular);
    let part = iotempo_report::Part::new("write", signal, nothing);
    let page = html(&page("x.csv", vec![part]));
    let script = "return { axis: texts('bandwidth', '.title')[0], at: moment(1700000090.5) };";
    let answer = asked(&browser, &page, script);
    let said = check(&answer);
    assert_eq!(said["axis"], "time after 2023-11-14T22:13:20Z (s)");
    assert_eq!(
        said["at"],
        "2023-11-14T22:14:50.500Z (90.5 s after the start)"
    );
}
