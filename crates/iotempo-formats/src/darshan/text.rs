//! What the texts of `darshan-parser` and `darshan-dxt-parser` have in common.

use super::log::{Damage, Log, Mount};
use super::module::Module;
use super::{dxt_text, parser_text};
use crate::Format;
use crate::error::shortened;
use crate::error::{Error, ErrorKind, Place};
use crate::limits::Limits;
use iotempo_model::{Warning, counted};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{BufRead, Read};

/// Whether these bytes begin the text of one of Darshan's tools.
///
/// The first line of data tells; a text that does not reach one within these bytes is told by the
/// comments before it. Lines may have been cut out of a text, so its heading may be missing.
pub(super) fn detect(head: &[u8]) -> Option<Format> {
    let mut heading = false;
    // Line by line: mostly, the first tells.
    for line in head.split(|&byte| byte == b'\n') {
        let line = &*String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line));
        if line.trim().is_empty() {
            continue;
        }
        if !line.starts_with('#') {
            return if dxt_text::is_request(line) {
                Some(Format::DarshanDxtText)
            } else if heading || parser_text::is_counter(line) {
                Some(Format::DarshanParserText)
            } else {
                None
            };
        }
        heading |= line.starts_with("# darshan log version:");
        let of_dxt = ["# DXT, ", "# DXT_", "# no DXT module data"];
        let a_region = line.contains(" bytes (");
        if !a_region && of_dxt.iter().any(|begin| line.starts_with(begin)) {
            return Some(Format::DarshanDxtText);
        }
    }
    heading.then_some(Format::DarshanParserText)
}

/// Lines of bounded length, counted.
pub(super) struct Lines<R> {
    reader: R,
    longest: u64,
    line: Vec<u8>,
    number: u64,
    begin: u64,
    end: u64,
}

/// Where a line is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Spot {
    /// Counted from 1.
    pub(super) line: u64,
    /// Offset into the text.
    pub(super) offset: u64,
    /// Whether the text ends in it, without a line break.
    pub(super) cut: bool,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(reader: R, limits: &Limits) -> Self {
        Self {
            reader,
            longest: limits.name,
            line: Vec::new(),
            number: 0,
            begin: 0,
            end: 0,
        }
    }

    /// Goes to the next line; `false` at the end.
    pub(super) fn advance(&mut self) -> Result<bool, Error> {
        self.line.clear();
        self.begin = self.end;
        self.number += 1;
        let place = Place::Line(self.number);
        let mut bounded = (&mut self.reader).take(self.longest.saturating_add(1));
        let read = bounded.read_until(b'\n', &mut self.line);
        let got = read.map_err(|error| Error::new("", place, error))? as u64;
        if got > self.longest {
            let (what, limit) = ("a line of text", self.longest);
            return Err(Error::new("", place, ErrorKind::Budget { what, limit }));
        }
        self.end += got;
        Ok(got > 0)
    }

    /// The line, without its line break.
    pub(super) fn text(&self) -> Cow<'_, str> {
        let line = self.line.strip_suffix(b"\n").unwrap_or(&self.line);
        String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line))
    }

    /// Where the line is.
    pub(super) fn spot(&self) -> Spot {
        Spot {
            line: self.number,
            offset: self.begin,
            cut: self.line.last().is_some_and(|&byte| byte != b'\n'),
        }
    }
}

impl Spot {
    /// Damage that was met here.
    pub(super) fn damage(self, message: impl std::fmt::Display) -> Damage {
        Damage {
            offset: self.offset,
            message: format!("line {}: {message}", self.line),
        }
    }
}

/// How often something happened, and where first.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) count: u64,
    pub(super) first: Spot,
    /// What it was about when it happened first.
    pub(super) example: String,
}

impl Tally {
    pub(super) fn add(&mut self, spot: Spot, example: &str) {
        if self.count == 0 {
            self.first = spot;
            self.example = shortened(example);
        }
        self.count += 1;
    }
}

