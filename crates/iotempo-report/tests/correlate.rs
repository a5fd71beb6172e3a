//! The page of a study holds what is known, says what is not, needs nothing beside it, and runs nothing but its
//! own.
#![allow(clippy::unwrap_used)]

#[path = "support/correlated.rs"]
mod correlated;

use correlated::{HOSTILE, Known, html, page, points};
use iotempo_analysis::correlate::study::{Points, StudySettings};
use iotempo_report::correlate::{ShownGroup, Unit, Verdict};
use sha2::{Digest, Sha256};

/// The text between tags, entities and all.
fn text(html: &str) -> String {
    let body = html.split("<body>").nth(1).unwrap();
    let body = body.split("<script").next().unwrap();
    let parts = body
        .split('<')
        .map(|part| part.split_once('>').map_or(part, |(_, text)| text));
    parts.collect::<Vec<_>>().join(" ").replace('\u{a0}', " ")
}

fn assert_says(text: &str, all: &[&str]) {
    for said in all {
        assert!(text.contains(said), "{said} is missing: {text}");
    }
}

/// Paths of a class: how often a line is taken up anew.
fn begun(html: &str, class: &str) -> usize {
    let marked = format!("<path class=\"{class}\" d=\"");
    let paths = html.split(&marked).skip(1);
    let paths = paths.map(|path| path.split('"').next().unwrap());
    paths.map(|path| path.matches('M').count()).sum()
}

#[test]
fn a_page_of_logs_shows_all_that_is_known() {
    let known = Known::of_logs(points(120, 1.0));
    let html = html(&page(vec![known.group("alice s3d", Unit::BytesPerSecond)]));
    assert!(html.starts_with("<!doctype html>") && html.ends_with("</html>"));
    let text = text(&html);
    let rank = known.study.rank().unwrap();
    let null = rank.shifted.as_ref().unwrap();
    let slowdown = known.study.slowdown.as_ref().unwrap();
    let [value, mean] =
        [rank.value, null.mean].map(|value| format!("{value:.2}").replace('-', "−"));
    assert_says(
        &text,
        &[
            "1 of 1 group takes longer when the system is busy.",
            "1,234 jobs read, 120 in 1 group.",
            "7 jobs in 2 groups with too few to be studied.",
            "What is said of alice s3d.",
            "Expected of alice s3d: 2 min.",
            "1 job left out: alice s3d.",
            "load of alice s3d, in GB/s.",
            "time of alice s3d, in s.",
            "around the densest 25, 50, 75, 90 % of them",
            "of the variance of times of jobs that it has not seen (out-of-bag R² 0.",
            "busy from here",
            "The same jobs, moved to 60 other days of the log",
            "length of the intervals of the servers&#39; logs, had they been written less often, in min.",
            "as the clocks are",
            "time beside alice s3d",
            "Without an interval: mutual information, because points drawn twice would look like dependence.",
            "ab".repeat(32).as_str(),
            "5 more were read.",
            "permutations",
            "iotempo 0.1.0",
        ],
    );
    assert!(text.contains(&format!("observed {value}")), "{value}");
    assert!(text.contains(&format!("built in {mean}")), "{mean}");
    assert!(text.contains(&format!("{:.2} ×", slowdown.ratio)));
    assert!(html.contains("<a href=\"#group-1\">alice s3d</a>"));
    assert!(html.contains("<td>20 min</td>"), "coarser logs as a table");
    assert!(html.contains("<td>−2 min</td>") && html.contains("<td>undetermined</td>"));
    assert_eq!(html.matches("<svg class=\"plane\"").count(), 4);
    assert_eq!(begun(&html, "dots"), 120);
    assert_eq!(begun(&html, "pearson"), 2, "it has a gap at seven minutes");
    assert_eq!(begun(&html, "spearman knots"), 8, "one is undetermined");
    for level in ["c25", "c50", "c75", "c90"] {
        assert!(begun(&html, &format!("contour {level}")) >= 1, "{level}");
    }
}

