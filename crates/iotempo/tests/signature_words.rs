//! `iotempo signature`: which jobs are meant, and what is said where words or logs do not fit.
#![allow(clippy::unwrap_used)]

mod common;
use common::{Place, Ran};
use serde_json::Value;

/// Logs of IOR_B.
fn logs() -> Place {
    let place = Place::new();
    place
        .run(&["generate", "ior-b", "--out-dir", ".", "--seed", "7"])
        .ok();
    place
}

fn mined(place: &Place, more: &[&str]) -> Ran {
    let words = ["signature", "--jobs", "jobs.txt", "--log", "servers.csv"];
    place.run(&[&words[..], more].concat())
}

/// Changes each row of the job log, which has its number.
fn change_jobs(place: &Place, change: impl Fn(usize, &str) -> String) {
    let jobs = place.read("jobs.txt");
    let rows = jobs.lines().enumerate().map(|(i, row)| match i {
        0 => format!("{row}\n"),
        _ => change(i, row) + "\n",
    });
    place.write("jobs.txt", rows.collect::<String>());
}

#[test]
fn what_is_listed_can_be_chosen() {
    let place = logs();
    change_jobs(&place, |i, row| {
        row.replace("|IOR_B|", &format!("|relax_{}|", i + 1))
    });
    let told = mined(&place, &["--name", "relax"]).ok();
    assert!(
        told.out.starts_with("ann, relax, 64 nodes\n"),
        "{}",
        told.out
    );
    mined(&place, &["--name", "relax_3", "--min-runs", "2"]).ok();
    // A log that counts processes.
    let mut swf = "; UnixStartTime: 0\n".to_owned();
    for row in place.read("jobs.txt").lines().skip(1) {
        let fields: Vec<&str> = row.split('|').collect();
        let [start, end] = [5, 6].map(|at| fields[at].parse::<i64>().unwrap());
        swf += &format!(
            "{} {start} 0 {} 64 -1 -1 64 -1 -1 1 7 1 3 1 1 -1 -1\n",
            fields[0],
            end - start
        );
    }
    place.write("jobs.swf", swf);
    let words = [
        "signature",
        "--jobs",
        "jobs.swf",
        "--log",
        "servers.csv",
        "--nodes",
        "64",
    ];
    let told = place.run(&words).ok();
    assert!(told.out.starts_with("7, 3, 64 processes\n"), "{}", told.out);
    let json = place.run(&[&words[..], &["--json"]].concat()).json();
    assert_eq!(json["results"][0]["application"]["processes"], 64);
}

#[test]
fn as_many_runs_are_used_as_are_asked_for() {
    let place = Place::new();
    let words = [
        "generate",
        "ior-b",
        "--runs",
        "45",
        "--load",
        "0.1",
        "--out-dir",
        ".",
    ];
    place.run(&words).ok();
    let json = mined(&place, &["--max-runs", "60", "--json"]).json();
    let result = &json["results"][0];
    let runs = result["runs"].as_array().unwrap();
    let used = runs.iter().filter(|run| run["used"] == true).count();
    let outliers = result["outliers"].as_array().unwrap().len();
    assert_eq!(used + outliers, 45, "{}", result["warnings"]);
    let told = mined(&place, &["--min-runs", "50", "--max-runs", "60"]).ok();
    assert!(told.out.contains("and it takes 50 to tell"), "{}", told.out);
}

#[test]
fn a_log_to_compare_with_that_cannot_be_read_costs_nothing_else() {
    let place = logs();
    place.write("diary.txt", "dear diary\n");
    place.write("quiet.csv", place.read("servers.csv"));
    let words = [
        "--compare",
        "diary.txt",
        "quiet.csv",
        "--json",
        "-o",
        "page.html",
    ];
    let ran = mined(&place, &words).code(1);
    let json = ran.json();
    assert_eq!(json["results"][0]["bursts"].as_array().unwrap().len(), 8);
    assert_eq!(json["results"][0]["compared"][0]["input"], "quiet.csv");
    assert_eq!(json["errors"][0]["input"], "diary.txt");
    let page = place.read("page.html");
    assert!(
        page.matches("quiet.csv").count() >= 2,
        "in a table of logs, too"
    );
    let refused = mined(&place, &["--compare", "quiet.csv", "--csv"]).code(2);
    assert!(
        refused.err.contains("cannot be used with"),
        "{}",
        refused.err
    );
}

