//! `iotempo correlate` at the command line.
#![allow(clippy::unwrap_used)]

mod common;
use common::schema::{check, schema};
use common::{Place, Ran};
use serde_json::Value;
use std::fmt::Write;

/// Numbers between 0 and 1 that look random.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Sixty days of four jobs of two applications: `slow` takes up to twice as long under load, `calm` does not.
fn table() -> String {
    let mut dice = Dice(7);
    let mut table = String::from("app,start,load,seconds,read,written\n");
    for day in 0..60 {
        for _ in 0..4 {
            for app in ["/opt/a/slow", "/opt/b/calm"] {
                let load = dice.roll() * 1e9;
                let noise = 0.1 * dice.roll();
                let slower = if app.ends_with("slow") {
                    load / 1e9
                } else {
                    0.0
                };
                let seconds = 100.0 * (1.0 + slower + noise);
                let start = 1_700_000_000 + day * 86_400;
                writeln!(table, "{app},{start},{load},{seconds},1000,0").unwrap();
            }
        }
    }
    table
}

const TABLE: [&str; 11] = [
    "correlate",
    "--table",
    "jobs.csv",
    "--x",
    "load",
    "--y",
    "seconds",
    "--group",
    "app",
    "--when",
    "start",
];

fn run(table: &str, more: &[&str]) -> Ran {
    let place = Place::new();
    place.write("jobs.csv", table);
    let words: Vec<&str> = TABLE.iter().chain(more).copied().collect();
    place.run(&words)
}

fn group<'a>(json: &'a Value, label: &str) -> &'a Value {
    let groups = json["results"].as_array().unwrap();
    let found = groups.iter().find(|group| group["label"] == label);
    found.unwrap_or_else(|| panic!("no {label} in {json:#}"))
}

fn coefficient<'a>(group: &'a Value, name: &str) -> &'a Value {
    let all = group["coefficients"].as_array().unwrap();
    all.iter().find(|one| one["name"] == name).unwrap()
}

#[test]
fn a_group_that_slows_down_is_told_from_one_that_does_not() {
    let json = run(&table(), &["--json", "--predict", "5e8"]).ok().json();
    let schema = schema("correlate");
    assert_eq!(check(&json, &schema, &schema, ""), [""; 0]);
    let slow = group(&json, "slow");
    assert_eq!(json["results"][0]["label"], "slow", "the surest come first");
    assert_eq!(slow["verdict"], "slows-down");
    assert_eq!((&slow["jobs"], &slow["days"]), (&240.into(), &60.into()));
    // The busiest tenth have a load of about 0.95, the others one of about 0.45 in the middle.
    let ratio = slow["slowdown"]["ratio"].as_f64().unwrap();
    let (low, high) = (
        slow["slowdown"]["interval"]["low"].as_f64().unwrap(),
        slow["slowdown"]["interval"]["high"].as_f64().unwrap(),
    );
    assert!((1.28..1.40).contains(&ratio), "{ratio}");
    assert!(
        low < ratio && ratio < high && high - low < 0.2,
        "{low} {high}"
    );
    assert!(coefficient(slow, "spearman")["value"].as_f64().unwrap() > 0.95);
    assert_eq!(coefficient(slow, "pearson")["p_permutation"], 0.001);
    assert!(slow["forest"]["oob_r2"].as_f64().unwrap() > 0.9);
    // 100 (1 + 0.5 + 0.05).
    let expected = slow["expected"]["times_s"][1].as_f64().unwrap();
    assert!((expected - 155.0).abs() < 4.0, "{expected}");
    let calm = group(&json, "calm");
    assert_eq!(calm["verdict"], "no-sign", "{calm:#}");
    assert!(calm["p_adjusted"].as_f64().unwrap() > 0.05);
    let interval = &coefficient(calm, "spearman")["interval"];
    assert!(interval["low"].as_f64().unwrap() < 0.0 && interval["high"].as_f64().unwrap() > 0.0);
}

