//! `iostat`, `sar` and `collectl` at work on this machine, while a file of known size is written.
//!
//! What they saw is compared with `/proc/diskstats`, which they all read, and with the file. The
//! file is written past the page cache (`O_DIRECT`), or, where a file system has no such way,
//! flushed (`fsync`), so that its bytes reach the disk while the monitors look.
//!
//! Tolerances: a monitor's first and last look at the counters lie inside the test's own, and nobody
//! else is kept from writing; so what a monitor saw lies between what was written and what the
//! counters grew by, but for rounding: a rate of `iostat -x` and `sar` has two digits and an interval
//! that is off by a tick of 10 ms (1 %), one of `collectl -P` no fraction and a stamp of whole
//! seconds, so that the interval may be off by a few ticks (3 %).

use crate::kept::{read_input, read_text};
use iotempo_formats::Input;
use iotempo_formats::server::{Options, Quantity};
use iotempo_formats::zone::TimeZone;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::thread::sleep;
use std::time::Duration;

/// What is written.
const SIZE: usize = 32 << 20;

/// One at a time: what one writes, all see.
static TURN: Mutex<()> = Mutex::new(());

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A program of Debian's packages: installed, or unpacked by `scripts/setup.sh`.
fn program(test: &str, folder: &str, name: &str) -> Option<PathBuf> {
    let unpacked = workspace().join("target/debian").join(folder).join(name);
    let installed = Path::new("/").join(folder).join(name);
    let found = [installed, unpacked].into_iter().find(|path| path.exists());
    if found.is_none() {
        eprintln!("SKIPPED {test}: there is no {name} (scripts/setup.sh unpacks it)");
    }
    found
}

fn command(program: &Path) -> Command {
    let mut command = Command::new(program);
    let libraries = workspace().join("target/debian/usr/lib/x86_64-linux-gnu");
    command
        .env("LD_LIBRARY_PATH", libraries)
        .env("LC_ALL", "C")
        .env("TZ", "UTC")
        .env("S_TIME_FORMAT", "ISO")
        .stdin(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// What a disk counted of what was written to it, or how much more it did.
#[derive(Debug, Clone, Copy)]
struct Written {
    bytes: f64,
    writes: f64,
}

impl Written {
    fn of(words: &[&str]) -> Option<Self> {
        let counter = |at: usize| words[at].parse::<u64>().ok();
        Some(Self {
            bytes: counter(9)? as f64 * 512.0,
            writes: counter(7)? as f64,
        })
    }
}

/// The disk that a folder is on, by its name, and what was written to it so far.
fn disk(folder: &Path) -> Option<(String, Written)> {
    let device = fs::metadata(folder).ok()?.dev();
    let (major, minor) = (major_of(device), minor_of(device));
    let stats = fs::read_to_string("/proc/diskstats").ok()?;
    let mut lines = stats
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>());
    let line = lines.find(|words| {
        words.len() > 9 && words[0] == major.to_string() && words[1] == minor.to_string()
    })?;
    let name = line[2];
    if Path::new("/sys/block").join(name).exists() {
        return Some((name.to_owned(), Written::of(&line)?));
    }
    // A partition lies in the folder of its disk.
    let part = fs::canonicalize(Path::new("/sys/class/block").join(name)).ok()?;
    let whole = part.parent()?.file_name()?.to_str()?;
    let mut lines = stats
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>());
    let line = lines.find(|words| words.len() > 9 && words[2] == whole)?;
    Some((whole.to_owned(), Written::of(&line)?))
}

/// As `<sys/sysmacros.h>` splits the number of a device.
fn major_of(device: u64) -> u64 {
    ((device >> 8) & 0xfff) | ((device >> 32) & !0xfff)
}

fn minor_of(device: u64) -> u64 {
    (device & 0xff) | ((device >> 12) & !0xff)
}

/// A folder on a disk.
fn folder(test: &str) -> Option<tempfile::TempDir> {
    let below = [
        PathBuf::from(env!("CARGO_TARGET_TMPDIR")),
        std::env::temp_dir(),
    ];
    let mut folders = below
        .into_iter()
        .filter_map(|path| tempfile::tempdir_in(path).ok());
    let found = folders.find(|folder| disk(folder.path()).is_some());
    if found.is_none() {
        eprintln!("SKIPPED {test}: neither target nor the temporary folder is on a disk");
    }
    found
}

