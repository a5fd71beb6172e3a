//! `iotempo predict`: the period while the job runs.

mod args;
mod place;

pub(crate) use args::{EXAMPLES, PredictArgs};

use crate::Outcome;
use crate::cli::CommonArgs;
use crate::settings::Settings;
use crate::talk::Talk;
use anyhow::Context;
use iotempo_analysis::online::{self, Prediction};
use iotempo_live::{Event, Line, Source, Watch};
use std::io::{self, Write};

/// Runs the verb.
pub(crate) fn run(arguments: PredictArgs, common: &CommonArgs) -> anyhow::Result<Outcome> {
    let talk = Talk::new(common, "requests");
    let query = arguments.prometheus.query(arguments.select.step);
    let settings = Settings::new(arguments.select)?;
    let (name, source) = match (query, arguments.followed) {
        (Some(query), _) => {
            let name = format!("{} {}", query.url, query.expression);
            (name, Source::asked(query).map_err(anyhow::Error::msg)?)
        }
        (None, Some(followed)) => {
            let name = followed.display().to_string();
            let source = place::open(followed, &settings.options, &talk);
            (name.clone(), source.with_context(|| name)?)
        }
        (None, None) => anyhow::bail!("nothing is to be followed"),
    };
    let online = online::Settings {
        window: arguments.window,
        ..online::Settings::default()
    };
    let mut watch = Watch::new(source, online);
    loop {
        let event = watch.look(&settings.selection);
        for warning in watch.take_warnings() {
            talk.warn(format_args!("{name}: {warning}"));
        }
        match event.with_context(|| name.clone())? {
            Event::Nothing => {}
            Event::Anew => talk.warn(format_args!("{name} was written anew: starting over")),
            Event::Prediction(prediction) => print(&name, &watch, &prediction)?,
            Event::Ended(prediction) => {
                print(&name, &watch, &prediction)?;
                return Ok(Outcome::AllRead);
            }
        }
        let idle = watch.job().idle();
        if arguments.until_idle.is_some_and(|longest| idle >= longest) {
            return Ok(Outcome::AllRead);
        }
        std::thread::sleep(arguments.every);
    }
}

fn print(name: &str, watch: &Watch, prediction: &Prediction) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    let line = Line::new(name, watch.start_epoch_s(), prediction);
    serde_json::to_writer(&mut out, &line)?;
    out.write_all(b"\n")?;
    Ok(out.flush()?)
}
