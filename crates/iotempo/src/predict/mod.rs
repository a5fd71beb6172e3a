//! `iotempo predict`: the period while the job runs.

mod args;
mod line;

pub(crate) use args::{EXAMPLES, PredictArgs};

use crate::Outcome;
use crate::cli::CommonArgs;
use crate::settings::Settings;
use crate::talk::Talk;
use iotempo_analysis::online::{self, Follower};
use iotempo_formats::live::{GrowingFile, Growth};
use iotempo_model::{FileId, FileTable, Origin, Request, RequestSink, Seconds, Selecting, Source};
use line::Line;
use std::io::{self, Write};
use std::time::Instant;

/// Runs the verb.
pub(crate) fn run(arguments: PredictArgs, common: &CommonArgs) -> anyhow::Result<Outcome> {
    let talk = Talk::new(common, "requests");
    let name = arguments.followed.display().to_string();
    let settings = Settings::new(arguments.select)?;
    let mut file = GrowingFile::new(&arguments.followed, settings.options.clone());
    let mut job = Following::new(online::Settings {
        window: arguments.window,
        ..online::Settings::default()
    });
    if !arguments.followed.exists() {
        talk.warn(format_args!("{name} is not there yet: waiting for it"));
    }
    loop {
        let mut flushed = false;
        let mut sink = Selecting::new(&settings.selection, &mut job);
        match file.poll(&mut sink) {
            Ok(Growth::Read(reading)) => {
                job.learn(&reading.origin);
                flushed = file.comes_in_flushes();
            }
            Ok(Growth::Cut) => {
                talk.warn(format_args!("{name} was written anew: starting over"));
                job.start_over();
            }
            Ok(Growth::Nothing) => {}
            Err(error) => anyhow::bail!("{name}: {error}"),
        }
        if let Some(prediction) = job.due(flushed) {
            let mut out = io::stdout().lock();
            serde_json::to_writer(&mut out, &Line::new(&name, &prediction))?;
            out.write_all(b"\n")?;
            out.flush()?;
        }
        let idle = job.idle();
        if arguments.until_idle.is_some_and(|longest| idle >= longest) {
            return Ok(Outcome::AllRead);
        }
        std::thread::sleep(arguments.every);
    }
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

    /// A prediction, where one is worth it, as it is after a flush. The job's time is that of its newest data, and goes on as
    /// ours does: clocks of other machines are nobody's business.
    fn due(&mut self, flushed: bool) -> Option<online::Prediction> {
        let (end, arrived) = self.newest?;
        let now = end + Seconds::new(arrived.elapsed().as_secs_f64())?;
        let due = flushed || self.follower.is_due(now);
        due.then(|| self.follower.predict(now))
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
