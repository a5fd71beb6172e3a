//! A job that is followed, and the clock that it is followed by.

use crate::clock::Clock;
use crate::recording::Recording;
use iotempo_analysis::online::{self, Follower, Past, Prediction};
use iotempo_model::{FileId, Op, Origin, Request, RequestSink, Seconds, Source};
use std::io;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

/// Takes in the requests of a job.
pub trait Follows: RequestSink {
    /// Takes note of how finely the source sees.
    fn learn(&mut self, origin: &Origin);

    /// Takes note that all is known up to an instant, and nothing of what came later. Most sources know no more of
    /// that than what the clock says.
    fn known_until(&mut self, _end: Seconds) {}
}

/// A job that still runs: takes in its requests, says what is expected of it.
#[derive(Debug)]
pub struct Job {
    settings: online::Settings,
    follower: Follower,
    origin: Origin,
    /// Names that were heard of: numbered, but not kept, because a job may have any number of files.
    names: u32,
    totals: Totals,
    /// Shared with those who show it while the job is followed.
    recording: Arc<RwLock<Recording>>,
    /// The end of the newest data, and when that was by our clock; when it came, where nobody says more.
    newest: Option<(Seconds, Instant)>,
    clock: Clock,
    /// Nothing is known of what came after this, where the source says so.
    known_until: Option<Seconds>,
    /// Whether newer data has come than was dated.
    undated: bool,
    since: Instant,
    /// It went on after it was said to have ended.
    returned: bool,
    /// Data reached to here when somebody else followed it; `None` once it does again.
    behind: Option<Seconds>,
}

/// What a job has moved so far.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Totals {
    /// Requests.
    pub requests: u64,
    /// Bytes that were read.
    pub bytes_read: f64,
    /// Bytes that were written.
    pub bytes_written: f64,
}

impl Job {
    /// Nothing is known of it yet.
    #[must_use]
    pub fn new(settings: online::Settings) -> Self {
        let origin = Origin::new(Source::Requests);
        Self {
            settings,
            follower: Follower::new(settings, origin.clone()),
            origin,
            names: 0,
            totals: Totals::default(),
            recording: Arc::default(),
            newest: None,
            clock: Clock::default(),
            known_until: None,
            undated: false,
            since: Instant::now(),
            returned: false,
            behind: None,
        }
    }

    /// Goes on where somebody else ended who followed it, `ago` ago. Its source is read from its beginning
    /// all the same; what was known then is no news.
    pub fn resume(&mut self, past: &Past, ago: Duration) {
        self.follower.resume(past);
        self.returned = past.returned;
        let Some(end) = past.window.map(|window| window.end()) else {
            return;
        };
        let at_rest = Duration::try_from_secs_f64((past.at - end).get()).unwrap_or_default();
        let now = Instant::now();
        let arrived = now.checked_sub(at_rest.saturating_add(ago));
        self.newest = Some((end, arrived.unwrap_or(now)));
        // As far as the rate of a clock is known.
        let nearly = Seconds::new(1e-3 + 1e-6 * end.get().abs()).unwrap_or_default();
        self.behind = Some(end - nearly);
    }

    /// Whether less has come than somebody else knew who followed it.
    #[must_use]
    pub fn is_behind(&self) -> bool {
        self.behind.is_some()
    }

    /// Forgets everything: its log was written anew.
    pub fn start_over(&mut self) {
        *self = Self::new(self.settings);
    }

    /// A prediction, where one is worth it.
    pub fn due(&mut self) -> Option<Prediction> {
        self.is_due().then(|| self.predict())
    }

    /// Whether a prediction is worth it, unless something has come that was not looked at yet.
    #[must_use]
    pub fn is_due(&self) -> bool {
        // Until all is read again that was known, nothing can be said to be late.
        !self.is_behind() && self.follower.is_due(self.now())
    }

    /// Whether something has come that no prediction was made of.
    #[must_use]
    pub fn has_news(&self) -> bool {
        self.follower.has_news()
    }

    /// What is expected now.
    pub fn predict(&mut self) -> Prediction {
        self.follower.predict(self.now())
    }

    /// What was known when it ended, where it has, and that was not said. Nobody is there who could move more; but a
    /// job that went on before after such a moment, as a script does that starts one program after another, has ended
    /// when nothing comes where something was due.
    pub(crate) fn end_if_over(&mut self) -> Option<Prediction> {
        if self.is_behind() || self.has_ended() {
            return None;
        }
        let over = !self.returned || self.follower.is_over(self.now());
        over.then(|| self.end())
    }

    /// The same of a job that had ended before it was first looked at: nobody knows when, but not long after it last
    /// moved something.
    pub(crate) fn end_before(&mut self) -> Option<Prediction> {
        if self.is_behind() || self.has_ended() {
            return None;
        }
        Some(self.follower.end(self.newest().unwrap_or_default()))
    }

