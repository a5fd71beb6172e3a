//! All that can happen, in one queue: keys, signals, and what the source brings.

use super::watcher::Look;
use ratatui::crossterm::event::{self, Event};
use std::io;
use std::sync::mpsc::Sender;
use std::thread;

/// Something happened.
#[derive(Debug)]
pub(super) enum Message {
    /// The source was looked at.
    Look(Box<Look>),
    /// Nothing has come for as long as was asked for.
    Idle,
    /// The source is followed no more.
    Over(anyhow::Result<()>),
    /// A key, or another size.
    Terminal(Event),
    /// There will be no keys.
    NoKeys,
    /// Somebody wants us to end.
    #[cfg(unix)]
    Signal(i32),
}

/// Waits for keys and for changes of size.
pub(super) fn listen_to_terminal(inbox: Sender<Message>) -> io::Result<()> {
    let listen = move || {
        while let Ok(event) = event::read() {
            if inbox.send(Message::Terminal(event)).is_err() {
                return;
            }
        }
        let _ = inbox.send(Message::NoKeys);
    };
    thread::Builder::new().name("keys".into()).spawn(listen)?;
    Ok(())
}

/// Waits for signals that end a program, unless whoever started us has them ignored.
#[cfg(unix)]
pub(super) fn listen_to_signals(inbox: Sender<Message>) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    let ignored = crate::convert::ignored_signals();
    let ours = [SIGHUP, SIGINT, SIGTERM].into_iter();
    let mut signals = Signals::new(ours.filter(|signal| !ignored(*signal)))?;
    let listen = move || {
        for signal in signals.forever() {
            let _ = inbox.send(Message::Signal(signal));
        }
    };
    thread::Builder::new()
        .name("signals".into())
        .spawn(listen)?;
    Ok(())
}
