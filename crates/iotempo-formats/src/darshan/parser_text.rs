//! The text that `darshan-parser` prints, one counter a line.

mod autoperf;
mod counters;
mod line;
mod lustre;
mod variable;

use super::log::{Damage, Log, ModuleData, Records};
use super::module::Module;
use super::text::{Heading, Lines, Spot, Tally};
use crate::error::shortened;
use crate::error::{Error, ErrorKind};
use crate::limits::Limits;
use iotempo_model::{Warning, counted};
use std::collections::{BTreeMap, BTreeSet};
use std::io::BufRead;

pub(super) use line::is_counter;
use line::{CounterLine, Line};

/// Reads a text of `darshan-parser`, of version 2.x (whose counters begin with `CP_`) or 3.x.
///
/// Counters are found by name, so that texts of every version of the tool give records of the
/// newest version. Records that lack counters which others of their module have, as the last one
/// of a text that was cut short, are left out and make their module damaged.
///
/// # Errors
/// Where the text cannot be read before its first record.
pub fn read_parser_text(reader: impl BufRead, limits: &Limits) -> Result<Log, Error> {
    let mut lines = Lines::new(reader, limits);
    let mut scan = Scan::default();
    loop {
        match lines.advance() {
            Ok(true) => scan.line(&lines.text(), lines.spot()),
            Ok(false) => break,
            Err(error) if scan.modules.is_empty() => return Err(error),
            Err(error) => {
                scan.damage_here(lines.spot().damage(error.kind));
                break;
            }
        }
        if scan.held > limits.decoded {
            let (what, limit) = ("the records of a text", limits.decoded);
            scan.damage_here(lines.spot().damage(ErrorKind::Budget { what, limit }));
            break;
        }
    }
    Ok(scan.finish())
}

/// What became of a counter.
enum Taken {
    /// It has its place in the record.
    Yes,
    /// The record has it already: this one belongs to the next record.
    Again,
    /// No record of the module has such a counter.
    Unknown,
    /// Its value cannot be.
    Bad,
}

