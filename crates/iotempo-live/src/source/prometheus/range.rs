//! A stretch of the past that Prometheus remembers, as the log of a server.

use super::api::{Api, Failure};
use iotempo_formats::server::{Answers, Options, Reading};
use iotempo_formats::{Error, ErrorKind, Place};
use iotempo_model::ThroughputSink;
use std::io;
use std::thread;
use std::time::Duration;

/// Prometheus answers about so many steps of a series at once.
const MOST_STEPS: u64 = 11_000;
/// The first question is about few steps: its answer tells how long others will be.
const FIRST_STEPS: u64 = 60;
/// So long an answer shall be, in bytes.
const USUAL: u64 = 16 << 20;
/// So long an answer may be.
const LONGEST: u64 = 256 << 20;
/// A question is asked so often, once the first was answered.
const TRIES: u32 = 3;

/// What to ask for.
#[derive(Debug, Clone)]
pub struct RangeQuery {
    /// The server: `http://host:port`.
    pub url: String,
    /// What to ask, in PromQL; it may give any number of series.
    pub expression: String,
    /// From when to when, in seconds since 1970.
    pub range_s: [f64; 2],
    /// How far apart values are; not less than a millisecond.
    pub step: Duration,
}

/// Asks a Prometheus for a stretch of the past, as many steps at once as it answers, and pushes what
/// was moved into `sink`.
///
/// # Errors
/// Where the server is not there, refuses the query, or gives more series than can be taken; where
/// nothing in its answers counts bytes. What came before a server went away is kept, as damaged.
pub fn read_range(
    query: &RangeQuery,
    options: &Options,
    sink: &mut dyn ThroughputSink,
) -> Result<Reading, Error> {
    Asking::new(query, LONGEST)?.run(options, sink)
}

struct Asking<'a> {
    api: Api,
    query: &'a RangeQuery,
    first_ms: i64,
    step_ms: i64,
    /// The number of steps.
    steps: u64,
    longest: u64,
    pause: Duration,
}

fn refused(message: impl Into<String>) -> Error {
    Error::new("", Place::Whole, ErrorKind::Unsupported(message.into()))
}

impl<'a> Asking<'a> {
    fn new(query: &'a RangeQuery, longest: u64) -> Result<Self, Error> {
        let api = Api::new(&query.url).map_err(refused)?;
        let step_ms = i64::try_from(query.step.as_millis()).unwrap_or(i64::MAX);
        if step_ms == 0 {
            return Err(refused("a step of less than 1 ms"));
        }
        let [start, end] = query.range_s;
        let possible = -1e11..1e11;
        if !possible.contains(&start) || !possible.contains(&end) || end <= start {
            return Err(refused(format!(
                "no stretch of time from {start} s to {end} s since 1970"
            )));
        }
        let (first_ms, last_ms) = ((start * 1e3).round() as i64, (end * 1e3).round() as i64);
        Ok(Self {
            api,
            query,
            first_ms,
            step_ms,
            steps: ((last_ms - first_ms) / step_ms) as u64 + 1,
            longest,
            pause: Duration::from_secs(1),
        })
    }

    fn run(&self, options: &Options, sink: &mut dyn ThroughputSink) -> Result<Reading, Error> {
        let mut answers = Answers::new(options, sink)?;
        let mut next = 0;
        let mut at_once = FIRST_STEPS;
        while next < self.steps {
            let count = at_once.min(self.steps - next);
            let tries = if next == 0 { 1 } else { TRIES };
            let answer = match self.ask(next, count, tries) {
                Ok(answer) => answer,
                Err(Failure::TooLong) if count > 1 => {
                    at_once = count / 2;
                    continue;
                }
                Err(failure) => return self.failed(failure, answers),
            };
            let length = answer.len() as u64;
            answers.take(answer).map_err(|error| Error {
                section: self.query.url.clone().into(),
                ..error
            })?;
            next += count;
            at_once = (count * USUAL / length.max(1)).clamp(1, MOST_STEPS);
        }
        answers.finish()
    }

    fn failed(&self, failure: Failure, answers: Answers<'_>) -> Result<Reading, Error> {
        match failure {
            Failure::Passing(reason) => {
                let kind = ErrorKind::Io(io::Error::other(reason));
                answers.cut_off(Error::new("", Place::Whole, kind))
            }
            Failure::Lasting(reason) => Err(refused(reason)),
            Failure::TooLong => Err(refused(format!(
                "{}: too many series: the answer about one step is longer than {} bytes; ask for \
                 fewer, as in sum by (instance) (…)",
                self.query.url, self.longest
            ))),
        }
    }

