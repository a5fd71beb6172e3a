//! `iotempo generate`: synthetic traces with known answers.

mod generator;
mod plan;
mod servers;
mod tmio;
mod truth;
mod words;
mod write;

pub(crate) use words::{EXAMPLES, GenerateArgs};

use crate::Outcome;
use crate::cli::CommonArgs;
use crate::convert::Target;
use crate::envelope::Envelope;
use crate::failure::Failure;
use crate::human::{self, plural};
use crate::settings::usage_error;
use crate::talk::Talk;
use anyhow::Context;
use generator::Generator;
use iotempo_sim::{SimError, Synthetic};
use plan::Plan;
use serde::Serialize;
use std::fs;
use std::io::{self, BufWriter, Stdout, Write};
use std::path::Path;
use truth::Answer;

/// Runs the verb.
pub(crate) fn run(words: &GenerateArgs, common: &CommonArgs) -> anyhow::Result<Outcome> {
    if let Some(outcome) = servers::run(words, common)? {
        return Ok(outcome);
    }
    let generator = Generator::new(words)?;
    let plan = Plan::new(words, common)?;
    let settings = plan.stated(&generator);
    let mut report = Report::new(common, &settings)?;
    for seed in plan.seeds() {
        match one(seed, &generator, &plan) {
            Ok((made, answer, rows)) => report.add(&made, &answer, rows)?,
            // Nothing was printed yet.
            Err(error) if report.traces == 0 => return Err(error),
            Err(error) => return report.fail(&error),
        }
    }
    report.finish(&plan)
}

/// Makes and writes the trace of a seed; what it is, what is true of it, and how many rows it has.
fn one(seed: u64, generator: &Generator, plan: &Plan) -> anyhow::Result<(Synthetic, Answer, u64)> {
    let made = generator.generate(seed).map_err(told)?;
    if let Some(folder) = plan.folder() {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    let output = plan.output_of(seed, generator.kind());
    let rows = match &output {
        _ if plan.answers_only() => 0,
        path => write::write(&made, plan, path.as_deref())?,
    };
    let answer = Answer::new(generator, seed, &made, output.as_deref());
    if let Some(path) = plan.truth_of(seed, generator.kind()) {
        write_truth(&path, &plan.stated(generator), &answer)?;
    }
    Ok((made, answer, rows))
}

/// Parameters come from the command line: what is wrong with them is a mistake there.
fn told(error: SimError) -> anyhow::Error {
    let message = match &error {
        SimError::Parameter { .. } => format!("--{error}"),
        _ => error.to_string(),
    };
    usage_error(message).into()
}

/// The truth about one trace, in a file of its own.
fn write_truth(path: &Path, settings: &impl Serialize, answer: &Answer) -> anyhow::Result<()> {
    let write = || {
        let (file, target) = Target::create(path)?;
        let mut out = BufWriter::new(file);
        let mut envelope = Envelope::new(&mut out, "generate", settings)?;
        envelope.result(answer)?;
        envelope.finish()?;
        out.flush()?;
        drop(out);
        target.commit()
    };
    write().with_context(|| path.display().to_string())
}

/// Tells what was made: on standard error, and as JSON where asked.
struct Report {
    talk: Talk,
    envelope: Option<Envelope<BufWriter<Stdout>>>,
    traces: u64,
    rows: u64,
    /// What is true of the last one.
    last: String,
}

impl Report {
    fn new(common: &CommonArgs, settings: &impl Serialize) -> io::Result<Self> {
        let envelope = common
            .json
            .then(|| Envelope::new(BufWriter::new(io::stdout()), "generate", settings));
        Ok(Self {
            talk: Talk::new(common, "traces"),
            envelope: envelope.transpose()?,
            traces: 0,
            rows: 0,
            last: String::new(),
        })
    }

    fn add(&mut self, made: &Synthetic, answer: &Answer, rows: u64) -> io::Result<()> {
        self.talk.done(1);
        self.traces += 1;
        self.rows += rows;
        self.last = sentence(made);
        match &mut self.envelope {
            Some(envelope) => envelope.result(answer),
            None => Ok(()),
        }
    }

    /// What was made before is told all the same.
    fn fail(self, error: &anyhow::Error) -> anyhow::Result<Outcome> {
        self.talk.finish();
        let failure = Failure::new("generate", format!("{error:#}"));
        self.talk.error(&failure.message);
        if let Some(mut envelope) = self.envelope {
            envelope.error(failure);
            envelope.finish()?;
        }
        Ok(Outcome::SomeFailed)
    }

    fn finish(self, plan: &Plan) -> anyhow::Result<Outcome> {
        self.talk.finish();
        if let Some(envelope) = self.envelope {
            envelope.finish()?;
        } else if let Some(place) = plan.place() {
            let what = match self.traces {
                1 => format!("{}; {}", plural(self.rows, "row"), self.last),
                many => format!("{}, {}", plural(many, "trace"), plural(self.rows, "row")),
            };
            self.talk.warn(format!("{place}: {what}"));
        }
        Ok(Outcome::AllRead)
    }
}

/// `the mean period is 21.43 s, of 20 phases`.
fn sentence(made: &Synthetic) -> String {
    let main = made.truth.rhythms.first();
    match main.and_then(|rhythm| Some((rhythm.mean_period()?, rhythm.phases.len()))) {
        None => "nothing repeats".to_owned(),
        Some((period, phases)) => format!(
            "the mean period is {}, of {}",
            human::duration(period.get()),
            plural(phases as u64, "phase")
        ),
    }
}
