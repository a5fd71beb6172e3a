//! `iotempo predict`: the period while the job runs.

mod args;
mod line;
mod source;

pub(crate) use args::{EXAMPLES, PredictArgs};

use crate::Outcome;
use crate::cli::CommonArgs;
use crate::settings::Settings;
use crate::talk::Talk;
use anyhow::Context;
use iotempo_analysis::online::{self, Follower, Prediction};
use iotempo_model::{FileId, FileTable, Origin, Request, RequestSink, Seconds, Source};
use line::Line;
use source::{Live, News};
use std::io::{self, Write};
use std::time::Instant;

/// Runs the verb.
pub(crate) fn run(arguments: PredictArgs, common: &CommonArgs) -> anyhow::Result<Outcome> {
    let talk = Talk::new(common, "requests");
    let name = arguments.followed.display().to_string();
    let is_stream = arguments.followed.as_os_str() == "-";
    if !is_stream && !arguments.followed.exists() {
        talk.warn(format_args!("{name} is not there yet: waiting for it"));
    }
    let settings = Settings::new(arguments.select)?;
    let mut source = Live::new(arguments.followed, &settings);
    let mut job = Following::new(online::Settings {
        window: arguments.window,
        ..online::Settings::default()
    });
    loop {
        let news = source.poll(&settings, &mut job);
        match news.with_context(|| name.clone())? {
            News::Anew => {
                talk.warn(format_args!("{name} was written anew: starting over"));
                job.start_over();
            }
            News::Ended => {
                print(&name, &job.predict())?;
                return Ok(Outcome::AllRead);
            }
            News::Flushed => print(&name, &job.predict())?,
            News::Other => {
                if let Some(prediction) = job.due() {
                    print(&name, &prediction)?;
                }
            }
        }
        let idle = job.idle();
        if arguments.until_idle.is_some_and(|longest| idle >= longest) {
            return Ok(Outcome::AllRead);
        }
        std::thread::sleep(arguments.every);
    }
}

fn print(name: &str, prediction: &Prediction) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, &Line::new(name, prediction))?;
    out.write_all(b"\n")?;
    Ok(out.flush()?)
}

/// A job that is followed, and the clock that it is followed by.
struct Following {
    settings: online::Settings,
    follower: Follower,
    origin: Origin,
    files: FileTable,
    /// The end of the newest data, and when it arrived here.
    newest: Option<(Seconds, Instant)>,
    since: Instant,
}

impl Following {
    fn new(settings: online::Settings) -> Self {
        let origin = Origin::new(Source::Requests);
        Self {
            settings,
            follower: Follower::new(settings, origin.clone()),
            origin,
            files: FileTable::default(),
            newest: None,
            since: Instant::now(),
        }
    }

    fn start_over(&mut self) {
        *self = Self::new(self.settings);
    }

    /// Takes note of how finely the source sees.
    fn learn(&mut self, origin: &Origin) {
        let same =
            self.origin.source == origin.source && self.origin.resolution == origin.resolution;
        if !same {
            self.origin = origin.clone();
            self.follower.set_origin(origin.clone());
        }
    }

    /// A prediction, where one is worth it.
    fn due(&mut self) -> Option<Prediction> {
        self.follower.is_due(self.now()).then(|| self.predict())
    }

    fn predict(&mut self) -> Prediction {
        self.follower.predict(self.now())
    }

    /// The job's time is that of its newest data, and goes on as ours does: what clocks of other
    /// machines say need not be known.
    fn now(&self) -> Seconds {
        let now = self.newest.and_then(|(end, arrived)| {
            let since = Seconds::new(arrived.elapsed().as_secs_f64())?;
            Some(end + since)
        });
        now.unwrap_or_default()
    }

    fn idle(&self) -> std::time::Duration {
        let last = self.newest.map_or(self.since, |(_, arrived)| arrived);
        last.elapsed()
    }
}

impl RequestSink for Following {
    fn file(&mut self, name: &str) -> FileId {
        self.files.intern(name)
    }

    fn push(&mut self, request: Request) -> io::Result<()> {
        let end = request.when.end();
        if self.newest.is_none_or(|(newest, _)| newest < end) {
            self.newest = Some((end, Instant::now()));
        }
        self.follower.add(request.when, request.bytes);
        Ok(())
    }
}
