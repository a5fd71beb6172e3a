//! Whoever sends what files hold elsewhere, over a line of its own.

use super::News;
use super::address::Address;
use super::line::{self, Heard, Stop};
#[cfg(unix)]
use super::unix::{self, Socket, SocketFile};
use crate::job::Follows;
use iotempo_formats::ReadOptions;
use iotempo_formats::live::Pieces;
use iotempo_model::{Selecting, Selection, Warning, counted};
use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// Pieces that wait to be taken, of all peers together.
const AHEAD: usize = 64;
/// Bytes that one look takes at the most.
const MOST: usize = 16 << 20;

/// Ends a line.
pub(super) type Shut = Box<dyn FnOnce() + Send>;

/// All peers that are connected.
pub struct Peers {
    options: ReadOptions,
    heard: Receiver<Heard>,
    peers: BTreeMap<usize, Sender>,
    warnings: Vec<Warning>,
    /// Codes of warnings that were told of those who come for one message only.
    told: HashSet<String>,
    /// Of those who had come to stay, one has left as one does who has said all, and none has come since.
    left: bool,
    stop: Stop,
    #[cfg(unix)]
    file: Option<SocketFile>,
}

/// One of them.
struct Sender {
    peer: line::Peer,
    pieces: Pieces,
    /// Bytes that came.
    bytes: u64,
    /// Whether some came that were not looked at.
    fresh: bool,
    /// How the line ended.
    end: Option<io::Result<()>>,
}

impl fmt::Debug for Peers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.peers.values().map(|sender| &sender.peer.name);
        f.debug_list().entries(names).finish()
    }
}

impl Peers {
    /// Connects, or waits for others to do so.
    pub(super) fn at(address: &Address, options: &ReadOptions) -> io::Result<Self> {
        let (sender, heard) = sync_channel(AHEAD);
        let mut peers = Self {
            options: options.clone(),
            heard,
            peers: BTreeMap::new(),
            warnings: Vec::new(),
            told: HashSet::new(),
            left: false,
            stop: Stop::default(),
            #[cfg(unix)]
            file: None,
        };
        peers.begin(address, sender)?;
        Ok(peers)
    }

    fn begin(&mut self, address: &Address, to: SyncSender<Heard>) -> io::Result<()> {
        let stop = Stop::clone(&self.stop);
        match address.clone() {
            Address::Tcp(address) => {
                let attempt = {
                    let address = address.clone();
                    move || line::connect_tcp(&address)
                };
                line::connect(address, attempt, to, stop);
            }
            Address::TcpListen(address) => {
                let listener = self.bind(address)?;
                line::listen(move || line::accept_tcp(&listener), to, stop);
            }
            Address::ZeroMq(address) => {
                let listener = self.bind(address)?;
                line::listen(move || line::accept_messages(&listener), to, stop);
            }
            #[cfg(unix)]
            Address::Unix(path) => {
                let name = path.display().to_string();
                line::connect(name, move || unix::connect(&path), to, stop);
            }
            #[cfg(unix)]
            Address::UnixListen(path) => {
                let (listener, file) = unix::bind(&path)?;
                self.file = Some(file);
                self.say("listening", format!("listening at {}", path.display()));
                let mut count = 0;
                line::listen(move || unix::accept(&listener, &path, &mut count), to, stop);
            }
            #[cfg(not(unix))]
            Address::Unix(_) | Address::UnixListen(_) => {
                return Err(io::Error::other("this system has no such sockets"));
            }
        }
        Ok(())
    }

    fn bind(&mut self, address: SocketAddr) -> io::Result<TcpListener> {
        let listener = line::bind_tcp(address)?;
        let bound = listener.local_addr()?;
        self.say("listening", format!("listening at {bound}"));
        if !bound.ip().is_loopback() {
            let message = "whoever can reach this address can send: nothing asks who they are";
            self.say("open", message.to_owned());
        }
        Ok(listener)
    }

    /// The socket that others connect to, where it is one of the file system.
    #[cfg(unix)]
    pub(super) fn socket(&self) -> Option<Socket> {
        self.file.as_ref().map(|file| file.0.clone())
    }

    fn say(&mut self, code: &'static str, message: String) {
        self.warnings.push(Warning::new(code, message));
    }

    pub(super) fn take_warnings(&mut self) -> Vec<Warning> {
        std::mem::take(&mut self.warnings)
    }

    /// Whether all who had connected have left. Those who come for one message only come again and again.
    pub(super) fn have_left(&self) -> bool {
        self.left && self.peers.is_empty()
    }

    /// Takes in what came of a selection.
    pub(super) fn poll(&mut self, selection: &Selection, job: &mut dyn Follows) -> News {
        self.take_in();
        let mut flushed = false;
        let mut peers = std::mem::take(&mut self.peers);
        peers.retain(|_, sender| match self.read(sender, selection, job) {
            Ok(news) => {
                flushed |= news;
                self.remains(sender)
            }
            Err(reason) => {
                let name = &sender.peer.name;
                let bytes = counted(sender.bytes, "byte");
                let message = format!("{name}: cut off after {bytes}: {reason}");
                self.warnings.push(Warning::new("connection", message));
                std::mem::replace(&mut sender.peer.shut, Box::new(|| {}))();
                false
            }
        });
        self.peers = peers;
        if flushed { News::Flushed } else { News::Other }
    }

