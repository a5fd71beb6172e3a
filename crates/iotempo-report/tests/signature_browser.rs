//! The page of a signature in a real browser: pictures are drawn, zoom together and can be read.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

#[path = "support/applications.rs"]
mod applications;
#[path = "support/asked.rs"]
mod asked;
#[path = "support/chromium.rs"]
mod chromium;
#[path = "support/made.rs"]
mod made;

use applications::{hostile, html, outlier, page, run, usual};
use asked::{asked, browser, check};
use serde_json::json;

#[test]
fn the_page_draws_all_its_pictures_by_itself() {
    let Some(browser) = browser("the_page_draws_all_its_pictures_by_itself") else {
        return;
    };
    // As it is, its policy in force: the browser runs the script by its digest.
    let dom = browser.dom(&html(&usual()));
    assert_eq!(dom.matches("data-picture=").count(), 4);
    assert_eq!(dom.matches("data-drawn=\"yes\"").count(), 4);
    assert_eq!(browser.requests(&html(&usual())), [""; 0]);
}

#[test]
fn pictures_hold_the_bursts_and_the_runs() {
    let Some(browser) = browser("pictures_hold_the_bursts_and_the_runs") else {
        return;
    };
    let answer = asked(
        &browser,
        &html(&usual()),
        "const marks = (name) => [...svg('runs').querySelectorAll(`.${name} path`)]
           .map((one) => one.getAttribute('d').split('M').length - 1);
         return {
           shaded: path('signature', '.phases path').split('M').length - 1,
           numbers: texts('signature', '.numbers text'),
           titles: [texts('signature', '.title'), texts('runs', '.title'), texts('hours', '.title')],
           jobs: texts('runs', 'text:not(.title)').filter((text) => text.startsWith('418')),
           used: svg('runs').querySelectorAll('.used').length,
           dim: svg('runs').querySelectorAll('.left-out').length,
           reasons: texts('runs', '.reasons text'),
           common: marks('common'), other: marks('other'),
           bars: svg('hours').querySelectorAll('.hours rect').length,
           named: texts('hours', '.hours text'),
           left: ['signature', 'runs'].map((name) => svg(name).querySelector('.ground').getBBox().x),
         };",
    );
    let said = check(&answer);
    assert_eq!(said["shaded"], 5);
    assert_eq!(said["numbers"], json!(["1", "2", "3", "4", "5"]));
    assert_eq!(
        said["titles"],
        json!([
            ["time since the job started (min)", "bandwidth (GiB/s)"],
            ["time since the job started (min)", "job"],
            ["hour in which it starts (UTC)", "meets (GiB/s)"],
        ])
    );
    let jobs = said["jobs"].as_array().unwrap();
    assert_eq!((jobs.len(), &jobs[9]), (10, &json!("418003")));
    assert_eq!((&said["used"], &said["dim"]), (&json!(9), &json!(1)));
    assert_eq!(
        said["reasons"],
        json!(["left out: far more bytes than the others"])
    );
    assert_eq!(said["common"], json!([5, 5, 5, 5, 5, 5, 5, 5, 5]));
    assert_eq!(said["other"], json!([1, 1, 1, 1, 1, 1, 1, 1, 1]));
    assert_eq!(said["bars"], 17);
    assert_eq!(said["named"], json!(["best", "worst"]));
    assert_eq!(said["left"][0], said["left"][1], "one time axis");
}

