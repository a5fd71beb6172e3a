//! What a server says of its jobs.

mod address;
mod stream;

use crate::talk::Talk;
use address::Address;
use anyhow::Context;
use iotempo_model::counted;
use iotempo_report::quantity::duration;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::io::{self, Write};
use std::thread::sleep;
use std::time::{Duration, Instant};
use stream::{Event, Refused, SILENCE, Stream};

/// How long to wait before a server that was there is asked again.
const BREATHER: Duration = Duration::from_secs(2);
/// How long to wait before one that is not there yet is asked again: at first, and at the most.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
/// What was seen last by who wants to hear everything.
const BEFORE_ALL: &str = "0";

/// A server to listen to.
pub(super) struct Following<'a> {
    pub(super) url: &'a str,
    pub(super) token: Option<String>,
    /// End when nothing has come for this long.
    pub(super) until_idle: Option<Duration>,
    /// How long it may take to come up.
    pub(super) connect_timeout: Duration,
}

/// Why a stream ended.
enum End {
    /// Nothing has come for as long as was wanted.
    Idle,
    /// It broke off, and can be asked for again.
    Broken(String),
}

/// A prediction of some job.
#[derive(Deserialize)]
struct Told<'a> {
    #[serde(borrow)]
    line: &'a RawValue,
}

/// Predictions that the server has no more.
#[derive(Deserialize)]
struct Lost {
    /// At the most; `None` where nobody knows.
    missed: Option<u64>,
}

/// What was heard so far.
struct Progress {
    last_event: Option<String>,
    last_line: Instant,
    until_idle: Option<Duration>,
}

/// Prints predictions as they come, for as long as they do.
pub(super) fn run(following: &Following, talk: &Talk) -> anyhow::Result<()> {
    let (url, token) = (following.url, following.token.as_deref());
    let address = Address::read(url)?;
    let mut stream = Some(first(&address, following, talk).context(url.to_owned())?);
    let mut progress = Progress {
        last_event: None,
        last_line: Instant::now(),
        until_idle: following.until_idle,
    };
    loop {
        let ended = match stream.take() {
            Some(stream) => progress.print(stream, talk)?,
            None => match address.open(token, progress.last_event.as_deref(), SILENCE) {
                Ok(opened) => {
                    talk.warn(format_args!("{url}: there again"));
                    stream = Some(opened);
                    continue;
                }
                Err(error) if is_final(&error) => return Err(error.context(url.to_owned())),
                Err(error) => End::Broken(format!("{error:#}")),
            },
        };
        match ended {
            End::Idle => return Ok(()),
            End::Broken(_) if progress.is_idle() => return Ok(()),
            End::Broken(why) => talk.warn(format_args!("{url}: {why}: trying again")),
        }
        sleep(BREATHER);
    }
}

/// The first stream. A server that was started together with us may need a while to listen, or to find the
/// job; an address with a slip of the pen is never answered, so that there is an end to waiting. A job that
/// was waited for may have been told of before it is asked for again: it is heard from its beginning.
fn first(address: &Address, following: &Following, talk: &Talk) -> anyhow::Result<Stream> {
    let url = following.url;
    let longest = following.until_idle.unwrap_or(Duration::MAX);
    let longest = longest.min(following.connect_timeout);
    let began = Instant::now();
    let (mut pause, mut told) = (FIRST_PAUSE, String::new());
    loop {
        let left = longest.saturating_sub(began.elapsed());
        let waited_for = address.is_of_a_job() && !told.is_empty();
        let after = waited_for.then_some(BEFORE_ALL);
        let error = match address.open(following.token.as_deref(), after, left) {
            Ok(stream) => {
                if !told.is_empty() {
                    talk.warn(format_args!("{url}: there now"));
                }
                return Ok(stream);
            }
            Err(error) => error,
        };
        let left = longest.saturating_sub(began.elapsed());
        if is_final(&error) || left.is_zero() {
            let waited = format!("waited for {} (--connect-timeout)", said(longest));
            return Err(if told.is_empty() {
                error
            } else {
                error.context(waited)
            });
        }
        let why = format!("{error:#}");
        if why != told {
            talk.warn(format_args!(
                "{url}: {why}: waiting for it, up to {}",
                said(longest)
            ));
            told = why;
        }
        sleep(pause.min(left));
        pause = LONGEST_PAUSE.min(2 * pause);
    }
}

fn said(time: Duration) -> String {
    duration(time.as_secs_f64())
}

/// Whether a server that was there would say the same again. A job that it does not know may be one that it has
/// not found yet, or that comes back.
fn is_final(error: &anyhow::Error) -> bool {
    let refused = error.downcast_ref::<Refused>();
    refused.is_some_and(|Refused(reason)| !reason.starts_with("404"))
}

fn warn_of_loss(data: &str, talk: &Talk) -> anyhow::Result<()> {
    let lost: Lost = serde_json::from_str(data).context("a loss")?;
    match lost.missed {
        // Changes of jobs, which are not told here.
        Some(0) => {}
        Some(missed) => talk.warn(format_args!(
            "up to {} are not to be had any more",
            counted(missed, "prediction")
        )),
        None => talk
            .warn("the server has begun to count anew: predictions may be missing or come again"),
    }
    Ok(())
}

impl Progress {
    /// Prints predictions until the stream ends.
    fn print(&mut self, mut stream: Stream, talk: &Talk) -> anyhow::Result<End> {
        let (mut event, mut line) = (Event::default(), Vec::new());
        loop {
            match stream.line(&mut line) {
                Err(error) => return Ok(End::Broken(error.to_string())),
                Ok(false) if self.is_idle() => return Ok(End::Idle),
                Ok(false) => continue,
                Ok(true) => {}
            }
            let text = String::from_utf8_lossy(&line);
            if event.take(text.trim_end()) {
                self.hear(std::mem::take(&mut event), talk)?;
            }
            line.clear();
        }
    }

    /// Takes note of an event that is whole. One that broke off has not come, and is asked for again.
    fn hear(&mut self, event: Event, talk: &Talk) -> anyhow::Result<()> {
        match (&*event.name, &*event.data) {
            (_, "") => {}
            ("prediction", data) => self.tell(data)?,
            // Who has heard nothing yet has lost nothing: what a server holds no more is older.
            ("lost", _) if self.last_event.is_none() => {}
            ("lost", data) => warn_of_loss(data, talk)?,
            _ => {}
        }
        self.last_event = event.id.or(self.last_event.take());
        Ok(())
    }

    fn tell(&mut self, data: &str) -> anyhow::Result<()> {
        let told: Told<'_> = serde_json::from_str(data).context("a prediction")?;
        self.last_line = Instant::now();
        let mut out = io::stdout().lock();
        writeln!(out, "{}", told.line.get())?;
        Ok(out.flush()?)
    }

    fn is_idle(&self) -> bool {
        self.until_idle
            .is_some_and(|longest| self.last_line.elapsed() >= longest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_that_is_not_there_may_come_back_and_a_secret_that_is_wrong_stays_so() {
        let refused = |reason: &str| anyhow::Error::from(Refused(reason.to_owned()));
        assert!(is_final(&refused("401 Unauthorized")));
        assert!(!is_final(&refused("404 Not Found")));
        assert!(!is_final(&anyhow::anyhow!("the server has gone")));
    }
}
