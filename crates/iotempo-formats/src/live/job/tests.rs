#[path = "../../../tests/support/iot_log.rs"]
mod iot_log;

use super::*;
use crate::live::jobs_in;
use iot_log::{IotLog, LOADED, MONOTONIC};
use iotempo_model::wire::{CHUNK_SIZE, HEADER_SIZE, Header, api, flag, kind, op};
use iotempo_model::{Origin, Source, TraceBuilder};
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::mem::offset_of;
use std::time::Duration;

const WRITE: [u8; 3] = [kind::TRANSFER, op::WRITE, api::POSIX];
/// No process has this number: it is beyond the kernel's highest.
const NOBODY: u32 = u32::MAX - 1;

/// A job whose logs are written by the test, and a clock that the test sets.
struct Followed {
    folder: tempfile::TempDir,
    job: GrowingJob,
    now: Instant,
}

impl Followed {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        Self {
            job: GrowingJob::new(folder.path(), &ReadOptions::default()),
            folder,
            now: Instant::now(),
        }
    }

    /// Writes over a log, as its program does: the file stays.
    fn write(&self, name: &str, log: &IotLog) {
        let path = self.folder.path().join(name);
        let file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .open(path);
        file.and_then(|mut file| file.write_all(&log.finish()))
            .expect("room");
    }

    fn after(&mut self, seconds: f64) -> &mut Self {
        self.now += Duration::from_secs_f64(seconds);
        self
    }

    fn starts(&mut self) -> Vec<f64> {
        let mut sink = TraceBuilder::default();
        self.job.poll_at(self.now, &mut sink).expect("a folder");
        let trace = sink.finish(Origin::new(Source::Requests), Vec::new());
        let starts = trace.iter().map(|request| request.when.start().get());
        starts.map(|start| (start * 1e6).round() / 1e6).collect()
    }

    /// Requests that a look finds.
    fn new_requests(&mut self) -> usize {
        self.starts().len()
    }

    fn codes(&mut self) -> Vec<String> {
        let warnings = self.job.take_warnings();
        warnings
            .into_iter()
            .map(|one| one.code.into_owned())
            .collect()
    }
}

fn log_with(records: u64) -> IotLog {
    let mut log = IotLog::new("elsewhere", 10, 3);
    for record in 0..records {
        log.record(WRITE, 1, [100 * record, 100 * record + 50], 4096);
    }
    log
}

/// The clocks were read again, that many seconds after the program was loaded.
fn with_clocks(mut log: IotLog, seconds: u64) -> IotLog {
    let ns = MONOTONIC + seconds * 1_000_000_000;
    log.number(offset_of!(Header, last_ticks), ns);
    log.number(offset_of!(Header, last_monotonic_ns), ns);
    log
}

fn loaded_later(mut log: IotLog, seconds: u64) -> IotLog {
    let ns = LOADED + seconds * 1_000_000_000;
    log.number(offset_of!(Header, first_realtime_ns), ns);
    log
}

#[test]
fn time_0_is_when_the_first_program_was_loaded_or_what_was_agreed_on() {
    let mut followed = Followed::new();
    followed.write("a.1.iot", &loaded_later(log_with(1), 5));
    followed.write("a.2.iot", &log_with(1));
    assert_eq!(followed.job.start_epoch_ns(), None);
    assert_eq!(followed.starts(), [5.0, 0.0]);
    assert_eq!(followed.job.start_epoch_ns(), Some(LOADED));

    let agreed = LOADED - 2_000_000_000;
    let again = GrowingJob::new(followed.folder.path(), &ReadOptions::default());
    followed.job = again.starting_at(agreed);
    assert_eq!(followed.starts(), [7.0, 2.0]);
    assert_eq!(followed.job.start_epoch_ns(), Some(agreed));
}

