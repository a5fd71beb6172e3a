//! A query to Prometheus, as a source.

mod api;
mod range;
mod steps;

pub use range::{RangeQuery, read_range};
pub use steps::Values;

use super::News;
use crate::job::Follows;
use api::{Api, Failure};
use iotempo_formats::{Error, ErrorKind, Place};
use iotempo_model::{
    Api as Layer, Intake, Op, Origin, RawRequest, RequestSink, Seconds, Selecting, Selection,
    Source, Warning,
};
use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;
use steps::{Moved, Steps};

/// Answers that wait to be taken.
const AHEAD: usize = 64;
/// Steps that one question is about: Prometheus answers up to 11,000.
const MOST_STEPS: i64 = 10_000;
/// Between questions, at least; and after a failure, at most.
const PAUSES: [Duration; 2] = [Duration::from_millis(200), Duration::from_secs(30)];

/// What to ask for.
#[derive(Debug, Clone)]
pub struct Query {
    /// The server: `http://host:port`.
    pub url: String,
    /// What to ask, in PromQL.
    pub expression: String,
    /// How far apart values are; not less than a millisecond.
    pub step: Duration,
    /// What they are.
    pub values: Values,
    /// How much of the past to begin with.
    pub since: Duration,
}

/// Values that a thread asks for, again and again.
#[derive(Debug)]
pub struct Prometheus {
    heard: Receiver<Heard>,
    op: Op,
    step_s: f64,
    /// The step that begins at time 0.
    zero: Option<i64>,
    warnings: Vec<Warning>,
}

#[derive(Debug)]
enum Heard {
    Moved(Vec<Moved>),
    Said(Warning),
    Failed(String),
}

impl Prometheus {
    /// Begins to ask.
    ///
    /// # Errors
    /// Where the address is none.
    pub(super) fn new(query: Query) -> Result<Self, String> {
        let api = Api::new(&query.url)?;
        let step_ms = i64::try_from(query.step.as_millis()).unwrap_or(i64::MAX);
        if step_ms == 0 {
            return Err("a step of less than 1 ms".to_owned());
        }
        let (sender, heard) = sync_channel(AHEAD);
        let op = direction(&query.expression);
        let asking = Asking {
            api,
            query,
            step_ms,
            steps: None,
            to: sender,
        };
        thread::spawn(move || asking.run());
        Ok(Self {
            heard,
            op,
            step_s: step_ms as f64 * 1e-3,
            zero: None,
            warnings: Vec::new(),
        })
    }

    /// When time 0 was, in ns since 1970.
    pub(super) fn start_epoch_ns(&self) -> Option<u64> {
        let seconds = self.zero? as f64 * self.step_s;
        Some((seconds * 1e3).round() as u64 * 1_000_000)
    }

    pub(super) fn take_warnings(&mut self) -> Vec<Warning> {
        std::mem::take(&mut self.warnings)
    }

    /// Takes in what came of a selection.
    pub(super) fn poll(
        &mut self,
        selection: &Selection,
        job: &mut dyn Follows,
    ) -> Result<News, Error> {
        let mut all = VecDeque::new();
        while let Ok(heard) = self.heard.try_recv() {
            match heard {
                Heard::Moved(moved) => all.extend(moved),
                Heard::Said(warning) => self.warnings.push(warning),
                Heard::Failed(reason) => {
                    let kind = ErrorKind::Unsupported(reason);
                    return Err(Error::new("", Place::Whole, kind));
                }
            }
        }
        job.learn(&Origin {
            resolution: Seconds::new(self.step_s),
            ..Origin::new(Source::Samples)
        });
        if let Some(Moved { step, .. }) = all.back() {
            let zero = *self
                .zero
                .get_or_insert(all.front().map_or(*step, |first| first.step) - 1);
            let end = Seconds::new((step - zero) as f64 * self.step_s);
            job.known_until(end.unwrap_or_default());
        }
        let mut selecting = Selecting::new(selection, job);
        let sink: &mut dyn RequestSink = &mut selecting;
        let mut intake = Intake::new(sink);
        let file = intake.file("");
        for Moved { step, bytes } in all {
            let zero = *self.zero.get_or_insert(step - 1);
            if bytes > 0.0 {
                intake.offer(RawRequest {
                    rank: 0,
                    op: self.op,
                    api: Layer::Unknown,
                    file,
                    start: (step - 1 - zero) as f64 * self.step_s,
                    end: (step - zero) as f64 * self.step_s,
                    bytes,
                })?;
            }
        }
        Ok(News::Other)
    }
}

/// Read where the query speaks of reading only.
fn direction(expression: &str) -> Op {
    let says = |word| expression.to_ascii_lowercase().contains(word);
    if says("read") && !says("writ") {
        Op::Read
    } else {
        Op::Write
    }
}