fn write_file(folder: &Path) {
    let path = folder.join("written");
    let block = vec![0x5a_u8; 2 << 20];
    // Blocks of O_DIRECT begin at a multiple of their sector's size in memory.
    let offset = block.as_ptr().align_offset(4096);
    let block = &block[offset..offset + (1 << 20)];
    const O_DIRECT: i32 = 0o40000;
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    let direct = options.clone().custom_flags(O_DIRECT).open(&path);
    let mut file: File = direct.or_else(|_| options.open(&path)).unwrap();
    for _ in 0..SIZE / block.len() {
        file.write_all(block).unwrap();
        sleep(Duration::from_millis(20));
    }
    file.sync_all().unwrap();
}

/// Runs monitors while a file is written; what they printed, and by how much the disk's counters
/// grew meanwhile.
fn watched(monitors: Vec<Command>, folder: &Path) -> (Vec<Vec<u8>>, Written) {
    let (_, before) = disk(folder).unwrap();
    let start = |mut monitor: Command| monitor.stdout(Stdio::piped()).spawn().unwrap();
    let running: Vec<Child> = monitors.into_iter().map(start).collect();
    // Their first look comes before the first byte, and their last one after the last.
    sleep(Duration::from_millis(2500));
    write_file(folder);
    let ended = running.into_iter().map(|child| {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{:?}", output.status);
        output.stdout
    });
    let printed = ended.collect();
    let (_, after) = disk(folder).unwrap();
    let grown = Written {
        bytes: after.bytes - before.bytes,
        writes: after.writes - before.writes,
    };
    (printed, grown)
}

fn written(log: Vec<u8>, disk: &str) -> f64 {
    counted(log, Quantity::Bytes, &[disk])
}

/// What was written to the only one of these targets.
fn counted(log: Vec<u8>, quantity: Quantity, targets: &[&str]) -> f64 {
    let options = Options {
        quantity,
        zone: TimeZone::utc(),
        targets: targets.iter().map(|&one| one.to_owned()).collect(),
        ..Options::default()
    };
    let (reading, kept) = read_input(Input::bytes(log), &options).unwrap();
    assert_eq!(kept.targets.len(), 1, "{:?}", reading.warnings);
    assert!(!reading.damaged);
    reading.bytes[1]
}

/// What is wrong with the bytes that were found.
fn wrong(what: &str, found: f64, grown: Written, tolerance: f64) -> Option<String> {
    let least = SIZE as f64 * (1.0 - tolerance);
    let grown = grown.bytes;
    let most = grown * (1.0 + tolerance);
    let right = (least..=most).contains(&found);
    (!right).then(|| {
        format!("{what}: {found} bytes, of {SIZE} written and {grown} that the disk counted")
    })
}

/// What is wrong with the operations that were found. How many the file took is the disk's own affair: at least
/// one for each 16 MiB, and no more than all that it counted.
fn wrong_operations(what: &str, found: f64, grown: Written, tolerance: f64) -> Option<String> {
    let least = (SIZE >> 24) as f64;
    let most = grown.writes * (1.0 + tolerance);
    let right = (least..=most).contains(&found);
    (!right).then(|| format!("{what}: {found} writes, of {grown:?} that the disk counted"))
}

/// Tries up to three times: on a busy machine a monitor may look too late.
fn tried(once: impl Fn() -> Option<String>) {
    let mut wrong = Vec::new();
    while wrong.len() < 3 {
        match once() {
            None => return,
            Some(one) => wrong.push(one),
        }
    }
    panic!("{wrong:#?}");
}

#[test]
fn iostat_sees_the_bytes_that_are_written() {
    let test = "iostat_sees_the_bytes_that_are_written";
    let _turn = TURN.lock();
    let (Some(iostat), Some(folder)) = (program(test, "usr/bin", "iostat"), folder(test)) else {
        return;
    };
    let (name, _) = disk(folder.path()).unwrap();
    let all: [(&[&str], f64); 5] = [
        (&["-k", "-d"], 0.001),
        (&["-x", "-k", "-t"], 0.01),
        (&["-o", "JSON", "-k", "-t"], 0.001),
        (&["-x", "-y", "-m", "-t", "-p", "ALL"], 0.01),
        // One digit behind the point.
        (&["-h", "-d", "-t"], 0.06),
    ];
    tried(|| {
        let monitor = |(options, _): &(&[&str], f64)| {
            let mut monitor = command(&iostat);
            monitor.args(*options).args(["1", "8"]);
            monitor
        };
        let (logs, grown) = watched(all.iter().map(monitor).collect(), folder.path());
        let mut both = all.into_iter().zip(logs);
        both.find_map(|((options, tolerance), log)| {
            let what = format!("iostat {options:?}");
            let writes = options.contains(&"-x").then(|| {
                let found = counted(log.clone(), Quantity::Operations, &[name.as_str()]);
                wrong_operations(&what, found, grown, tolerance)
            });
            let bytes = wrong(&what, written(log, &name), grown, tolerance);
            bytes.or(writes.flatten())
        })
    });
}

