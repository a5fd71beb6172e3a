//! The `result.txt` of IO500: a section per phase, with the command line of IOR and its score in GiB/s.

use super::BenchmarkOptions;
use super::collected::{Collected, Why};
use super::ior::{self, MIB, Test};
use super::quantity::bytes;
use crate::error::{Error, Place};

/// MiB in a GiB.
const GIB: f64 = 1024.0;

pub(super) fn read(
    text: &str,
    options: &BenchmarkOptions,
    collected: &mut Collected,
) -> Result<(), Error> {
    let mut tasks = None;
    let mut section = Section::default();
    for (at, line) in text.lines().chain(["[end]"]).enumerate() {
        let line = line.trim();
        if let Some(name) = line
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'))
        {
            section.take(tasks, options, collected);
            section = Section {
                name: name.to_owned(),
                line: at as u64 + 1,
                ..Section::default()
            };
        } else if let Some((name, value)) = line.split_once('=') {
            let value = value.trim().trim_matches('"');
            match name.trim() {
                "procs" => tasks = value.parse().ok(),
                "exe" => section.command = value.to_owned(),
                "score" => section.score = value.parse().ok(),
                "t_delta" => section.seconds = value.parse().ok(),
                _ => {}
            }
        }
    }
    if tasks.is_none() {
        let what = "an IO500 result states how many processes there were";
        return Err(Error::invalid("", Place::Whole, what, "no procs"));
    }
    Ok(())
}

#[derive(Default)]
struct Section {
    name: String,
    line: u64,
    command: String,
    score: Option<f64>,
    /// How long it took.
    seconds: Option<f64>,
}

impl Section {
    fn take(&self, tasks: Option<f64>, options: &BenchmarkOptions, collected: &mut Collected) {
        let Some((kind, op)) = self.name.rsplit_once('-') else {
            return;
        };
        let Some(op) = ior::op(op).filter(|_| ["ior-easy", "ior-hard"].contains(&kind)) else {
            return;
        };
        let Some(score) = self.score else {
            collected.leave_out(self.line, format!("{} has no score", self.name));
            return;
        };
        let draft = self
            .test(tasks, score)
            .and_then(|test| test.draft(op, score * GIB, options, collected));
        match draft {
            Ok(draft) => collected.push(self.line, &draft),
            Err(why) => collected.leave_out(self.line, why),
        }
    }

    /// The options of IOR's command line, and what it moved.
    fn test(&self, tasks: Option<f64>, score: f64) -> Result<Test, Why> {
        let words: Vec<&str> = self.command.split_whitespace().collect();
        let after = |flag: &str| {
            let at = words.iter().position(|word| *word == flag)?;
            words.get(at + 1).copied()
        };
        let mut test = Test {
            api: Some(after("-a").unwrap_or("POSIX").to_owned()),
            file_per_process: Some(words.contains(&"-F")),
            collective: words.contains(&"-c"),
            random: words.contains(&"-z"),
            tasks,
            transfer: after("-t").and_then(bytes),
            block: after("-b").and_then(bytes),
            segments: after("-s").and_then(|text| text.parse().ok()),
            ..Test::default()
        };
        // Writes that a clock ends leave a file for reads, which tells these where to end.
        let seconds = after("-D").filter(|seconds| *seconds != "0");
        let ended = seconds.is_some() || self.command.contains("stoneWallingStatusFile=");
        if ended && score > 0.0 {
            let moved = self.moved(score)?;
            let most = test.asked_for();
            test.total = Some(most.map_or(moved, |most| moved.min(most)));
        }
        Ok(test)
    }

    /// What all tasks moved until a clock ended the run. Blocks are larger than any run can fill, so that it does.
    fn moved(&self, score: f64) -> Result<f64, Why> {
        let seconds = self.seconds.filter(|seconds| *seconds > 0.0);
        let seconds = seconds.ok_or_else(|| {
            let name = &self.name;
            format!("ended by a clock, and no t_delta tells what {name} moved")
        })?;
        Ok(score * GIB * MIB * seconds)
    }
}
