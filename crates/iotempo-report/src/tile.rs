//! Numbers that matter, in large letters.

use crate::figures::{Written, confidence, percent};
use crate::quantity::duration;
use crate::words::{NO_JITTER, tied};
use iotempo_analysis::period::Rhythm;

/// A number that matters.
#[derive(Clone)]
pub(crate) struct Tile {
    pub(crate) name: &'static str,
    pub(crate) value: String,
    pub(crate) detail: String,
}

impl Tile {
    pub(crate) fn new(name: &'static str, value: String, detail: &str) -> Self {
        let detail = tied(detail);
        Self {
            name,
            value,
            detail,
        }
    }

    /// Whether it needs smaller letters to stay on its line: dates do.
    pub(crate) fn is_long(&self) -> bool {
        self.value.chars().count() > 14
    }
}

/// The period with its interval, and how sure it is.
pub(crate) fn of_period(rhythm: &Rhythm) -> [Tile; 2] {
    let period = Written::new(&rhythm.period);
    let also = period.words.as_ref().map(|words| format!("{words}, "));
    let interval = format!(
        "{}95 % interval {}",
        also.unwrap_or_default(),
        period.interval
    );
    let sure = "that it repeats, and the true period is within 5 %";
    [
        Tile::new("period", period.value, &interval),
        Tile::new("confidence", confidence(rhythm.confidence), sure),
    ]
}

/// By how much its phases scatter.
pub(crate) fn of_jitter(rhythm: &Rhythm) -> Tile {
    match rhythm.jitter {
        Some(jitter) => {
            let time = duration(jitter * rhythm.period.value.get());
            let detail = format!("of the period: {time} from start to start");
            Tile::new("jitter", percent(jitter), &detail)
        }
        None => Tile::new("jitter", "-".to_owned(), NO_JITTER),
    }
}
