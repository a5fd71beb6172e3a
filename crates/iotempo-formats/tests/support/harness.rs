//! Runs a reader on many mutated inputs, and says which one it could not take.

use super::rng::Rng;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A run that takes longer hangs: the inputs are small.
const LONGEST_RUN: Duration = Duration::from_secs(5);

/// What all runs together may add to the memory of the process.
const MOST_MEMORY: u64 = 256 << 20;

/// Makes an input from the corpus.
pub(crate) type Mutator = fn(&mut Rng, &[Vec<u8>]) -> Vec<u8>;

/// Reads the unmutated corpus of `reader`, then mutations of it.
///
/// `IOTEMPO_MUTATIONS` says how many (20,000), `IOTEMPO_SEED` which, and `IOTEMPO_INDEX` runs one
/// of them alone.
pub(crate) fn run(name: &'static str, reader: &str, body: fn(&[u8]), mutated: Mutator) {
    let corpus = corpus(reader);
    let before = peak_memory();
    corpus.iter().for_each(|file| body(file));
    let seed = number("IOTEMPO_SEED").unwrap_or(20_251_115);
    let runs = match number("IOTEMPO_INDEX") {
        Some(index) => index..index + 1,
        None => 0..number("IOTEMPO_MUTATIONS").unwrap_or(20_000),
    };
    let watchdog = Watchdog::new(name);
    for index in runs {
        // Each input depends on its index alone, so that one can be made again.
        let mut rng = Rng::new(Rng::new(seed ^ index.rotate_left(32)).next());
        let input = Arc::new(mutated(&mut rng, &corpus));
        let run = format!("{name}-{seed}-{index}");
        watchdog.begin(&run, &input);
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| body(&input))) {
            complain(&run, &input, "panicked");
            resume_unwind(panic);
        }
        watchdog.end();
    }
    if let (Some(before), Some(after)) = (before, peak_memory()) {
        // The kernel counts in batches: a later peak may seem lower.
        let grown = after.saturating_sub(before);
        assert!(grown <= MOST_MEMORY, "{name}: memory grew by {grown} bytes");
    }
}

/// The files of `testdata/corpus/<reader>`, in the order of their names; `*` stands for all readers.
pub(crate) fn corpus(reader: &str) -> Vec<Vec<u8>> {
    let corpora = workspace().join("testdata/corpus");
    let paths = match reader {
        "*" => entries(&corpora)
            .iter()
            .flat_map(|path| entries(path))
            .collect(),
        _ => entries(&corpora.join(reader)),
    };
    let read = |path| std::fs::read(path).expect("a file of the corpus");
    paths.into_iter().map(read).collect()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a corpus");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "{} is empty", folder.display());
    paths
}

pub(crate) fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn number(variable: &str) -> Option<u64> {
    let value = std::env::var(variable).ok()?;
    Some(
        value
            .parse()
            .unwrap_or_else(|_| panic!("{variable}={value}: not a number")),
    )
}

/// Keeps the input and says how to run it again.
fn complain(name: &str, input: &[u8], what: &str) {
    let folder = workspace().join("target/mutations");
    let path = folder.join(name);
    let kept = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&path, input));
    let place = match kept {
        Ok(()) => format!("kept as {}", path.display()),
        Err(error) => format!("could not be kept: {error}"),
    };
    let mut words = name.rsplit('-');
    let (index, seed) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
    // Not `eprintln`, which the test runner keeps back and loses when the process is ended.
    let _ = writeln!(
        std::io::stderr(),
        "{name} {what}: {place}; IOTEMPO_SEED={seed} IOTEMPO_INDEX={index} runs it again"
    );
}

/// The most memory that the process ever had, where the system says it.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kilobytes << 10)
}

/// Ends the process when a run takes too long: nothing else can.
struct Watchdog {
    current: Arc<Mutex<Option<Run>>>,
    done: Arc<AtomicBool>,
}

struct Run {
    name: String,
    input: Arc<Vec<u8>>,
    since: Instant,
}

impl Watchdog {
    fn new(reader: &'static str) -> Self {
        let watchdog = Self {
            current: Arc::default(),
            done: Arc::default(),
        };
        let (current, done) = (watchdog.current.clone(), watchdog.done.clone());
        let watch = move || {
            while !done.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(200));
                let run = current.lock().expect("no one panics with it");
                if let Some(run) = run.as_ref().filter(|run| run.since.elapsed() > LONGEST_RUN) {
                    complain(&run.name, &run.input, "takes more than 5 s");
                    std::process::abort();
                }
            }
        };
        let thread = std::thread::Builder::new().name(format!("{reader} watchdog"));
        thread.spawn(watch).expect("a thread");
        watchdog
    }

    fn begin(&self, name: &str, input: &Arc<Vec<u8>>) {
        *self.current.lock().expect("no one panics with it") = Some(Run {
            name: name.to_owned(),
            input: input.clone(),
            since: Instant::now(),
        });
    }

    fn end(&self) {
        *self.current.lock().expect("no one panics with it") = None;
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
    }
}
