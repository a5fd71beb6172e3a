//! What a server says of its jobs.

use crate::settings::usage_error;
use crate::talk::Talk;
use anyhow::{Context, bail};
use iotempo_model::counted;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long to wait before a server is asked again.
const BREATHER: Duration = Duration::from_secs(2);
/// A server that has said nothing for this long is not there any more: it gives a sign every 15 s.
const SILENCE: Duration = Duration::from_secs(45);
/// How often to look at the clock.
const TICK: Duration = Duration::from_millis(200);
/// Bytes of a line at the most: a prediction has some thousand.
const LONGEST: u64 = 1 << 20;

/// Where the events are.
#[derive(Debug, PartialEq, Eq)]
struct Address {
    host: String,
    path: String,
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

/// What was heard of an event so far.
#[derive(Debug, Default, PartialEq, Eq)]
struct Event {
    name: String,
    id: Option<String>,
    data: String,
}

/// Events that come one by one.
struct Stream {
    reader: BufReader<TcpStream>,
    heard: Instant,
}

/// What was heard so far.
struct Progress {
    last_event: Option<String>,
    last_line: Instant,
    until_idle: Option<Duration>,
}

/// Prints predictions as they come, for as long as they do.
pub(super) fn run(
    url: &str,
    token: Option<String>,
    until_idle: Option<Duration>,
    talk: &Talk,
) -> anyhow::Result<()> {
    let address = Address::read(url)?;
    let mut progress = Progress {
        last_event: None,
        last_line: Instant::now(),
        until_idle,
    };
    // A server that cannot be reached at first may be a slip of the pen.
    let mut stream = Some(
        address
            .open(token.as_deref(), None)
            .context(url.to_owned())?,
    );
    loop {
        let ended = match stream.take() {
            Some(stream) => progress.print(stream, talk)?,
            None => match address.open(token.as_deref(), progress.last_event.as_deref()) {
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

/// Whether a server that was there would say the same again. A job that it does not know may be one that it has
/// not found yet, or that comes back.
fn is_final(error: &anyhow::Error) -> bool {
    let refused = error.downcast_ref::<Refused>();
    refused.is_some_and(|Refused(reason)| !reason.starts_with("404"))
}

/// A server that does not want to answer this.
#[derive(Debug)]
struct Refused(String);

impl std::fmt::Display for Refused {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "the server answers {}", self.0)
    }
}

impl std::error::Error for Refused {}

impl Address {
    /// `http://HOST:PORT` is all jobs, `http://HOST:PORT/api/jobs/ID` is one.
    fn read(url: &str) -> Result<Self, clap::Error> {
        let wrong = || usage_error(format!("'{url}' is no address such as http://login:7788"));
        let rest = url.strip_prefix("http://").ok_or_else(wrong)?;
        let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
        let sendable = |text: &str| text.bytes().all(|byte| byte.is_ascii_graphic());
        if host.is_empty() || !sendable(host) || !sendable(path) {
            return Err(wrong());
        }
        let has_port = host
            .rsplit_once(':')
            .is_some_and(|(_, port)| port.parse::<u16>().is_ok());
        let host = if has_port {
            host.to_owned()
        } else {
            format!("{host}:80")
        };
        let path = path.trim_end_matches('/');
        let path = match path.strip_prefix("api/jobs/") {
            None if path.is_empty() => "/api/events".to_owned(),
            Some(id) if !id.contains(['/', '?', '#']) => format!("/api/jobs/{id}/events"),
            _ => return Err(wrong()),
        };
        Ok(Self { host, path })
    }

    /// Asks for the events, from after the last one that was heard.
    fn open(&self, token: Option<&str>, last: Option<&str>) -> anyhow::Result<Stream> {
        let stream = TcpStream::connect(&self.host)?;
        stream.set_read_timeout(Some(TICK))?;
        stream.set_write_timeout(Some(SILENCE))?;
        // The older protocol has no chunks.
        let mut request = format!("GET {} HTTP/1.0\r\nHost: {}\r\n", self.path, self.host);
        for (name, value) in [("Authorization: Bearer", token), ("Last-Event-ID:", last)] {
            let value = value.filter(|value| value.bytes().all(|byte| byte.is_ascii_graphic()));
            if let Some(value) = value {
                request.push_str(&format!("{name} {value}\r\n"));
            }
        }
        request.push_str("\r\n");
        (&stream).write_all(request.as_bytes())?;
        let mut stream = Stream {
            reader: BufReader::new(stream),
            heard: Instant::now(),
        };
        stream.skip_head()?;
        Ok(stream)
    }
}

impl Stream {
    fn skip_head(&mut self) -> anyhow::Result<()> {
        let status = self.whole_line()?;
        let code = status.split(' ').nth(1).unwrap_or_default();
        if !status.starts_with("HTTP/1.") {
            bail!("this is not a server of iotempo");
        }
        if code != "200" {
            let reason = status.split_once(' ').map_or("", |(_, reason)| reason);
            let refused = Refused(reason.to_owned());
            // A server with too many clients may have fewer later.
            if code.starts_with('5') {
                bail!("{refused}");
            }
            return Err(refused.into());
        }
        while !self.whole_line()?.is_empty() {}
        Ok(())
    }

    fn whole_line(&mut self) -> io::Result<String> {
        let mut line = Vec::new();
        loop {
            if self.line(&mut line)? {
                return Ok(String::from_utf8_lossy(&line).trim_end().to_owned());
            }
        }
    }

    /// Reads on; whether the line is whole now. Comes back now and then, so that others can be looked at.
    fn line(&mut self, line: &mut Vec<u8>) -> io::Result<bool> {
        let before = line.len();
        let read = (&mut self.reader).take(LONGEST).read_until(b'\n', line);
        if line.len() > before {
            self.heard = Instant::now();
        }
        match read {
            Ok(_) if line.last() == Some(&b'\n') => Ok(true),
            Ok(0) => Err(io::Error::new(
                ErrorKind::UnexpectedEof,
                "the server has gone",
            )),
            Ok(_) if line.len() as u64 >= LONGEST => Err(ErrorKind::InvalidData.into()),
            Ok(_) => Ok(false),
            Err(error) => match error.kind() {
                ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted => {
                    if self.heard.elapsed() > SILENCE {
                        return Err(io::Error::new(ErrorKind::TimedOut, "the server is silent"));
                    }
                    Ok(false)
                }
                _ => Err(error),
            },
        }
    }
}

impl Event {
    /// Takes in a line; whether the event is whole with it.
    fn take(&mut self, line: &str) -> bool {
        match line.split_once(": ") {
            Some(("event", name)) => name.clone_into(&mut self.name),
            Some(("id", id)) => self.id = Some(id.to_owned()),
            Some(("data", data)) => data.clone_into(&mut self.data),
            _ => {}
        }
        line.is_empty()
    }
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

    /// The names, ids and data of the events of a text.
    fn heard(text: &str) -> Vec<(String, Option<String>, String)> {
        let mut event = Event::default();
        let mut heard = Vec::new();
        for line in text.lines() {
            if event.take(line) {
                let Event { name, id, data } = std::mem::take(&mut event);
                heard.push((name, id, data));
            }
        }
        heard
    }

    #[test]
    fn an_event_is_heard_when_it_is_whole() {
        let whole = "retry: 2000\nid: 6\n\nevent: prediction\nid: 7\ndata: {}\n\n:\n\n";
        let some = |name: &str, id: Option<&str>, data: &str| {
            (name.to_owned(), id.map(str::to_owned), data.to_owned())
        };
        let expected = [
            some("", Some("6"), ""),
            some("prediction", Some("7"), "{}"),
            some("", None, ""),
        ];
        assert_eq!(heard(whole), expected);
        let torn = "event: prediction\nid: 7\ndata: {}\n\nevent: prediction\nid: 8\n";
        assert_eq!(heard(torn), expected[1..2]);
        assert_eq!(heard(&format!("{torn}data: {{\"li")), expected[1..2]);
    }

    #[test]
    fn a_job_that_is_not_there_may_come_back_and_a_secret_that_is_wrong_stays_so() {
        let refused = |reason: &str| anyhow::Error::from(Refused(reason.to_owned()));
        assert!(is_final(&refused("401 Unauthorized")));
        assert!(!is_final(&refused("404 Not Found")));
        assert!(!is_final(&anyhow::anyhow!("the server has gone")));
    }

    #[test]
    fn addresses_are_of_a_server_or_of_a_job() {
        let read = |url| {
            Address::read(url)
                .map(|address| (address.host, address.path))
                .ok()
        };
        let some = |host: &str, path: &str| Some((host.to_owned(), path.to_owned()));
        assert_eq!(read("http://login:7788"), some("login:7788", "/api/events"));
        assert_eq!(read("http://[::1]:1/"), some("[::1]:1", "/api/events"));
        assert_eq!(
            read("http://login/api/jobs/a.csv"),
            some("login:80", "/api/jobs/a.csv/events")
        );
        for wrong in [
            "login:7788",
            "https://login",
            "http://",
            "http://a/b",
            "http://a/api/jobs/b/c",
        ] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