#[test]
fn a_person_is_told_in_words() {
    let ran = run(&table(), &[]).ok();
    assert!(
        ran.out.contains("480 jobs read, 480 in 2 groups"),
        "{}",
        ran.out
    );
    let words: Vec<&str> = ran.out.split_whitespace().collect();
    let text = words.join(" ");
    assert!(text.contains("Jobs of slow take 1.3"), "{text}");
    assert!(
        text.contains("× as long in the busiest 24 of 240 runs (95 % CI 1."),
        "{text}"
    );
    assert!(
        text.contains("Jobs of calm: no sign that they rise or fall with the load"),
        "{text}"
    );
    assert!(run(&table(), &["--exit-code"]).code == Some(0));
    let csv = run(&table(), &["--csv"]).ok();
    assert_eq!(csv.lines().len(), 3);
    assert!(
        csv.lines()[1].starts_with("slow,240,60,slows-down,0.00"),
        "{}",
        csv.out
    );
}

#[test]
fn the_same_words_give_the_same_numbers_with_any_number_of_threads() {
    let one = run(&table(), &["--json", "--threads", "1"]).ok().out;
    let three = run(&table(), &["--json", "--threads", "3"]).ok().out;
    assert!(one == three);
}

#[test]
fn loads_may_be_sums_that_are_divided() {
    let mut table = String::from("app,start,in,out,own,wall,seconds\n");
    for job in 0..20 {
        let start = 86_400 * job;
        writeln!(
            table,
            "a,{start},{},{},3,{},{}",
            job * 10,
            job * 5,
            2,
            100 + job
        )
        .unwrap();
    }
    let place = Place::new();
    place.write("jobs.csv", table);
    let words = [
        "correlate",
        "--table",
        "jobs.csv",
        "--x",
        "in+out-own/wall",
        "--y",
        "seconds",
        "--json",
    ];
    let json = place.run(&words).ok().json();
    let loads = json["results"][0]["points"]["load"].as_array().unwrap();
    assert_eq!(loads[3], (30.0 + 15.0 - 3.0) / 2.0);
    // The names of columns are the first line.
    assert_eq!(json["results"][0]["points"]["line"][3], 5);
    let warnings = json["settings"]["warnings"].to_string();
    assert!(warnings.contains("without --when"), "{warnings}");
    let missing = place.run(&[
        "correlate",
        "--table",
        "jobs.csv",
        "--x",
        "inn",
        "--y",
        "seconds",
    ]);
    let missing = missing.code(1);
    assert!(
        missing
            .err
            .contains("no column is called \"inn\": there are in"),
        "{missing:?}"
    );
}