#[test]
fn programs_are_told_what_people_are() {
    let place = logs();
    let ran = mined(&place, &["--user", "eve", "--json"]).code(1);
    let json = ran.json();
    assert_eq!(json["results"], Value::Array(Vec::new()));
    let message = json["errors"][0]["message"].as_str().unwrap();
    assert!(
        message.contains("none of 10 jobs matches --user"),
        "{message}"
    );
    change_jobs(&place, |_, row| row.replace("|17672", "|16672"));
    let json = mined(&place, &["--json"]).json();
    let warnings = json["results"][0]["warnings"].as_array().unwrap();
    let codes: Vec<&str> = warnings
        .iter()
        .map(|w| w["code"].as_str().unwrap())
        .collect();
    assert!(codes.contains(&"clocks-never-meet"), "{codes:?}");
}

#[test]
fn programs_are_told_of_logs_that_cannot_be_read() {
    let place = logs();
    place.write("empty.csv", "");
    let words = [
        "signature",
        "--json",
        "--jobs",
        "jobs.txt",
        "--log",
        "empty.csv",
    ];
    let json = place.run(&words).code(1).json();
    assert_eq!(json["results"], Value::Array(Vec::new()));
    let errors = json["errors"].as_array().unwrap();
    assert!(errors.iter().any(|error| error["input"] == "empty.csv"));
    let words = [
        "signature",
        "--json",
        "--jobs",
        "empty.csv",
        "--log",
        "servers.csv",
    ];
    let json = place.run(&words).code(1).json();
    assert!(!json["errors"].as_array().unwrap().is_empty());
}

#[test]
fn where_there_is_no_signature_the_page_tells_and_so_does_the_exit_code() {
    let place = logs();
    change_jobs(&place, |_, row| row.replace("COMPLETED", "TIMEOUT"));
    let words = ["-o", "page.html", "--series", "series.csv", "--exit-code"];
    let ran = mined(&place, &words).code(3);
    assert!(
        ran.out.contains("--state takes jobs that ended otherwise"),
        "{}",
        ran.out
    );
    assert!(ran.err.contains("there is no signature"), "{}", ran.err);
    assert!(place.read("page.html").contains("No signature"));
    let ran = mined(&place, &["--series", "series.csv"]).code(1);
    assert!(ran.err.contains("there is no signature"), "{}", ran.err);
}

#[test]
fn words_that_do_not_fit_are_told() {
    let place = logs();
    let ran = mined(&place, &["--level", "99"]).code(2);
    assert!(ran.err.contains("--level 99: at most"), "{}", ran.err);
    let ran = mined(&place, &["--log-start", "2026-01-01T00:00:00Z"]).ok();
    assert!(
        ran.err.contains("--log-start was not needed"),
        "{}",
        ran.err
    );
    let ran = mined(&place, &["--clocks-ahead", "1e30"]).code(2);
    assert!(ran.err.contains("more than a year"), "{}", ran.err);
    let ran = mined(&place, &["--min-runs", "50", "--max-runs", "45"]).code(2);
    let said = "--max-runs 45: fewer than the 50 that --min-runs asks for";
    assert!(ran.err.contains(said), "{}", ran.err);
    let json = mined(&place, &["--min-runs", "50", "--json"]).json();
    assert_eq!(json["settings"]["most_runs"], 50);
    let ran = mined(&place, &["--same", "name"]).code(2);
    assert!(ran.err.contains("--same user,name"), "{}", ran.err);
    let ran = mined(&place, &["--partition", "fast", "--user", "ann"]).code(1);
    let said = "none of 10 jobs matches --user with --partition";
    assert!(ran.err.contains(said), "{}", ran.err);
    let ran = mined(&place, &["--state", "FAILED"]).ok();
    let said = "its state is COMPLETED, which --state does not name";
    assert!(ran.out.contains(said), "{}", ran.out);
    change_jobs(&place, |i, row| match i {
        1 => row.replace("COMPLETED", "TIMEOUT"),
        // The last one: when it is to end is no end, and until then it is beside any that follow.
        10 => row.replace("COMPLETED", "RUNNING"),
        _ => row.to_owned(),
    });
    let ran = mined(&place, &[]).ok();
    assert!(ran.out.contains("did not end well: TIMEOUT"), "{}", ran.out);
    assert!(ran.out.contains("has not ended: RUNNING"), "{}", ran.out);
    let json = mined(&place, &["--state", "completed,timeout", "--json"]).json();
    assert_eq!(json["results"][0]["rejected"].as_array().unwrap().len(), 1);
    place.write("empty.txt", "JobID|User|JobName|NNodes|State|Start|End\n");
    let ran = place
        .run(&["signature", "--jobs", "empty.txt", "--log", "servers.csv"])
        .code(1);
    assert!(ran.err.contains("hold no jobs"), "{}", ran.err);
}

