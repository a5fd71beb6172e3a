//! Runs the program as if it had been called itself.

use super::environment::Environment;
use super::program;
use crate::convert::ignored_signals;
use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
use signal_hook::iterator::{Handle, Signals};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::process::{Child, Command, ExitStatus};
use std::thread;

/// What the system answers for a file that is no program it knows.
const NO_FORMAT: i32 = rustix::io::Errno::NOEXEC.raw_os_error();

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
    let set = environment.variables.iter();
    let set = set.filter(|(name, _)| preload || *name != "LD_PRELOAD");
    let command = |program: &OsStr| {
        let mut command = Command::new(program);
        command.envs(set.clone().map(|(name, value)| (name, value)));
        command
    };
    // Listens before there is a child: a signal in between must not end us alone.
    let signals = listen()?;
    let mut child = match command(program).args(arguments).spawn() {
        Err(error) if error.raw_os_error() == Some(NO_FORMAT) => {
            // A script without its first line: shells and `execvp` have it run by a shell.
            let script = program::find(program).filter(|file| !program::is_elf(file));
            let script = script.ok_or(error)?;
            command(OsStr::new("/bin/sh"))
                .arg(script)
                .args(arguments)
                .spawn()?
        }
        spawned => spawned?,
    };
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
