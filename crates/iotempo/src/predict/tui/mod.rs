//! `iotempo predict --tui`: a view of the job that moves as the job does.
//!
//! Keys, signals and what the source brings arrive in one queue; a [`View`] takes them in, and what is
//! seen of it is a pure function of its [`Scene`].

mod chart;
mod draw;
mod facts;
mod history;
mod inbox;
mod keys;
mod known;
mod screen;
mod theme;
mod view;
mod watcher;
mod words;

#[cfg(test)]
mod tests;

use crate::Outcome;
use crate::cli::CommonArgs;
use crate::settings::usage_error;
use crate::style::Style;
use anyhow::Context;
use inbox::Message;
use iotempo_live::Watch;
use iotempo_model::Selection;
use ratatui::crossterm::style::force_color_output;
use screen::Screen;
use std::io::{self, IsTerminal};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use view::{Step, View};

/// How long a picture stands.
const REFRESH: Duration = Duration::from_millis(250);
/// How long it stands where nothing in it moves.
const STILL: Duration = Duration::from_secs(3600);

/// A job to follow.
pub(super) struct Following {
    pub(super) name: String,
    pub(super) watch: Watch,
    pub(super) selection: Selection,
    pub(super) every: Duration,
    pub(super) until_idle: Option<Duration>,
}

/// How it ended.
enum End {
    /// As asked by a key, or because there is no more.
    Wanted,
    #[cfg(unix)]
    Signal(i32),
}

/// Shows the job until a key or a signal ends it.
pub(super) fn run(following: Following, common: &CommonArgs) -> anyhow::Result<Outcome> {
    check(&following, common)?;
    let style = Style::new(common);
    force_color_output(style.is_coloured());
    let (sender, inbox) = channel();
    #[cfg(unix)]
    let socket = following.watch.socket();
    #[cfg(unix)]
    inbox::listen_to_signals(sender.clone()).context("signals")?;
    let mut screen = Screen::take().context("the terminal")?;
    let mut view = View::new(&following.name, &style, screen.keys);
    if screen.keys {
        inbox::listen_to_terminal(sender.clone())?;
    }
    watcher::start(following, sender)?;
    let end = show(&mut screen, &mut view, &inbox);
    drop(screen);
    // The thread that follows the source does not end before the program does.
    #[cfg(unix)]
    if let Some(socket) = socket {
        socket.remove();
    }
    match end? {
        End::Wanted => {}
        // As if nobody had caught it: whoever sent it sees that it was heard.
        #[cfg(unix)]
        End::Signal(signal) => signal_hook::low_level::emulate_default_handler(signal)?,
    }
    Ok(Outcome::AllRead)
}

fn check(following: &Following, common: &CommonArgs) -> anyhow::Result<()> {
    if common.json {
        return Err(usage_error("--tui is for people: without it, every line is JSON").into());
    }
    if !io::stdout().is_terminal() {
        return Err(usage_error(
            "--tui needs a terminal, and standard output is none; without it, predictions are \
             lines of JSON",
        )
        .into());
    }
    if std::env::var_os("TERM").is_some_and(|name| name == "dumb") {
        return Err(
            usage_error("--tui needs a terminal with a cursor that moves: TERM is dumb").into(),
        );
    }
    if following.name == "-" && io::stdin().is_terminal() {
        return Err(usage_error(
            "--tui takes keys from the terminal, so that it cannot be the source, too",
        )
        .into());
    }
    Ok(())
}

fn show(screen: &mut Screen, view: &mut View, inbox: &Receiver<Message>) -> anyhow::Result<End> {
    // When the next picture is to be drawn.
    let mut due = Some(Instant::now());
    loop {
        let now = Instant::now();
        if due.is_some_and(|due| due <= now) {
            let scene = view.scene(now);
            let draw = |frame: &mut ratatui::Frame| frame.render_widget(&scene, frame.area());
            screen.draw(draw).context("the terminal")?;
            due = view.moves().then(|| now + REFRESH);
        }
        let wait = due.map_or(STILL, |due| due.saturating_duration_since(Instant::now()));
        let message = match inbox.recv_timeout(wait) {
            Ok(message) => message,
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => return Ok(End::Wanted),
        };
        // Keys are answered at once; what the source brings waits, so that pictures are few.
        let soon = match message {
            Message::Terminal(_) => Duration::ZERO,
            _ => REFRESH,
        };
        let latest = Instant::now() + soon;
        due = Some(due.map_or(latest, |due| due.min(latest)));
        match view.take(message)? {
            Step::GoOn => {}
            Step::Quit => return Ok(End::Wanted),
            #[cfg(unix)]
            Step::Die(signal) => return Ok(End::Signal(signal)),
        }
    }
}
