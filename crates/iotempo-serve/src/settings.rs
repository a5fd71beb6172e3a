//! What a server is told.

use iotempo_analysis::online;
use iotempo_formats::ReadOptions;
use iotempo_model::Selection;
use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// Takes what a server has to say to the person who started it.
pub type Notice = Box<dyn Fn(&str) + Send + Sync>;

/// What to follow, and how.
pub struct Settings {
    /// Folders of jobs, or single jobs.
    pub roots: Vec<PathBuf>,
    /// Where to listen.
    pub listen: SocketAddr,
    /// What clients must know.
    pub token: Option<Token>,
    /// How often to look.
    pub every: Duration,
    /// For how long jobs stay listed whose files are gone.
    pub keep: Duration,
    /// Where to keep what must outlive the server.
    pub state: PathBuf,
    /// Jobs that `/metrics` tells of at the most.
    pub metrics_jobs: usize,
    /// How jobs are followed.
    pub online: online::Settings,
    /// How their files are read.
    pub options: ReadOptions,
    /// Which of their requests count.
    pub selection: Selection,
    /// How much of the server anybody gets.
    pub limits: Limits,
}

impl fmt::Debug for Settings {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = formatter.debug_struct("Settings");
        fields.field("roots", &self.roots);
        fields.field("listen", &self.listen).finish_non_exhaustive()
    }
}

#[cfg(test)]
impl Settings {
    /// A server of one folder that nobody can reach.
    pub(crate) fn of(root: &std::path::Path) -> Self {
        Self {
            roots: vec![root.to_owned()],
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            token: None,
            every: Duration::from_secs(1),
            keep: Duration::from_secs(3600),
            state: root.join(".state"),
            metrics_jobs: 1000,
            online: online::Settings::default(),
            options: ReadOptions::default(),
            selection: Selection::default(),
            limits: Limits::default(),
        }
    }
}

/// How much of the server anybody gets.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Connections at a time.
    pub connections: usize,
    /// Of those, how many may be streams of events.
    pub streams: usize,
    /// How long a request may take to arrive, and a connection to send its next one.
    pub header: Duration,
    /// How long a client may take nothing of what it asked for.
    pub stalled: Duration,
    /// How often a stream of events says that it is alive.
    pub heartbeat: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 512,
            streams: 256,
            header: Duration::from_secs(10),
            stalled: Duration::from_secs(30),
            heartbeat: Duration::from_secs(15),
        }
    }
}

/// A secret that clients send with every request.
#[derive(Clone)]
pub struct Token(Vec<u8>);

/// A token that can be guessed, or not be sent.
#[derive(Debug, thiserror::Error)]
#[error("a token is 16 to 512 visible ASCII characters")]
pub struct WeakToken;

impl Token {
    /// # Errors
    /// Where the text can be guessed, or cannot be sent in a header.
    pub fn new(text: &str) -> Result<Self, WeakToken> {
        let sendable = text.bytes().all(|byte| byte.is_ascii_graphic());
        let long = (16..=512).contains(&text.len());
        if sendable && long {
            Ok(Self(text.as_bytes().to_vec()))
        } else {
            Err(WeakToken)
        }
    }

    /// Compares in a time that does not tell where they differ.
    pub(crate) fn is(&self, other: &[u8]) -> bool {
        let differences = self.0.iter().zip(other).map(|(a, b)| a ^ b);
        let differs = differences.fold(0, |all, one| std::hint::black_box(all | one));
        self.0.len() == other.len() && differs == 0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Token(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_long_enough_and_is_not_shown() {
        assert!(Token::new("short").is_err() && Token::new("with spaces in it, alas").is_err());
        let token = Token::new("0123456789abcdef").expect("long enough");
        assert!(token.is(b"0123456789abcdef"));
        for wrong in [&b""[..], b"0123456789abcdeg", b"0123456789abcdef0"] {
            assert!(!token.is(wrong));
        }
        assert!(!format!("{token:?}").contains("0123"));
    }
}