#[test]
fn pictures_zoom_together_and_are_read_by_pointer_and_keys() {
    let Some(browser) = browser("pictures_zoom_together_and_are_read_by_pointer_and_keys") else {
        return;
    };
    let answer = asked(
        &browser,
        &html(&usual()),
        "await pointed('signature', 1020 / 3600);
         const burst = readout('signature');
         await pointed('runs', 2010 / 3600);
         const other = readout('runs');
         svg('runs').focus();
         await keyed('runs', 'ArrowDown');
         const below = readout('runs');
         for (let i = 0; i < 20; i += 1) await keyed('runs', 'ArrowDown');
         const last = readout('runs');
         const spoken = figure('runs').querySelector('[role=status]').textContent;
         await pointed('hours', 3.5 / 24);
         const hour = readout('hours');
         const before = [ticks('signature'), ticks('runs')];
         await dragged('runs', 0.25, 0.5);
         const after = [ticks('signature'), ticks('runs'), ticks('hours')];
         return { burst, other, below, last, spoken, hour, before, after };",
    );
    let said = check(&answer);
    assert_eq!(said["burst"][0], "1020 s (17 min)");
    assert_eq!(said["burst"][1], "2 GiB/s");
    assert_eq!(said["burst"][2], "burst 2 of 5, in 9 of 9 runs");
    let job = |of: &str| said[of][0].as_str().unwrap().to_owned();
    let row = |of: &str| job(of)[4..10].parse::<usize>().unwrap();
    assert!(job("other").ends_with('Z'), "{said}");
    assert_eq!(said["other"][3], "a burst that others do not have");
    assert_eq!(row("below"), row("other") + 1, "{said}");
    assert!(job("last").starts_with("job 418003"), "{said}");
    assert_eq!(said["last"][3], "left out");
    assert!(
        said["spoken"].as_str().unwrap().starts_with("job 418003"),
        "{said}"
    );
    assert_eq!(said["hour"][0], "3 h UTC");
    assert!(
        said["hour"][1].as_str().unwrap().ends_with(" MiB/s"),
        "{said}"
    );
    assert_eq!(said["before"][0], said["before"][1]);
    assert_eq!(said["after"][0], said["after"][1]);
    assert_ne!(said["before"][0], said["after"][0]);
    assert_eq!(said["after"][2][0], "0 h", "hours are no times of a run");
}

#[test]
fn a_hostile_log_runs_nothing_even_without_the_policy() {
    let Some(browser) = browser("a_hostile_log_runs_nothing_even_without_the_policy") else {
        return;
    };
    let mut odd = hostile();
    odd.runs[0].rates = vec![f64::NAN, f64::INFINITY, f64::MAX];
    odd.runs[1].rates = Vec::new();
    let answer = asked(
        &browser,
        &html(&odd),
        "await drawn();
         const wrong = [...document.querySelectorAll('svg *')].filter((element) =>
           [...element.attributes].some(({ value }) => /NaN|Infinity|undefined/.test(value)));
         return { hacked: typeof hacked, images: document.querySelectorAll('img, iframe, object').length,
           drawn: document.querySelectorAll('[data-drawn=yes]').length,
           wrong: wrong.map((element) => element.outerHTML.slice(0, 200)) };",
    );
    let said = check(&answer);
    assert_eq!(said["hacked"], "undefined");
    assert_eq!((&said["images"], &said["drawn"]), (&json!(0), &json!(4)));
    assert_eq!(said["wrong"], json!([]));
}

#[test]
fn forty_rows_fit_a_phone_in_both_themes() {
    let Some(browser) = browser("forty_rows_fit_a_phone_in_both_themes") else {
        return;
    };
    let mut runs: Vec<_> = (0..38).map(run).collect();
    runs.extend((38..40).map(outlier));
    runs[5].job = "1234567890123_4567".to_owned();
    let html = html(&page(runs));
    let phone = "<style>body { width: 380px; }</style></head>";
    let answer = asked(
        &browser,
        &html.replacen("</head>", phone, 1),
        "const names = ['h1', '.caption', 'svg text', 'figcaption', '.tiles dd', 'svg .numbers text',
           'svg .reasons text', 'svg .hours text'];
         const contrasts = () => names.map((name) => contrast(document.querySelector(name)));
         const first = contrasts();
         document.getElementById('theme').click();
         const second = contrasts();
         const labels = [...svg('runs').querySelectorAll('text:not(.title)')]
           .filter((text) => text.getAttribute('text-anchor') === 'end');
         const boxes = labels.map((text) => text.getBBox());
         const title = svg('runs').querySelectorAll('.title')[1].getBoundingClientRect();
         const from = svg('runs').getBoundingClientRect().left;
         const overlap = boxes.some((box, at) => at && box.y < boxes[at - 1].y + 0.75 * box.height);
         return { first, second, labels: labels.length, overlap, wide: document.body.scrollWidth,
           free: Math.min(...boxes.map((box) => box.x)) - (title.right - from),
           long: labels[5].textContent };",
    );
    let said = check(&answer);
    // WCAG 2.2, level AA.
    for contrast in ["first", "second"]
        .iter()
        .flat_map(|theme| said[theme].as_array().unwrap())
    {
        assert!(contrast.as_f64() >= Some(4.5), "{said}");
    }
    assert_eq!(
        (&said["labels"], &said["overlap"]),
        (&json!(40), &json!(false))
    );
    assert_eq!(said["wide"], 380, "{said}");
    assert!(said["free"].as_f64() > Some(0.0), "{said}");
    assert_eq!(said["long"], "…3_4567");
}