/// What cannot be told has a reason, and is never a number that is none.
#[test]
fn what_cannot_be_told_says_why() {
    let few = "app,start,load,seconds\na,0,1,2\na,86400,2,3\n";
    let ran = run(few, &[]).ok();
    assert!(
        ran.out.contains("2 jobs in 1 group with too few"),
        "{}",
        ran.out
    );
    let three = format!("{few}a,172800,3,3\n");
    let ran = run(&three, &["--min-jobs", "3", "--json"]).ok().json();
    assert_eq!(ran["results"][0]["verdict"], "undetermined");
    let says = ran["results"][0]["says"].as_str().unwrap();
    assert!(says.contains("of 3 days only, and it takes 6"), "{says}");

    let rows = |row: &dyn Fn(i64) -> String| {
        let rows: Vec<String> = (0..24).map(row).collect();
        format!("app,start,load,seconds\n{}\n", rows.join("\n"))
    };
    // Of four days no chance is small, however clear it looks.
    let days = rows(&|job| format!("a,{},{job},{}", 86_400 * (job / 6), 10 + job));
    let json = run(&days, &["--json"]).ok().json();
    assert_eq!(json["results"][0]["verdict"], "undetermined");
    assert!(coefficient(&json["results"][0], "spearman")["interval"].is_null());
    // What falls and rises again depends on the load, but not in one direction.
    let mut bent = String::from("app,start,load,seconds\n");
    for job in 0..100_i64 {
        let start = 86_400 * (job * 37 % 100);
        writeln!(bent, "a,{start},{job},{}", 100 + (job - 50).pow(2)).unwrap();
    }
    let json = run(&bent, &["--json"]).ok().json();
    assert_eq!(json["results"][0]["verdict"], "mixed", "{json:#}");
    // A column that never changes, ties, one day, values that are none.
    let constant = rows(&|job| format!("a,{},{job},7", 86_400 * job));
    let json = run(&constant, &["--json"]).ok().json();
    let why = coefficient(&json["results"][0], "spearman")["why_not"].as_str();
    assert_eq!(why, Some("the second column is always 7"));
    let tied = rows(&|job| format!("a,{},{},{}", 86_400 * job, job % 2, 10 + job % 2));
    let json = run(&tied, &["--json"]).ok().json();
    assert_eq!(coefficient(&json["results"][0], "spearman")["value"], 1);
    let day = rows(&|job| format!("a,{},{job},{}", job, job * job));
    let json = run(&day, &["--json"]).ok().json();
    assert_eq!(json["results"][0]["verdict"], "undetermined");
    let says = json["results"][0]["says"].as_str().unwrap();
    assert!(
        says.contains("all are of one day, and it takes 6"),
        "{says}"
    );
    let holes = rows(&|job| match job % 3 {
        0 => format!("a,{},nan,5", 86_400 * job),
        1 => format!("a,{},,5", 86_400 * job),
        _ => format!("a,x,{job},5"),
    });
    let json = run(&holes, &["--json"]).code(1).json();
    assert_eq!(json["results"], Value::Array(Vec::new()));
    let reasons = json["settings"]["left_out"].as_array().unwrap();
    let counts: Vec<&Value> = reasons.iter().map(|one| &one["jobs"]).collect();
    assert_eq!(counts, [16, 8]);
    assert_eq!(reasons[0]["example"], "line 2: \"nan\"");
}

#[test]
fn tables_that_are_none_are_named() {
    for (table, says) in [
        ("", "jobs.csv: the input is empty"),
        ("a;b\n1;2\n", "no column is called \"load\""),
    ] {
        let ran = run(table, &[]).code(1);
        assert!(ran.err.contains(says), "{ran:?}");
        assert!(ran.out.is_empty());
    }
    let place = Place::new();
    for words in [
        &["correlate"][..],
        &["correlate", "--table", "a.csv"],
        &["correlate", "--darshan", "logs"],
        &[
            "correlate",
            "--table",
            "a.csv",
            "--x",
            "a",
            "--y",
            "b",
            "--log",
            "c",
        ],
        &[
            "correlate",
            "--table",
            "a.csv",
            "--x",
            "a",
            "--y",
            "b",
            "--darshan",
            "logs",
        ],
        &[
            "correlate",
            "--table",
            "a.csv",
            "--x",
            "a",
            "--y",
            "b",
            "--min-jobs",
            "2",
        ],
        &[
            "correlate",
            "--table",
            "a.csv",
            "--x",
            "a",
            "--y",
            "b",
            "--shifts",
            "18",
        ],
        &[
            "correlate",
            "--table",
            "a.csv",
            "--x",
            "a",
            "--y",
            "b",
            "--permutations",
            "0",
        ],
    ] {
        place.run(words).code(2);
    }
}

/// Thirty groups of forty days, all as clear as can be: what is not small among so many is not hidden.
#[test]
fn too_few_permutations_for_so_many_groups_are_told() {
    let mut dice = Dice(3);
    let mut table = String::from("app,start,load,seconds\n");
    for app in 0..30 {
        for day in 0..40 {
            let load = dice.roll();
            let seconds = match app {
                0 => 10.0 + load,
                _ => 10.0 + dice.roll(),
            };
            writeln!(table, "a{app},{},{load},{seconds}", 86_400 * day).unwrap();
        }
    }
    let few = run(&table, &["--json", "--permutations", "99"]).ok();
    let warnings = few.json()["settings"]["warnings"].to_string();
    assert!(
        warnings.contains("the least chance that 99 tries can give")
            && warnings.contains("--permutations 599 would tell"),
        "{warnings}"
    );
    let enough = run(&table, &["--json", "--permutations", "599"])
        .ok()
        .json();
    assert_eq!(group(&enough, "a0")["verdict"], "slows-down");
    let warnings = enough["settings"]["warnings"].to_string();
    assert!(!warnings.contains("least chance"), "{warnings}");
}

