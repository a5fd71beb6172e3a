//! Looks at the source in a thread of its own: a file system that does not answer must not keep keys
//! waiting.

use super::super::patience::Patience;
use super::inbox::Message;
use super::{Following, REFRESH};
use anyhow::anyhow;
use iotempo_live::{Event, Recording, Totals, Watch};
use iotempo_model::Seconds;
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Instant;

/// What a look at the source brought.
#[derive(Debug)]
pub(super) struct Look {
    pub(super) event: Event,
    pub(super) totals: Totals,
    pub(super) recording: Recording,
    /// The job's time; `None` before its first request.
    pub(super) now: Option<Seconds>,
    /// The end of the newest data.
    pub(super) newest: Option<Seconds>,
    /// The last thing that a person should know about the source.
    pub(super) warning: Option<String>,
    pub(super) taken: Instant,
}

/// Follows the job until it ends, or nobody listens.
pub(super) fn start(following: Following, inbox: Sender<Message>) -> std::io::Result<()> {
    let follow = move || {
        let farewell = Farewell(inbox);
        let result = follow(following, &farewell.0);
        let _ = farewell.0.send(Message::Over(result));
    };
    thread::Builder::new().name("source".into()).spawn(follow)?;
    Ok(())
}

/// Says so where the thread panics: the screen must not stay as it is for ever.
struct Farewell(Sender<Message>);

impl Drop for Farewell {
    fn drop(&mut self) {
        if thread::panicking() {
            let error = anyhow::anyhow!("the source is not followed any more");
            let _ = self.0.send(Message::Over(Err(error)));
        }
    }
}

fn follow(following: Following, inbox: &Sender<Message>) -> anyhow::Result<()> {
    let Following {
        name,
        mut watch,
        selection,
        every,
        until_idle,
    } = following;
    let mut sent: Option<(Totals, Instant)> = None;
    let mut patience = Patience::default();
    loop {
        let event = watch.look(&selection);
        let borne = patience.bear(event, watch.is_there());
        let (event, trouble) = borne.map_err(|error| anyhow!("{name}: {error}"))?;
        let event = event.unwrap_or(Event::Nothing);
        let warning = watch.take_warnings().pop();
        let warning = trouble.or(warning.map(|warning| warning.to_string()));
        let ended = matches!(event, Event::Ended(_));
        let totals = watch.job().totals();
        let worth_it = !matches!(event, Event::Nothing)
            || warning.is_some()
            || sent.is_none_or(|(then, at)| then != totals && at.elapsed() >= REFRESH);
        if worth_it {
            sent = Some((totals, Instant::now()));
            let look = Look::new(event, warning, &watch);
            if inbox.send(Message::Look(Box::new(look))).is_err() {
                return Ok(());
            }
        }
        let idle = watch.job().idle();
        if ended {
            return Ok(());
        }
        if watch.has_more() {
            continue;
        }
        if until_idle.is_some_and(|longest| idle >= longest) {
            let _ = inbox.send(Message::Idle);
            return Ok(());
        }
        thread::sleep(every);
    }
}

impl Look {
    fn new(event: Event, warning: Option<String>, watch: &Watch) -> Self {
        let job = watch.job();
        Self {
            event,
            totals: job.totals(),
            recording: job.recorded(),
            now: job.newest().map(|_| job.now()),
            newest: job.newest(),
            warning,
            taken: Instant::now(),
        }
    }
}
