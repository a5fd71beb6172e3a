//! Which of the kinds of evidence in a log to use.

use super::coverage::{Shown, measure};
use super::module::Module;
use super::opened::Opened;
use super::totals::COUNTING;
use crate::error::{Error, ErrorKind, Place};
use crate::reading::{Layer, ReadOptions};
use iotempo_model::{Api, Source, Warning};

/// The evidence to use, and what was found on the way to it.
pub(crate) struct Choice {
    pub(crate) source: Source,
    /// What the counters count at the layer asked for.
    pub(crate) counted: Shown,
    /// Better evidence that shows too little.
    passed_over: Vec<(Source, Shown)>,
}

impl Choice {
    /// What was asked for, or the finest evidence that shows at least half of the bytes; where none
    /// does, the one that shows most.
    pub(crate) fn make(log: &mut Opened, options: &ReadOptions) -> Result<Self, Error> {
        let sources = available(log, options.layer);
        let mut choice = Self {
            source: sources.first().copied().unwrap_or(Source::Counters),
            counted: measure(log, Source::Counters, options.layer),
            passed_over: Vec::new(),
        };
        if let Some(asked) = options.source {
            choice.source = sources
                .contains(&asked)
                .then_some(asked)
                .ok_or_else(|| not_held(asked, &sources))?;
            return Ok(choice);
        }
        choice.go_through(log, options, &sources);
        Ok(choice)
    }

    fn go_through(&mut self, log: &mut Opened, options: &ReadOptions, sources: &[Source]) {
        // A heatmap does not know files: a choice of files would leave nothing of it.
        let knows_enough = |source: Source| !(options.by_file && source == Source::Heatmap);
        let usable: Vec<Source> = sources
            .iter()
            .copied()
            .filter(|&s| knows_enough(s))
            .collect();
        let mut most = 0.0;
        for &source in &usable {
            let shown = match source {
                Source::Counters => self.counted,
                // There is nothing else to fall back on.
                _ if usable.len() == 1 => return self.source = source,
                _ => measure(log, source, options.layer),
            };
            if shown.total() > most {
                (self.source, most) = (source, shown.total());
            }
            if shown.total() > 0.0 && 2.0 * shown.total() >= self.counted.total() {
                break;
            }
            self.passed_over.push((source, shown));
        }
        let used = self.source;
        self.passed_over.retain(|&(source, _)| source != used);
    }

    /// Why better evidence was passed over.
    pub(crate) fn warnings(&self) -> impl Iterator<Item = Warning> + '_ {
        let used = self.source;
        let told = self
            .passed_over
            .iter()
            .filter(|_| self.counted.total() > 0.0);
        told.map(move |(source, shown)| {
            let percent = 100.0 * shown.share_of(self.counted);
            let message = format!(
                "{source} shows only {percent:.1} % of the bytes that the counters count: {used} \
                 used instead (--source {source} uses it all the same)"
            );
            Warning::new("source-passed-over", message)
        })
    }
}

fn not_held(asked: Source, sources: &[Source]) -> Error {
    let held: Vec<_> = sources.iter().map(|source| source.name()).collect();
    let held = match held.is_empty() {
        true => "nothing about I/O".to_owned(),
        false => held.join(", "),
    };
    let message = format!("no {asked} data in this log; it holds: {held}");
    Error::new("", Place::Whole, ErrorKind::Unsupported(message))
}

/// The kinds of evidence that a log holds about a layer, best first. DXT does not trace STDIO.
pub(crate) fn available(log: &Opened, layer: Layer) -> Vec<Source> {
    let wanted = |api: Api| match layer {
        Layer::Auto | Layer::All => true,
        Layer::Posix => api == Api::Posix,
        Layer::MpiIo => api == Api::MpiIo,
        Layer::Stdio => api == Api::Stdio,
    };
    let traced = [
        (Module::DxtPosix, Api::Posix),
        (Module::DxtMpiio, Api::MpiIo),
    ];
    let holds = |modules: &[(Module, Api)]| {
        modules
            .iter()
            .any(|&(module, api)| wanted(api) && log.has(module))
    };
    let mut sources = Vec::new();
    if holds(&traced) {
        sources.push(Source::Dxt);
    }
    if log.has(Module::Heatmap) {
        sources.push(Source::Heatmap);
    }
    if holds(&COUNTING) {
        sources.push(Source::Counters);
    }
    sources
}