#[test]
fn columns_that_are_there_twice_are_named_and_times_in_milliseconds_are_known() {
    let twice = "app,start,load,seconds,load\na,0,1,2,3\n";
    let ran = run(twice, &[]).code(1);
    let says = "two columns are called \"load\": columns 3 and 5";
    assert!(ran.err.contains(says), "{ran:?}");
    let seconds = run(&table(), &["--json"]).ok().json();
    let finer: String = table()
        .lines()
        .map(|line| {
            let mut fields: Vec<String> = line.split(',').map(str::to_owned).collect();
            if let Ok(start) = fields[1].parse::<i64>() {
                fields[1] = (1000 * start).to_string();
            }
            fields.join(",") + "\n"
        })
        .collect();
    let json = run(&finer, &["--json"]).ok().json();
    assert_eq!(
        group(&json, "slow")["points"],
        group(&seconds, "slow")["points"]
    );
    let warnings = json["settings"]["warnings"].to_string();
    assert!(
        warnings.contains("taken for milliseconds since 1970"),
        "{warnings}"
    );
    let none = run(&table().replace(",17", ",9e29"), &["--json"])
        .code(1)
        .json();
    let left_out = none["settings"]["left_out"].to_string();
    assert!(
        left_out.contains("nobody knows when it began"),
        "{left_out}"
    );
}

/// Without dates there are no days to count.
#[test]
fn days_that_nobody_knows_are_not_counted() {
    let place = Place::new();
    place.write("jobs.csv", table());
    let words = [
        "correlate",
        "--table",
        "jobs.csv",
        "--x",
        "load",
        "--y",
        "seconds",
        "--group",
        "app",
    ];
    let text = place.run(&words).ok().out;
    let row = text.lines().find(|line| line.starts_with("slow")).unwrap();
    assert_eq!(row.split_whitespace().nth(2), Some("–"), "{row}");
    assert!(text.contains("  permuted jobs 0.1 %"), "{text}");
    assert!(!text.contains("permuted days"), "{text}");
    place.write("few.csv", "app,load,seconds\na,1,2\na,2,3\na,3,5\na,4,4\n");
    let few = words.map(|word| if word == "jobs.csv" { "few.csv" } else { word });
    let few = place.run(&[&few[..], &["--min-jobs", "3"]].concat()).ok();
    let said = "nothing can be said, because 4 points are too few: it takes 6.";
    assert!(few.out.contains(said), "{}", few.out);
    let json = place.run(&[&words[..], &["--json"]].concat()).ok().json();
    let schema = schema("correlate");
    assert_eq!(check(&json, &schema, &schema, ""), [""; 0]);
    assert!(json["results"][0]["days"].is_null());
    let csv = place.run(&[&words[..], &["--csv"]].concat()).ok();
    assert!(
        csv.lines()[1].starts_with("slow,240,,slows-down"),
        "{}",
        csv.out
    );
}

#[test]
fn rows_fit_the_columns_that_are_there() {
    let place = Place::new();
    let long = "/opt/a/a-rather-long-name-of-an-application-of-some-laboratory";
    place.write("jobs.csv", table().replace("/opt/a/slow", long));
    let output = place.command(&TABLE).env("COLUMNS", "80").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let row = text
        .lines()
        .find(|line| line.starts_with("a-rather"))
        .unwrap();
    assert!(row.chars().count() <= 80 && row.contains('…'), "{row}");
}

