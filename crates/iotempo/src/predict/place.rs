//! From the word that names a source to the source.

use crate::talk::Talk;
use iotempo_formats::ReadOptions;
use iotempo_formats::live::holds_logs;
#[cfg(unix)]
use iotempo_live::Socket;
use iotempo_live::{Address, Source};
use std::path::PathBuf;

/// A file, a folder, standard input, or other programs.
pub(super) fn open(word: PathBuf, options: &ReadOptions, talk: &Talk) -> anyhow::Result<Source> {
    let Some(address) = Address::parse(&word).map_err(anyhow::Error::msg)? else {
        if word.as_os_str() != "-" && !word.exists() {
            let name = word.display();
            talk.warn(format_args!("{name} is not there yet: waiting for it"));
        } else if word.is_dir() && !holds_logs(&word) {
            let name = word.display();
            talk.warn(format_args!(
                "{name} holds no log (.iot) of iotempo trace yet: waiting for one"
            ));
        }
        return Ok(Source::at(word, options));
    };
    Ok(Source::connected(&address, options)?)
}

/// Removes a socket when a signal ends the program, which then ends as it would have done. Signals that
/// whoever started us has ignored stay ignored.
#[cfg(unix)]
pub(super) fn remove_at_signals(socket: Socket) -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let ignored = crate::convert::ignored_signals();
    let ours = [SIGHUP, SIGINT, SIGTERM].into_iter();
    let ours = ours.filter(|signal| !ignored(*signal));
    let mut signals = signal_hook::iterator::Signals::new(ours)?;
    std::thread::spawn(move || {
        for signal in signals.forever() {
            socket.remove();
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    });
    Ok(())
}