#[test]
fn sar_and_sadf_see_the_bytes_that_are_written() {
    let test = "sar_and_sadf_see_the_bytes_that_are_written";
    let _turn = TURN.lock();
    // What Debian calls sar is an alternative; sar itself looks for sadc where it was installed.
    let sadc = program(test, "usr/lib/sysstat", "sadc");
    let sar = program(test, "usr/bin", "sar.sysstat");
    let (Some(sadc), Some(sar)) = (sadc, sar) else {
        return;
    };
    let (Some(sadf), Some(folder)) = (program(test, "usr/bin", "sadf"), folder(test)) else {
        return;
    };
    let (name, _) = disk(folder.path()).unwrap();
    let file = folder.path().join("sa");
    let printed = |program: &Path, before: &[&str], after: &[&str]| {
        let mut command = command(program);
        let output = command
            .args(before)
            .arg(&file)
            .args(after)
            .output()
            .unwrap();
        assert!(output.status.success(), "{before:?} {after:?}");
        output.stdout
    };
    tried(|| {
        // It adds to what is there.
        let _ = fs::remove_file(&file);
        let mut monitor = command(&sadc);
        monitor.args(["-S", "XDISK", "1", "8"]).arg(&file);
        let (_, grown) = watched(vec![monitor], folder.path());
        let of_sar = [&["-d", "-f"][..], &["-d", "-b", "-p", "-f"]]
            .into_iter()
            .find_map(|options| {
                let found = written(printed(&sar, options, &[]), &name);
                wrong(&format!("sar {options:?}"), found, grown, 0.01)
            });
        let of_sadf = || {
            ["-d", "-j", "-x", "-p"].into_iter().find_map(|form| {
                let found = written(printed(&sadf, &[form], &["--", "-d", "-b"]), &name);
                wrong(&format!("sadf {form}"), found, grown, 0.01)
            })
        };
        of_sar.or_else(of_sadf)
    });
    let error = read_text(fs::read(&file).unwrap()).unwrap_err();
    assert!(error.to_string().contains("sadf -d FILE -- -d"), "{error}");
}

#[test]
fn collectl_sees_the_bytes_that_are_written() {
    let test = "collectl_sees_the_bytes_that_are_written";
    let _turn = TURN.lock();
    let (Some(collectl), Some(folder)) = (program(test, "usr/bin", "collectl"), folder(test))
    else {
        return;
    };
    let (name, _) = disk(folder.path()).unwrap();
    tried(|| {
        let recording = tempfile::tempdir_in(folder.path()).unwrap();
        let mut plot = command(&collectl);
        plot.args(["-sdD", "-i1", "-c8", "-P", "-om"]);
        let mut recorder = command(&collectl);
        recorder
            .args(["-sdD", "-i1", "-c8", "-f"])
            .arg(recording.path());
        let (mut logs, grown) = watched(vec![plot, recorder], folder.path());
        let mut files = fs::read_dir(recording.path())
            .unwrap()
            .map(|file| file.unwrap().path());
        let is_raw = |path: &PathBuf| path.to_string_lossy().contains(".raw");
        let recorded = fs::read(files.find(is_raw).unwrap()).unwrap();
        let plotted = written(logs.remove(0), &name);
        // Counters are exact.
        let writes = counted(recorded.clone(), Quantity::Operations, &[name.as_str()]);
        let writes = wrong_operations("collectl -f", writes, grown, 0.0);
        let exact = wrong("collectl -f", written(recorded, &name), grown, 0.0).or(writes);
        exact.or_else(|| wrong("collectl -P", plotted, grown, 0.03))
    });
}
