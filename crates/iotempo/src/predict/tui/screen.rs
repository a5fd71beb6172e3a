//! The terminal: taken when the view begins, given back however it ends.

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::terminal::{self, EnterAlternateScreen, LeaveAlternateScreen};
use ratatui::crossterm::{cursor, execute};
use std::io::{self, Stdout};
use std::panic;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the terminal is ours now: a panic in another thread gives it back, too.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// A terminal that is ours until this is dropped.
pub(super) struct Screen {
    terminal: Terminal<CrosstermBackend<Stdout>>,
    /// Whether keys come one by one.
    pub(super) keys: bool,
}

impl Screen {
    /// Takes the terminal.
    pub(super) fn take() -> io::Result<Self> {
        restore_before_panics_speak();
        // Without a terminal to read from there is no mode to change, and there are no keys.
        TAKEN.store(true, Ordering::SeqCst);
        let keys = terminal::enable_raw_mode().is_ok();
        let taken = execute!(io::stdout(), EnterAlternateScreen, cursor::Hide)
            .and_then(|()| Terminal::new(CrosstermBackend::new(io::stdout())));
        match taken {
            Ok(terminal) => Ok(Self { terminal, keys }),
            Err(error) => {
                restore();
                Err(error)
            }
        }
    }

    pub(super) fn draw(&mut self, draw: impl FnOnce(&mut ratatui::Frame)) -> io::Result<()> {
        if !TAKEN.load(Ordering::SeqCst) {
            return Ok(());
        }
        self.terminal.draw(draw).map(|_| ())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

/// As it was before. What fails here has failed for good: the terminal is gone.
fn restore() {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    let _ = terminal::disable_raw_mode();
    let _ = execute!(io::stdout(), LeaveAlternateScreen, cursor::Show);
}

/// What a panic says would be lost with the screen that it is said on, in whichever thread.
fn restore_before_panics_speak() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let speak = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            restore();
            speak(info);
        }));
    });
}

#[cfg(all(test, target_os = "linux"))]
#[path = "../../../tests/common/tmux.rs"]
mod tmux;

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::tmux::Session;
    use super::*;

    #[test]
    #[ignore = "panics, on a terminal that the next test gives it"]
    fn panics_on_the_screen() {
        let mut screen = Screen::take().expect("a terminal");
        let words = |frame: &mut ratatui::Frame| frame.render_widget("drawn", frame.area());
        screen.draw(words).expect("a terminal");
        panic!("as was planned");
    }

    #[test]
    fn a_panic_gives_the_terminal_back_before_it_speaks() {
        let folder = tempfile::tempdir().expect("a folder");
        let program = std::env::current_exe().expect("the tests");
        let test = "predict::tui::screen::tests::panics_on_the_screen";
        let program = format!("RUST_BACKTRACE=0 '{}'", program.display());
        let command = format!("{program} --ignored --exact --nocapture {test}");
        let Some(session) = Session::start("a_panic", folder.path(), &command) else {
            return;
        };
        assert_ne!(session.code(), 0);
        session.is_as_before();
        // On the screen that it left, what it said would be gone.
        session.wait_for("as was planned");
        assert!(!session.screen().contains("drawn"), "{}", session.screen());
    }
}