#[test]
fn jobs_without_names_are_doubted() {
    let place = logs();
    let jobs = place.read("jobs.txt");
    let rows = jobs.lines().map(|row| {
        let fields: Vec<&str> = row.split('|').collect();
        format!("{}|{}|{}\n", fields[0], fields[5], fields[6])
    });
    place.write("jobs.txt", rows.collect::<String>());
    let ran = mined(&place, &[]).ok();
    assert!(
        ran.err
            .contains("all jobs are taken for runs of one application"),
        "{}",
        ran.err
    );
}

#[test]
fn logs_that_are_swapped_are_told() {
    let place = logs();
    let words = ["signature", "--jobs", "servers.csv", "--log", "jobs.txt"];
    let ran = place.run(&words).code(1);
    assert!(ran.err.contains("it belongs to --log"), "{}", ran.err);
    let words = ["signature", "--jobs", "jobs.txt", "--log", "jobs.txt"];
    let ran = place.run(&words).code(1);
    assert!(ran.err.contains("it belongs to --jobs"), "{}", ran.err);
}

#[test]
fn runs_too_short_for_the_log_are_told() {
    const BEGIN: usize = 1_767_225_600;
    let place = Place::new();
    let mut jobs = "JobID|User|JobName|NNodes|State|Start|End\n".to_owned();
    for run in 0..6 {
        let start = BEGIN + 5000 * run;
        jobs += &format!("{run}|ann|app|4|COMPLETED|{start}|{}\n", start + 40);
    }
    let row = |step: usize| {
        let rate = 1_000_000 + step * 7919 % 999_983;
        format!("{},{rate}\n", BEGIN + 2 * step)
    };
    let rows: String = (0..20_000).map(row).collect();
    place.write("jobs.txt", jobs);
    place.write("servers.csv", format!("time,write_bytes_per_s\n{rows}"));
    let told = mined(&place, &[]).ok();
    let said = "runs have about 20 intervals";
    assert!(told.out.contains(said), "{}", told.out);
}

#[test]
fn a_coarse_log_tells_what_it_cannot_show() {
    let place = logs();
    let told = mined(&place, &[]).ok();
    assert!(told.out.contains("shorter than about 8 s"), "{}", told.out);
    assert!(!told.out.contains("the log is coarse"), "{}", told.out);
    let servers = place.read("servers.csv");
    let rows: Vec<&str> = servers.lines().skip(1).collect();
    let minutes = rows.chunks_exact(30).map(|rows| {
        let rate = |row: &&str| row.split(',').nth(1).unwrap().parse::<f64>().unwrap();
        let time = rows[0].split(',').next().unwrap();
        format!("{time},{:.0}\n", rows.iter().map(rate).sum::<f64>() / 30.0)
    });
    let minutes: String = minutes.collect();
    place.write("servers.csv", format!("time,write_bytes_per_s\n{minutes}"));
    let told = mined(&place, &[]).ok();
    assert!(
        told.out.contains("shorter than about 4 min"),
        "{}",
        told.out
    );
    assert!(told.out.contains("the log is coarse"), "{}", told.out);
}

/// Moves all times of the servers' log.
fn shift_log(place: &Place, by: f64) {
    let log = place.read("servers.csv");
    let rows = log.lines().enumerate().map(|(i, row)| match i {
        0 => format!("{row}\n"),
        _ => {
            let (time, rest) = row.split_once(',').unwrap();
            format!("{},{rest}\n", time.parse::<f64>().unwrap() + by)
        }
    });
    place.write("servers.csv", rows.collect::<String>());
}