/// The thread that asks.
struct Asking {
    api: Api,
    query: Query,
    step_ms: i64,
    /// `None` before the server has told its time.
    steps: Option<Steps>,
    to: SyncSender<Heard>,
}

impl Asking {
    fn run(mut self) {
        let [shortest, longest] = PAUSES;
        let usual = self.query.step.max(shortest);
        let mut pause = usual;
        let mut silent = false;
        loop {
            let heard = match self.ask() {
                Ok(moved) => {
                    pause = usual;
                    if std::mem::take(&mut silent) {
                        self.say("it answers again".to_owned());
                    }
                    Heard::Moved(moved)
                }
                Err(Failure::Lasting(reason)) => {
                    // Nobody listens where this fails.
                    let _ = self.to.send(Heard::Failed(reason));
                    return;
                }
                Err(Failure::TooLong) => {
                    let reason = "the answer is longer than it can be for one series".to_owned();
                    // Nobody listens where this fails.
                    let _ = self.to.send(Heard::Failed(reason));
                    return;
                }
                Err(Failure::Passing(reason)) => {
                    if !std::mem::replace(&mut silent, true) {
                        self.say(format!("{reason}: asking again and again"));
                    }
                    pause = (2 * pause).min(longest.max(usual));
                    Heard::Moved(Vec::new())
                }
            };
            if self.to.send(heard).is_err() {
                return;
            }
            thread::sleep(pause);
        }
    }

    fn say(&self, message: String) {
        // Nobody listens where this fails.
        let _ = self
            .to
            .send(Heard::Said(Warning::new("connection", message)));
    }

    /// All that is new, a step behind the server's time: what belongs to the last may not be there.
    fn ask(&mut self) -> Result<Vec<Moved>, Failure> {
        let newest = (self.api.now_s()? * 1000.0) as i64 / self.step_ms - 1;
        let since = self.query.since.as_millis() as i64 / self.step_ms;
        let step_s = self.step_ms as f64 * 1e-3;
        let steps = self
            .steps
            .get_or_insert_with(|| Steps::new(self.query.values, step_s, newest - since));
        let mut moved = Vec::new();
        while steps.next() <= newest {
            let (first, last) = (steps.next(), newest.min(steps.next() + MOST_STEPS - 1));
            let query = &self.query.expression;
            let found = match self.api.values(query, self.step_ms, [first, last]) {
                Ok(found) => found,
                // What came before is not asked for again; the next question tells how it went on.
                Err(Failure::Passing(_)) if !moved.is_empty() => break,
                Err(failure) => return Err(failure),
            };
            moved.extend(steps.take(&found, last));
            if last == newest {
                break;
            }
        }
        Ok(moved)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufRead, BufReader, Write};
    use std::net::TcpListener;

    /// A server that answers two questions and then fails: its time, and a value of 1 B/s at the first step
    /// that is asked for.
    fn fails_after_two(listener: &TcpListener) -> std::io::Result<()> {
        for number in 0.. {
            let (mut stream, _) = listener.accept()?;
            let mut head = BufReader::new(stream.try_clone()?).lines();
            let asked = head.next().transpose()?.unwrap_or_default();
            while head
                .next()
                .transpose()?
                .is_some_and(|line| !line.is_empty())
            {}
            let start = asked.split("start=").nth(1).unwrap_or_default();
            let start = start.split('&').next().unwrap_or_default();
            let (status, result) = match number {
                0 => ("200 OK", "[0,\"100000\"]".to_owned()),
                1 => (
                    "200 OK",
                    format!("[{{\"metric\":{{}},\"values\":[[{start},\"1\"]]}}]"),
                ),
                _ => ("503 Service Unavailable", "null".to_owned()),
            };
            let body = format!("{{\"data\":{{\"result\":{result}}}}}");
            write!(
                stream,
                "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                body.len()
            )?;
        }
        Ok(())
    }

    #[test]
    fn what_came_before_a_failure_is_kept() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("bound"));
        thread::spawn(move || fails_after_two(&listener));
        let (to, _heard) = sync_channel(AHEAD);
        let mut asking = Asking {
            api: Api::new(&url).expect("an address"),
            query: Query {
                url,
                expression: "rate(written)".to_owned(),
                step: Duration::from_secs(1),
                values: Values::Rate,
                since: Duration::from_secs(2 * MOST_STEPS as u64),
            },
            step_ms: 1000,
            steps: None,
            to,
        };
        let moved = asking.ask().expect("the first block");
        assert_eq!(moved.iter().map(|moved| moved.bytes).sum::<f64>(), 1.0);
        assert!(matches!(asking.ask(), Err(Failure::Passing(_))));
    }
}