/// Gathers the records of a module.
trait Gather {
    /// Begins a record.
    fn begin(&mut self, line: &CounterLine<'_>);
    /// Takes one counter of the current record.
    fn take(&mut self, line: &CounterLine<'_>) -> Taken;
    /// Ends the current record; `false` where it cannot be whole and was left out.
    fn end(&mut self) -> bool;
    /// The bytes that a record takes at least.
    fn weight(&self) -> u64;
    /// The records, and those that were left out for want of counters. A text that should be whole
    /// is one with a heading: lines were not selected from it.
    fn finish(self: Box<Self>, should_be_whole: bool) -> (Records, LeftOut);
}

/// How many records, and where the first was.
type LeftOut = Option<(u64, Spot)>;

fn gather(module: Module) -> Option<Box<dyn Gather>> {
    match module {
        Module::Lustre => Some(Box::new(lustre::Lustre::default())),
        Module::Heatmap => Some(Box::new(variable::Heatmap::default())),
        Module::Mdhim => Some(Box::new(variable::Mdhim::default())),
        Module::Apmpi => Some(Box::new(autoperf::Apmpi::default())),
        Module::Apxc => Some(Box::new(autoperf::Apxc::default())),
        Module::Null | Module::DxtPosix | Module::DxtMpiio => None,
        _ => Some(Box::new(counters::Counters::new(module)?)),
    }
}

struct Section {
    records: Box<dyn Gather>,
    damage: Option<Damage>,
    /// Where its last record began.
    begun: Spot,
}

#[derive(Default)]
struct Scan {
    heading: Heading,
    modules: BTreeMap<Module, Section>,
    current: Option<(Module, i64, u64)>,
    /// Bytes that the records take.
    held: u64,
    unknown_lines: Tally,
    unknown_modules: BTreeSet<String>,
    unknown_counters: Tally,
}

impl Scan {
    fn line(&mut self, line: &str, spot: Spot) {
        match Line::of(line, spot) {
            Line::Nothing => return,
            Line::Comment => return self.heading.take(line, spot),
            // The value of a line that is cut may be, too, unless something follows it.
            Line::Counter(counter) if spot.cut && counter.name.is_none() => {}
            Line::Counter(counter) => {
                self.counter(&counter);
                if counter.has_mount() {
                    return;
                }
            }
            Line::Unknown if spot.cut => {}
            Line::Unknown => self.unknown_lines.add(spot, line),
        }
        if spot.cut {
            self.damage_here(spot.damage("the text ends inside a line"));
        }
    }

    fn counter(&mut self, line: &CounterLine<'_>) {
        let Some(module) = Module::from_name(line.module) else {
            self.unknown_modules
                .insert(line.module.chars().take(40).collect());
            return;
        };
        if !self.modules.contains_key(&module) && !self.add_section(module) {
            self.unknown_modules.insert(line.module.to_owned());
            return;
        }
        let key = (module, line.rank, line.id);
        if self.current != Some(key) {
            self.begin(key, line);
        }
        let mut taken = self.section(module).records.take(line);
        if matches!(taken, Taken::Again) {
            self.begin(key, line);
            taken = self.section(module).records.take(line);
        }
        match taken {
            Taken::Yes | Taken::Again => {}
            Taken::Unknown => self.unknown_counters.add(line.spot, line.counter),
            Taken::Bad => {
                let value = shortened(line.value);
                let message = format!("{} cannot be {value}", line.counter);
                self.damage_here(line.spot.damage(message));
            }
        }
    }

    fn add_section(&mut self, module: Module) -> bool {
        let Some(records) = gather(module) else {
            return false;
        };
        let (damage, begun) = (None, Spot::default());
        self.modules.insert(
            module,
            Section {
                records,
                damage,
                begun,
            },
        );
        true
    }

    fn section(&mut self, module: Module) -> &mut Section {
        self.modules
            .get_mut(&module)
            .expect("added before its first record")
    }

    fn begin(&mut self, key: (Module, i64, u64), line: &CounterLine<'_>) {
        self.end_record();
        self.current = Some(key);
        let section = self
            .modules
            .get_mut(&key.0)
            .expect("added before its first record");
        section.records.begin(line);
        section.begun = line.spot;
        self.held += section.records.weight();
        let names = &mut self.heading.log.names;
        if let (Some(name), None) = (line.record_name(), names.get(key.2)) {
            names.insert(key.2, name);
            self.held += name.len() as u64 + 64;
        }
    }

    fn end_record(&mut self) {
        let Some((module, ..)) = self.current.take() else {
            return;
        };
        let section = self.section(module);
        if !section.records.end() {
            let damage = section.begun.damage("the record is not whole: left out");
            section.damage.get_or_insert(damage);
        }
    }

    /// Damage of the module that is being read.
    fn damage_here(&mut self, damage: Damage) {
        let current = self.current.map(|(module, ..)| module);
        if let Some(module) = current.or_else(|| self.modules.keys().last().copied()) {
            self.section(module).damage.get_or_insert(damage);
        }
    }

    fn finish(mut self) -> Log {
        self.end_record();
        let (versions, partial) = (self.heading.versions.clone(), self.heading.partial.clone());
        let modules = std::mem::take(&mut self.modules);
        let printed: BTreeSet<_> = modules.keys().copied().collect();
        let warnings = self.warnings();
        let mut log = self
            .heading
            .finish("darshan-parser", |module| printed.contains(&module));
        log.warnings.extend(warnings);
        log.modules = modules
            .into_iter()
            .map(|(module, section)| ModuleData {
                id: module as u32,
                module: Some(module),
                version: version_of(module, &log.version, versions.get(&module)),
                partial: partial.contains(&module),
                ..section.finish(!log.version.is_empty())
            })
            .collect();
        log
    }

    fn warnings(&self) -> Vec<Warning> {
        let mut warnings = Vec::new();
        let mut warn = |code, message: String| warnings.push(Warning::new(code, message));
        warn(
            "text-rounding",
            "the text has times with six decimals: they are exact to 0.0000005 s".to_owned(),
        );
        for (tally, code, what) in [
            (
                &self.unknown_lines,
                "text-unknown-lines",
                "lines are not darshan-parser's",
            ),
            (
                &self.unknown_counters,
                "text-unknown-counters",
                "counters are not known",
            ),
        ] {
            if tally.count > 0 {
                let (line, example) = (tally.first.line, &tally.example);
                warn(
                    code,
                    format!(
                        "{} {what}, the first in line {line}: {example}",
                        tally.count
                    ),
                );
            }
        }
        if !self.unknown_modules.is_empty() {
            let names: Vec<_> = self.unknown_modules.iter().take(10).cloned().collect();
            warn(
                "text-unknown-modules",
                format!("not read: modules {}", names.join(", ")),
            );
        }
        warnings
    }
}

impl Section {
    /// The module's data, of which the caller knows the rest.
    fn finish(self, should_be_whole: bool) -> ModuleData {
        let (records, left_out) = self.records.finish(should_be_whole);
        let lacking = left_out.map(|(count, spot)| {
            spot.damage(format_args!(
                "{} without all counters from here on: left out",
                counted(count, "record")
            ))
        });
        ModuleData {
            id: 0,
            module: None,
            version: 0,
            partial: false,
            damage: self.damage.or(lacking),
            records,
        }
    }
}

/// As the heading says; logs before 3.0 have no modules and say nothing.
fn version_of(module: Module, log_version: &str, stated: Option<&u32>) -> u32 {
    match (module, stated) {
        (_, Some(version)) => *version,
        (Module::Cp, None) if log_version.starts_with("1.") => 1,
        (Module::Cp, None) => 2,
        (_, None) => 0,
    }
}

#[cfg(test)]
mod tests;