/// Where weekends are quieter and jobs quicker, days decide; of a table they say nothing of what is built in.
#[test]
fn days_of_a_table_have_nothing_built_in() {
    let mut dice = Dice(5);
    let mut table = String::from("app,start,load,seconds\n");
    for day in 0..60 {
        let start = 1_700_000_000 + 86_400 * day;
        let week = if day % 7 < 2 { 0.5 } else { 1.0 };
        let load = week * (1.0 + 0.2 * dice.roll());
        let seconds = week * (100.0 + 20.0 * dice.roll());
        writeln!(table, "a,{start},{load},{seconds}").unwrap();
    }
    let json = run(&table, &["--json"]).ok().json();
    let schema = schema("correlate");
    assert_eq!(check(&json, &schema, &schema, ""), [""; 0]);
    let settings = &json["settings"];
    assert!(settings["shifts"].is_null() && settings["grains"].is_null());
    assert_eq!(settings["group"], serde_json::json!(["app"]));
    assert_eq!(settings["when"], "start");
    let group = group(&json, "a");
    let within = &group["within_weeks"];
    assert_eq!(
        (&within["stretches"], &within["weekly"]),
        (&1.into(), &true.into())
    );
    assert!(within["days"].is_null(), "weekdays alone: {within:#}");
    let spearman = coefficient(group, "spearman");
    assert_eq!(spearman["keeps_built_in"], false);
    assert_eq!(spearman["shifts"].as_array().unwrap().len(), 59);
    let csv = run(&table, &["--csv"]).ok();
    let lines = csv.lines();
    let cell = |name: &str| {
        let place = lines[0].split(',').position(|one| one == name).unwrap();
        lines[1].split(',').nth(place).unwrap()
    };
    assert!(
        cell("spearman_shift_p").parse::<f64>().is_ok(),
        "{}",
        csv.out
    );
    assert_eq!(cell("spearman_built_in"), "", "{}", csv.out);
}

#[test]
fn ranks_that_the_busiest_runs_hardly_bear_out_are_told_so() {
    let mut dice = Dice(11);
    let mut table = String::from("app,start,load,seconds\n");
    for day in 0..60 {
        let start = 1_700_000_000 + 86_400 * day;
        let load = dice.roll();
        writeln!(table, "up,{start},{load},{}", 100.0 + 0.5 * load).unwrap();
        writeln!(table, "down,{start},{load},{}", 100.0 - 0.5 * load).unwrap();
    }
    let json = run(&table, &["--json"]).ok().json();
    for (label, verdict, how) in [
        ("up", "slows-down", "longer"),
        ("down", "speeds-up", "less time"),
    ] {
        let group = group(&json, label);
        assert_eq!(group["verdict"], verdict);
        let says = group["says"].as_str().unwrap();
        let about =
            format!("Jobs of {label} take about as long (1.00 ×) in the busiest 6 of 60 runs");
        let but = format!(", but {how} with the load by rank (rank correlation ");
        assert!(says.contains(&about) && says.contains(&but), "{says}");
    }
}

#[test]
fn loads_below_0_are_told_of_their_groups() {
    // What is said where so many of twelve jobs of each group have a load below 0.
    let said = |below: &[(char, usize)]| {
        let mut table = String::from("app,start,all,own,seconds\n");
        for (job, (app, below)) in (0..12).flat_map(|job| below.iter().map(move |of| (job, of))) {
            let (start, own) = (86_400 * job, if job < *below { 9 } else { 1 });
            writeln!(table, "{app},{start},{},{own},{}", 5 + job % 3, 10 + job).unwrap();
        }
        let place = Place::new();
        place.write("jobs.csv", table);
        let words = TABLE.map(|word| if word == "load" { "all-own" } else { word });
        let err = place.run(&words).ok().err;
        assert_eq!(err.matches("below 0").count(), 1, "{err}");
        err
    };
    let one = said(&[('a', 1), ('b', 0)]);
    let expected = "a: 1 of 12 jobs with a load below 0: what is subtracted in --x";
    assert!(one.contains(expected), "{one}");
    let many = said(&[('a', 1), ('b', 1), ('c', 1), ('d', 2), ('e', 1)]);
    let expected =
        "5 groups have 6 jobs (most: 2 of 12 in d) with a load below 0: what is subtracted";
    assert!(many.contains(expected), "{many}");
}

