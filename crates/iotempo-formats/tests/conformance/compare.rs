//! A log as we read it against what pydarshan returns, value by value.

use super::defects::{self, Counts, Expected, ExpectedJob};
use super::oracle::{Dump, Module as Answered};
use super::rows::Rows;
use iotempo_formats::darshan::{Log, ModuleData, Records};
use std::collections::HashMap;
use std::fmt::Debug;

/// As many differences of a log as a reader of the report cares for.
const ENOUGH: usize = 10;

/// What a comparison found.
#[derive(Default)]
pub struct Report {
    pub records: u64,
    pub values: u64,
    /// Why pydarshan could not read the log as it was.
    pub rewritten: Vec<String>,
    /// Differences that a known defect of libdarshan predicts.
    pub explained: Counts,
    /// All others.
    pub differences: Vec<String>,
}

impl Report {
    /// Compares a whole log.
    pub fn of(log: &Log, dump: &Dump) -> Self {
        let mut report = Self {
            rewritten: dump.rewritten.clone(),
            ..Self::default()
        };
        report.same("log version", &log.version, &dump.job.version);
        report.job(log, dump);
        report.names(log, dump);
        let ours: Vec<_> = log.modules.iter().map(|module| module.id).collect();
        let theirs: Vec<_> = dump.modules.iter().map(|module| module.id).collect();
        report.same("modules", &ours, &theirs);
        for (ours, theirs) in log.modules.iter().zip(&dump.modules) {
            report.module(log, ours, theirs, dump);
        }
        report
    }

    fn difference(&mut self, text: String) {
        if self.differences.len() < ENOUGH {
            self.differences.push(text);
        }
    }

    fn same<T: PartialEq + Debug>(&mut self, what: &str, ours: &T, theirs: &T) {
        self.values += 1;
        if ours != theirs {
            self.difference(format!("{what}: {ours:?} here, {theirs:?} there"));
        }
    }

    fn explain(&mut self, counts: Counts) {
        for (defect, count) in counts {
            *self.explained.entry(defect).or_default() += count;
        }
    }

    fn job(&mut self, log: &Log, dump: &Dump) {
        let mut counts = Counts::new();
        let ours = ExpectedJob::of(log, dump, &mut counts);
        self.explain(counts);
        let mut mounts = dump.job.mounts.clone();
        mounts.sort();
        self.all("job", &ours.words, &dump.job.words);
        self.same("exe", &ours.exe, &dump.job.exe);
        self.all("metadata", &ours.metadata, &dump.job.metadata);
        self.all("mounts", &ours.mounts, &mounts);
    }

    fn all<T: PartialEq + Debug>(&mut self, what: &str, ours: &[T], theirs: &[T]) {
        self.same(&format!("number of {what}"), &ours.len(), &theirs.len());
        for (index, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
            self.same(&format!("{what} {index}"), ours, theirs);
        }
    }

    fn names(&mut self, log: &Log, dump: &Dump) {
        let theirs: HashMap<_, _> = dump.names.words.iter().zip(&dump.names.texts).collect();
        self.same("number of names", &log.names.len(), &theirs.len());
        self.same(
            "number of texts",
            &dump.names.words.len(),
            &dump.names.texts.len(),
        );
        for (id, name) in log.names.iter_unsorted() {
            let other = theirs.get(&id).map(|text| text.as_str());
            self.same(&format!("name of {id}"), &Some(name), &other);
        }
    }

    fn module(&mut self, log: &Log, ours: &ModuleData, theirs: &Answered, dump: &Dump) {
        let name = &theirs.name;
        let Some(module) = ours.module else {
            return self.difference(format!("{name}: unknown here"));
        };
        let mut counts = Counts::new();
        let partial = defects::partial(log, ours.partial, theirs.slot, dump, &mut counts);
        self.explain(counts);
        self.same(&format!("{name}, partial"), &partial, &theirs.partial);
        self.same(&format!("{name}, name"), &module.name(), &name.as_str());
        self.same(&format!("{name}, version"), &ours.version, &theirs.version);
        self.same(&format!("{name}, damage"), &None, &ours.damage.as_ref());
        self.same(&format!("{name}, status"), &0, &theirs.status);
        if !theirs.by_pydarshan {
            self.explain(Counts::from([("P1", theirs.count)]));
        }
        let rows = Rows::of(module, &ours.records);
        let expected = Expected::of(log, module, ours.version, rows, theirs);
        self.rows(name, &expected, theirs);
        let own = match &ours.records {
            Records::Dxt(table) => table.threads.clone(),
            _ => expected.lost_words(),
        };
        self.all(&format!("{name}, words from the disk"), &own, &theirs.own);
        self.explain(expected.into_counts());
    }

    fn rows(&mut self, name: &str, expected: &Expected, theirs: &Answered) {
        let rows = &expected.rows;
        self.records += rows.ends.len() as u64;
        self.same(
            &format!("{name}, records"),
            &(rows.ends.len() as u64),
            &theirs.count,
        );
        self.all(&format!("{name} texts"), &rows.texts, &theirs.texts);
        self.same(
            &format!("{name}, words"),
            &rows.words.len(),
            &theirs.words.len(),
        );
        self.values += rows.words.len() as u64;
        let pairs = rows.words.iter().zip(&theirs.words).enumerate();
        for (word, (ours, other)) in pairs.filter(|(_, (ours, other))| ours != other) {
            if !expected.lost.contains(&word) {
                let label = rows.label(word);
                self.difference(format!(
                    "{name}, {label}: {ours:#018x} here, {other:#018x} there"
                ));
            }
        }
    }
}