#[test]
fn a_page_of_a_table_says_what_a_table_cannot_tell() {
    let known = Known::of_table(points(120, 0.0));
    let html = html(&page(vec![known.group("app", Unit::OfColumn)]));
    let text = text(&html);
    assert_says(
        &text,
        &[
            "None of 1 group takes longer when the system is busy; 1 without a sign of it.",
            "load of app, in 10⁹.",
            "What is built in is undetermined",
            "by chance, jobs permuted",
        ],
    );
    assert!(!text.contains("other days, 95 %") && !text.contains("With coarser logs"));
    assert!(!text.contains("days permuted"), "there are none");
    assert_eq!(html.matches("<svg class=\"plane\"").count(), 1);
}

#[test]
fn few_jobs_far_out_do_not_hide_all_others() {
    let mut jobs = points(150, 1.0);
    jobs.load[7] = 9e14;
    jobs.time[9] = 1e7;
    let known = Known::of_table(jobs);
    let html = html(&page(vec![known.group("app", Unit::BytesPerSecond)]));
    assert_says(
        &text(&html),
        &[
            "2 jobs lie far outside the picture, and are part of all figures.",
            ", in GB/s.",
        ],
    );
    assert_eq!(begun(&html, "dots"), 148);
}

#[test]
fn jobs_of_many_weeks_are_held_against_those_of_the_same() {
    let jobs = Points {
        dated: true,
        ..points(150, 1.0)
    };
    let known = Known::of_table(jobs);
    let within = known.study.within.as_ref().unwrap();
    let html = html(&page(vec![known.group("app", Unit::BytesPerSecond)]));
    let ratio = format!("{:.2} × (", within.slowdown.as_ref().unwrap().ratio);
    assert_says(
        &text(&html),
        &[
            "Spearman, beside the same 30 days",
            "The verdict rests on this one.",
            "and more above the median of their 30 days",
            &ratio,
        ],
    );
    // Where busy begins differs from month to month.
    assert!(!html.contains("busy from here"));
}

/// Two months of a job a day, with quiet weekends on which jobs are quick.
#[test]
fn jobs_of_few_weeks_are_held_against_those_of_their_weekday() {
    let mut jobs = Points {
        dated: true,
        ..points(60, 1.0)
    };
    for day in (0..60).filter(|day| day % 7 < 2) {
        jobs.load[day] *= 0.1;
        jobs.time[day] *= 0.5;
    }
    let known = Known::of_table(jobs);
    let within = known.study.within.as_ref().unwrap();
    assert_eq!((within.stretches, within.weekly), (1, true));
    let html = html(&page(vec![known.group("app", Unit::BytesPerSecond)]));
    let observed = format!("observed {:.2}", within.rank.value).replace('-', "−");
    let text = text(&html);
    assert_says(
        &text,
        &[
            "Spearman, beside the same weekday",
            "Beside the same weekday: times and loads beside the medians of their day of the week",
            "and more above the median of their weekday",
            "On other days, beside the same weekday",
            "counted in days that have jobs, in 59 ways",
            "What is built in is undetermined",
            &observed,
        ],
    );
    // A table has no other days of a log.
    assert!(!html.contains("<th scope=\"col\">built in</th>"));
    assert!(!text.contains("of their 30 days") && !text.contains("other days of the log"));
}

#[test]
fn what_is_undetermined_has_its_reason() {
    let flat = Points {
        load: vec![5.0; 30],
        ..points(30, 0.0)
    };
    let few = points(4, 1.0);
    let nothing = Points {
        load: Vec::new(),
        time: Vec::new(),
        day: Vec::new(),
        dated: true,
    };
    let known = [flat, few, nothing].map(Known::of_table);
    let groups = known.iter().map(|known| known.group("app", Unit::Bytes));
    let html = html(&page(groups.collect()));
    let text = text(&html);
    assert_says(
        &text,
        &[
            "Nothing can be said of 3 groups.",
            "Undetermined: all of them, because 4 points are too few: it takes 10.",
            "How much longer jobs take on a busy system is undetermined: ",
            "No random forest: ",
            "No contours: ",
        ],
    );
    for wrong in ["NaN", " inf ", "undetermined: ."] {
        assert!(!text.contains(wrong), "{wrong}: {text}");
    }
    assert_eq!(
        html.matches("<svg class=\"plane\"").count(),
        2,
        "no job, no picture"
    );
}

