//! Lustre: the counters of `stats` and `job_stats`, looked at once or again and again.
//!
//! A file holds what `lctl get_param` or `cat` wrote, one snapshot after another. All counters only
//! grow, and a counter has no line until it is used for the first time: where none is, it is zero.

mod line;
mod log;
mod source;

use super::options::{Options, Reading};
use crate::error::{Error, ErrorKind, Place};
use crate::input::Input;
use crate::table::lines::Lines;
use crate::zone::is_time;
use iotempo_model::ThroughputSink;
use log::Log;
use source::{Content, Level, announced};

/// A script that takes snapshots may write the time, or a name, before the first of them.
const LINES_BEFORE: usize = 3;

/// What a line begins.
enum Beginning<'a> {
    Source(source::Source, &'a str),
    Snapshot(&'a str),
    Jobs,
    Histograms,
}

impl<'a> Beginning<'a> {
    fn of(line: &'a str) -> Option<Self> {
        if let Some((source, rest)) = announced(line) {
            return Some(Self::Source(source, rest));
        }
        let trimmed = line.trim_end();
        if trimmed == "job_stats:" {
            return Some(Self::Jobs);
        }
        let time = trimmed.strip_prefix("snapshot_time")?;
        // Histograms have a colon there; entries of jobs are indented.
        if time.starts_with(':') {
            return Some(Self::Histograms);
        }
        let secs = time.starts_with([' ', '\t']) && time.contains("secs");
        secs.then_some(Self::Snapshot(time))
    }
}

fn lines(head: &[u8]) -> impl Iterator<Item = &str> {
    let lines = head.split(|&byte| byte == b'\n');
    lines.map(|line| {
        std::str::from_utf8(line)
            .unwrap_or("")
            .trim_end_matches('\r')
    })
}

pub(super) fn sniff(head: &[u8]) -> bool {
    let mut before = 0;
    for line in lines(head).filter(|line| !line.trim().is_empty()) {
        if Beginning::of(line).is_some_and(|beginning| match beginning {
            // A parameter alone is not enough: many things are written as `a.b.c=d`.
            Beginning::Source(source, _) => source.content != Content::Other,
            Beginning::Snapshot(_) | Beginning::Jobs | Beginning::Histograms => true,
        }) {
            return true;
        }
        let parameter = announced(line).is_some();
        before += usize::from(!parameter);
        if before > LINES_BEFORE || !(parameter || is_time(line)) {
            return false;
        }
    }
    false
}

/// The level that is handed on, as far as the first bytes tell.
fn best_level(head: &[u8]) -> Option<Level> {
    let sources = lines(head).filter_map(announced).map(|(source, _)| source);
    let counted = |source: &source::Source| {
        matches!(source.content, Content::Stats | Content::Jobs) && !source.metadata
    };
    sources.filter(counted).map(|source| source.level).min()
}

pub(super) fn read(
    input: Input,
    options: &Options,
    sink: &mut dyn ThroughputSink,
) -> Result<Reading, Error> {
    let level = best_level(input.head());
    let mut lines = Lines::new(input.into_reader(), &options.limits);
    let mut log = Log::new(options, sink, level);
    let mut text = Vec::new();
    let damage = loop {
        text.clear();
        match lines.append_to(&mut text) {
            Ok(false) => break None,
            Err(error) => break Some(error),
            Ok(true) => {}
        }
        let place = Place::Line(lines.number());
        let failed = |error| Error::new("", place, ErrorKind::Io(error));
        let line = String::from_utf8_lossy(&text);
        if lines.is_whole() {
            log.line(&line, place).map_err(failed)?;
        } else {
            log.cut_off(&line, place).map_err(failed)?;
        }
        if log.bad.verdict_is_due() {
            log.bad.judge()?;
        }
    };
    log.finish(damage)
}
