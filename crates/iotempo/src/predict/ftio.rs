//! FTIO's predictor, on whatever can be followed.

use super::args::{FtioArgs, Method};
use super::patience::Patience;
use super::{Pace, say};
use crate::Outcome;
use crate::settings::usage_error;
use crate::talk::Talk;
use anyhow::anyhow;
use iotempo_analysis::ftio::online::{Predictor, Step};
use iotempo_analysis::ftio::{self, Points, Rate};
use iotempo_live::{Follows, News, Source};
use iotempo_model::{FileId, Origin, Request, RequestSink, Selection, TraceBuilder};
use serde::Serialize;
use std::io;
use std::time::Instant;

/// The name and version of what a line holds.
const SCHEMA: &str = "iotempo/ftio-prediction/1";

/// The predictor that the words ask for, where they ask for FTIO's.
pub(super) fn predictor(
    words: &FtioArgs,
    method: Method,
) -> Result<Option<Predictor>, clap::Error> {
    let method = match method {
        Method::Ftio => ftio::Method::Ftio,
        Method::Paper => ftio::Method::Paper,
        Method::Iotempo => {
            let asked =
                words.freq.is_some() || words.window_adaptation.is_some() || words.hits.is_some();
            let hint = "--freq, --window-adaptation and --hits are FTIO's: add --method ftio";
            return if asked {
                Err(usage_error(hint))
            } else {
                Ok(None)
            };
        }
    };
    let mut settings = ftio::Settings {
        method,
        ..ftio::Settings::default()
    };
    if let Some(rate) = words.freq {
        settings.freq = Rate::Fixed(rate);
    }
    let strategy = words.window_adaptation.unwrap_or_default();
    let hits = words.hits.map_or(Predictor::HITS, usize::from);
    Ok(Some(Predictor::new(settings, strategy, hits)))
}

/// Predicts after every flush; where a source has none, when nothing more has come at a look.
pub(super) fn follow(
    name: &str,
    mut source: Source,
    fresh: Predictor,
    selection: &Selection,
    pace: &Pace,
    talk: &Talk,
) -> anyhow::Result<Outcome> {
    let mut predictor = fresh.clone();
    let mut seen = Seen::new();
    let mut patience = Patience::default();
    loop {
        let before = seen.requests.len();
        let news = source.poll(selection, &mut seen);
        for warning in source.take_warnings() {
            talk.warn(format_args!("{name}: {warning}"));
        }
        let borne = patience.bear(news, source.is_there());
        let (news, trouble) = borne.map_err(|error| anyhow!("{name}: {error}"))?;
        if let Some(trouble) = trouble {
            talk.warn(format_args!("{name}: {trouble}"));
        }
        let news = news.unwrap_or(News::Other);
        let came = seen.requests.len() > before;
        seen.news |= came;
        match news {
            News::Anew => {
                talk.warn(format_args!("{name} was written anew: starting over"));
                (predictor, seen) = (fresh.clone(), Seen::new());
            }
            News::Flushed => seen.tell(name, &mut predictor)?,
            News::Ended if seen.news => seen.tell(name, &mut predictor)?,
            News::Other if seen.news && !came => seen.tell(name, &mut predictor)?,
            News::Ended | News::Other => {}
        }
        let over = |since: Instant| !source.has_more() && pace.ends(since.elapsed());
        if news == News::Ended || over(seen.since) {
            for warning in source.take_last_warnings() {
                talk.warn(format_args!("{name}: {warning}"));
            }
            if seen.requests.is_empty() {
                super::say_that_nothing_came(name, talk);
            }
            return Ok(Outcome::AllRead);
        }
    }
}

/// All that was seen of a job: FTIO forgets nothing.
struct Seen {
    requests: Vec<Request>,
    origin: Origin,
    /// Names that were heard of.
    names: u32,
    /// Something came that nobody was told of.
    news: bool,
    since: Instant,
}

/// A line.
#[derive(Serialize)]
struct Line<'a> {
    schema: &'static str,
    source: &'a str,
    #[serde(flatten)]
    step: Step,
}

impl Seen {
    fn new() -> Self {
        Self {
            requests: Vec::new(),
            origin: Origin::new(iotempo_model::Source::Requests),
            names: 0,
            news: false,
            since: Instant::now(),
        }
    }

    fn tell(&mut self, source: &str, predictor: &mut Predictor) -> anyhow::Result<()> {
        self.news = false;
        let mut trace = TraceBuilder::default();
        for request in &self.requests {
            trace.push(*request)?;
        }
        let trace = trace.finish(self.origin.clone(), Vec::new());
        let step = predictor.step(&Points::of_trace(&trace), None);
        say(&Line {
            schema: SCHEMA,
            source,
            step,
        })
    }
}

impl Follows for Seen {
    fn learn(&mut self, origin: &Origin) {
        self.origin = origin.clone();
    }
}

impl RequestSink for Seen {
    fn file(&mut self, _name: &str) -> FileId {
        self.names = self.names.wrapping_add(1);
        FileId(self.names)
    }

    fn push(&mut self, request: Request) -> io::Result<()> {
        self.since = Instant::now();
        self.requests.push(request);
        Ok(())
    }
}