#[test]
fn a_log_that_is_not_begun_is_waited_for() {
    let mut followed = Followed::new();
    let path = followed.folder.path().join("a.1.iot");
    fs::write(&path, b"").expect("room");
    assert_eq!(followed.new_requests(), 0);
    fs::write(&path, vec![0; HEADER_SIZE]).expect("room");
    assert_eq!(followed.new_requests(), 0);
    // A part of the page came before the rest of it.
    let whole = log_with(2).finish();
    for there in [1, 5, 8, 12, 20, 40, 60] {
        let mut page = vec![0; HEADER_SIZE];
        page[..there].copy_from_slice(&whole[..there]);
        fs::write(&path, page).expect("room");
        assert_eq!(followed.new_requests(), 0, "{there} bytes");
    }
    followed.write("a.1.iot", &log_with(2));
    assert_eq!(followed.new_requests(), 2);
    assert_eq!(followed.codes(), [""; 0]);
}

#[test]
#[cfg(target_os = "linux")]
fn no_log_stays_open() {
    let mut followed = Followed::new();
    for number in 0..20 {
        followed.write(&format!("a.{number}.iot"), &log_with(1));
    }
    assert_eq!(followed.new_requests(), 20);
    let open = fs::read_dir("/proc/self/fd").expect("a list");
    let links = open.filter_map(|entry| fs::read_link(entry.ok()?.path()).ok());
    let mut ours = links.filter(|path| path.starts_with(followed.folder.path()));
    assert_eq!(ours.next(), None);
}

#[test]
fn records_are_found_as_they_come() {
    let mut followed = Followed::new();
    followed.write("a.1.iot", &log_with(1));
    assert_eq!(followed.new_requests(), 1);
    assert_eq!(followed.after(1.0).new_requests(), 0);
    // Within 0.1 s the clocks are not read again.
    followed.write("a.1.iot", &log_with(2));
    assert_eq!(followed.after(1.0).new_requests(), 1);
    // After an hour without any.
    assert_eq!(followed.after(3600.0).new_requests(), 0);
    followed.write("a.1.iot", &with_clocks(log_with(5), 3602));
    assert_eq!(followed.after(1.0).new_requests(), 3);
    let mut more = with_clocks(log_with(5), 3603);
    more.chunk();
    more.record(WRITE, 1, [700, 800], 1);
    followed.write("a.1.iot", &more);
    assert_eq!(followed.after(1.0).new_requests(), 1);
}

#[test]
fn a_quiet_log_is_searched_from_time_to_time() {
    let mut followed = Followed::new();
    followed.write("a.1.iot", &log_with(1));
    assert_eq!(followed.new_requests(), 1);
    assert_eq!(followed.after(25.0).new_requests(), 0);
    // A record whose thread was held back for long: nothing on the first page announces it.
    followed.write("a.1.iot", &log_with(2));
    assert_eq!(followed.after(3.0).new_requests(), 0);
    assert_eq!(followed.after(3.0).new_requests(), 1);
}

#[test]
fn a_chunk_of_a_ring_that_is_used_again_is_read_from_its_beginning() {
    let ring = |sequence, bytes| {
        let mut log = IotLog::new("elsewhere", 10, 0);
        log.number(offset_of!(Header, flags), flag::RING);
        log.chunk_of(7, sequence, 10 * sequence);
        log.record(WRITE, 1, [10 * sequence, 10 * sequence], bytes);
        log
    };
    let mut followed = Followed::new();
    followed.write("a.1.iot", &ring(1, 5));
    assert_eq!(followed.starts(), [0.01]);
    followed.write("a.1.iot", &ring(9, 6));
    assert_eq!(followed.after(1.0).starts(), [0.09]);
    assert_eq!(followed.after(1.0).new_requests(), 0);
}

fn this_host() -> Option<String> {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").ok()?;
    Some(name.trim_end().to_owned())
}

