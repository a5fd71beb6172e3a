//! `iotempo convert`: give me the requests or the signal as a table.

mod about;
mod csv;
mod folder;
mod json_lines;
mod log;
mod made;
#[cfg(feature = "tables")]
mod parquet;
mod plan;
mod signal;
mod single;
mod table;
mod target;
mod unfinished;

pub(crate) use csv::field as csv_field;
pub(crate) use single::is_log;
pub(crate) use single::{check as check_output, check_folder};
pub(crate) use table::{Columns, Rows, Table, create};
pub(crate) use target::Target;
pub(crate) use unfinished::UNFINISHED;
#[cfg(unix)]
pub(crate) use unfinished::ignored_signals;

use crate::Outcome;
use crate::cli::{CommonArgs, ConvertArgs};
use crate::envelope::Envelope;
use crate::failure::Failure;
use crate::inputs::{Inputs, Opener};
use crate::pool;
use crate::settings::Settings;
use crate::talk::Talk;
use crate::tally::Tally;
use about::About;
use made::Made;
use plan::{Output, Plan};
use serde::Serialize;
use std::io::{self, BufWriter, Stdout};
use std::path::Path;

/// Runs the verb.
pub(crate) fn run(arguments: ConvertArgs, common: &CommonArgs) -> anyhow::Result<Outcome> {
    let plan = Plan::new(&arguments, common)?;
    let settings = Settings::new(arguments.select)?;
    let inputs = Inputs::new(arguments.inputs)?;
    let talk = Talk::new(common, "requests");
    let opener = Opener {
        options: settings.options.clone(),
        hash: common.json || plan.keeps_provenance(),
    };
    let report = Report::new(common, &plan, &settings, &talk)?;
    match &plan.output {
        Output::Stdout => single::run(inputs, &opener, &plan, &settings, None, report),
        Output::File(path) => single::run(inputs, &opener, &plan, &settings, Some(path), report),
        Output::Folder(folder) => {
            let threads = pool::threads(common.threads);
            folder::run(inputs, &opener, &plan, &settings, (folder, threads), report)
        }
    }
}

/// Tells what became of every input: on standard error, and as JSON where asked.
struct Report<'a> {
    talk: &'a Talk,
    tally: Tally<'a>,
    made: Made,
    envelope: Option<Envelope<BufWriter<Stdout>>>,
}

/// One result as JSON states it.
#[derive(Serialize)]
struct Converted<'a> {
    #[serde(flatten)]
    about: &'a About,
    output: String,
}

impl<'a> Report<'a> {
    fn new(
        common: &CommonArgs,
        plan: &Plan,
        settings: &Settings,
        talk: &'a Talk,
    ) -> io::Result<Self> {
        let envelope = common.json.then(|| {
            let out = BufWriter::new(io::stdout());
            Envelope::new(out, "convert", &plan.stated(&settings.stated))
        });
        Ok(Self {
            talk,
            tally: Tally::new(talk),
            made: Made::new(plan),
            envelope: envelope.transpose()?,
        })
    }

    fn converted(&mut self, about: &About, output: Option<&Path>) -> io::Result<()> {
        self.tally.read();
        self.made.add(about);
        for warning in &about.warnings {
            self.talk
                .warn(format!("{}: warning: {warning}", about.input));
        }
        match (&mut self.envelope, output) {
            (Some(envelope), Some(output)) => envelope.result(&Converted {
                about,
                output: output.display().to_string(),
            }),
            _ => Ok(()),
        }
    }

    fn failed(&mut self, failure: Failure) {
        self.tally.failed(&failure);
        if let Some(envelope) = &mut self.envelope {
            envelope.error(failure);
        }
    }

    /// An input that was read and whose output may not be.
    fn refused(&mut self, failure: Failure) {
        self.tally.refused(&failure);
        if let Some(envelope) = &mut self.envelope {
            envelope.error(failure);
        }
    }

    fn finish(self) -> anyhow::Result<Outcome> {
        self.talk.finish();
        self.made.tell(self.talk, self.envelope.is_some());
        if let Some(envelope) = self.envelope {
            envelope.finish()?;
        }
        self.tally.outcome()
    }
}
