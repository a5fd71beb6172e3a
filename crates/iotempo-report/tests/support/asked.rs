//! Pages that are asked in a browser, by a script inside them.
#![allow(dead_code, unreachable_pub, reason = "every test uses a part of it")]

use crate::chromium::Chromium;
use serde_json::Value;

/// A browser, or a word on why there is none.
pub fn browser(test: &str) -> Option<Chromium> {
    let found = Chromium::find();
    if found.is_none() {
        eprintln!("SKIPPED {test}: there is no chromium (scripts/setup.sh installs it)");
    }
    found
}

/// What a script says that runs inside the page.
pub fn asked(browser: &Chromium, page: &str, script: &str) -> Value {
    asked_with(browser, page, script, &[])
}

/// The same, with more flags for the browser.
pub fn asked_with(browser: &Chromium, page: &str, script: &str, flags: &[&str]) -> Value {
    // Without a window there need not be frames: they are made by the clock.
    let prelude = "<head><script>var failures = [];\
                   requestAnimationFrame = (draw) => setTimeout(draw, 10);\
                   addEventListener('error', (event) => failures.push(event.message));\
                   addEventListener('securitypolicyviolation', (event) => \
                   failures.push('policy: ' + event.blockedURI));</script>";
    let policy = page
        .split("script-src ")
        .nth(1)
        .unwrap()
        .split(';')
        .next()
        .unwrap();
    let page = page
        .replacen(policy, "'unsafe-inline'", 1)
        .replacen("<head>", prelude, 1);
    let test = format!(
        "<script>addEventListener('load', async () => {{ let said;\n\
         try {{ said = await (async () => {{ {} {script} }})(); }} catch (error) {{ said = String(error); }}\n\
         const out = document.createElement('pre'); out.id = 'said';\n\
         out.textContent = JSON.stringify({{ said, failures }});\n\
         document.body.append(out); }});</script></body>",
        include_str!("driver.js")
    );
    let dom = browser.dom_with(&page.replacen("</body>", &test, 1), flags);
    let said = dom.split("<pre id=\"said\">").nth(1).expect("an answer");
    let said = said.split("</pre>").next().unwrap();
    let said = said
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&");
    serde_json::from_str(&said).unwrap()
}

/// What was said, where nothing failed.
pub fn check(answer: &Value) -> &Value {
    assert_eq!(answer["failures"], serde_json::json!([]));
    assert!(!answer["said"].is_string(), "{answer}");
    &answer["said"]
}