#[test]
#[cfg(target_os = "linux")]
fn a_program_that_has_ended_is_read_a_last_time_and_then_seldom() {
    let host = this_host().expect("a name");
    let log = |records: u64| {
        let mut log = IotLog::new(&host, NOBODY, 0);
        for record in 0..records {
            log.record(WRITE, 1, [record, record], 1);
        }
        log
    };
    let mut followed = Followed::new();
    followed.write("a.1.iot", &log(1));
    assert_eq!(followed.new_requests(), 1);
    followed.write("a.1.iot", &log(2));
    // The look that finds the program ended reads what it left.
    assert_eq!(followed.after(3.0).new_requests(), 1);
    followed.write("a.1.iot", &log(3));
    assert_eq!(followed.after(5.0).new_requests(), 0);
    assert_eq!(followed.after(26.0).new_requests(), 1);
    // It is in a container, where its number is another: it had not ended.
    followed.write("a.1.iot", &with_clocks(log(4), 60));
    assert_eq!(followed.after(31.0).new_requests(), 1);
    followed.write("a.1.iot", &with_clocks(log(5), 61));
    assert_eq!(followed.after(3.0).new_requests(), 1);
    followed.write("a.1.iot", &with_clocks(log(6), 62));
    assert_eq!(followed.after(3.0).new_requests(), 1);
}

#[test]
fn a_program_of_another_machine_that_says_that_it_has_ended_is_looked_at_seldom() {
    let mut followed = Followed::new();
    followed.write("a.1.iot", &ended(log_with(1)));
    assert_eq!(followed.new_requests(), 1);
    // What a thread was held back with.
    followed.write("a.1.iot", &ended(log_with(2)));
    assert_eq!(followed.after(5.0).new_requests(), 1);
    // It is not even opened.
    let [log, aside] = ["a.1.iot", "aside"].map(|name| followed.folder.path().join(name));
    let folder = File::open(followed.folder.path()).expect("a folder");
    let then = std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    let stand_still = || folder.set_modified(then).expect("ours");
    stand_still();
    assert_eq!(followed.after(6.0).new_requests(), 0);
    assert_eq!(followed.after(4.0).new_requests(), 0);
    fs::rename(&log, &aside).expect("there");
    stand_still();
    assert_eq!(followed.after(1.0).new_requests(), 0);
    assert_eq!(followed.codes(), [""; 0]);
    fs::rename(&aside, &log).expect("there");
    followed.write("a.1.iot", &ended(log_with(3)));
    stand_still();
    assert_eq!(followed.after(31.0).new_requests(), 1);
}

#[test]
fn requests_on_files_that_are_wanted_are_read_and_names_are_not_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut log = IotLog::new("elsewhere", 10, 3);
    for file in 0..500 {
        log.name(2 + file, &format!("/scratch/{}", file % 10));
        log.record(WRITE, 2 + file, [10, 20], 1);
        if file % 50 == 49 {
            log.chunk();
        }
    }
    // One that has no name.
    log.record(WRITE, 9999, [10, 20], 1);
    fs::write(folder.path().join("a.1.iot"), log.finish()).expect("room");
    let volume = |files: Option<Box<iotempo_model::FileTest>>| {
        let selection = iotempo_model::Selection {
            files,
            ..Default::default()
        };
        let mut sink = TraceBuilder::default();
        let mut job = GrowingJob::new(folder.path(), &ReadOptions::default());
        job.poll(&mut iotempo_model::Selecting::new(&selection, &mut sink))
            .expect("a folder");
        let trace = sink.finish(Origin::new(Source::Requests), Vec::new());
        assert_eq!(trace.files.iter().count(), 1);
        trace.volume().get()
    };
    assert_eq!(volume(None), 501.0);
    assert_eq!(volume(Some(Box::new(|name| name.ends_with('7')))), 50.0);
    assert_eq!(volume(Some(Box::new(str::is_empty))), 1.0);
}

