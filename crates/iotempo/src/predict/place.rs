//! From the word that names a source to the source.

use crate::talk::Talk;
use iotempo_formats::ReadOptions;
use iotempo_live::{Address, Source};
use std::path::PathBuf;

/// A file, a folder, standard input, or other programs.
pub(super) fn open(word: PathBuf, options: &ReadOptions, talk: &Talk) -> anyhow::Result<Source> {
    let Some(address) = Address::parse(&word).map_err(anyhow::Error::msg)? else {
        if word.as_os_str() != "-" && !word.exists() {
            let name = word.display();
            talk.warn(format_args!("{name} is not there yet: waiting for it"));
        }
        return Ok(Source::at(word, options));
    };
    let source = Source::connected(&address, options)?;
    #[cfg(unix)]
    if let Address::UnixListen(path) = address {
        remove_at_the_end(path)?;
    }
    Ok(source)
}

/// Removes a socket when a signal ends the program, which then ends as it would have done.
#[cfg(unix)]
fn remove_at_the_end(path: PathBuf) -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGTERM])?;
    std::thread::spawn(move || {
        for signal in signals.forever() {
            // Who removed it before has done our work.
            let _ = std::fs::remove_file(&path);
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    });
    Ok(())
}
