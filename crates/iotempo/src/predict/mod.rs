//! `iotempo predict`: the period while the job runs.

mod args;

pub(crate) use args::{EXAMPLES, PredictArgs, duration, window};

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
    let name = arguments.followed.display().to_string();
    let is_stream = arguments.followed.as_os_str() == "-";
    if !is_stream && !arguments.followed.exists() {
        talk.warn(format_args!("{name} is not there yet: waiting for it"));
    }
    let settings = Settings::new(arguments.select)?;
    let source = Source::at(arguments.followed, &settings.options);
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
