//! What IOR 3 and 4 print: options with their values, then a row per repetition.
//!
//! Versions differ in what stands between a name and its value (`=` or `:`), and in the columns of the
//! rows, which are therefore found by their heading. A line `iotempo io_nodes=4` before a run, as the
//! scripts of `iotempo estimate --plan` write it, tells the number of I/O nodes.

use super::BenchmarkOptions;
use super::collected::{Collected, io_nodes};
use super::ior::{self, Test};
use super::quantity::bytes;

pub(super) fn read(text: &str, options: &BenchmarkOptions, collected: &mut Collected) {
    let mut test = Test::default();
    let mut forwarded = None;
    let mut rate_column = None;
    for (at, line) in text.lines().enumerate() {
        let number = at as u64 + 1;
        let line = line.trim();
        if let Some(stated) = line.strip_prefix("iotempo io_nodes=") {
            match io_nodes(stated) {
                Ok(stated) => forwarded = Some(stated),
                Err(why) => collected.leave_out(number, why),
            }
            test.io_nodes = forwarded;
        } else if line.contains("MPI Coordinated Test of Parallel I/O") {
            test = Test {
                io_nodes: forwarded,
                ..Test::default()
            };
            rate_column = None;
        } else if let Some((name, value)) = option(line) {
            test.set(name, value);
        } else {
            let words: Vec<&str> = line.split_whitespace().collect();
            if let Some(column) = words.iter().position(|word| *word == "bw(MiB/s)") {
                rate_column = Some(column);
            } else if let (Some(column), Some(op)) =
                (rate_column, words.first().and_then(|word| ior::op(word)))
            {
                // The summary at the end repeats `write` and `read` with other columns.
                let rate = words.get(column).and_then(|word| word.parse::<f64>().ok());
                let Some(rate) = rate else {
                    collected.leave_out(number, format!("no bandwidth in {line:?}"));
                    continue;
                };
                match test.draft(op, rate, options, collected) {
                    Ok(draft) => collected.push(number, &draft),
                    Err(why) => collected.leave_out(number, why),
                }
            } else if line.starts_with("Max ") || line.starts_with("Summary of all tests") {
                rate_column = None;
            }
        }
    }
}

/// `name : value` or `name = value` of an option that matters.
fn option(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once(['=', ':'])?;
    let name = name.trim();
    let known = [
        "api",
        "access",
        "type",
        "ordering in a file",
        "clients",
        "nodes",
        "tasks",
        "segments",
        "xfersize",
        "blocksize",
        "aggregate filesize",
    ];
    known.contains(&name).then_some((name, value.trim()))
}

impl Test {
    fn set(&mut self, name: &str, value: &str) {
        match name {
            "api" => self.api = Some(value.to_owned()),
            "access" => self.file_per_process = Some(value.starts_with("file-per-process")),
            "type" => self.collective = value == "collective",
            "ordering in a file" => self.random = value.starts_with("random"),
            "clients" => self.set_clients(value),
            "nodes" => self.nodes = value.parse().ok(),
            "tasks" => self.tasks = value.parse().ok(),
            "segments" => self.segments = value.parse().ok(),
            "xfersize" => self.transfer = bytes(value),
            "blocksize" => self.block = bytes(value),
            "aggregate filesize" => self.total = bytes(value),
            _ => {}
        }
    }

    /// `16 (8 per node)`, as versions before 3.2 have it.
    fn set_clients(&mut self, value: &str) {
        let (all, rest) = value.split_once(' ').unwrap_or((value, ""));
        self.tasks = all.parse().ok();
        let per_node = rest.trim_start_matches('(').split(' ').next();
        let per_node = per_node.and_then(|word| word.parse::<f64>().ok());
        self.nodes = self
            .tasks
            .zip(per_node)
            .map(|(all, each)| (all / each).ceil());
    }
}
