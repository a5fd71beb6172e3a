//! The page of a study in a real browser, on a desk and on a phone: words can be read, pictures hold what they
//! are about, and nothing runs but its own script.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

#[path = "support/asked.rs"]
mod asked;
#[path = "support/chromium.rs"]
mod chromium;
#[path = "support/correlated.rs"]
mod correlated;

use asked::{asked, asked_with, browser, check};
use correlated::{HOSTILE, Known, page, points};
use iotempo_report::correlate::Unit;
use serde_json::{Value, json};

/// Jobs of logs with all that is known of them, and jobs of a table with a name that is hostile and long.
fn html() -> String {
    let of_logs = Known::of_logs(points(150, 1.0));
    let of_table = Known::of_table(points(60, 0.0));
    let long = format!(
        "{HOSTILE}{}",
        "fs_tot_bytes_read+fs_tot_bytes_written".repeat(5)
    );
    correlated::html(&page(vec![
        of_logs.group("alice s3d", Unit::BytesPerSecond),
        of_table.group(&long, Unit::OfColumn),
    ]))
}

/// What is seen of a page that is so wide.
fn looked_at(browser: &chromium::Chromium, page: &str, width: u32) -> Value {
    // No window is narrower than this; what is on a phone has a body that is.
    let window = format!("--window-size={},900", width.max(500));
    let style = format!("<style>body {{ width: {width}px; max-width: 100%; }}</style></head>");
    let page = page.replacen("</head>", &style, 1);
    check(&asked_with(browser, &page, LOOK, &[&window])).clone()
}

/// Words and shapes as they are on the screen.
const LOOK: &str = "
    for (const one of document.querySelectorAll('details')) one.open = true;
    const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    const planes = [...document.querySelectorAll('svg.plane')].map((plane) => {
      const outer = plane.closest('figure').getBoundingClientRect();
      const frame = plane.querySelector('.frame').getBoundingClientRect();
      // Where the square of curves is on the screen.
      const square = plane.querySelector('.inner').getScreenCTM();
      const inner = { top: square.f, bottom: square.f + 1000 * square.d, width: 1000 * square.a };
      const texts = [...plane.querySelectorAll('text')].filter((text) => text.textContent)
        .map((text) => ({ says: text.textContent, box: text.getBoundingClientRect() }));
      const rows = [...plane.querySelectorAll(':scope > .grid')].map((row) => row.getBoundingClientRect().top);
      return {
        texts: texts.map(({ says }) => says),
        smallest: Math.min(...texts.map(({ box }) => box.height)),
        clashes: texts.flatMap((one, at) => texts.slice(at + 1)
          .filter((other) => meet(one.box, other.box)).map((other) => [one.says, other.says])),
        outside: texts.filter(({ box }) => box.left < outer.left - 1 || box.right > outer.right + 1)
          .map(({ says }) => says),
        width: frame.width,
        ground: Math.abs(inner.bottom - frame.top), sides: Math.abs(inner.width - frame.width),
        rows: rows.every((row) => row >= inner.top - 1 && row <= inner.bottom + 1),
        classes: [...plane.querySelectorAll('path')].map((path) => path.getAttribute('class')),
      };
    });
    return {
      room: document.body.clientWidth, wide: document.body.scrollWidth, planes,
      links: [...document.querySelectorAll('a')].every((link) => document.querySelector(link.hash)),
      hacked: typeof hacked, images: document.querySelectorAll('img, iframe, object').length,
    };";

#[test]
fn a_study_can_be_read_on_a_desk_and_on_a_phone() {
    let Some(browser) = browser("a_study_can_be_read_on_a_desk_and_on_a_phone") else {
        return;
    };
    let page = html();
    for width in [1300, 400] {
        let said = looked_at(&browser, &page, width);
        let room = said["room"].as_f64().unwrap();
        assert!(
            room <= f64::from(width) && room > f64::from(width) - 80.0,
            "{said}"
        );
        assert_eq!(said["wide"], said["room"], "nothing sticks out");
        assert_eq!(
            (&said["hacked"], &said["images"], &said["links"]),
            (&json!("undefined"), &json!(0), &json!(true))
        );
        let planes = said["planes"].as_array().unwrap();
        assert_eq!(planes.len(), 5, "four pictures of logs, one of a table");
        for plane in planes {
            // Letters of 11.5 pixels need a box of 12 or more.
            assert!(plane["smallest"].as_f64() >= Some(12.0), "{plane}");
            assert!(plane["width"].as_f64() > Some(280.0), "{plane}");
            assert_eq!(plane["clashes"], json!([]), "{width}: {plane}");
            assert_eq!(plane["outside"], json!([]), "{width}: {plane}");
            // Curves stand where the axes say.
            assert!(plane["ground"].as_f64() <= Some(1.5), "{plane}");
            assert!(plane["sides"].as_f64() <= Some(1.5), "{plane}");
            assert_eq!(plane["rows"], true, "{plane}");
        }
        let texts = planes[0]["texts"].as_array().unwrap();
        for label in ["GB/s", "s", "20", "busy from here"] {
            assert!(texts.contains(&json!(label)), "{label}: {said}");
        }
        let classes = planes[0]["classes"].as_array().unwrap();
        for class in ["dots", "band", "median", "forest", "contour c50"] {
            assert!(classes.contains(&json!(class)), "{class}: {said}");
        }
    }
}

#[test]
fn a_study_runs_by_its_own_policy_and_asks_for_nothing() {
    let Some(browser) = browser("a_study_runs_by_its_own_policy_and_asks_for_nothing") else {
        return;
    };
    let page = html();
    assert_eq!(browser.requests(&page), [""; 0]);
    let answer = asked(
        &browser,
        &page,
        "const names = ['h1', '.caption', '.keys span', 'svg text', '.mark.observed text', 'th', 'td a', 'summary'];
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