#[test]
fn clocks_that_differ_are_told_where_runs_seem_to_write_on() {
    let code = "clocks-may-differ";
    let place = logs();
    let (_, warnings) = bytes_and_warnings(&mined(&place, &["--json"]).ok());
    assert!(!warnings.iter().any(|told| told == code), "{warnings:?}");
    // The last burst ends just before the run does.
    shift_log(&place, 40.0);
    let (_, warnings) = bytes_and_warnings(&mined(&place, &["--json"]).ok());
    assert!(warnings.iter().any(|told| told == code), "{warnings:?}");
    let told = mined(&place, &[]).ok();
    let said = "just after runs end, servers move about as much as in a burst, at the same moment in most: are their clocks ahead of";
    assert!(told.out.contains(said), "{}", told.out);
    let words = ["--clocks-ahead", "40", "--json"];
    let (_, warnings) = bytes_and_warnings(&mined(&place, &words).ok());
    assert!(!warnings.iter().any(|told| told == code), "{warnings:?}");
}

/// Runs that last five minutes, and follow each other after a minute or so. They write twice, the second time to their
/// end, by clocks of servers that are forty seconds ahead.
#[test]
fn what_is_moved_between_runs_may_be_of_either() {
    let place = Place::new();
    let mut jobs = "JobID|User|JobName|NNodes|State|Start|End\n".to_owned();
    let mut rates = vec![0_u64; 2000];
    let mut start = 100;
    for id in 1..=10 {
        let seconds = 1_767_225_600 + 2 * start as u64;
        jobs += &format!("{id}|ann|A|8|COMPLETED|{seconds}|{}\n", seconds + 2 * 150);
        for from in [start + 60, start + 160] {
            rates[from..from + 10].fill(1_000_000_000);
        }
        start += 150 + 30 + 7 * id % 10;
    }
    let rows = rates
        .iter()
        .enumerate()
        .map(|(i, rate)| format!("{},{rate}\n", 1_767_225_600 + 2 * i));
    let rows: String = rows.collect();
    place.write("jobs.txt", jobs);
    place.write("servers.csv", format!("time,write_bytes_per_s\n{rows}"));
    let told = mined(&place, &[]).ok();
    let said = "between runs, servers move about as much as in a burst, at the same moment in most: are their clocks ahead of or behind";
    assert!(told.out.contains(said), "{}", told.out);
    let pieces = "in pieces too short to tell their bursts by";
    assert!(told.out.contains(pieces), "{}", told.out);
}

#[test]
fn a_curve_whose_bursts_few_runs_have_is_unsure() {
    let place = logs();
    let json = mined(&place, &["--method", "dtw-path", "--json"]).json();
    let unsure = json["results"][0]["unsure"].as_str().unwrap();
    let said = "this method makes a curve that is not the application's";
    assert!(unsure.ends_with(said), "{unsure}");
    let json = mined(&place, &["--method", "dtw-projected", "--json"]).json();
    assert_eq!(json["results"][0]["unsure"], Value::Null);
}

#[test]
fn it_is_told_whether_others_are_known() {
    let place = logs();
    let known = |place: &Place| {
        let json = mined(place, &["--nodes", "64", "--json"]).json();
        json["results"][0]["others_known_s"].as_f64().unwrap()
    };
    // Ten minutes after each of ten runs, less the steps that they share.
    assert!(
        (5900.0..=6000.0).contains(&known(&place)),
        "{}",
        known(&place)
    );
    let told = mined(&place, &[]).ok();
    let said = "others       known from 1 h 39 min around the runs, in which none that is logged was in progress\n";
    assert!(told.out.contains(said), "{}", told.out);
    // Something of the same application is always in progress.
    let jobs = place.read("jobs.txt") + "99|ann|IOR_B|8|FAILED|1767220000|1767300000\n";
    place.write("jobs.txt", jobs);
    assert_eq!(known(&place), 0.0);
    let told = mined(&place, &["--nodes", "64"]).ok();
    let said = "others       not known: the logs have no time around the runs";
    assert!(told.out.contains(said), "{}", told.out);
    let json = mined(&place, &["--nodes", "64", "--method", "median", "--json"]).json();
    assert_eq!(json["results"][0]["others_known_s"], Value::Null);
}

