//! The words that name a source which is no file.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

/// Where bytes come from that no file holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// Whoever listens at this host and port.
    Tcp(String),
    /// Whoever connects to this address.
    TcpListen(SocketAddr),
    /// Whoever listens at this socket of the file system.
    Unix(PathBuf),
    /// Whoever connects to this one.
    UnixListen(PathBuf),
    /// Whoever pushes messages of ZeroMQ to this address.
    ZeroMq(SocketAddr),
}

const SCHEMES: &str = "tcp, tcp-listen, unix, unix-listen, zmq";

impl Address {
    /// What a word means; `None` where it is the name of a file.
    ///
    /// # Errors
    /// Where it begins like an address and is none.
    pub fn parse(word: &Path) -> Result<Option<Self>, String> {
        let Some((scheme, rest)) = word.to_str().and_then(|word| word.split_once("://")) else {
            return Ok(None);
        };
        let is_scheme = |c: char| c.is_ascii_lowercase() || c == '-';
        if scheme.is_empty() || !scheme.chars().all(is_scheme) {
            return Ok(None);
        }
        let address = match scheme {
            "tcp" => Self::Tcp(with_port(rest)?),
            "tcp-listen" => Self::TcpListen(to_listen_at(rest)?),
            "unix" => Self::Unix(absolute(rest)?),
            "unix-listen" => Self::UnixListen(absolute(rest)?),
            "zmq" => Self::ZeroMq(to_listen_at(rest)?),
            _ => {
                let word = word.display();
                return Err(format!(
                    "'{word}': '{scheme}' is none of {SCHEMES}; a file of this name is ./{word}"
                ));
            }
        };
        Ok(Some(address))
    }
}

fn with_port(text: &str) -> Result<String, String> {
    let port = text.rsplit_once(':').and_then(|(host, port)| {
        let port: u16 = port.parse().ok()?;
        (!host.is_empty() && port > 0).then_some(port)
    });
    match port {
        Some(_) => Ok(text.to_owned()),
        None => Err(format!("'{text}' is no host and port such as node1:7000")),
    }
}

/// This machine alone, unless an address is given.
fn to_listen_at(text: &str) -> Result<SocketAddr, String> {
    let wrong =
        || format!("'{text}' is no place to listen at, such as :7000, 0.0.0.0:7000 or [::]:7000");
    match text.strip_prefix(':') {
        Some(port) => {
            let port = port.parse().map_err(|_| wrong())?;
            Ok((Ipv4Addr::LOCALHOST, port).into())
        }
        None => text.parse().map_err(|_| wrong()),
    }
}

fn absolute(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if path.is_absolute() {
        Ok(path)
    } else {
        Err(format!(
            "'{text}' is no absolute path: a socket is unix:///run/user/1000/job"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(word: &str) -> Result<Option<Address>, String> {
        Address::parse(Path::new(word))
    }

    #[test]
    fn an_address_begins_with_its_kind() {
        let tcp = Address::Tcp("node1:7000".to_owned());
        assert_eq!(parse("tcp://node1:7000"), Ok(Some(tcp)));
        let socket = Address::Unix("/run/job".into());
        assert_eq!(parse("unix:///run/job"), Ok(Some(socket)));
        for file in ["-", "job.jsonl", "/a/b", "C:\\x", "./tcp://x", "://x"] {
            assert_eq!(parse(file), Ok(None), "{file}");
        }
    }

    #[test]
    fn who_names_no_address_listens_to_this_machine() {
        let here = Address::TcpListen(([127, 0, 0, 1], 7000).into());
        assert_eq!(parse("tcp-listen://:7000"), Ok(Some(here)));
        let everywhere = Address::ZeroMq(([0, 0, 0, 0], 5555).into());
        assert_eq!(parse("zmq://0.0.0.0:5555"), Ok(Some(everywhere)));
    }

    #[test]
    fn what_begins_like_an_address_and_is_none_is_refused() {
        for wrong in [
            "tcp://node1",
            "tcp://:7000",
            "tcp://node1:0",
            "tcp://node1:70000",
            "tcp-listen://node1:x",
            "unix://job",
            "unix-listen://",
            "http://localhost:9090",
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