    /// Whether it went on after it was said to have ended.
    #[must_use]
    pub fn has_returned(&self) -> bool {
        self.returned
    }

    /// What was known when it ended.
    pub fn end(&mut self) -> Prediction {
        self.follower.end(self.now())
    }

    /// Whether it was said to have ended, and nothing has come since.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.follower.has_ended()
    }

    /// Takes note of when time 0 was, in seconds since 1970: what a look brought may be old.
    pub(crate) fn date(&mut self, start_epoch_s: Option<f64>) {
        if let (Some(start), Some((end, _)), true) = (start_epoch_s, self.newest, self.undated) {
            self.newest = Some((end, self.clock.ended(start + end.get())));
        }
        self.undated = false;
    }

    /// The job's time is that of its newest data, and goes on as ours does.
    #[must_use]
    pub fn now(&self) -> Seconds {
        let now = self.newest.and_then(|(end, arrived)| {
            let since = Seconds::new(arrived.elapsed().as_secs_f64())?;
            Some(end + since)
        });
        let now = now.unwrap_or_default();
        // What was not heard of yet is not late.
        self.known_until.filter(|until| *until < now).unwrap_or(now)
    }

    /// The end of the newest data.
    #[must_use]
    pub fn newest(&self) -> Option<Seconds> {
        self.newest.map(|(end, _)| end)
    }

    /// For how long nothing has moved.
    #[must_use]
    pub fn idle(&self) -> Duration {
        let last = self.newest.map_or(self.since, |(_, arrived)| arrived);
        last.elapsed()
    }

    /// What it has moved.
    #[must_use]
    pub fn totals(&self) -> Totals {
        self.totals
    }

    /// How fast it moved it, and when, up to now.
    #[must_use]
    pub fn recorded(&self) -> Recording {
        let recording = self.recording.read();
        recording.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The same, for those who look at it while it grows.
    #[must_use]
    pub fn recording(&self) -> &Arc<RwLock<Recording>> {
        &self.recording
    }
}

impl Follows for Job {
    fn learn(&mut self, origin: &Origin) {
        let same =
            self.origin.source == origin.source && self.origin.resolution == origin.resolution;
        if !same {
            self.origin = origin.clone();
            self.follower.set_origin(origin.clone());
        }
    }

    fn known_until(&mut self, end: Seconds) {
        self.known_until = Some(end);
    }
}

impl RequestSink for Job {
    fn file(&mut self, _name: &str) -> FileId {
        self.names = self.names.wrapping_add(1);
        FileId(self.names)
    }

    fn push(&mut self, request: Request) -> io::Result<()> {
        let end = request.when.end();
        self.behind = self.behind.filter(|behind| end < *behind);
        if self.newest.is_none_or(|(newest, _)| newest < end) {
            self.newest = Some((end, Instant::now()));
            self.undated = true;
        }
        self.totals.add(&request);
        let recording = self.recording.write();
        // What a panic left behind is still a recording.
        let mut recording = recording.unwrap_or_else(PoisonError::into_inner);
        recording.add(request.op, request.when, request.bytes);
        drop(recording);
        let had_ended = self.follower.has_ended();
        self.follower.add(request.when, request.bytes);
        // One that had moved nothing had not begun.
        let begun = self.totals.requests > 1;
        self.returned |= begun && had_ended && !self.follower.has_ended();
        Ok(())
    }
}

impl Totals {
    fn add(&mut self, request: &Request) {
        self.requests += 1;
        match request.op {
            Op::Read => self.bytes_read += request.bytes.get(),
            Op::Write => self.bytes_written += request.bytes.get(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use iotempo_analysis::online::Accuracy;
    use iotempo_model::{Api, Bytes, Interval};

    fn seconds(value: f64) -> Seconds {
        Seconds::new(value).expect("finite")
    }

    fn push_one(job: &mut Job, start: f64) {
        let request = Request {
            rank: iotempo_model::Rank(0),
            op: Op::Write,
            api: Api::Posix,
            file: FileId(0),
            when: Interval::new(seconds(start), seconds(start + 1.0)).expect("forwards"),
            bytes: Bytes::from(1 << 20),
        };
        job.push(request).expect("room");
    }

    #[test]
    fn a_job_that_went_on_before_has_not_ended_after_a_restart_because_nobody_runs() {
        for returned in [false, true] {
            let past = Past {
                number: 3,
                at: seconds(100.0),
                window: Interval::new(seconds(0.0), seconds(100.0)).ok(),
                rhythm: None,
                changed_at: None,
                accuracy: Accuracy::default(),
                ended: false,
                returned,
                periods: Vec::new(),
            };
            let mut job = Job::new(online::Settings::default());
            job.resume(&past, Duration::from_secs(1));
            for start in [0.0, 50.0, 99.0] {
                push_one(&mut job, start);
            }
            assert_eq!(job.end_if_over().is_none(), returned);
        }
    }
}
