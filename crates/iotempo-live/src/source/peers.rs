//! Whoever sends what files hold elsewhere, over a line of its own.

use super::News;
use super::address::Address;
use super::line::{self, Heard, Stop, To};
use super::queue::{self, Left, queue};
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

/// Bytes that wait for the rest of their line or item, of all peers together.
const UNFINISHED: usize = 256 << 20;

/// Ends a line.
pub(super) type Shut = Box<dyn FnOnce() + Send>;

/// All peers that are connected.
pub struct Peers {
    options: ReadOptions,
    heard: queue::From<Heard>,
    /// The last look left something for another that can follow at once.
    more: bool,
    /// Bytes that may wait for the rest of their line or item.
    room: usize,
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
        let (sender, heard) = queue();
        let mut peers = Self {
            options: options.clone(),
            heard,
            more: false,
            room: UNFINISHED,
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

    fn begin(&mut self, address: &Address, to: To) -> io::Result<()> {
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
                self.cut_off(sender, &reason);
                false
            }
        });
        self.peers = peers;
        self.keep_within_room();
        if flushed { News::Flushed } else { News::Other }
    }

    /// Whether another look would find more at once.
    pub(super) fn has_more(&self) -> bool {
        self.more
    }

    /// Cuts off those whose lines or items take most room and do not end, so that the others have some.
    fn keep_within_room(&mut self) {
        let waiting = |sender: &Sender| sender.pieces.waiting();
        while self.peers.values().map(waiting).sum::<usize>() > self.room {
            let longest = self.peers.iter().max_by_key(|(_, sender)| waiting(sender));
            let Some(number) = longest.map(|(number, _)| *number) else {
                return;
            };
            if let Some(mut sender) = self.peers.remove(&number) {
                let held = waiting(&sender) >> 20;
                let reason = format!(
                    "{held} MiB wait for the end of their line or item, and all who are connected have {} MiB for that",
                    self.room >> 20
                );
                self.cut_off(&mut sender, &reason);
            }
        }
    }

    fn cut_off(&mut self, sender: &mut Sender, reason: &str) {
        let name = &sender.peer.name;
        let bytes = counted(sender.bytes, "byte");
        let message = format!("{name}: cut off after {bytes}: {reason}");
        self.warnings.push(Warning::new("connection", message));
        std::mem::replace(&mut sender.peer.shut, Box::new(|| {}))();
    }

    fn take_in(&mut self) {
        let mut all = Vec::new();
        self.more = self.heard.take(&mut all) == Left::More;
        for heard in all {
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
    fn peers() -> (Peers, To) {
        let (sender, heard) = queue();
        let peers = Peers {
            options: ReadOptions::default(),
            heard,
            more: false,
            room: UNFINISHED,
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
            sender.send(0, event).expect("room");
            peers.poll(&Selection::default(), &mut job);
            peers.have_left()
        });
        left.collect()
    }

    #[test]
    fn all_peers_together_have_room_for_what_does_not_end() {
        let (mut peers, to) = peers();
        peers.room = 1 << 20;
        let mut job = Job::new(online::Settings::default());
        let table = b"op,start,end,bytes\nwrite,0,1,5\nwrite";
        for number in 0..8 {
            to.send(0, opened(number, false)).expect("room");
            let mut bytes = table.to_vec();
            bytes.resize(90_000 + 10_000 * number, b'x');
            to.send(0, Heard::Bytes(number, bytes)).expect("room");
        }
        peers.poll(&Selection::default(), &mut job);
        peers.take_warnings();
        assert_eq!((job.totals().requests, peers.peers.len()), (8, 8));
        for number in [2, 5] {
            let more = Heard::Bytes(number, vec![b'x'; 100_000]);
            to.send(0, more).expect("room");
        }
        peers.poll(&Selection::default(), &mut job);
        let said = peers.take_warnings();
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(said[0].message.starts_with("5: cut off"), "{said:?}");
        assert_eq!(peers.peers.len(), 7);
        // The others go on.
        for number in 0..8 {
            let rest = Heard::Bytes(number, b"\nwrite,1,2,5\n".to_vec());
            to.send(0, rest).expect("room");
        }
        peers.poll(&Selection::default(), &mut job);
        assert_eq!(job.totals().requests, 15);
    }

    #[test]
    fn thousands_of_messages_are_taken_in_a_few_looks() {
        use std::io::{Read, Write};
        let any = "127.0.0.1:0".parse().expect("an address");
        let mut peers =
            Peers::at(&Address::ZeroMq(any), &ReadOptions::default()).expect("a free port");
        let said = peers.take_warnings().remove(0).message;
        let port = said.rsplit(':').next().and_then(|port| port.parse().ok());
        let port: u16 = port.expect("a port");
        let sending = std::thread::spawn(move || {
            let mut stream = std::net::TcpStream::connect(("127.0.0.1", port))?;
            let mut sent = vec![0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0x7f, 3, 1];
            sent.extend(b"NULL");
            sent.resize(64, 0);
            sent.extend(b"\x04\x1a\x05READY\x0bSocket-Type\0\0\0\x04PUSH");
            for number in 0..20_000 {
                let (start, end) = (number, number + 1);
                let line =
                    format!("{{\"op\":\"write\",\"start\":{start},\"end\":{end},\"bytes\":5}}");
                sent.extend([0, line.len() as u8]);
                sent.extend(line.bytes());
            }
            stream.write_all(&sent)?;
            stream.shutdown(std::net::Shutdown::Write)?;
            stream.read_to_end(&mut Vec::new())
        });
        let mut job = Job::new(online::Settings::default());
        let mut looks = 0;
        while job.totals().requests < 20_000 {
            std::thread::sleep(std::time::Duration::from_millis(200));
            peers.poll(&Selection::default(), &mut job);
            looks += 1;
            assert!(looks < 100, "{} came", job.totals().requests);
        }
        assert!(looks < 10, "{looks} looks");
        drop(peers);
        assert!(sending.join().is_ok());
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