#[test]
fn a_log_that_was_cut_before_it_was_first_seen_is_told_and_read_as_far_as_it_goes() {
    let mut followed = Followed::new();
    for (name, length) in [
        ("a.1.iot", HEADER_SIZE + 3 * 32 + 5),
        ("b.1.iot", HEADER_SIZE - 1000),
    ] {
        followed.write(name, &log_with(5));
        let path = followed.folder.path().join(name);
        let file = OpenOptions::new().write(true).open(path).expect("there");
        file.set_len(length as u64).expect("shorter");
    }
    assert_eq!(followed.new_requests(), 2);
    // It may be on its way.
    assert_eq!(followed.codes(), [""; 0]);
    assert_eq!(followed.after(5.0).new_requests(), 0);
    assert_eq!(followed.codes(), [""; 0]);
    assert_eq!(followed.after(6.0).new_requests(), 0);
    let mut warnings = followed.job.take_warnings();
    warnings.sort_by_key(|one| one.message.clone());
    let said: Vec<_> = warnings.iter().map(|one| &one.message).collect();
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(
        said[0].contains("a.1.iot: the log was cut at byte 4197"),
        "{said:?}"
    );
    assert!(said[1].contains("b.1.iot: its header is not"), "{said:?}");
    assert_eq!(followed.after(20.0).new_requests(), 0);
    assert_eq!(followed.codes(), [""; 0]);
    // Who leaves earlier is told then.
    let mut early = GrowingJob::new(followed.folder.path(), &ReadOptions::default());
    early.poll(&mut TraceBuilder::default()).expect("a folder");
    assert_eq!(early.take_warnings().len(), 0);
    assert_eq!(early.take_last_warnings().len(), 2);
    assert_eq!(early.take_last_warnings().len(), 0);
}

#[test]
fn room_that_nobody_used_yet_is_no_cut() {
    let mut followed = Followed::new();
    followed.write("a.1.iot", &log_with(5));
    let path = followed.folder.path().join("a.1.iot");
    let file = OpenOptions::new().write(true).open(path).expect("there");
    file.set_len((HEADER_SIZE + CHUNK_SIZE + CHUNK_SIZE / 2) as u64)
        .expect("longer");
    assert_eq!(followed.new_requests(), 5);
    assert_eq!(followed.after(20.0).new_requests(), 0);
    assert_eq!(followed.job.take_last_warnings().len(), 0);
}

#[test]
fn logs_that_were_deleted_are_let_go() {
    let mut followed = Followed::new();
    assert!(!followed.job.is_gone());
    followed.write("a.1.iot", &log_with(1));
    followed.write("a.2.iot", &log_with(1));
    assert_eq!(followed.new_requests(), 2);
    let delete = |name| fs::remove_file(followed.folder.path().join(name)).expect("there");
    delete("a.1.iot");
    followed.write("a.2.iot", &log_with(3));
    assert_eq!(followed.after(1.0).new_requests(), 2);
    assert_eq!(followed.codes(), ["deleted"]);
    assert!(!followed.job.is_gone());
    assert_eq!(followed.after(1.0).codes(), [""; 0]);
    fs::remove_dir_all(followed.folder.path()).expect("there");
    assert_eq!(followed.after(1.0).new_requests(), 0);
    assert_eq!(followed.codes(), ["deleted"]);
    assert!(followed.job.is_gone());
    // And back.
    fs::create_dir(followed.folder.path()).expect("room");
    followed.write("a.3.iot", &log_with(2));
    assert_eq!(followed.after(1.0).new_requests(), 2);
    assert!(!followed.job.is_gone());
}

