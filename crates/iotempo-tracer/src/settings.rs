//! What the environment asks for, read once when the library is loaded.

use crate::filter::Filter;
use crate::text::{PathText, Text};
use crate::{clock, files, process, sys};
use core::ffi::CStr;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, AtomicU8, Ordering::*};
use iotempo_model::wire::{CHUNK_SIZE, HEADER_SIZE};

/// Bits of the layers that are traced.
pub(crate) const POSIX: u8 = 1;
pub(crate) const STDIO: u8 = 1 << 1;
pub(crate) const MPIIO: u8 = 1 << 2;

static LAYERS: AtomicU8 = AtomicU8::new(0);
static SETTINGS: AtomicPtr<Settings> = AtomicPtr::new(null_mut());

/// What holds for this process and for what it forks.
pub(crate) struct Settings {
    /// The folder of the job's logs, absolute.
    pub(crate) folder: PathText,
    pub(crate) job: Text<64>,
    pub(crate) host: Text<64>,
    pub(crate) filter: Filter,
    /// Whether pipes and sockets count, too.
    pub(crate) all: bool,
    /// How many chunks a log may have before old ones are written over.
    pub(crate) max_chunks: Option<u32>,
    pub(crate) coalesce_ns: u64,
    pub(crate) rank: i32,
    pub(crate) ranks: u32,
    /// What `stderr` was when the program began.
    pub(crate) stderr: Option<(u64, u64)>,
}

/// Whether a layer is traced.
#[inline(always)]
pub(crate) fn wants(layer: u8) -> bool {
    LAYERS.load(Relaxed) & layer != 0
}

/// Lets every call pass untouched from now on.
pub(crate) fn stop() {
    LAYERS.store(0, Relaxed);
}

pub(crate) fn get() -> Option<&'static Settings> {
    unsafe { SETTINGS.load(Acquire).as_ref() }
}

/// Reads the environment; without `IOTEMPO_DIR` nothing is traced.
pub(crate) extern "C" fn load() {
    let Some(folder) = variable(c"IOTEMPO_DIR").filter(|dir| !dir.is_empty()) else {
        return;
    };
    let Some(filter) = filter() else { return };
    let Ok(memory) = sys::map_private(size_of::<Settings>()) else {
        return;
    };
    let settings = memory.cast::<Settings>();
    unsafe { settings.write(from_environment(folder, filter)) };
    SETTINGS.store(settings, Release);
    clock::choose();
    if process::make() {
        LAYERS.store(layers(), Relaxed);
    }
}

fn from_environment(folder: &[u8], filter: Filter) -> Settings {
    let mut settings = Settings {
        folder: PathText::new(),
        job: job(),
        host: host(),
        filter,
        all: number(c"IOTEMPO_ALL").is_some_and(|n| n > 0),
        max_chunks: number(c"IOTEMPO_MAX_SIZE").map(chunks_within),
        coalesce_ns: number(c"IOTEMPO_COALESCE_NS").unwrap_or(0),
        rank: first(&RANKS)
            .and_then(|n| i32::try_from(n).ok())
            .unwrap_or(-1),
        ranks: first(&SIZES)
            .and_then(|n| u32::try_from(n).ok())
            .unwrap_or(0),
        stderr: sys::identity(2),
    };
    push_absolute(&mut settings.folder, folder);
    settings.folder.push(b"/");
    settings.folder.push_component(settings.job.as_bytes());
    settings
}

/// Which files are wanted. A pattern that is none would trace too much or nothing: it is told.
fn filter() -> Option<Filter> {
    let text = |name| variable(name).unwrap_or_default();
    let (include, exclude) = (text(c"IOTEMPO_INCLUDE"), text(c"IOTEMPO_EXCLUDE"));
    let filter = Filter::new(include, exclude, temporary(&mut PathText::new()));
    if filter.is_err() {
        sys::write(
            2,
            b"iotempo: nothing is traced: IOTEMPO_INCLUDE or IOTEMPO_EXCLUDE is no pattern\n",
        );
    }
    filter.ok()
}

/// Where MPI libraries put their temporary files, as the kernel calls it.
fn temporary(name: &mut PathText) -> &[u8] {
    let set = [c"TMPDIR", c"TEMP", c"TMP"].into_iter().find_map(variable);
    let mut folder = Text::<256>::new();
    folder.push(set.filter(|folder| !folder.is_empty()).unwrap_or(b"/tmp"));
    if !files::resolved(folder.as_c(), name) {
        name.clear();
    }
    name.as_bytes()
}

/// One chunk to write and one that is kept are the least that makes a ring.
fn chunks_within(size: u64) -> u32 {
    let chunks = size.saturating_sub(HEADER_SIZE as u64) / CHUNK_SIZE as u64;
    u32::try_from(chunks).unwrap_or(u32::MAX).max(2)
}

fn layers() -> u8 {
    let Some(list) = variable(c"IOTEMPO_LAYERS") else {
        return POSIX | STDIO | MPIIO;
    };
    list.split(|&byte| byte == b',')
        .fold(0, |layers, name| match name {
            b"posix" => layers | POSIX,
            b"stdio" => layers | STDIO,
            b"mpiio" => layers | MPIIO,
            _ => layers,
        })
}

/// Launchers tell each process its rank, each in its own words.
const RANKS: [&CStr; 5] = [
    c"OMPI_COMM_WORLD_RANK",
    c"PMIX_RANK",
    c"PMI_RANK",
    c"MV2_COMM_WORLD_RANK",
    c"SLURM_PROCID",
];
const SIZES: [&CStr; 4] = [
    c"OMPI_COMM_WORLD_SIZE",
    c"PMI_SIZE",
    c"MV2_COMM_WORLD_SIZE",
    c"SLURM_NTASKS",
];
const JOBS: [&CStr; 4] = [c"IOTEMPO_JOB", c"SLURM_JOB_ID", c"PBS_JOBID", c"LSB_JOBID"];

fn first(names: &[&CStr]) -> Option<u64> {
    names.iter().find_map(|name| number(name))
}

fn job() -> Text<64> {
    let named = JOBS
        .iter()
        .find_map(|name| variable(name).filter(|job| !job.is_empty()));
    let mut job = Text::new();
    job.push(named.unwrap_or(b"job"));
    job
}

fn host() -> Text<64> {
    let mut system = core::mem::MaybeUninit::<libc::utsname>::zeroed();
    let mut host = Text::new();
    unsafe {
        if libc::uname(system.as_mut_ptr()) == 0 {
            let name = &raw const (*system.as_ptr()).nodename;
            host.push_component(CStr::from_ptr(name.cast()).to_bytes());
        }
    }
    host
}

/// Adds a path from the root of the file system.
pub(crate) fn push_absolute(path: &mut PathText, folder: &[u8]) {
    if !folder.starts_with(b"/") {
        path.push_with(|room| sys::readlink(c"/proc/self/cwd", room).map(<[u8]>::len));
        path.push(b"/");
    }
    path.push(folder.strip_suffix(b"/").unwrap_or(folder));
}

fn number(name: &CStr) -> Option<u64> {
    core::str::from_utf8(variable(name)?)
        .ok()?
        .trim()
        .parse()
        .ok()
}

fn variable(name: &CStr) -> Option<&'static [u8]> {
    unsafe {
        let value = libc::getenv(name.as_ptr());
        (!value.is_null()).then(|| CStr::from_ptr(value).to_bytes())
    }
}