/// What the comments of a text say about the job and the log.
#[derive(Debug, Default)]
pub(super) struct Heading {
    /// The log, without modules.
    pub(super) log: Log,
    /// Version of each module that the log has.
    pub(super) versions: BTreeMap<Module, u32>,
    /// Modules that dropped records for want of memory.
    pub(super) partial: Vec<Module>,
    bad: Tally,
}

impl Heading {
    /// Takes one comment line.
    pub(super) fn take(&mut self, line: &str, spot: Spot) {
        let comment = line
            .strip_prefix("# ")
            .and_then(|comment| comment.split_once(':'));
        let Some((key, value)) = comment else { return };
        let value = value.strip_prefix(' ').unwrap_or(value);
        if self.set(key, value).is_none() {
            self.bad.add(spot, line);
        }
    }

    /// `None` for a value that cannot be.
    fn set(&mut self, key: &str, value: &str) -> Option<()> {
        let job = &mut self.log.job;
        match key {
            "darshan log version" => value.clone_into(&mut self.log.version),
            "compression method" => self.log.compression = compression(value)?,
            "exe" => value.clone_into(&mut job.exe),
            "uid" => job.uid = value.trim().parse().ok()?,
            "jobid" => job.jobid = value.trim().parse().ok()?,
            "start_time" => job.start_s = value.trim().parse().ok()?,
            "end_time" => job.end_s = value.trim().parse().ok()?,
            "nprocs" => job.nprocs = value.trim().parse().ok()?,
            "run time" => job.run_time_s = seconds(value)?,
            "metadata" => {
                let (key, value) = value.split_once(" = ")?;
                job.metadata.push((key.to_owned(), value.to_owned()));
            }
            "mount entry" => job.mounts.push(mount(value)?),
            "*WARNING*" => self.partial.extend(incomplete(value)),
            _ => return self.set_version(key, value),
        }
        Some(())
    }

    /// `POSIX module: 697 bytes (compressed), ver=4`.
    fn set_version(&mut self, key: &str, value: &str) -> Option<()> {
        if let Some(module) = key.strip_suffix(" module").and_then(Module::from_name) {
            let (_, version) = value.rsplit_once("ver=")?;
            self.versions.insert(module, version.trim().parse().ok()?);
        }
        Some(())
    }

    /// The log, with warnings of what was wrong with its heading and of modules not in this text.
    pub(super) fn finish(self, tool: &str, shown: impl Fn(Module) -> bool) -> Log {
        let mut log = self.log;
        if log.version.is_empty() {
            let message = "the text has no heading: nothing is known about the job";
            log.warnings.push(Warning::new("text-no-heading", message));
        } else if log.version.starts_with(['1', '2']) {
            log.compression = "gzip";
        }
        if self.bad.count > 0 {
            let (line, example) = (self.bad.first.line, &self.bad.example);
            let message = format!(
                "could not read {} of the heading, the first is line {line}: {example}",
                counted(self.bad.count, "line")
            );
            log.warnings.push(Warning::new("text-bad-heading", message));
        }
        let hidden = self.versions.keys().filter(|module| !shown(**module));
        let hidden: Vec<_> = hidden.map(|module| module.name()).collect();
        if !hidden.is_empty() {
            let message = format!("{tool} did not print these modules: {}", hidden.join(", "));
            log.warnings
                .push(Warning::new("text-lacks-modules", message));
        }
        log
    }
}

fn compression(value: &str) -> Option<&'static str> {
    match value.trim() {
        "ZLIB" => Some("zlib"),
        "BZIP2" => Some("bzip2"),
        "NONE" => Some("none"),
        _ => None,
    }
}

fn seconds(value: &str) -> Option<f64> {
    let seconds: f64 = value.trim().parse().ok()?;
    (seconds.is_finite() && seconds >= 0.0).then_some(seconds)
}

/// `<TAB>point<TAB>type` as of 3.0, `device<TAB>point<TAB>type` before.
fn mount(value: &str) -> Option<Mount> {
    let (device, rest) = value.split_once('\t')?;
    let (point, fs_type) = rest.rsplit_once('\t')?;
    Some(Mount {
        fs_type: fs_type.to_owned(),
        point: point.to_owned(),
        device: match device.trim() {
            "" => None,
            device => Some(device.parse().ok()?),
        },
    })
}

