//! Job logs of real schedulers, against totals that were computed without iotempo.
//!
//! The constants come from a few lines of Python over the same files: `csv.DictReader` or
//! `str.split` of each line, `collections.Counter` of the states, `len(set())` of the users, `min`
//! of the starts and `max` of the ends, local times as UTC with `datetime.fromisoformat`; for SWF
//! start = UnixStartTime + field 2 + field 3 (without it where that is -1), end = start + field 4;
//! for the tables of LUMOS start = submit_time + wait_time, end = start + run_time.
#![allow(clippy::print_stderr, clippy::unwrap_used)]

use iotempo_formats::jobs::{JobFormat, JobOptions, JobReading, detect_jobs, read_jobs};
use iotempo_formats::{ErrorKind, Input, detect};
use iotempo_model::{JobRecord, JobState, expand_nodes};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::{Path, PathBuf};

/// The folder of other people's data; says so and answers `None` where it does not exist.
fn data(test: &str) -> Option<PathBuf> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    let data = std::env::var_os("IOTEMPO_DATA").map_or_else(|| PathBuf::from(beside), Into::into);
    if !data.join("joblogs").is_dir() {
        eprintln!("SKIPPED {test}: no data under {}", data.display());
        return None;
    }
    Some(data)
}

fn open(path: &Path) -> Input {
    Input::file(File::open(path).unwrap()).unwrap()
}

fn utc() -> JobOptions {
    JobOptions {
        zone: "UTC".parse().unwrap(),
        ..JobOptions::default()
    }
}

fn jobs_of(path: &Path, options: &JobOptions) -> (JobReading, Vec<JobRecord>) {
    let mut jobs = Vec::new();
    let reading = read_jobs(open(path), options, &mut |job| jobs.push(job)).unwrap();
    assert_eq!(reading.rows, jobs.len() as u64, "{}", path.display());
    (reading, jobs)
}

/// What Python says of a log.
struct Truth {
    file: &'static str,
    format: JobFormat,
    rows: usize,
    steps: u64,
    users: usize,
    states: &'static [(&'static str, usize)],
    first_start: f64,
    last_end: f64,
    /// The codes of all warnings.
    warnings: &'static [&'static str],
}

const SMALL: &[(&str, usize)] = &[
    ("CANCELLED", 1),
    ("COMPLETED", 6),
    ("FAILED", 1),
    ("TIMEOUT", 1),
];

/// One-node Slurm 22.05.8: the same nine jobs in every form.
const fn small(
    file: &'static str,
    format: JobFormat,
    users: usize,
    steps: u64,
    warnings: &'static [&'static str],
) -> Truth {
    Truth {
        file,
        format,
        rows: 9,
        steps,
        users,
        states: SMALL,
        first_start: 1_794_728_762.0,
        last_end: 1_794_728_837.0,
        warnings,
    }
}

const IN_NAME: &[&str] = &["delimiter-in-name"];

