//! Messages of ZeroMQ, as a PULL socket takes them: ZMTP 3.0 with the mechanism NULL.
//!
//! Nothing is allocated by what a peer says: bytes are handed on as they come.

use std::io::{self, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

const SIGNATURE: [u8; 10] = [0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0x7f];
const NULL: &[u8; 20] = b"NULL\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
const GREETING: usize = 64;
/// Bits of the first byte of a frame.
const MORE: u8 = 1;
const LONG: u8 = 2;
const COMMAND: u8 = 4;
/// The longest command, in bytes.
const LONGEST_COMMAND: u64 = 4096;
/// Bytes that are asked for at a time.
const AT_ONCE: usize = 64 << 10;
/// Who connects introduces itself within this time.
const PATIENCE: Duration = Duration::from_secs(10);

/// The contents of all messages of a peer that pushes them, one after the other.
///
/// A message of text that does not end its last line gets that end: the next one begins another. As many of them as
/// have come are handed on together: who sends many small ones must not wait for each to be looked at.
pub(super) struct Messages {
    stream: BufReader<TcpStream>,
    greeted: bool,
    /// Bytes of the frame that are yet to come, and whether another frame of the message follows.
    left: u64,
    more: bool,
    /// The first byte of the message and the last that was handed on.
    ends: Option<[u8; 2]>,
    /// What went wrong after the bytes that were handed on last.
    failure: Option<io::Error>,
}

impl Messages {
    pub(super) fn new(stream: TcpStream) -> Self {
        Self {
            stream: BufReader::with_capacity(AT_ONCE, stream),
            greeted: false,
            left: 0,
            more: false,
            ends: None,
            failure: None,
        }
    }

    /// Both sides say who they are.
    fn greet(&mut self) -> io::Result<()> {
        self.stream.get_ref().set_read_timeout(Some(PATIENCE))?;
        let mut greeting = [0; GREETING];
        greeting[..10].copy_from_slice(&SIGNATURE);
        greeting[10] = 3;
        greeting[12..32].copy_from_slice(NULL);
        self.stream.get_mut().write_all(&greeting)?;
        let mut theirs = [0; GREETING];
        self.stream.read_exact(&mut theirs)?;
        if theirs[0] != SIGNATURE[0] || theirs[9] & 1 == 0 || theirs[10] < 3 {
            return Err(wrong("it does not speak ZMTP 3".to_owned()));
        }
        if &theirs[12..32] != NULL {
            let mechanism = String::from_utf8_lossy(&theirs[12..32]);
            let mechanism = mechanism.trim_end_matches('\0').escape_debug();
            return Err(wrong(format!(
                "it wants the mechanism {mechanism}, not NULL"
            )));
        }
        self.send_command(b"\x05READY\x0bSocket-Type\0\0\0\x04PULL")?;
        let (flags, length) = self.frame()?.ok_or(io::ErrorKind::UnexpectedEof)?;
        if flags & COMMAND == 0 {
            return Err(wrong("it sends messages before it is ready".to_owned()));
        }
        let ready = self.command(length)?;
        let kind = ready.strip_prefix(b"\x05READY").and_then(socket_type);
        if kind != Some(b"PUSH") {
            let kind = String::from_utf8_lossy(kind.unwrap_or_default());
            let kind = kind.escape_debug().to_string();
            self.send_command(b"\x05ERROR\x12only PUSH can send")?;
            return Err(wrong(format!("its socket is of type '{kind}', not PUSH")));
        }
        self.stream.get_ref().set_read_timeout(None)
    }

    fn send_command(&mut self, body: &[u8]) -> io::Result<()> {
        let mut frame = vec![COMMAND, body.len() as u8];
        frame.extend_from_slice(body);
        self.stream.get_mut().write_all(&frame)
    }

    /// The flags and the length of the next frame; `None` where the peer has closed the connection.
    fn frame(&mut self) -> io::Result<Option<(u8, u64)>> {
        let mut flags = [0];
        if self.stream.read(&mut flags)? == 0 {
            return Ok(None);
        }
        if flags[0] > MORE | LONG | COMMAND {
            return Err(wrong(format!("a frame begins with {:#04x}", flags[0])));
        }
        let mut length = [0; 8];
        let bytes = if flags[0] & LONG == 0 { 7.. } else { 0.. };
        self.stream.read_exact(&mut length[bytes])?;
        Ok(Some((flags[0], u64::from_be_bytes(length))))
    }

    fn command(&mut self, length: u64) -> io::Result<Vec<u8>> {
        if length > LONGEST_COMMAND {
            return Err(wrong(format!("a command of {length} bytes")));
        }
        let mut command = vec![0; length as usize];
        self.stream.read_exact(&mut command)?;
        Ok(command)
    }

    /// Answers a peer that asks whether somebody is there.
    fn obey(&mut self, command: &[u8]) -> io::Result<()> {
        // Two bytes say how long it waits; the rest comes back to it, 16 bytes at most.
        match command
            .strip_prefix(b"\x04PING")
            .and_then(|ping| ping.get(2..))
        {
            Some(context) if context.len() <= 16 => {
                self.send_command(&[b"\x04PONG", context].concat())
            }
            _ => Ok(()),
        }
    }

    /// Hands on bytes of the frame that is being read.
    fn content(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.left).map_or(buffer.len(), |left| left.min(buffer.len()));
        let count = self.stream.read(&mut buffer[..most])?;
        let (Some(first), Some(last)) = (buffer[..count].first(), buffer[..count].last()) else {
            return Err(io::ErrorKind::UnexpectedEof.into());
        };
        self.left -= count as u64;
        self.ends = Some([self.ends.map_or(*first, |[first, _]| first), *last]);
        Ok(count)
    }

    /// Whether the next frame can be begun without waiting for more of it. Commands are obeyed by themselves.
    fn is_frame_there(&self) -> bool {
        match self.stream.buffer() {
            [flags, ..] if flags & COMMAND != 0 => false,
            [flags, length @ ..] => length.len() >= if flags & LONG == 0 { 1 } else { 8 },
            [] => false,
        }
    }

    /// Fills a buffer with all that has come, and waits only for the first of it.
    fn fill(&mut self, buffer: &mut [u8], filled: &mut usize) -> io::Result<()> {
        while *filled < buffer.len() {
            let waits = *filled == 0;
            if self.left > 0 {
                if !waits && self.stream.buffer().is_empty() {
                    return Ok(());
                }
                *filled += self.content(&mut buffer[*filled..])?;
            } else if !self.more && self.lacks_end_of_line() {
                buffer[*filled] = b'\n';
                *filled += 1;
            } else if !waits && !self.is_frame_there() {
                return Ok(());
            } else {
                let Some((flags, length)) = self.frame()? else {
                    return Ok(());
                };
                if flags & COMMAND != 0 {
                    let command = self.command(length)?;
                    self.obey(&command)?;
                } else {
                    self.left = length;
                    self.more = flags & MORE != 0;
                }
            }
        }
        Ok(())
    }

    /// Whether the message that has just ended is text whose last line has no end.
    fn lacks_end_of_line(&mut self) -> bool {
        let ends = self.ends.take();
        ends.is_some_and(|[first, last]| b"{[ \t\r\n".contains(&first) && last != b'\n')
    }
}