/// `The POSIX module contains incomplete data!`
fn incomplete(value: &str) -> Option<Module> {
    let (module, _) = value
        .trim()
        .strip_prefix("The ")?
        .split_once(" module contains")?;
    Module::from_name(module)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heading(text: &str) -> Heading {
        let mut heading = Heading::default();
        for line in text.lines() {
            heading.take(line, Spot::default());
        }
        heading
    }

    #[test]
    fn a_heading_gives_the_job_and_the_modules() {
        let heading = heading(
            "# darshan log version: 3.41\n# compression method: BZIP2\n# exe: ./a --x: y \n\
             # uid: 7\n# jobid: 9\n# start_time: 100\n# end_time: 130\n# nprocs: 8\n\
             # run time: 30.2500\n# metadata: h = a=b;c=d\n# POSIX module: 1 bytes (compressed), ver=4\n\
             # mount entry:\t/a b\tlustre\n# *WARNING*: The POSIX module contains incomplete data!\n",
        );
        let job = &heading.log.job;
        assert_eq!(heading.log.version, "3.41");
        assert_eq!(heading.log.compression, "bzip2");
        assert_eq!(
            (job.exe.as_str(), job.nprocs, job.run_time_s),
            ("./a --x: y ", 8, 30.25)
        );
        assert_eq!(job.metadata, [("h".to_owned(), "a=b;c=d".to_owned())]);
        assert_eq!(
            (job.mounts[0].point.as_str(), job.mounts[0].device),
            ("/a b", None)
        );
        assert_eq!(heading.versions[&Module::Posix], 4);
        assert_eq!(heading.partial, [Module::Posix]);
        assert!(heading.finish("it", |_| true).warnings.is_empty());
    }

    #[test]
    fn mount_entries_before_3_0_begin_with_their_device() {
        let heading = heading("# mount entry: -64\t/home\tnfs\n");
        let mount = &heading.log.job.mounts[0];
        assert_eq!((mount.device, mount.point.as_str()), (Some(-64), "/home"));
    }

    #[test]
    fn a_heading_that_lies_is_told() {
        let heading = heading("# darshan log version: 3.41\n# nprocs: many\n# run time: nan\n");
        let log = heading.finish("it", |_| true);
        assert_eq!(log.warnings[0].code, "text-bad-heading");
        assert!(log.warnings[0].message.contains("2 lines"));
    }

    #[test]
    fn a_line_beyond_the_limit_is_refused() {
        let limits = Limits {
            name: 4,
            ..Limits::default()
        };
        let mut lines = Lines::new(&b"abc\nabcde\n"[..], &limits);
        assert!(lines.advance().is_ok_and(|more| more));
        let error = lines.advance().expect_err("six bytes");
        assert_eq!(
            error.to_string(),
            "line 2: it would take more than 4 bytes (a line of text)"
        );
    }

    #[test]
    fn texts_are_told_apart_by_their_first_data() {
        let heading =
            "# darshan log version: 3.21\n# DXT_POSIX module: 3 bytes (compressed), ver=1\n";
        let counter = "POSIX\t0\t5\tPOSIX_OPENS\t1\t/a\t/\txfs\n";
        let request = " X_POSIX       0  write        0     0     2      0.1436      0.1441\n";
        let both = |data: &str| detect(format!("{heading}\n{data}").as_bytes());
        assert_eq!(both(counter), Some(Format::DarshanParserText));
        assert_eq!(both(request), Some(Format::DarshanDxtText));
        assert_eq!(
            both("# DXT_POSIX module data\n"),
            Some(Format::DarshanDxtText)
        );
        assert_eq!(detect(heading.as_bytes()), Some(Format::DarshanParserText));
        assert_eq!(detect(counter.as_bytes()), Some(Format::DarshanParserText));
        assert_eq!(detect(request.as_bytes()), Some(Format::DarshanDxtText));
        assert_eq!(detect(b"# time,bandwidth\n0,1\n"), None);
        assert_eq!(detect(b"\x00\xff\x80"), None);
    }
}