const LOGS: [Truth; 15] = [
    small("sacct_P_X.txt", JobFormat::Sacct, 1, 0, IN_NAME),
    small("sacct_P_delim.txt", JobFormat::Sacct, 0, 0, &[]),
    small("sacct_P_dup.txt", JobFormat::Sacct, 0, 0, &[]),
    small("sacct_P_epoch.txt", JobFormat::Sacct, 1, 0, &[]),
    small("sacct_P_steps.txt", JobFormat::Sacct, 1, 11, IN_NAME),
    small("sacct_p_trailing.txt", JobFormat::Sacct, 1, 0, &[]),
    small(
        "sacct_table.txt",
        JobFormat::SacctTable,
        1,
        11,
        &["values-cut"],
    ),
    small("sacct.json", JobFormat::SacctJson, 1, 11, &[]),
    small("jobcomp_filetxt.log", JobFormat::KeyValue, 1, 0, &[]),
    Truth {
        file: "scontrol_show_job.txt",
        format: JobFormat::KeyValue,
        rows: 1,
        steps: 0,
        users: 1,
        states: &[("TIMEOUT", 1)],
        first_start: 1_794_728_764.0,
        last_end: 1_794_728_837.0,
        warnings: &[],
    },
    Truth {
        file: "pytokio_sample_slurm.json",
        format: JobFormat::PytokioJson,
        rows: 1,
        steps: 10,
        users: 0,
        states: &[("", 1)],
        first_start: 1_489_975_142.0,
        last_end: 1_489_975_898.0,
        warnings: &[],
    },
    Truth {
        file: "KTH-SP2-1996-2.1-cln.swf.gz",
        format: JobFormat::Swf,
        rows: 28_476,
        steps: 0,
        users: 214,
        states: &[("COMPLETED", 20_530), ("FAILED", 7_946)],
        first_start: 844_085_427.0,
        last_end: 872_844_901.0,
        warnings: &[],
    },
    Truth {
        file: "NASA-iPSC-1993-3.1-cln.swf.zip",
        format: JobFormat::Swf,
        rows: 18_239,
        steps: 0,
        users: 69,
        states: &[("", 18_239)],
        first_start: 749_458_803.0,
        last_end: 757_407_825.0,
        warnings: &["no-wait"],
    },
    Truth {
        file: "lumos-mira.csv.gz",
        format: JobFormat::Table,
        rows: 22_508,
        steps: 0,
        users: 160,
        states: &[("COMPLETED", 15_768), ("FAILED", 2_007), ("KILLED", 4_733)],
        first_start: 1_535_348_262.0,
        last_end: 1_546_292_227.0,
        warnings: &[],
    },
    Truth {
        file: "lumos-thetagpu.csv.gz",
        format: JobFormat::Table,
        rows: 22_606,
        steps: 0,
        users: 52,
        states: &[("COMPLETED", 5_524), ("FAILED", 12_531), ("KILLED", 4_551)],
        first_start: 1_672_503_308.0,
        last_end: 1_690_547_891.34,
        warnings: &[],
    },
];

#[test]
fn every_sample_has_the_totals_that_python_finds() {
    let Some(data) = data("every_sample_has_the_totals_that_python_finds") else {
        return;
    };
    for truth in LOGS {
        let file = truth.file;
        let (reading, jobs) = jobs_of(&data.join("joblogs").join(file), &utc());
        assert_eq!(reading.format, truth.format, "{file}");
        assert!(!reading.damaged, "{file}: {:?}", reading.warnings);
        assert_eq!(
            (jobs.len(), reading.steps),
            (truth.rows, truth.steps),
            "{file}"
        );
        let users: BTreeSet<_> = jobs.iter().filter_map(|job| job.user.as_ref()).collect();
        assert_eq!(users.len(), truth.users, "{file}: users");
        let mut states: BTreeMap<String, usize> = BTreeMap::new();
        for job in &jobs {
            *states.entry(job.state.to_string()).or_default() += 1;
        }
        let expected = truth
            .states
            .iter()
            .map(|(name, count)| ((*name).to_owned(), *count));
        assert_eq!(states, expected.collect(), "{file}: states");
        let starts = jobs.iter().filter_map(|job| job.start_epoch_s);
        let ends = jobs.iter().filter_map(|job| job.end_epoch_s);
        assert_eq!(starts.fold(f64::MAX, f64::min), truth.first_start, "{file}");
        assert_eq!(ends.fold(f64::MIN, f64::max), truth.last_end, "{file}");
        let codes: Vec<_> = reading
            .warnings
            .iter()
            .map(|one| one.code.as_ref())
            .collect();
        assert_eq!(codes, truth.warnings, "{file}");
    }
}

/// Nobody is forgotten when samples come.
#[test]
fn every_sample_is_looked_at() {
    let Some(data) = data("every_sample_is_looked_at") else {
        return;
    };
    let known: BTreeSet<_> = LOGS.iter().map(|truth| truth.file.to_owned()).collect();
    let others = [
        "sacct_P_noheader.txt",
        "sacct_P_pending.txt",
        "synthetic.swf",
    ];
    for entry in std::fs::read_dir(data.join("joblogs")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let looked_at = known.contains(&name) || others.contains(&name.as_str());
        assert!(looked_at, "{name} has no test");
    }
}

