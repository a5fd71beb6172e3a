//! Where the events of a server are.

use super::stream::{SILENCE, Stream};
use crate::settings::usage_error;
use std::io::{self, ErrorKind, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

/// How long a machine may take to answer at all.
const REACHED: Duration = Duration::from_secs(5);
/// How often to look at the clock.
const TICK: Duration = Duration::from_millis(200);

/// The events of all jobs.
const ALL_JOBS: &str = "/api/events";

/// Where the events are.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Address {
    host: String,
    path: String,
}

impl Address {
    /// `http://HOST:PORT` is all jobs; `http://HOST:PORT/api/jobs/ID` is one, and so is
    /// `http://HOST:PORT/#job/ID`, as a browser shows it.
    pub(super) fn read(url: &str) -> Result<Self, clap::Error> {
        let wrong = || {
            usage_error(format!(
                "'{url}' is no address such as http://login:7788, http://login:7788/api/jobs/ID or \
                 http://login:7788/#job/ID"
            ))
        };
        if url.starts_with("https://") {
            return Err(usage_error(format!(
                "'{url}': https is not spoken here: use http, through a tunnel where the network is not \
                 trusted, such as ssh -L 7788:127.0.0.1:7788 HOST and http://127.0.0.1:7788"
            )));
        }
        let rest = url.strip_prefix("http://").ok_or_else(wrong)?;
        let sendable = rest.bytes().all(|byte| byte.is_ascii_graphic());
        let (rest, fragment) = rest.split_once('#').unwrap_or((rest, ""));
        let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
        if host.is_empty() || !sendable {
            return Err(wrong());
        }
        let path = path.trim_end_matches('/');
        let job = match (
            path.strip_prefix("api/jobs/"),
            fragment.strip_prefix("job/"),
        ) {
            (None, job) if path.is_empty() => job,
            (Some(job), _) => Some(job),
            _ => return Err(wrong()),
        };
        let path = match job {
            None => ALL_JOBS.to_owned(),
            Some(id) if !id.is_empty() && !id.contains(['/', '?', '#']) => {
                format!("/api/jobs/{id}/events")
            }
            Some(_) => return Err(wrong()),
        };
        let port = host.rsplit_once(':').map(|(_, port)| port.parse::<u16>());
        let host = match port {
            Some(Ok(_)) => host.to_owned(),
            _ => format!("{host}:80"),
        };
        Ok(Self { host, path })
    }

    /// Whether it is about one job.
    pub(super) fn is_of_a_job(&self) -> bool {
        self.path != ALL_JOBS
    }

    /// Asks for the events, from after the last one that was heard, and waits no longer for them to begin.
    pub(super) fn open(
        &self,
        token: Option<&str>,
        last: Option<&str>,
        longest: Duration,
    ) -> anyhow::Result<Stream> {
        // Who does not want to wait at all wants an answer all the same.
        let until = Instant::now() + longest.clamp(TICK, SILENCE);
        let stream = self.connect(until)?;
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
        let mut stream = Stream::new(stream);
        stream.skip_head(until)?;
        Ok(stream)
    }

    /// By the first of its addresses that answers.
    fn connect(&self, until: Instant) -> io::Result<TcpStream> {
        let mut failure = io::Error::new(ErrorKind::NotFound, "the name has no address");
        for address in self.host.to_socket_addrs()? {
            let left = until.saturating_duration_since(Instant::now());
            // A wait of no length is refused.
            let left = left.clamp(Duration::from_millis(1), REACHED);
            match TcpStream::connect_timeout(&address, left) {
                Ok(stream) => return Ok(stream),
                Err(error) => failure = error,
            }
        }
        Err(failure)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_accepts_and_says_nothing_is_not_waited_for_longer_than_was_wanted() {
        let silent = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = silent.local_addr().expect("bound").port();
        let address = Address::read(&format!("http://127.0.0.1:{port}")).expect("an address");
        let began = Instant::now();
        let opened = address.open(None, None, Duration::from_millis(400));
        let error = opened.err().expect("nothing came").to_string();
        assert!(error.contains("silent"), "{error}");
        assert!(began.elapsed() < Duration::from_secs(10));
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
        for url in [
            "http://login:7788/#job/melt-1",
            "http://login:7788#job/melt-1",
        ] {
            assert_eq!(read(url), some("login:7788", "/api/jobs/melt-1/events"));
        }
        for url in ["http://login:7788/#", "http://login:7788/#top"] {
            assert_eq!(read(url), some("login:7788", "/api/events"));
        }
        for wrong in [
            "login:7788",
            "http://a/#job/",
            "http://a/#job/b/c",
            "http://a/api/jobs/",
            "https://login",
            "http://",
            "http://a/b",
            "http://a/api/jobs/b/c",
        ] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
