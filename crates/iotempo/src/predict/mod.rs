//! `iotempo predict`: the period while the job runs.

mod args;
mod check;
mod follow;
mod ftio;
mod patience;
mod place;
mod tui;

pub(crate) use args::{EXAMPLES, PredictArgs, duration, window};

use crate::Outcome;
use crate::cli::{CommonArgs, Direction};
use crate::settings::{Settings, usage_error};
use crate::talk::Talk;
use crate::token;
use anyhow::{Context, anyhow};
use iotempo_analysis::online::{self, Prediction};
use iotempo_live::{Event, Line, Source, Watch};
use patience::Patience;
use serde::Serialize;
use std::io::{self, Write};
use std::time::Duration;

/// How often to look for new data, unless said otherwise.
const EVERY: Duration = Duration::from_secs(1);

/// How long a server may take to come up, unless said otherwise.
const CONNECTED_WITHIN: Duration = Duration::from_secs(30);

/// Runs the verb.
pub(crate) fn run(mut arguments: PredictArgs, common: &CommonArgs) -> anyhow::Result<Outcome> {
    let talk = Talk::new(common, "requests");
    check::words(&arguments)?;
    if let Some(url) = &arguments.follow {
        let following = follow::Following {
            url,
            token: token::text(arguments.token_file.as_deref())?,
            until_idle: arguments.until_idle,
            connect_timeout: arguments.connect_timeout.unwrap_or(CONNECTED_WITHIN),
        };
        follow::run(&following, &talk)?;
        return Ok(Outcome::AllRead);
    }
    let query = arguments.prometheus.query(arguments.select.step);
    let predictor = ftio::predictor(&arguments.ftio, arguments.method)?;
    if predictor.is_some() {
        // FTIO looks at writes unless told otherwise.
        arguments.select.op.get_or_insert(Direction::Write);
    }
    let settings = Settings::new(arguments.select)?;
    let (name, source) = match (query, arguments.followed) {
        (Some(query), _) => {
            let name = format!("{} {}", query.url, query.expression);
            (name, Source::asked(query).map_err(anyhow::Error::msg)?)
        }
        (None, Some(followed)) => {
            let name = followed.display().to_string();
            check::is_one_job(&followed)?;
            let source = place::open(followed, &settings.options, &talk);
            (name.clone(), source.with_context(|| name)?)
        }
        (None, None) => anyhow::bail!("nothing is to be followed"),
    };
    // The view has its own way to end.
    #[cfg(unix)]
    if let Some(socket) = source.socket().filter(|_| !arguments.tui) {
        place::remove_at_signals(socket).context("signals")?;
    }
    let every = arguments.every.unwrap_or(EVERY);
    let pace = Pace {
        every,
        until_idle: arguments.until_idle,
    };
    if let Some(predictor) = predictor {
        if arguments.tui {
            let message = "--tui shows what --method iotempo says, which is the default";
            return Err(usage_error(message).into());
        }
        return ftio::follow(&name, source, predictor, &settings.selection, &pace, &talk);
    }
    let online = online::Settings {
        window: arguments.window.unwrap_or_default(),
        ..online::Settings::default()
    };
    let mut watch = Watch::new(source, online);
    if arguments.tui {
        let following = tui::Following {
            name,
            watch,
            selection: settings.selection,
            every,
            until_idle: arguments.until_idle,
        };
        return tui::run(following, common);
    }
    let mut patience = Patience::default();
    loop {
        let event = watch.look(&settings.selection);
        for warning in watch.take_warnings() {
            talk.warn(format_args!("{name}: {warning}"));
        }
        let borne = patience.bear(event, watch.is_there());
        let (event, trouble) = borne.map_err(|error| anyhow!("{name}: {error}"))?;
        if let Some(trouble) = trouble {
            talk.warn(format_args!("{name}: {trouble}"));
        }
        match event.unwrap_or(Event::Nothing) {
            Event::Nothing => {}
            Event::Anew => talk.warn(format_args!("{name} was written anew: starting over")),
            Event::Prediction(prediction) => print(&name, &watch, &prediction)?,
            Event::Ended(prediction) => {
                if watch.job().totals().requests == 0 {
                    say_that_nothing_came(&name, &talk);
                } else {
                    print(&name, &watch, &prediction)?;
                }
                return Ok(Outcome::AllRead);
            }
        }
        if !watch.has_more() && pace.ends(watch.job().idle()) {
            let finished = watch.finish(&settings.selection);
            leave(&name, &mut watch, &talk)?;
            finished.map_err(|error| anyhow!("{name}: {error}"))?;
            return Ok(Outcome::AllRead);
        }
    }
}

/// The last words about a job that nobody will look at again.
fn leave(name: &str, watch: &mut Watch, talk: &Talk) -> anyhow::Result<()> {
    for warning in watch.take_last_warnings() {
        talk.warn(format_args!("{name}: {warning}"));
    }
    if watch.job().totals().requests == 0 {
        say_that_nothing_came(name, talk);
    }
    match watch.leave() {
        Some(last) => print(name, watch, &last),
        None => Ok(()),
    }
}

fn say_that_nothing_came(name: &str, talk: &Talk) {
    talk.warn(format_args!("{name}: no request was seen"));
}

/// How often to look, and until when.
struct Pace {
    every: Duration,
    until_idle: Option<Duration>,
}

impl Pace {
    /// Whether it is over, nothing having come for so long; else waits for the next look.
    fn ends(&self, idle: Duration) -> bool {
        if self.until_idle.is_some_and(|longest| idle >= longest) {
            return true;
        }
        std::thread::sleep(self.every);
        false
    }
}

fn print(name: &str, watch: &Watch, prediction: &Prediction) -> anyhow::Result<()> {
    say(&Line::new(name, watch.start_epoch_s(), prediction))
}

/// Prints a line of JSON.
fn say(line: &impl Serialize) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, line)?;
    out.write_all(b"\n")?;
    Ok(out.flush()?)
}
