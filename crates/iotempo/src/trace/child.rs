//! Runs the program as if it had been called itself.

use super::environment::Environment;
use crate::convert::ignored_signals;
use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
use signal_hook::iterator::{Handle, Signals};
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::process::{Child, Command, ExitStatus};
use std::thread;

/// Runs `command` to its end and hands every signal on to it.
///
/// # Errors
/// Where it cannot be started.
pub(super) fn run(
    command: &[OsString],
    environment: &Environment,
    preload: bool,
) -> io::Result<ExitStatus> {
    let (program, arguments) = command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    let mut child = Command::new(program);
    child.args(arguments);
    let set = environment.variables.iter();
    let set = set.filter(|(name, _)| preload || *name != "LD_PRELOAD");
    child.envs(set.map(|(name, value)| (name, value)));
    // Listens before there is a child: a signal in between must not end us alone.
    let signals = listen()?;
    let mut child = child.spawn()?;
    let listening = pass_on(signals, &child);
    let status = child.wait();
    listening.close();
    status
}

fn listen() -> io::Result<Signals> {
    let ignored = ignored_signals();
    let all = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2];
    Signals::new(all.into_iter().filter(|signal| !ignored(*signal)))
}

fn pass_on(mut signals: Signals, child: &Child) -> Handle {
    let handle = signals.handle();
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    thread::spawn(move || {
        for signal in signals.forever() {
            // Keys at a terminal reach the program without us, and twice is not the same as once.
            let from_keys = matches!(signal, SIGINT | SIGQUIT) && in_foreground();
            if let (Some(pid), Some(signal)) = (pid, Signal::from_named_raw(signal))
                && !from_keys
            {
                // One that has just ended needs no signal.
                let _ = kill_process(pid, signal);
            }
        }
    });
    handle
}

/// Whether we are what the terminal's keys are for.
fn in_foreground() -> bool {
    let Ok(terminal) = File::open("/dev/tty") else {
        return false;
    };
    rustix::termios::tcgetpgrp(terminal).is_ok_and(|group| group == rustix::process::getpgrp())
}
