//! A terminal of its own for a program, by tmux.
#![allow(dead_code, unreachable_pub, reason = "every test uses a part of it")]
#![allow(clippy::unwrap_used, clippy::print_stderr)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// Nobody waits longer for anything, on however slow a machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// A terminal in which a command runs, of 80 columns and 24 rows.
pub struct Session {
    folder: PathBuf,
}

impl Session {
    /// Runs a command of the shell in a folder; `None`, and a word about it, where there is no tmux.
    pub fn start(test: &str, folder: &Path, command: &str) -> Option<Self> {
        if Command::new("tmux").arg("-V").output().is_err() {
            eprintln!("SKIPPED {test}: there is no tmux (scripts/setup.sh installs it)");
            return None;
        }
        let session = Self {
            folder: folder.to_owned(),
        };
        // The shell stays, so that the terminal can be looked at afterwards.
        let script = format!(
            "stty -g > modes.before\n{command}\necho $? > code.new\nstty -g > modes.after\n\
             mv code.new code\nexec sleep 1000\n"
        );
        std::fs::write(folder.join("session.sh"), script).unwrap();
        let size = ["-x", "80", "-y", "24"];
        let begun = session.tmux(
            &[
                &["-f", "/dev/null", "new-session", "-d"],
                &size[..],
                &["sh session.sh"],
            ]
            .concat(),
        );
        assert!(begun.status.success(), "{begun:?}");
        Some(session)
    }

    fn tmux(&self, words: &[&str]) -> Output {
        let mut command = Command::new("tmux");
        // A server of its own.
        command.args(["-S", "tmux.socket"]).args(words);
        command.current_dir(&self.folder).env_remove("TMUX");
        command.env("LC_ALL", "C.UTF-8").output().unwrap()
    }

    fn told(&self, words: &[&str]) -> String {
        String::from_utf8_lossy(&self.tmux(words).stdout).into_owned()
    }

    /// What is on the screen.
    pub fn screen(&self) -> String {
        self.told(&["capture-pane", "-p"])
    }

    /// The same, with its colours.
    pub fn coloured(&self) -> String {
        self.told(&["capture-pane", "-p", "-e"])
    }

    /// Waits until the screen holds a text; what it looks like then.
    pub fn wait_for(&self, text: &str) -> String {
        let screen = || Some(self.screen()).filter(|screen| screen.contains(text));
        let seen = waited(screen);
        seen.unwrap_or_else(|| panic!("no {text:?} on\n{}", self.screen()))
    }

    pub fn press(&self, key: &str) {
        self.tmux(&["send-keys", key]);
    }

    pub fn resize(&self, columns: u16, rows: u16) {
        let (columns, rows) = (columns.to_string(), rows.to_string());
        let done = self.tmux(&["resize-window", "-x", &columns, "-y", &rows]);
        assert!(done.status.success(), "{done:?}");
    }

    /// Waits for the end of the command; its exit code.
    pub fn code(&self) -> i32 {
        let code = || std::fs::read_to_string(self.folder.join("code")).ok();
        let code = waited(code).unwrap_or_else(|| panic!("still there:\n{}", self.screen()));
        code.trim().parse().unwrap()
    }

    /// Whether the command has the screen for itself, and whether there is a cursor.
    pub fn flags(&self) -> String {
        let flags = "#{alternate_on} #{cursor_flag}";
        self.told(&["display-message", "-p", flags])
            .trim()
            .to_owned()
    }

    /// The terminal is as the command found it.
    pub fn is_as_before(&self) {
        let modes = |name| std::fs::read_to_string(self.folder.join(name)).unwrap();
        assert!(modes("modes.before").contains(':'));
        assert_eq!(modes("modes.after"), modes("modes.before"));
        let back = waited(|| (self.flags() == "0 1").then_some(()));
        assert!(back.is_some(), "{}", self.flags());
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}

/// Waits for something; `None` where it does not come.
pub fn waited<T>(mut there: impl FnMut() -> Option<T>) -> Option<T> {
    let since = Instant::now();
    while since.elapsed() < PATIENCE {
        if let Some(found) = there() {
            return Some(found);
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    None
}
