//! Lines to peers, each with a thread that waits for it.

use super::peers::Shut;
use super::queue;
use super::zmtp::Messages;
use iotempo_model::Warning;
use std::io::{self, Read};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

/// Bytes that are read at a time.
const PIECE: usize = 64 << 10;
/// Peers that can be connected at a time.
const MOST_PEERS: usize = 256;
/// How often it is asked whether somebody wants to connect, or whether to stop.
const PAUSE: Duration = Duration::from_millis(50);
/// How long to wait for an answer.
const CONNECT: Duration = Duration::from_secs(10);
/// Between attempts to connect: at first, and at most.
const BACKOFF: [Duration; 2] = [Duration::from_millis(250), Duration::from_secs(30)];

/// What a thread has to tell.
pub(super) enum Heard {
    Opened(usize, Peer),
    Bytes(usize, Vec<u8>),
    Closed(usize, io::Result<()>),
    Said(Warning),
}

/// Where threads tell it.
pub(super) type To = queue::To<Heard>;

/// Set when nobody listens any more.
pub(super) type Stop = Arc<AtomicBool>;

/// Who is at the other end of a line.
pub(super) struct Peer {
    pub(super) name: String,
    /// Ends it.
    pub(super) shut: Shut,
    /// Whether it comes for one message only, so that its coming and going is not worth a word.
    pub(super) fleeting: bool,
}

/// A line to a peer.
pub(super) struct Line {
    pub(super) bytes: Box<dyn Read + Send>,
    pub(super) peer: Peer,
}

impl Line {
    fn tcp(stream: TcpStream, name: String) -> io::Result<Self> {
        stream.set_nonblocking(false)?;
        let twin = stream.try_clone()?;
        Ok(Self {
            bytes: Box::new(stream),
            peer: Peer {
                name,
                shut: Box::new(move || drop(twin.shutdown(Shutdown::Both))),
                fleeting: false,
            },
        })
    }

    /// Tells all that comes until it ends; whether there was something, and `None` when nobody listens
    /// any more.
    fn relay(mut self, number: usize, to: &To) -> Option<bool> {
        to.send(0, Heard::Opened(number, self.peer))?;
        let mut buffer = vec![0; PIECE];
        let mut some = false;
        let end = loop {
            match self.bytes.read(&mut buffer) {
                Ok(0) => break Ok(()),
                Ok(length) => {
                    let piece = buffer[..length].to_vec();
                    to.send(length, Heard::Bytes(number, piece))?;
                    some = true;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => break Err(error),
            }
        };
        to.send(0, Heard::Closed(number, end))?;
        Some(some)
    }
}

/// Takes whoever comes: `accept` gives the next, or would block.
pub(super) fn listen(
    mut accept: impl FnMut() -> io::Result<Line> + Send + 'static,
    to: To,
    stop: Stop,
) {
    thread::spawn(move || {
        let open = Arc::new(AtomicUsize::new(0));
        let mut trouble = Trouble::default();
        for number in 0.. {
            let line = loop {
                if stop.load(Relaxed) {
                    return;
                }
                match accept() {
                    Ok(line) => break line,
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                    Err(error) => trouble.say(&to, format!("cannot take a connection: {error}")),
                }
                thread::sleep(PAUSE);
            };
            if open.load(Relaxed) >= MOST_PEERS {
                let peer = &line.peer.name;
                let refused = format!("{peer}: refused: {MOST_PEERS} others are connected");
                trouble.say(&to, refused);
                (line.peer.shut)();
                continue;
            }
            trouble = Trouble::default();
            open.fetch_add(1, Relaxed);
            let (to, open) = (to.clone(), Arc::clone(&open));
            thread::spawn(move || {
                line.relay(number, &to);
                open.fetch_sub(1, Relaxed);
            });
        }
    });
}

/// Connects, and again whenever the line ends.
pub(super) fn connect(
    name: String,
    mut attempt: impl FnMut() -> io::Result<Line> + Send + 'static,
    to: To,
    stop: Stop,
) {
    thread::spawn(move || {
        let [first, longest] = BACKOFF;
        let mut pause = first;
        let mut trouble = Trouble::default();
        for number in 0.. {
            match attempt() {
                Ok(line) => {
                    trouble = Trouble::default();
                    match line.relay(number, &to) {
                        Some(true) => pause = first,
                        Some(false) => {}
                        None => return,
                    }
                }
                Err(error) => trouble.say(
                    &to,
                    format!("{name}: cannot connect ({error}): trying again and again"),
                ),
            }
            let mut waited = Duration::ZERO;
            while waited < pause {
                if stop.load(Relaxed) {
                    return;
                }
                thread::sleep(PAUSE);
                waited += PAUSE;
            }
            pause = (2 * pause).min(longest);
        }
    });
}

/// Said once, until it is over.
#[derive(Default)]
struct Trouble(bool);

impl Trouble {
    fn say(&mut self, to: &To, message: String) {
        if !self.0 {
            self.0 = true;
            // Where nobody listens, the thread ends soon.
            let _ = to.send(0, Heard::Said(Warning::new("connection", message)));
        }
    }
}

/// The next peer of a listener, which must not block.
pub(super) fn accept_tcp(listener: &TcpListener) -> io::Result<Line> {
    let (stream, peer) = listener.accept()?;
    Line::tcp(stream, peer.to_string())
}

/// The next peer of a listener that takes messages of ZeroMQ.
pub(super) fn accept_messages(listener: &TcpListener) -> io::Result<Line> {
    let (stream, peer) = listener.accept()?;
    let messages = Messages::new(stream.try_clone()?);
    let mut line = Line::tcp(stream, peer.to_string())?;
    line.bytes = Box::new(messages);
    line.peer.fleeting = true;
    Ok(line)
}

pub(super) fn connect_tcp(address: &str) -> io::Result<Line> {
    let mut last = None;
    for peer in address.to_socket_addrs()? {
        match TcpStream::connect_timeout(&peer, CONNECT) {
            Ok(stream) => return Line::tcp(stream, address.to_owned()),
            Err(error) => last = Some(error),
        }
    }
    Err(last.unwrap_or_else(|| io::Error::other("no such host")))
}

pub(super) fn bind_tcp(address: SocketAddr) -> io::Result<TcpListener> {
    let listener = TcpListener::bind(address)?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}