/// Of each group for programs, and for a person of the one with the most such jobs: not of the one with two of two.
#[test]
fn json_tells_of_every_group_with_loads_below_0() {
    let mut table = String::from("app,start,all,own,seconds\n");
    for (app, jobs, below) in [('a', 100, 90), ('b', 12, 12), ('c', 12, 1), ('d', 12, 1)] {
        for job in 0..jobs {
            let (start, own) = (86_400 * job, if job < below { 9 } else { 1 });
            writeln!(table, "{app},{start},{},{own},{}", 5 + job % 3, 10 + job).unwrap();
        }
    }
    let place = Place::new();
    place.write("jobs.csv", table);
    let words = TABLE.map(|word| if word == "load" { "all-own" } else { word });
    let ran = place.run(&[&words[..], &["--json"]].concat()).ok();
    let most = "4 groups have 104 jobs (most: 90 of 100 in a) with a load below 0";
    assert!(ran.err.contains(most), "{}", ran.err);
    let json = ran.json();
    let warnings = json["settings"]["warnings"].as_array().unwrap();
    let warnings: Vec<&str> = warnings.iter().filter_map(Value::as_str).collect();
    for said in [
        "a: 90 of 100 jobs with a load below 0",
        "b: 12 of 12 jobs with a load below 0",
        "c: 1 of 12 jobs with a load below 0",
        "d: 1 of 12 jobs with a load below 0",
    ] {
        let told = warnings.iter().filter(|one| one.starts_with(said));
        assert_eq!(told.count(), 1, "{said}: {warnings:#?}");
    }
}

#[test]
fn rows_that_are_there_twice_count_once() {
    let once = run(&table(), &["--json"]).ok().json();
    let twice: String = table()
        .lines()
        .enumerate()
        .map(|(row, line)| match row {
            0 => format!("{line}\n"),
            _ => format!("{line}\n{line}\n"),
        })
        .collect();
    let json = run(&twice, &["--json"]).ok().json();
    assert_eq!(json["settings"]["jobs"], 480);
    let warnings = json["settings"]["warnings"].to_string();
    let said = "480 rows left out: each is the same as one before, in all columns";
    assert!(warnings.contains(said), "{warnings}");
    for label in ["slow", "calm"] {
        let (once, twice) = (group(&once, label), group(&json, label));
        assert_eq!(twice["jobs"], 240);
        assert_eq!(twice["coefficients"], once["coefficients"]);
        assert_eq!(twice["forest"], once["forest"]);
    }
    // Any column may tell jobs apart.
    let mut row = 0;
    let numbered = twice.lines().map(|line| {
        row += 1;
        format!("{line},{row}\n")
    });
    let numbered: String = numbered.collect();
    let json = run(&numbered, &["--json"]).ok().json();
    assert_eq!(json["settings"]["jobs"], 960);
    assert_eq!(group(&json, "slow")["jobs"], 480);
}

#[test]
fn an_option_that_is_refused_is_not_listed() {
    let place = Place::new();
    let help = place.run(&["correlate", "--help"]).ok().out;
    assert!(help.contains("--load") && !help.contains("--op"), "{help}");
    let ran = run(&table(), &["--op", "read"]).code(2);
    let said = "--op: use --load bytes-read or --load bytes-written";
    assert!(ran.err.contains(said), "{ran:?}");
}