#[test]
fn a_log_that_was_cut_is_told_once_and_the_others_go_on() {
    let mut followed = Followed::new();
    followed.write("a.1.iot", &log_with(1));
    followed.write("a.2.iot", &log_with(1));
    assert_eq!(followed.new_requests(), 2);
    let path = followed.folder.path().join("a.1.iot");
    let file = OpenOptions::new().write(true).open(path).expect("there");
    file.set_len((HEADER_SIZE + CHUNK_SIZE / 2) as u64)
        .expect("shorter");
    followed.write("a.2.iot", &log_with(2));
    assert_eq!(followed.after(1.0).new_requests(), 1);
    let warnings = followed.job.take_warnings();
    assert_eq!(warnings.len(), 1);
    let said = &warnings[0].message;
    assert!(said.contains("a.1.iot") && said.contains("36864"), "{said}");
    for _ in 0..5 {
        assert_eq!(followed.after(10.0).new_requests(), 0);
        assert_eq!(followed.codes(), [""; 0]);
    }
}

#[test]
fn a_log_in_the_place_of_another_is_followed() {
    let mut followed = Followed::new();
    followed.write("a.1.iot", &log_with(4));
    assert_eq!(followed.new_requests(), 4);
    followed.write("a.1.iot", &loaded_later(log_with(3), 60));
    assert_eq!(followed.after(1.0).new_requests(), 0);
    assert_eq!(followed.codes(), ["replaced"]);
    assert_eq!(followed.after(1.0).starts(), [60.0, 60.1, 60.2]);
    assert_eq!(followed.codes(), [""; 0]);
}

#[test]
fn a_file_that_is_no_log_is_told_once() {
    let mut followed = Followed::new();
    let mut log = log_with(1);
    log.put(offset_of!(Header, version), &9_u32.to_le_bytes());
    followed.write("a.1.iot", &log);
    assert_eq!(followed.new_requests(), 0);
    assert_eq!(followed.codes(), ["damaged"]);
    assert_eq!(followed.after(20.0).new_requests(), 0);
    assert_eq!(followed.codes(), [""; 0]);
}

#[test]
fn a_folder_whose_time_of_change_is_coarse_is_listed_again() {
    let mut followed = Followed::new();
    let folder = File::open(followed.folder.path()).expect("a folder");
    let then = std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    let stand_still = || folder.set_modified(then).expect("ours");
    followed.write("a.1.iot", &log_with(1));
    stand_still();
    assert_eq!(followed.new_requests(), 1);
    // Within the same step of the file system's clock.
    followed.write("a.2.iot", &log_with(1));
    stand_still();
    assert_eq!(followed.after(1.0).new_requests(), 1);
    // Settled: a folder that does not say that it has changed is listed all the same, but seldom.
    assert_eq!(followed.after(4.0).new_requests(), 0);
    followed.write("a.3.iot", &log_with(1));
    stand_still();
    assert_eq!(followed.after(1.0).new_requests(), 0);
    assert_eq!(followed.after(10.0).new_requests(), 1);
    // One that does is listed at once.
    followed.write("a.4.iot", &log_with(1));
    assert_eq!(followed.after(1.0).new_requests(), 1);
}

/// Puts a folder in its place, and takes it away again.
#[test]
fn a_log_that_cannot_be_read_for_a_while_is_tried_again() {
    let mut followed = Followed::new();
    let folder = File::open(followed.folder.path()).expect("a folder");
    let then = std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    // The folder is not listed, so that nothing seems to be deleted.
    let stand_still = || folder.set_modified(then).expect("ours");
    let [log, aside] = ["a.1.iot", "aside"].map(|name| followed.folder.path().join(name));
    followed.write("a.1.iot", &log_with(1));
    stand_still();
    assert_eq!(followed.new_requests(), 1);
    assert_eq!(followed.after(4.0).new_requests(), 0);
    fs::rename(&log, &aside).expect("there");
    fs::create_dir(&log).expect("room");
    stand_still();
    for expected in [&["unreadable"][..], &[]] {
        assert_eq!(followed.after(1.0).new_requests(), 0);
        assert_eq!(followed.codes(), expected);
    }
    fs::remove_dir(&log).expect("empty");
    fs::rename(&aside, &log).expect("there");
    followed.write("a.1.iot", &log_with(3));
    stand_still();
    assert_eq!(followed.after(1.0).new_requests(), 2);
}