/// The bytes of a signature, 0 where there is none, and what was warned of.
fn bytes_and_warnings(ran: &Ran) -> (f64, Vec<String>) {
    let found: Value = serde_json::from_str(&ran.out).unwrap();
    let found = &found["results"][0];
    let bytes = found["bytes"].as_f64().unwrap_or(0.0);
    let warnings = found["warnings"].as_array().unwrap().iter();
    let codes = warnings.map(|warning| warning["code"].as_str().unwrap().to_owned());
    (bytes, codes.collect())
}

/// A log that was copied says nothing new, and neither does a job that two job logs tell of.
#[test]
fn what_two_logs_say_counts_once() {
    let place = logs();
    let (bytes, warnings) = bytes_and_warnings(&mined(&place, &["--json"]).ok());
    assert!(!warnings.iter().any(|code| code == "log-twice"));
    place.write("copy.csv", place.read("servers.csv"));
    let copied = mined(&place, &["copy.csv", "--json"]).ok();
    let (twice, warnings) = bytes_and_warnings(&copied);
    assert_eq!(twice, bytes);
    assert!(
        warnings.iter().any(|code| code == "log-twice"),
        "{warnings:?}"
    );
    let jobs = place.read("jobs.txt");
    place.write("jobs-again.txt", jobs + "\n");
    let words = [
        "signature",
        "--jobs",
        "jobs.txt",
        "jobs-again.txt",
        "--log",
        "servers.csv",
        "--json",
    ];
    let (jobs_twice, _) = bytes_and_warnings(&place.run(&words).ok());
    assert_eq!(jobs_twice, bytes);
}

/// What `iostat` prints without `-t` could be of any day.
#[test]
fn a_log_without_dates_is_said_to_be_one() {
    let place = logs();
    let mut report = "Linux 6.1 (oss1) \t11/15/26 \t_x86_64_\t(2 CPU)\n\n".to_owned();
    for _ in 0..5 {
        report += "Device             tps    kB_read/s    kB_wrtn/s    kB_dscd/s    kB_read    kB_wrtn    kB_dscd\n\
                   vda              27.00        92.00       216.00         0.00         92        216          0\n\n\n";
    }
    place.write("iostat.txt", report);
    let words = ["signature", "--jobs", "jobs.txt", "--log", "iostat.txt"];
    let more = ["--interval", "1"];
    let ran = place.run(&[&words[..], &more].concat()).ok();
    let said = "iostat.txt: this log has no dates: give --log-start";
    assert!(ran.err.contains(said), "{}", ran.err);
    assert!(!ran.err.contains("1970"), "{}", ran.err);
    let json = place.run(&[&words[..], &more, &["--json"]].concat()).json();
    let warnings = json["results"][0]["warnings"].to_string();
    assert!(warnings.contains("log-without-dates"), "{warnings}");
    let start = ["--log-start", "2025-06-01T00:00:00Z"];
    let ran = place.run(&[&words[..], &more, &start].concat()).ok();
    assert!(!ran.err.contains("no dates"), "{}", ran.err);
    assert!(!ran.err.contains("not needed"), "{}", ran.err);
    assert!(ran.err.contains("logs are from 2025-06-01"), "{}", ran.err);
    // The clock on the wall of the servers, wherever it hangs.
    let far = ["--zone=-05:00", "--log-start", "2025-05-31T19:00:00"];
    let near = ["--log-zone", "+02:00", "--log-start", "2025-06-01T02:00:00"];
    for local in [&far[..], &near[..], &[&far[..1], &near].concat()] {
        let words = [&words[..], &more, local].concat();
        assert_eq!(place.run(&words).ok().err, ran.err, "{local:?}");
    }
}

