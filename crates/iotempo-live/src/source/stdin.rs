//! Standard input.

use iotempo_formats::live::Pieces;
use iotempo_formats::{Error, Place};
use std::io::{self, Read};
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};
use std::thread;

/// Pieces that wait to be taken.
const AHEAD: usize = 64;

/// Takes in all that has come; whether that was the last.
pub(super) fn take_in(
    pieces: &mut Pieces,
    input: &Receiver<io::Result<Vec<u8>>>,
) -> Result<bool, Error> {
    loop {
        match input.try_recv() {
            Ok(Ok(bytes)) => pieces.feed(&bytes),
            Ok(Err(error)) => return Err(Error::new("", Place::Whole, error)),
            Err(TryRecvError::Empty) => return Ok(false),
            Err(TryRecvError::Disconnected) => return Ok(true),
        }
    }
}

/// What comes on standard input, read by a thread of its own: nobody else may wait for it.
pub(super) fn standard_input() -> Receiver<io::Result<Vec<u8>>> {
    let (sender, receiver) = sync_channel(AHEAD);
    thread::spawn(move || {
        let mut buffer = vec![0; 64 << 10];
        loop {
            let piece = match io::stdin().lock().read(&mut buffer) {
                Ok(0) => return,
                Ok(length) => Ok(buffer[..length].to_vec()),
                Err(error) => Err(error),
            };
            let failed = piece.is_err();
            if sender.send(piece).is_err() || failed {
                return;
            }
        }
    });
    receiver
}