/// The same times as numbers, and as people and schedulers write them.
#[test]
fn dates_are_read_as_in_logs_of_jobs() {
    let dated = |date: &dyn Fn(i64) -> String| {
        let mut table = String::from("app,start,load,seconds\n");
        for day in 0..28 {
            writeln!(table, "a,{},{day},{}", date(day), 10 + day * day).unwrap();
        }
        table
    };
    let days = |json: &Value| json["results"][0]["points"]["day"].clone();
    // 2026-01-01 is the 20,454th day.
    let numbers = dated(&|day| (86_400 * (20_454 + day) + 54_720).to_string());
    let expected = days(&run(&numbers, &["--json"]).ok().json());
    let month_first = |day: i64| format!("01/{:02}/2026 15:12:00", day + 1);
    let day_first = |day: i64| format!("{:02}/01/2026 15:12:00", day + 1);
    let dotted = |day: i64| format!("{:02}.01.2026 15:12", day + 1);
    let named = |day: i64| format!("{} Jan 2026 15:12:00", day + 1);
    let iso = |day: i64| format!("2026-01-{:02}T16:12:00+01:00", day + 1);
    for (date, said) in [
        (
            &month_first as &dyn Fn(i64) -> String,
            "start: dates such as 01/02/2026 15:12:00 are taken for month/day/year",
        ),
        (
            &day_first,
            "start: dates such as 02/01/2026 15:12:00 are taken for day/month/year",
        ),
        (&dotted, ""),
        (&named, ""),
        (&iso, ""),
    ] {
        let json = run(&dated(date), &["--json"]).ok().json();
        assert_eq!(days(&json), expected, "{}", date(1));
        let warnings = json["settings"]["warnings"].to_string();
        assert!(warnings.contains(said), "{warnings}");
        assert_eq!(warnings.contains("taken for"), !said.is_empty());
    }
    // At two in the morning in Kolkata, it is still the day before.
    let early = dated(&|day| format!("01/{:02}/2026 02:00:00", day + 1));
    let json = run(&early, &["--json", "--zone", "+05:30"]).ok().json();
    assert_eq!(days(&json)[0], 20_453);
}

#[test]
fn decimal_commas_are_read_between_semicolons() {
    let points = run(&table(), &["--json"]).ok().json();
    let commas = table().replace(',', ";").replace('.', ",");
    let json = run(&commas, &["--json"]).ok().json();
    for label in ["slow", "calm"] {
        assert_eq!(
            group(&json, label)["points"],
            group(&points, label)["points"]
        );
    }
    let warnings = json["settings"]["warnings"].to_string();
    assert!(
        warnings.contains("because a semicolon stands between fields"),
        "{warnings}"
    );
    // Between thousands a comma is none, and where commas stand between fields neither.
    for table in ["1,000,000.5;7", "1,000.5;7", "1,000,000;7"] {
        let table = format!("load;seconds\n{table}\n");
        let place = Place::new();
        place.write("jobs.csv", table);
        let words = [&TABLE[..7], &["--json"]].concat();
        let json = place.run(&words).code(1).json();
        let left_out = &json["settings"]["left_out"][0];
        let reason = "no load: a field is empty or no number";
        assert_eq!(left_out["reason"], reason, "{json:#}");
    }
}

#[test]
fn of_a_table_that_is_cut_off_all_is_read_that_precedes_the_cut() {
    let whole = run(&table(), &["--json"]).ok().json();
    let packed = common::gzip(table().as_bytes());
    let place = Place::new();
    place.write("jobs.csv.gz", &packed[..packed.len() * 2 / 3]);
    let words = TABLE.map(|word| match word {
        "jobs.csv" => "jobs.csv.gz",
        word => word,
    });
    let words = [&words[..], &["--json"]].concat();
    let json = place.run(&words).ok().json();
    let warnings = json["settings"]["warnings"].to_string();
    assert!(
        warnings.contains("jobs.csv.gz: only what precedes this was read: "),
        "{warnings}"
    );
    let read = json["settings"]["jobs"].as_u64().unwrap();
    assert!((200..400).contains(&read), "{read}");
    // The last number before the cut may lack digits: no point is another one than in the whole table.
    for label in ["slow", "calm"] {
        let all = group(&whole, label)["points"]["time_s"].clone();
        let some = group(&json, label)["points"]["time_s"].clone();
        let (all, some) = (all.as_array().unwrap(), some.as_array().unwrap());
        assert!(some.len() > 100 && all.starts_with(some));
    }
    // Nothing precedes it.
    place.write("jobs.csv.gz", &packed[..12]);
    let ran = place.run(&words).code(1);
    assert!(ran.err.contains("jobs.csv.gz: "), "{ran:?}");
}