#[test]
fn logs_that_cannot_be_read_are_told_with_what_helps() {
    let place = logs();
    place.write("jobs.csv", "when,foo,bar\n1,2,3\n");
    let words = ["signature", "--jobs", "jobs.txt", "--log"];
    let ran = place.run(&[&words[..], &["jobs.csv"]].concat()).code(1);
    assert!(ran.err.contains("; --log-columns says"), "{}", ran.err);
    let mut archive = vec![0; 1024];
    archive[..8].copy_from_slice(b"mmperf/a");
    archive[257..262].copy_from_slice(b"ustar");
    std::fs::write(place.path("perf.tar"), archive).unwrap();
    let ran = place.run(&[&words[..], &["perf.tar"]].concat()).code(1);
    assert!(ran.err.contains("unpack it (tar xf)"), "{}", ran.err);
    // Rows in no order.
    let table = place.read("servers.csv");
    let mut rows: Vec<&str> = table.lines().skip(1).collect();
    rows[1..].sort_by_key(|row| {
        row.bytes()
            .map(u32::from)
            .fold(7, |sum, b| (sum * 31 + b) % 65_521)
    });
    let heading = table.lines().next().unwrap();
    place.write("servers.csv", format!("{heading}\n{}\n", rows.join("\n")));
    let ran = mined(&place, &[]).ok();
    assert!(ran.err.contains("sort it by time"), "{}", ran.err);
    assert!(ran.out.contains("not known: no run is used"), "{}", ran.out);
}

#[test]
fn a_series_of_one_direction_says_which() {
    let place = logs();
    mined(&place, &["--op", "write", "--series", "w.csv"]).ok();
    assert!(
        place
            .read("w.csv")
            .starts_with("time_s,write_bytes_per_s\n")
    );
    let ran = place.run(&["period", "w.csv"]).ok();
    assert!(!ran.err.contains("counted as written"), "{}", ran.err);
}

#[test]
fn a_table_without_dates_begins_when_it_is_said_to() {
    let place = logs();
    let dated = mined(&place, &["--json"]).json();
    let table = place.read("servers.csv");
    let rows: Vec<&str> = table.lines().collect();
    let time = |row: &str| row.split(',').next().unwrap().parse::<f64>().unwrap();
    let (first, second) = (time(rows[1]), time(rows[2]));
    let timeless = rows.iter().map(|row| row.split_once(',').unwrap().1);
    place.write("servers.csv", timeless.collect::<Vec<_>>().join("\n"));
    let ran = mined(&place, &[]).code(1);
    let said = "a table without a column of times: give the interval";
    assert!(ran.err.contains(said), "{}", ran.err);
    let interval = (second - first).to_string();
    let words = ["--interval", &interval, "--log-start", &first.to_string()];
    let ran = mined(&place, &[&words[..], &["--json"]].concat()).ok();
    assert!(!ran.err.contains("not needed"), "{}", ran.err);
    assert_eq!(
        ran.json()["results"][0]["bursts"],
        dated["results"][0]["bursts"]
    );
}

#[test]
fn only_applications_that_can_be_mined_are_listed() {
    let place = logs();
    // Three of the user's runs are of something else, and one more is of a third.
    change_jobs(&place, |i, row| match i {
        1..=3 => row.replace("|IOR_B|", "|copy|"),
        4 => row.replace("|IOR_B|", "|once|"),
        _ => row.to_owned(),
    });
    let ran = mined(&place, &[]).code(2);
    let said = "runs of 3 applications";
    assert!(ran.err.contains(said), "{}", ran.err);
    let json = mined(&place, &["--json"]).code(2).json();
    let message = json["errors"][0]["message"].as_str().unwrap();
    assert!(message.contains(said), "{message}");
    let few = "1 of them with fewer than 3 runs cannot be mined";
    assert!(ran.err.contains(few), "{}", ran.err);
    assert!(ran.err.contains("3 runs  ann, copy"), "{}", ran.err);
    assert!(!ran.err.contains("once"), "{}", ran.err);
    let ran = mined(&place, &["--min-runs", "7"]).code(1);
    let said = "no application has 7 runs: the most that one has is 6";
    assert!(ran.err.contains(said), "{}", ran.err);
}