#[test]
fn a_folder_below_that_cannot_be_listed_does_not_stop_the_others() {
    let mut followed = Followed::new();
    let folder = File::open(followed.folder.path()).expect("a folder");
    let then = std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    let stand_still = || folder.set_modified(then).expect("ours");
    let [below, aside] = ["node1", "aside"].map(|name| followed.folder.path().join(name));
    for name in ["node1", "node2"] {
        fs::create_dir(followed.folder.path().join(name)).expect("room");
    }
    followed.write("node1/a.1.iot", &log_with(1));
    stand_still();
    assert_eq!(followed.new_requests(), 1);
    assert_eq!(followed.after(4.0).new_requests(), 0);
    // A file in its place.
    fs::rename(&below, &aside).expect("there");
    fs::write(&below, "").expect("room");
    followed.write("node2/a.2.iot", &log_with(2));
    stand_still();
    let mut seen = 0;
    for _ in 0..3 {
        seen += followed.after(0.5).new_requests();
    }
    assert_eq!(seen, 2);
    // Its log cannot be read either.
    assert_eq!(followed.codes(), ["unreadable"; 2]);
    fs::remove_file(&below).expect("there");
    fs::rename(&aside, &below).expect("there");
    followed.write("node1/a.1.iot", &log_with(2));
    followed.write("node1/a.3.iot", &log_with(1));
    stand_still();
    assert_eq!(followed.after(1.0).new_requests(), 2);
}

#[test]
fn logs_of_folders_below_are_found() {
    let mut followed = Followed::new();
    assert_eq!(followed.new_requests(), 0);
    let below = followed.folder.path().join("node1/today");
    fs::create_dir_all(&below).expect("room");
    followed.write("node1/today/a.1.iot", &log_with(2));
    assert_eq!(followed.after(20.0).new_requests(), 2);
    followed.write("node1/today/a.2.iot", &log_with(1));
    assert_eq!(followed.after(20.0).new_requests(), 1);
    fs::remove_dir_all(followed.folder.path().join("node1")).expect("there");
    assert_eq!(followed.after(20.0).new_requests(), 0);
    assert!(followed.job.is_gone());
}

/// A log of a job whose program has come to its end.
fn ended(mut log: IotLog) -> IotLog {
    log.number(offset_of!(Header, flags), flag::ENDED);
    with_clocks(log, 1)
}

fn of_job(mut log: IotLog, name: &str) -> IotLog {
    let mut field = [0; 64];
    field[..name.len()].copy_from_slice(name.as_bytes());
    log.put(offset_of!(Header, job), &field);
    log
}

#[test]
fn a_job_has_ended_when_all_its_programs_have_and_all_is_read() {
    let mut followed = Followed::new();
    assert!(!followed.job.has_ended());
    followed.write("a.1.iot", &log_with(1));
    followed.write("a.2.iot", &ended(log_with(2)));
    assert_eq!(followed.new_requests(), 3);
    assert!(!followed.job.has_ended());
    followed.write("a.1.iot", &ended(log_with(3)));
    assert_eq!(followed.after(1.0).new_requests(), 2);
    assert!(followed.job.has_ended());
    // A file that is no log keeps nobody waiting.
    fs::write(followed.folder.path().join("b.iot"), "What is this?").expect("room");
    assert_eq!(followed.after(1.0).new_requests(), 0);
    assert!(followed.job.has_ended());
    // Another program of it.
    followed.write("a.3.iot", &log_with(1));
    assert_eq!(followed.after(1.0).new_requests(), 1);
    assert!(!followed.job.has_ended());
}