    fn ask(&self, first: u64, count: u64, tries: u32) -> Result<Vec<u8>, Failure> {
        let seconds = |step: u64| {
            let ms = self.first_ms + step as i64 * self.step_ms;
            // Negative times are before 1970; their fraction counts backwards, too.
            format!("{}", ms as f64 / 1e3)
        };
        let words = [
            ("query", self.query.expression.as_str()),
            ("start", &seconds(first)),
            ("end", &seconds(first + count - 1)),
            ("step", &format!("{}", self.step_ms as f64 / 1e3)),
        ];
        let mut left = tries;
        loop {
            left -= 1;
            match self.api.range(&words, self.longest) {
                Err(Failure::Passing(_)) if left > 0 => thread::sleep(self.pause),
                answer => return answer,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use iotempo_model::{Moved, Target, TargetId};
    use std::io::{BufRead, BufReader, Write};
    use std::net::TcpListener;
    use std::sync::{Arc, Mutex};

    #[derive(Default)]
    struct Sum(f64);

    impl ThroughputSink for Sum {
        fn target(&mut self, _: &Target) -> TargetId {
            TargetId(0)
        }
        fn moved(&mut self, moved: Moved) -> io::Result<()> {
            self.0 += moved.bytes.get();
            Ok(())
        }
    }

    /// A server whose counter is its time, for so many questions; `[start, end]` of each are kept.
    struct Fake {
        url: String,
        asked: Arc<Mutex<Vec<[f64; 2]>>>,
    }

    fn fake(answers: usize) -> Fake {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("bound"));
        let asked = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&asked);
        thread::spawn(move || -> io::Result<()> {
            for number in 0.. {
                let (mut stream, _) = listener.accept()?;
                let mut head = BufReader::new(stream.try_clone()?).lines();
                let line = head.next().transpose()?.unwrap_or_default();
                while head
                    .next()
                    .transpose()?
                    .is_some_and(|line| !line.is_empty())
                {}
                let word = |name: &str| -> f64 {
                    let value = line.split(name).nth(1).unwrap_or_default();
                    let value = value.split(['&', ' ']).next().unwrap_or_default();
                    value.parse().unwrap_or_default()
                };
                let (start, end, step) = (word("start="), word("end="), word("step="));
                kept.lock().expect("kept").push([start, end]);
                let steps = ((end - start) / step).round() as u64;
                let values: Vec<_> = (0..=steps)
                    .map(|index| start + index as f64 * step)
                    .map(|at| format!("[{at},\"{at}\"]"))
                    .collect();
                let (status, body) = if number < answers {
                    let metric = "{\"__name__\":\"x_written_bytes_total\",\"device\":\"sda\"}";
                    let values = values.join(",");
                    let body = format!(
                        "{{\"status\":\"success\",\"data\":{{\"resultType\":\"matrix\",\"result\":\
                         [{{\"metric\":{metric},\"values\":[{values}]}}]}}}}"
                    );
                    ("200 OK", body)
                } else {
                    ("503 Service Unavailable", String::new())
                };
                write!(
                    stream,
                    "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                    body.len()
                )?;
            }
            Ok(())
        });
        Fake { url, asked }
    }

    fn query(url: &str, steps: f64) -> RangeQuery {
        RangeQuery {
            url: url.to_owned(),
            expression: "x".to_owned(),
            range_s: [1000.0, 1000.0 + steps],
            step: Duration::from_secs(1),
        }
    }

    #[test]
    fn a_long_stretch_is_asked_for_in_parts_that_prometheus_answers() {
        let fake = fake(9);
        let mut sum = Sum::default();
        let query = query(&fake.url, 25_000.0);
        let reading = read_range(&query, &Options::default(), &mut sum).expect("answers");
        assert_eq!(sum.0, 25_000.0, "a byte each second");
        assert_eq!(reading.samples, 25_000);
        assert!(reading.warnings.is_empty(), "{:?}", reading.warnings);
        let asked = fake.asked.lock().expect("kept").clone();
        let parts = [
            [1000.0, 1059.0],
            [1060.0, 12_059.0],
            [12_060.0, 23_059.0],
            [23_060.0, 26_000.0],
        ];
        assert_eq!(asked, parts);
    }

    #[test]
    fn what_came_before_a_server_went_away_is_kept() {
        let fake = fake(1);
        let query = query(&fake.url, 100.0);
        let mut asking = Asking::new(&query, LONGEST).expect("an address");
        asking.pause = Duration::from_millis(1);
        let mut sum = Sum::default();
        let reading = asking.run(&Options::default(), &mut sum).expect("a part");
        assert!(reading.damaged);
        assert_eq!(sum.0, 59.0);
        let said = reading.warnings[0].message.as_str();
        assert!(said.contains("503 Service Unavailable"), "{said}");
        assert_eq!(fake.asked.lock().expect("kept").len(), 1 + TRIES as usize);
    }

    #[test]
    fn answers_that_are_too_long_are_asked_for_in_smaller_parts_or_refused() {
        let first = fake(99);
        let url = &first.url;
        let mut sum = Sum::default();
        let asking = |query| Asking::new(query, 400).expect("an address");
        let long = query(url, 40.0);
        asking(&long)
            .run(&Options::default(), &mut sum)
            .expect("in parts");
        assert_eq!(sum.0, 40.0);
        let tiny = Asking::new(&long, 20).expect("an address");
        let error = tiny
            .run(&Options::default(), &mut sum)
            .expect_err("too long");
        assert!(error.to_string().contains("too many series"), "{error}");
    }

    #[test]
    fn what_cannot_be_asked_is_refused() {
        let free = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", free.local_addr().expect("bound"));
        drop(free);
        let ask = |query: RangeQuery| {
            let error = read_range(&query, &Options::default(), &mut Sum::default());
            error.expect_err("refused").to_string()
        };
        let said = ask(query(&url, 10.0));
        assert!(said.contains(&url) && said.contains("no answer"), "{said}");
        assert!(ask(query("ftp://x", 10.0)).contains("no address"));
        assert!(ask(query(&url, -1.0)).contains("no stretch of time from 1000 s to 999 s"));
        let mut short = query(&url, 10.0);
        short.step = Duration::from_micros(5);
        assert!(ask(short).contains("less than 1 ms"));
    }
}