    fn take_in(&mut self) {
        let mut taken = 0;
        while taken < MOST {
            let Ok(heard) = self.heard.try_recv() else {
                return;
            };
            match heard {
                Heard::Said(warning) => self.warnings.push(warning),
                Heard::Opened(number, peer) => {
                    if !peer.fleeting {
                        self.left = false;
                        self.say("connection", format!("{} is connected", peer.name));
                    }
                    self.peers.insert(number, Sender::new(peer, &self.options));
                }
                Heard::Bytes(number, bytes) => {
                    taken += bytes.len();
                    // Of one that was cut off, more may come.
                    if let Some(sender) = self.peers.get_mut(&number) {
                        sender.bytes += bytes.len() as u64;
                        sender.fresh = true;
                        sender.pieces.feed(&bytes);
                    }
                }
                Heard::Closed(number, end) => {
                    if let Some(sender) = self.peers.get_mut(&number) {
                        sender.end = Some(end);
                    }
                }
            }
        }
    }

    /// Reads what is whole; whether its writer gathers requests and sends them after a phase.
    fn read(
        &mut self,
        sender: &mut Sender,
        selection: &Selection,
        job: &mut dyn Follows,
    ) -> Result<bool, String> {
        if !std::mem::take(&mut sender.fresh) {
            return Ok(false);
        }
        let read = sender
            .pieces
            .read(&mut Selecting::new(selection, &mut *job));
        let warnings = sender.pieces.take_warnings();
        self.warn_of(&sender.peer, warnings);
        let Some(reading) = read.map_err(|error| error.to_string())? else {
            return Ok(false);
        };
        job.learn(&reading.origin);
        Ok(sender.pieces.come_in_flushes())
    }

    fn warn_of(&mut self, peer: &line::Peer, warnings: Vec<Warning>) {
        for warning in warnings {
            // Who comes for every message would be warned of with every one.
            if peer.fleeting && !self.told.insert(warning.code.to_string()) {
                continue;
            }
            let message = format!("{}: {}", peer.name, warning.message);
            self.warnings.push(Warning { message, ..warning });
        }
    }

    /// Whether more can come.
    fn remains(&mut self, sender: &mut Sender) -> bool {
        let Some(end) = sender.end.take() else {
            return true;
        };
        self.left |= end.is_ok() && !sender.peer.fleeting;
        let warnings = sender.pieces.take_last_warnings();
        self.warn_of(&sender.peer, warnings);
        let how = match (end, sender.pieces.waiting()) {
            (Err(error), _) => format!("the connection broke: {error}"),
            (Ok(()), 0) if sender.peer.fleeting => return false,
            (Ok(()), 0) => "it has closed the connection".to_owned(),
            (Ok(()), left) => {
                let lost = counted(left as u64, "byte");
                let are = if left == 1 { "is" } else { "are" };
                format!("it has closed the connection within a line or item: {lost} {are} lost")
            }
        };
        self.say("connection", format!("{}: {how}", sender.peer.name));
        false
    }
}

impl Sender {
    fn new(peer: line::Peer, options: &ReadOptions) -> Self {
        Self {
            peer,
            pieces: Pieces::new(options.clone()),
            bytes: 0,
            fresh: false,
            end: None,
        }
    }
}

impl Drop for Peers {
    fn drop(&mut self) {
        self.stop.store(true, Relaxed);
        for (_, sender) in std::mem::take(&mut self.peers) {
            (sender.peer.shut)();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::Job;
    use iotempo_analysis::online;

    /// Peers that the test speaks for.
    fn peers() -> (Peers, SyncSender<Heard>) {
        let (sender, heard) = sync_channel(AHEAD);
        let peers = Peers {
            options: ReadOptions::default(),
            heard,
            peers: BTreeMap::new(),
            warnings: Vec::new(),
            told: HashSet::new(),
            left: false,
            stop: Stop::default(),
            #[cfg(unix)]
            file: None,
        };
        (peers, sender)
    }

    fn opened(number: usize, fleeting: bool) -> Heard {
        let peer = line::Peer {
            name: number.to_string(),
            fleeting,
            shut: Box::new(|| {}),
        };
        Heard::Opened(number, peer)
    }

    /// Whether all have left after each of some events.
    fn have_left(events: Vec<Heard>) -> Vec<bool> {
        let (mut peers, sender) = peers();
        let mut job = Job::new(online::Settings::default());
        let left = events.into_iter().map(|event| {
            sender.send(event).expect("room");
            peers.poll(&Selection::default(), &mut job);
            peers.have_left()
        });
        left.collect()
    }

    #[test]
    fn who_has_said_all_has_left_however_others_leave() {
        let broken = || Err(io::ErrorKind::ConnectionReset.into());
        let closed = |number| Heard::Closed(number, Ok(()));
        let stay = |number| opened(number, false);
        let left = have_left(vec![stay(1), stay(2), closed(1), closed(2)]);
        assert_eq!(left, [false, false, false, true]);
        let left = have_left(vec![
            stay(1),
            stay(2),
            closed(1),
            Heard::Closed(2, broken()),
            stay(3),
            Heard::Closed(3, broken()),
        ]);
        assert_eq!(left, [false, false, false, true, false, false]);
        // One who comes for a message only changes nothing.
        let left = have_left(vec![stay(1), closed(1), opened(2, true), closed(2)]);
        assert_eq!(left, [false, true, false, true]);
        let left = have_left(vec![opened(1, true), closed(1)]);
        assert_eq!(left, [false, false]);
    }
}