/// What the server moved, as counters of two of its disks in an answer of Prometheus: one series after the other.
fn write_counters(place: &Place) -> String {
    let log = place.read("servers.csv");
    let mut series = Vec::new();
    for disk in ["sda", "sdb"] {
        let mut counter = 1e12;
        let mut values = Vec::new();
        for row in log.lines().skip(1) {
            let fields: Vec<&str> = row.split(',').collect();
            let moved: f64 = fields[1..].iter().map(|it| it.parse().unwrap_or(0.0)).sum();
            values.push(format!("[{},\"{counter:.0}\"]", fields[0]));
            counter += moved;
        }
        series.push(format!(
            r#"{{"metric":{{"__name__":"node_disk_written_bytes_total","instance":"a:9100","device":"{disk}"}},"values":[{}]}}"#,
            values.join(",")
        ));
    }
    let series = series.join(",");
    format!(r#"{{"status":"success","data":{{"resultType":"matrix","result":[{series}]}}}}"#)
}

#[test]
fn a_log_that_is_cut_off_is_a_doubt_about_the_result() {
    let place = logs();
    let whole = write_counters(&place);
    let words = ["signature", "--jobs", "jobs.txt", "--log", "log.json"];
    let json = |more: &[&str]| place.run(&[&words[..], more].concat());
    place.write("log.json", &whole);
    let (_, warnings) = bytes_and_warnings(&json(&["--json"]).ok());
    assert!(!warnings.iter().any(|told| told == "log-damaged"));
    // The second disk is lost, and of the first nothing is.
    place.write("log.json", &whole[..whole.len() / 2 + 300]);
    let ran = json(&["--json", "-o", "page.html"]);
    let (_, warnings) = bytes_and_warnings(&ran);
    assert!(
        warnings.iter().any(|told| told == "log-damaged"),
        "{warnings:?}"
    );
    let said = "log.json is cut off or damaged: what is lost may be whole series";
    assert!(place.read("page.html").contains(said));
    let told = json(&[]);
    assert!(told.out.contains(said), "{}", told.out);
    let many = json(&["--all"]);
    assert!(!many.out.contains(said), "it is told once, beside the log");
}

#[test]
fn own_runs_in_a_log_that_is_compared_are_told_with_the_result() {
    let place = logs();
    let words = ["--compare", "servers.csv"];
    let said = "of the application itself in this log: what they moved is in the load that is told";
    let told = mined(&place, &words).ok();
    assert!(
        told.out.contains("of the application itself"),
        "{}",
        told.out
    );
    let ran = mined(
        &place,
        &[&words[..], &["--json", "-o", "page.html"]].concat(),
    )
    .ok();
    let (_, warnings) = bytes_and_warnings(&ran);
    let own = warnings.iter().filter(|told| *told == "own-runs").count();
    assert_eq!(own, 1, "{warnings:?}");
    assert!(place.read("page.html").contains(said));
}

#[test]
fn rows_in_no_order_are_the_reason_where_nothing_is_found() {
    let place = logs();
    let log = place.read("servers.csv");
    let rows: Vec<&str> = log.lines().skip(1).collect();
    let count = rows.len();
    let rows: Vec<&str> = (0..count).map(|row| rows[row * 1237 % count]).collect();
    let heading = log.lines().next().unwrap();
    place.write("servers.csv", format!("{heading}\n{}\n", rows.join("\n")));
    let told = mined(&place, &["-o", "page.html"]).ok();
    assert!(told.out.contains("no signature"), "{}", told.out);
    let warnings = told.out.split("warnings\n").nth(1).unwrap();
    assert!(warnings.contains("sort it by time"), "{}", told.out);
    assert!(warnings.contains("servers.csv: "), "{}", told.out);
    let page = place.read("page.html");
    assert_eq!(
        page.matches("sort it by time").count(),
        1,
        "it is told once"
    );
    let (_, codes) = bytes_and_warnings(&mined(&place, &["--json"]).ok());
    assert!(
        codes.iter().any(|code| code == "clock-backwards"),
        "{codes:?}"
    );
}

#[test]
fn an_error_names_the_options_of_its_verb() {
    let place = logs();
    let report = "Device            r/s     rkB/s     w/s     wkB/s  %util\n\
                  sda              10.40  10618.46   15.20  15518.23   2.60\n\n";
    let begin = "Linux 5.14.0 (oss1) \t10/26/26 \t_x86_64_\t(64 CPU)\n\n";
    place.write("rates.txt", format!("{begin}{}", report.repeat(9)));
    let words = ["signature", "--jobs", "jobs.txt", "--log", "rates.txt"];
    let told = place.run(&words).code(1);
    assert!(
        told.err.contains("must be given (--interval)"),
        "{}",
        told.err
    );
    let told = place.run(&["period", "rates.txt"]).code(1);
    assert!(told.err.contains("must be given (--step)"), "{}", told.err);
}