#[test]
fn a_handful_of_jobs_has_no_density() {
    let jobs = points(9, 1.0);
    let few = StudySettings {
        fewest: 3,
        ..correlated::settings()
    };
    let mut known = Known::of_table(jobs);
    known.curves = few.curves(&known.points);
    let html = html(&page(vec![known.group("app", Unit::Bytes)]));
    assert_says(
        &text(&html),
        &["No contours: 9 points are too few: it takes 10."],
    );
    assert!(!html.contains("class=\"contour") && begun(&html, "dots") == 9);
}

#[test]
fn groups_are_counted_by_what_is_said_of_them() {
    let known = Known::of_table(points(40, 1.0));
    let group = |verdict| ShownGroup {
        verdict,
        ..known.group("app", Unit::Bytes)
    };
    let verdicts = [
        Verdict::SlowsDown,
        Verdict::SlowsDown,
        Verdict::SpeedsUp,
        Verdict::Mixed,
        Verdict::NoSign,
        Verdict::Undetermined,
    ];
    let html = html(&page(verdicts.map(group).to_vec()));
    let said = "2 of 6 groups take longer when the system is busy; 1 with less time under load, 1 not in one \
                direction, 1 without a sign of it, 1 undetermined.";
    assert!(text(&html).contains(said));
    assert!(html.contains("<td>not in one direction</td>") && html.contains("<td>speeds up</td>"));
}

#[test]
fn a_study_without_groups_is_a_page_too() {
    let html = html(&page(Vec::new()));
    assert!(text(&html).contains("No group has enough jobs to be studied."));
    assert!(!html.contains("<svg"));
}

#[test]
fn many_groups_are_in_the_table_alone() {
    let known = Known::of_table(points(40, 1.0));
    let group = |number| known.group(&format!("group {number}"), Unit::Bytes);
    let html = html(&page((1..=43).map(group).collect()));
    assert_eq!(html.matches("<section class=\"group\"").count(), 40);
    assert!(html.contains("The last 3 groups are in the table alone"));
    assert!(html.contains("<a href=\"#group-40\">group 40</a>"));
    assert!(html.contains("<td>group 43</td>"), "no link to nowhere");
}

#[test]
fn many_jobs_make_no_large_page() {
    let mut known = Known::of_table(points(40, 1.0));
    known.points = points(100_000, 1.0);
    let html = html(&page(vec![known.group("app", Unit::Bytes)]));
    assert!(text(&html).contains("One in 25 jobs is drawn."));
    assert!(html.len() < 200_000, "{}", html.len());
}

#[test]
fn hostile_names_do_no_harm() {
    let known = Known::of_logs(points(40, 1.0));
    let name = format!("{HOSTILE}{}", "x".repeat(3000));
    let html = html(&page(vec![known.group(&name, Unit::Bytes)]));
    assert_eq!(html.matches("<script").count(), 1, "its own");
    assert!(!html.contains("<img") && !html.contains('\u{202e}'));
    assert!(html.contains("\\u{202e}"), "it is shown for what it is");
    assert!(!html.contains(&"x".repeat(1000)), "a name ends somewhere");
}

#[test]
fn the_policy_lets_the_script_of_the_page_run_and_no_other() {
    let known = Known::of_table(points(40, 1.0));
    let html = html(&page(vec![known.group("app", Unit::Bytes)]));
    let policy = html.split("script-src 'sha256-").nth(1).unwrap();
    let named = policy.split('\'').next().unwrap();
    let script = html.split("<script>").nth(1).unwrap();
    let script = script.split("</script>").next().unwrap();
    assert_eq!(named, base64(&Sha256::digest(script)));
    assert!(html.contains("default-src 'none'"));
    for outside in ["http://", "https://", "src=", "@import", "url("] {
        assert!(!html.replace("src=x", "").contains(outside), "{outside}");
    }
}

/// Base64 with padding.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for part in bytes.chunks(3) {
        let mut word = [0; 3];
        word[..part.len()].copy_from_slice(part);
        let bits = u32::from_be_bytes([0, word[0], word[1], word[2]]);
        for place in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * place)) as usize & 63];
            text.push(if place > part.len() {
                '='
            } else {
                letter as char
            });
        }
    }
    text
}
