//! Events as they come from a server.

use crate::human;
use anyhow::bail;
use serde::Deserialize;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// A server that has said nothing for this long is not there any more: it gives a sign every 15 s.
pub(super) const SILENCE: Duration = Duration::from_secs(45);
/// Bytes of a line at the most: a prediction has some thousand.
const LONGEST: u64 = 1 << 20;

/// Events that come one by one.
pub(super) struct Stream {
    reader: BufReader<TcpStream>,
    heard: Instant,
}

/// What was heard of an event so far.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Event {
    pub(super) name: String,
    pub(super) id: Option<String>,
    pub(super) data: String,
}

/// A server that does not want to answer this: the number of the error, and what it says.
#[derive(Debug)]
pub(super) struct Refused(pub(super) String);

impl std::fmt::Display for Refused {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "the server answers {}", self.0)?;
        if self.0.starts_with("401") {
            formatter.write_str(" (--token-file FILE, or IOTEMPO_TOKEN)")?;
        }
        Ok(())
    }
}

impl std::error::Error for Refused {}

impl Stream {
    pub(super) fn new(stream: TcpStream) -> Self {
        Self {
            reader: BufReader::new(stream),
            heard: Instant::now(),
        }
    }

    /// Reads the answer up to where the events begin, which must be before then.
    pub(super) fn skip_head(&mut self, until: Instant) -> anyhow::Result<()> {
        let status = self.whole_line(until)?;
        let reason = match status.split_once(' ') {
            Some((protocol, reason)) if protocol.starts_with("HTTP/1.") => {
                human::printable(reason).into_owned()
            }
            _ => return Err(Refused("what no server of iotempo would".to_owned()).into()),
        };
        while !self.whole_line(until)?.is_empty() {}
        if reason.starts_with("200") {
            return Ok(());
        }
        let refused = Refused(match self.explanation(until) {
            Some(why) => format!("{reason}: {}", human::printable(&why)),
            None => reason,
        });
        // A server with too many clients may have fewer later.
        if refused.0.starts_with('5') {
            bail!("{refused}");
        }
        Err(refused.into())
    }

    /// What a server says beside the number of an error.
    fn explanation(&mut self, until: Instant) -> Option<String> {
        #[derive(Deserialize)]
        struct Explanation {
            error: String,
        }
        let mut body = Vec::new();
        // Such an answer is one line, whose end may be that of the connection.
        while let Ok(false) = self.line(&mut body)
            && (body.len() as u64) < LONGEST
            && Instant::now() < until
        {}
        let told: Explanation = serde_json::from_slice(&body).ok()?;
        Some(told.error)
    }

    fn whole_line(&mut self, until: Instant) -> io::Result<String> {
        let mut line = Vec::new();
        loop {
            if Instant::now() > until {
                return Err(silent());
            }
            if self.line(&mut line)? {
                return Ok(String::from_utf8_lossy(&line).trim_end().to_owned());
            }
        }
    }

    /// Reads on; whether the line is whole now. Comes back now and then, so that others can be looked at.
    pub(super) fn line(&mut self, line: &mut Vec<u8>) -> io::Result<bool> {
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
            Ok(_) if line.len() as u64 >= LONGEST => Err(too_long()),
            Ok(_) => Ok(false),
            Err(error) => match error.kind() {
                // What came before the pause is part of the line.
                ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted => {
                    if line.len() as u64 >= LONGEST {
                        Err(too_long())
                    } else if self.heard.elapsed() > SILENCE {
                        Err(silent())
                    } else {
                        Ok(false)
                    }
                }
                _ => Err(error),
            },
        }
    }
}

fn silent() -> io::Error {
    io::Error::new(ErrorKind::TimedOut, "the server is silent")
}

fn too_long() -> io::Error {
    let message = "the server sends a line that does not end";
    io::Error::new(ErrorKind::InvalidData, message)
}

impl Event {
    /// Takes in a line; whether the event is whole with it.
    pub(super) fn take(&mut self, line: &str) -> bool {
        match line.split_once(": ") {
            Some(("event", name)) => name.clone_into(&mut self.name),
            Some(("id", id)) => self.id = Some(id.to_owned()),
            Some(("data", data)) => data.clone_into(&mut self.data),
            _ => {}
        }
        line.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_comes_in_drops_and_does_not_end_is_given_up() {
        use std::io::Write;
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let client = TcpStream::connect(listener.local_addr().expect("bound")).expect("a line");
        let pause = Duration::from_millis(50);
        client.set_read_timeout(Some(pause)).expect("a socket");
        let (mut server, _) = listener.accept().expect("a line");
        // Less than a line at a time, and a pause after each.
        let sender = std::thread::spawn(move || {
            for _ in 0..20 {
                if server.write_all(&[b'x'; 200_000]).is_err() {
                    return;
                }
                std::thread::sleep(3 * pause);
            }
        });
        let (mut stream, mut line) = (Stream::new(client), Vec::new());
        let error = loop {
            match stream.line(&mut line) {
                Ok(whole) => assert!(!whole),
                Err(error) => break error,
            }
        };
        assert_eq!(error.kind(), ErrorKind::InvalidData);
        assert!((line.len() as u64) < 2 * LONGEST);
        drop(stream);
        sender.join().expect("no panic");
    }

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
}