impl Read for Messages {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        if !self.greeted {
            self.greet().map_err(|error| match error.kind() {
                io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
                    wrong(format!("it said nothing for {} s", PATIENCE.as_secs()))
                }
                _ => error,
            })?;
            self.greeted = true;
        }
        if let Some(error) = self.failure.take() {
            return Err(error);
        }
        let mut filled = 0;
        match self.fill(buffer, &mut filled) {
            Err(error) if filled == 0 => return Err(error),
            ended => self.failure = ended.err(),
        }
        Ok(filled)
    }
}

/// The type of a socket among the properties that it states: names and values with their lengths.
fn socket_type(mut properties: &[u8]) -> Option<&[u8]> {
    loop {
        let (&length, rest) = properties.split_first()?;
        let (name, rest) = rest.split_at_checked(length.into())?;
        let (length, rest) = rest.split_first_chunk()?;
        let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
        let (value, rest) = rest.split_at_checked(length)?;
        if name.eq_ignore_ascii_case(b"socket-type") {
            return Some(value);
        }
        properties = rest;
    }
}

fn wrong(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;
    use std::thread;

    /// What is read of a peer that sends this.
    fn read(sent: &[u8]) -> io::Result<Vec<u8>> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let mut peer = TcpStream::connect(listener.local_addr()?)?;
        let sent = sent.to_vec();
        let sending = thread::spawn(move || {
            // It may be refused before it has sent all.
            let _ = peer.write_all(&sent);
            let _ = peer.shutdown(std::net::Shutdown::Write);
            let mut said = Vec::new();
            let _ = peer.read_to_end(&mut said);
        });
        let mut bytes = Vec::new();
        let mut messages = Messages::new(listener.accept()?.0);
        let read = messages.read_to_end(&mut bytes);
        drop(messages);
        sending.join().expect("it ends");
        read.map(|_| bytes)
    }

    fn greeting(kind: &[u8]) -> Vec<u8> {
        let mut bytes = SIGNATURE.to_vec();
        bytes.extend([3, 1]);
        bytes.extend(NULL);
        bytes.resize(GREETING, 0);
        let mut ready = b"\x05READY\x08Identity\0\0\0\0\x0bSocket-Type\0\0\0".to_vec();
        ready.push(kind.len() as u8);
        ready.extend(kind);
        bytes.extend([COMMAND, ready.len() as u8]);
        bytes.extend(ready);
        bytes
    }

    #[test]
    fn messages_are_handed_on_one_after_the_other() {
        let mut sent = greeting(b"PUSH");
        sent.extend(b"\x01\x03abc\x00\x02de");
        sent.extend(b"\x04\x07\x04PING\0\x09");
        sent.extend(b"\x02\0\0\0\0\0\0\0\x01f");
        assert_eq!(read(&sent).expect("sound"), b"abcdef");
    }

    #[test]
    fn a_line_of_text_ends_with_its_message() {
        let mut sent = greeting(b"PUSH");
        sent.extend(b"\x01\x02{\"\x00\x02a}\x00\x03{b\n\x00\x00\x00\x02{c");
        assert_eq!(read(&sent).expect("sound"), b"{\"a}\n{b\n{c\n");
    }

    #[test]
    fn messages_that_came_together_are_handed_on_together_and_so_is_what_came_before_an_error() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("bound");
        let mut peer = TcpStream::connect(address).expect("listening");
        let mut sent = greeting(b"PUSH");
        sent.extend(b"\x00\x02{a\x00\x03{b\n\x00\x02{c\x09");
        peer.write_all(&sent).expect("room");
        let mut messages = Messages::new(listener.accept().expect("it came").0);
        thread::sleep(Duration::from_millis(50));
        let mut buffer = [0; 64];
        let count = messages.read(&mut buffer).expect("sound");
        assert_eq!(&buffer[..count], b"{a\n{b\n{c\n");
        peer.write_all(b"\x00").expect("room");
        let error = messages.read(&mut buffer).expect_err("no frame");
        assert!(error.to_string().contains("0x09"), "{error}");
    }

    #[test]
    fn what_is_no_zeromq_is_refused() {
        let mut curve = greeting(b"PUSH");
        curve[12..17].copy_from_slice(b"CURVE");
        let mut long = greeting(b"PUSH");
        long.extend(b"\x06\x10\0\0\0\0\0\0\0");
        let mut cut = greeting(b"PUSH");
        cut.extend(b"\x00\x09abc");
        let http = b"GET / HTTP/1.1\r\nHost: node1.example.org\r\nAccept: */*\r\nConnection: close";
        let cases: [(&[u8], &str); 5] = [
            (http, "ZMTP"),
            (&curve, "CURVE"),
            (&greeting(b"SUB"), "'SUB'"),
            (&long, "a command of"),
            (&cut, "end of file"),
        ];
        for (sent, words) in cases {
            let said = read(sent).expect_err("refused").to_string();
            assert!(said.contains(words), "{said}");
        }
    }
}