#[test]
fn files_that_are_no_logs_are_named_with_what_they_hold() {
    let mut followed = Followed::new();
    let write =
        |name, text: &[u8]| fs::write(followed.folder.path().join(name), text).expect("room");
    write("short.iot", b"What is this?");
    write("long.iot", &b"garbage ".repeat(1000));
    write("begun.iot", b"");
    assert_eq!(followed.new_requests(), 0);
    let warnings = followed.job.take_warnings();
    let said: Vec<_> = warnings.iter().map(|one| one.message.as_str()).collect();
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(
        said[0].contains("long.iot") && said[0].contains("\"garbage \""),
        "{said:?}"
    );
    assert!(
        said[1].contains("short.iot") && said[1].contains("What is"),
        "{said:?}"
    );
    assert_eq!(followed.after(20.0).new_requests(), 0);
    assert_eq!(followed.codes(), ["incomplete"]);
    assert_eq!(followed.after(20.0).new_requests(), 0);
    assert_eq!(followed.codes(), [""; 0]);
}

#[test]
fn logs_of_several_jobs_are_told() {
    let mut followed = Followed::new();
    for name in ["x", "y"] {
        fs::create_dir(followed.folder.path().join(name)).expect("room");
    }
    followed.write("x/a.1.iot", &of_job(log_with(1), "one"));
    assert_eq!(followed.new_requests(), 1);
    assert_eq!(jobs_in(followed.folder.path()).len(), 1);
    // Another machine of the same job.
    followed.write("y/b.1.iot", &of_job(log_with(1), "one"));
    assert_eq!(followed.after(20.0).new_requests(), 1);
    assert_eq!(followed.codes(), [""; 0]);
    followed.write("y/a.2.iot", &of_job(log_with(1), "two"));
    assert_eq!(followed.after(20.0).new_requests(), 1);
    assert_eq!(followed.codes(), ["several-jobs"]);
    assert!(jobs_in(followed.folder.path()).keys().eq(["one", "two"]));
}

#[test]
#[cfg(unix)]
fn a_link_in_the_place_of_the_folder_leads_nowhere_where_that_is_asked_for() {
    let mut followed = Followed::new();
    followed.write("a.1.iot", &log_with(1));
    let elsewhere = tempfile::tempdir().expect("a folder");
    let link = elsewhere.path().join("link");
    std::os::unix::fs::symlink(followed.folder.path(), &link).expect("room");
    followed.job = GrowingJob::new(&link, &ReadOptions::default());
    assert_eq!(followed.new_requests(), 1);
    let mut strict = GrowingJob::new(&link, &ReadOptions::default()).refusing_links();
    let refused = strict.poll(&mut TraceBuilder::default());
    assert!(refused.expect_err("a link").to_string().contains("a link"));
}

#[test]
#[cfg(unix)]
fn a_link_in_the_place_of_a_folder_below_leads_nowhere() {
    let mut followed = Followed::new();
    let secret = tempfile::tempdir().expect("a folder");
    let [below, aside] = ["node", "aside"].map(|name| followed.folder.path().join(name));
    fs::create_dir(&below).expect("room");
    followed.write("node/a.1.iot", &log_with(2));
    followed.write("b.1.iot", &log_with(1));
    fs::write(secret.path().join("a.1.iot"), log_with(5).finish()).expect("room");
    assert_eq!(followed.new_requests(), 3);
    let before = followed.folder.path().metadata().expect("there");
    fs::rename(&below, &aside).expect("there");
    fs::remove_dir_all(&aside).expect("there");
    std::os::unix::fs::symlink(secret.path(), &below).expect("room");
    // As on a file system that does not tell that a folder has changed.
    let folder = File::open(followed.folder.path()).expect("there");
    let modified = before.modified().expect("a time");
    folder.set_modified(modified).expect("ours");
    for _ in 0..3 {
        assert_eq!(followed.after(4.0).new_requests(), 0);
        assert_eq!(followed.job.logs.len(), 1);
    }
    assert_eq!(followed.codes(), ["deleted"]);
    // A folder is followed again.
    fs::remove_file(&below).expect("there");
    fs::create_dir(&below).expect("room");
    followed.write("node/c.1.iot", &log_with(4));
    assert_eq!(followed.after(20.0).new_requests(), 4);
}