#[test]
fn logs_without_jobs_are_told_apart() {
    let Some(data) = data("logs_without_jobs_are_told_apart") else {
        return;
    };
    // `sacct --noheader` of an empty day prints nothing at all.
    let empty = open(&data.join("joblogs/sacct_P_noheader.txt"));
    let error = read_jobs(empty, &utc(), &mut |_| {}).unwrap_err();
    assert!(matches!(error.kind, ErrorKind::Empty), "{error}");
    let (reading, _) = jobs_of(&data.join("joblogs/sacct_P_pending.txt"), &utc());
    assert_eq!((reading.format, reading.rows), (JobFormat::Sacct, 0));
    let said: Vec<_> = reading.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(said, ["the log holds no jobs [no-jobs]"]);
}

#[test]
fn the_same_jobs_are_the_same_in_every_form_of_slurm() {
    let Some(data) = data("the_same_jobs_are_the_same_in_every_form_of_slurm") else {
        return;
    };
    let folder = data.join("joblogs");
    let of = |file: &str| {
        let (_, jobs) = jobs_of(&folder.join(file), &utc());
        let named = jobs.into_iter().map(|job| (job.id.clone(), job));
        named.collect::<BTreeMap<_, _>>()
    };
    let parsable = of("sacct_P_X.txt");
    let ids: Vec<_> = parsable.keys().map(String::as_str).collect();
    assert_eq!(ids, ["1", "2_1", "2_2", "2_3", "3", "4", "5", "6", "8"]);
    assert_eq!(parsable["6"].name.as_deref(), Some("odd|name,with sep"));
    assert_eq!(parsable["2_1"].raw_id.as_deref(), Some("9"));
    assert_eq!(parsable["5"].time_limit_s, Some(60.0));
    assert_eq!(parsable["3"].exit_code.unwrap().status, 3);
    let json = of("sacct.json");
    let jobcomp = of("jobcomp_filetxt.log");
    assert!(json.keys().eq(parsable.keys()) && jobcomp.keys().eq(parsable.keys()));
    for (id, job) in &parsable {
        // `sacct` says nothing of groups; the JSON of 22.05 has no status of job 3 but zero.
        let alike = JobRecord {
            group: Some("root".to_owned()),
            ..job.clone()
        };
        assert_eq!(jobcomp[id], alike, "{id}");
        let exit_code = json[id].exit_code;
        assert_eq!(json[id], JobRecord { exit_code, ..alike }, "{id}");
    }
    let table = of("sacct_table.txt");
    assert_eq!(table["1"].name.as_deref(), Some("ior_perio+"));
    assert_eq!(table["4"].state, JobState::Cancelled);
}

#[test]
fn steps_come_on_request() {
    let Some(data) = data("steps_come_on_request") else {
        return;
    };
    let options = JobOptions {
        steps: true,
        ..utc()
    };
    let of = |file: &str| {
        let (_, mut jobs) = jobs_of(&data.join("joblogs").join(file), &options);
        jobs.retain(JobRecord::is_step);
        jobs.sort_by(|a, b| (&a.id, &a.step).cmp(&(&b.id, &b.step)));
        jobs
    };
    let (parsable, json) = (of("sacct_P_steps.txt"), of("sacct.json"));
    assert_eq!((parsable.len(), json.len()), (11, 11));
    for (a, b) in parsable.iter().zip(&json) {
        assert_eq!((&a.id, &a.step, &a.name), (&b.id, &b.step, &b.name));
        assert_eq!(
            (&a.state, a.start_epoch_s, a.end_epoch_s),
            (&b.state, b.start_epoch_s, b.end_epoch_s)
        );
        assert_eq!(
            (&a.raw_id, a.nodes, &a.node_list),
            (&b.raw_id, b.nodes, &b.node_list)
        );
    }
    let cancelled = json.iter().find(|step| step.id == "4").unwrap();
    assert_eq!(cancelled.exit_code.unwrap().signal, Some(15));
    let pytokio = of("pytokio_sample_slurm.json");
    assert_eq!(pytokio.len(), 10);
    let whole = pytokio
        .iter()
        .find(|step| step.step.as_deref() == Some("0"))
        .unwrap();
    let nodes = expand_nodes(whole.node_list.as_deref().unwrap()).unwrap();
    assert_eq!((nodes.len(), whole.nodes), (128, Some(128)));
}

