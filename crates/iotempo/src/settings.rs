//! From words to typed settings, and how results state them.

use crate::cli::{ApiChoice, Cli, SelectArgs};
use clap::CommandFactory;
use clap::error::ErrorKind;
use iotempo_formats::ReadOptions;
use iotempo_model::{Api, Interval, Op, Seconds, Selection, Source};
use serde::{Serialize, Serializer};
use std::fmt;

/// How to read, and what to keep of it.
pub(crate) struct Settings {
    pub(crate) options: ReadOptions,
    pub(crate) selection: Selection,
    /// The same, as results state it.
    pub(crate) stated: Stated,
}

/// All settings in force.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Stated {
    start_s: Option<f64>,
    end_s: Option<f64>,
    op: &'static str,
    ranks: Option<String>,
    files: Option<String>,
    source: Option<Source>,
    api: &'static str,
    #[serde(serialize_with = "pairs")]
    columns: Vec<(String, String)>,
    step_s: Option<f64>,
}

impl Stated {
    /// What is selected, for a person: `ranks 0-3, writes`; `None` where everything is.
    pub(crate) fn selected(&self) -> Option<String> {
        let op = (self.op != "both").then(|| format!("{}s", self.op));
        let api = (self.api != "auto").then(|| format!("layer {}", self.api));
        let parts = [
            self.source.map(|source| format!("evidence {source}")),
            api,
            self.ranks.as_ref().map(|ranks| format!("ranks {ranks}")),
            op,
            self.files
                .as_ref()
                .map(|files| format!("files like {files}")),
            self.start_s.map(|start| format!("from {start} s")),
            self.end_s.map(|end| format!("to {end} s")),
        ];
        let parts: Vec<_> = parts.into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    /// The direction: `read`, `write` or `both`.
    pub(crate) fn op(&self) -> &'static str {
        self.op
    }

    /// The options that say the same again.
    pub(crate) fn words(&self) -> Vec<String> {
        let text = |value: Option<&str>| value.map(str::to_owned);
        let columns = self.columns.iter();
        let columns: Vec<_> = columns
            .map(|(ours, theirs)| format!("{ours}={theirs}"))
            .collect();
        let options = [
            ("--source", text(self.source.map(Source::name))),
            ("--api", text(Some(self.api).filter(|api| *api != "auto"))),
            ("--ranks", self.ranks.clone()),
            ("--op", text(Some(self.op).filter(|op| *op != "both"))),
            ("--files", self.files.clone()),
            ("--start", self.start_s.map(|start| start.to_string())),
            ("--end", self.end_s.map(|end| end.to_string())),
            (
                "--columns",
                (!columns.is_empty()).then(|| columns.join(",")),
            ),
            ("--step", self.step_s.map(|step| step.to_string())),
        ];
        let given = options
            .into_iter()
            .filter_map(|(name, value)| Some([name.to_owned(), value?]));
        given.flatten().collect()
    }

    /// The same of whatever evidence is best.
    pub(crate) fn without_source(&self) -> Self {
        Self {
            source: None,
            ..self.clone()
        }
    }

    /// Whether requests may be left out.
    pub(crate) fn selects(&self) -> bool {
        let part = self.start_s.is_some() || self.end_s.is_some() || self.op != "both";
        part || self.ranks.is_some() || self.files.is_some() || self.api != "auto"
    }
}

fn pairs<S: Serializer>(pairs: &[(String, String)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(ours, theirs)| (ours, theirs)))
}

/// A mistake on the command line that clap cannot see.
pub(crate) fn usage_error(message: impl fmt::Display) -> clap::Error {
    // As clap writes its own about values, without the usage of all verbs.
    let message = format!("{message}\n\nFor more information, try '--help'.\n");
    clap::Error::raw(ErrorKind::ValueValidation, message).with_cmd(&Cli::command())
}

impl Settings {
    /// # Errors
    /// Where the words contradict each other.
    pub(crate) fn new(words: SelectArgs) -> Result<Self, clap::Error> {
        let api = api(words.api);
        let op = words.op.unwrap_or_default().op();
        let stated = Stated {
            start_s: words.start.map(Seconds::get),
            end_s: words.end.map(Seconds::get),
            op: op.map_or("both", Op::name),
            ranks: words.ranks.as_ref().map(|ranks| ranks.text.clone()),
            files: words.files.as_ref().map(|regex| regex.as_str().to_owned()),
            source: words.source.map(|source| source.0),
            api: api.map_or("auto", Api::name),
            columns: words.columns.clone(),
            step_s: words.step.map(Seconds::get),
        };
        let options = ReadOptions {
            source: words.source.map(|source| source.0),
            layer: words.api.layer(),
            columns: words.columns,
            step: words.step,
            by_file: words.files.is_some(),
            ..ReadOptions::default()
        };
        let files = words.files.map(|regex| {
            let passes = move |name: &str| regex.is_match(name);
            Box::new(passes) as Box<dyn Fn(&str) -> bool + Send + Sync>
        });
        let selection = Selection {
            window: window(words.start, words.end)?,
            op,
            api,
            ranks: words.ranks.map(|ranks| ranks.ranges),
            files,
        };
        Ok(Self {
            options,
            selection,
            stated,
        })
    }
}

fn api(choice: ApiChoice) -> Option<Api> {
    match choice {
        ApiChoice::Auto => None,
        ApiChoice::Posix => Some(Api::Posix),
        ApiChoice::Mpiio => Some(Api::MpiIo),
        ApiChoice::Stdio => Some(Api::Stdio),
    }
}

/// An end that is not given is the end of time.
fn window(start: Option<Seconds>, end: Option<Seconds>) -> Result<Option<Interval>, clap::Error> {
    if start.is_none() && end.is_none() {
        return Ok(None);
    }
    let first = Seconds::new(f64::MIN).unwrap_or_default();
    let last = Seconds::new(f64::MAX).unwrap_or_default();
    let window = Interval::new(start.unwrap_or(first), end.unwrap_or(last));
    let window = window.map_err(|backwards| {
        usage_error(format!(
            "--end {} lies before --start {}",
            backwards.end.get(),
            backwards.start.get()
        ))
    })?;
    Ok(Some(window))
}