#[test]
fn the_synthetic_workload_is_read_to_the_last_field() {
    let Some(data) = data("the_synthetic_workload_is_read_to_the_last_field") else {
        return;
    };
    let (reading, jobs) = jobs_of(&data.join("joblogs/synthetic.swf"), &utc());
    let codes: Vec<_> = reading
        .warnings
        .iter()
        .map(|one| one.code.as_ref())
        .collect();
    assert_eq!(codes, ["job-without-start"]);
    assert_eq!(jobs.len(), 3);
    let second = JobRecord {
        id: "2".to_owned(),
        user: Some("6".to_owned()),
        group: Some("2".to_owned()),
        exe: Some("8".to_owned()),
        partition: Some("1".to_owned()),
        state: JobState::Failed,
        processes: Some(128),
        submit_epoch_s: Some(1_000_000_050.0),
        start_epoch_s: Some(1_000_000_070.0),
        end_epoch_s: Some(1_000_000_270.5),
        time_limit_s: Some(7200.0),
        ..JobRecord::default()
    };
    assert_eq!(jobs[1], second);
    assert_eq!(jobs[2].state, JobState::Cancelled);
    assert_eq!((jobs[2].start_epoch_s, jobs[2].processes), (None, Some(16)));
}

/// The nodes of all jobs, summed by Python: `sum(float(x['node_num']))`.
#[test]
fn tables_of_lumos_keep_their_numbers() {
    let Some(data) = data("tables_of_lumos_keep_their_numbers") else {
        return;
    };
    for (file, nodes, first) in [
        ("lumos-mira.csv.gz", 39_539_952, ("35079", "35012304659472")),
        (
            "lumos-thetagpu.csv.gz",
            32_806,
            ("10120170", "24166353244411"),
        ),
    ] {
        let (_, jobs) = jobs_of(&data.join("joblogs").join(file), &utc());
        let sum: u64 = jobs.iter().filter_map(|job| job.nodes).sum();
        assert_eq!(sum, nodes, "{file}");
        assert_eq!(
            (jobs[0].id.as_str(), jobs[0].user.as_deref().unwrap()),
            first
        );
    }
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => all.extend(files(&path)),
            false => all.push(path),
        }
    }
    all
}

#[test]
fn nothing_else_is_taken_for_a_job_log() {
    let Some(data) = data("nothing_else_is_taken_for_a_job_log") else {
        return;
    };
    let mut looked_at = 0;
    for folder in [
        "serverlogs",
        "darshan",
        "tmio",
        "recorder",
        "dftracer",
        "ftio-inputs",
        "series",
    ] {
        for path in files(&data.join(folder)) {
            let Ok(input) = open(&path).unwrapped() else {
                continue;
            };
            let found = detect_jobs(input.head(), &JobOptions::default());
            assert!(found.is_err(), "{}: {found:?}", path.display());
            looked_at += 1;
        }
    }
    assert!(looked_at > 300, "{looked_at} files");
}

/// Not even the tables of LUMOS, which have neither bytes nor a rate; each is named for what it is.
#[test]
fn no_job_log_is_taken_for_a_trace() {
    let Some(data) = data("no_job_log_is_taken_for_a_trace") else {
        return;
    };
    for truth in LOGS {
        let input = open(&data.join("joblogs").join(truth.file))
            .unwrapped()
            .unwrap();
        let error = detect(input.head()).expect_err(truth.file).to_string();
        let expected = match truth.file.ends_with(".zip") {
            true => "byte 0: compressed with zip: unpack it first".to_owned(),
            false => format!("a job log ({}), not a trace of I/O", truth.format.name()),
        };
        assert_eq!(error, expected, "{}", truth.file);
    }
}
