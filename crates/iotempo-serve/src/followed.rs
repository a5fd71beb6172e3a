//! One job that is followed.

use crate::settings::Settings;
use crate::view::{JobView, Status, Told};
use iotempo_live::{Event, Line, Source, Watch};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Predictions that are kept of a job.
pub(crate) const KEPT: usize = 64;
/// A job is idle when nothing has come for this long, and for this many periods.
const IDLE: Duration = Duration::from_secs(60);
const IDLE_PERIODS: f64 = 3.0;

/// A job, and what was told of it.
#[derive(Debug)]
pub(crate) struct Followed {
    id: Arc<str>,
    name: Arc<str>,
    path: PathBuf,
    watch: Watch,
    run: u64,
    status: Status,
    told: VecDeque<Arc<Told>>,
    /// The same, as it is shown.
    shown: Arc<[Arc<Told>]>,
    error: Option<Arc<str>>,
    gone: Option<Instant>,
    /// Requests at the last look.
    requests: u64,
}

/// What a look brought.
#[derive(Debug, Default)]
pub(crate) struct Looked {
    /// A new prediction.
    pub(crate) told: Option<Arc<Told>>,
    /// Something that is shown has changed.
    pub(crate) changed: bool,
    /// So much so that everybody is told.
    pub(crate) turned: bool,
    /// What went wrong, the first time that it did.
    pub(crate) failed: Option<Arc<str>>,
}

impl Followed {
    pub(crate) fn new(id: Arc<str>, name: &str, path: PathBuf, settings: &Settings) -> Self {
        Self {
            id,
            name: Arc::from(name),
            watch: watch(&path, settings),
            path,
            run: 1,
            status: Status::Running,
            told: VecDeque::new(),
            shown: Arc::default(),
            error: None,
            gone: None,
            requests: 0,
        }
    }

    pub(crate) fn id(&self) -> &Arc<str> {
        &self.id
    }

    /// Since when its files are not there.
    pub(crate) fn gone(&self) -> Option<Instant> {
        self.gone
    }

    /// Takes in what is new.
    pub(crate) fn look(&mut self, settings: &Settings) -> Looked {
        let mut looked = Looked::default();
        // A job that a bug of ours trips over must not take the others with it.
        let event = catch_unwind(AssertUnwindSafe(|| self.watch.look(&settings.selection)));
        let error = match event {
            Ok(Ok(Event::Nothing)) => None,
            Ok(Ok(Event::Prediction(prediction) | Event::Ended(prediction))) => {
                let line = Line::new(&self.name, self.watch.start_epoch_s(), &prediction);
                let told = serde_json::value::to_raw_value(&line).and_then(Told::new);
                match told {
                    Ok(told) => looked.told = Some(self.remember(told)),
                    Err(error) => looked.failed = Some(Arc::from(error.to_string())),
                }
                looked.failed.clone()
            }
            Ok(Ok(Event::Anew)) => {
                self.begin_run(self.run + 1);
                looked.turned = true;
                None
            }
            Ok(Err(error)) => Some(Arc::from(error.to_string())),
            Err(_) => {
                self.watch = watch(&self.path, settings);
                Some(Arc::from("its data cannot be understood: this is a bug"))
            }
        };
        let requests = self.watch.job().totals().requests;
        let status = self.judge();
        looked.turned |= status != self.status || error != self.error;
        looked.changed = looked.turned || looked.told.is_some() || requests != self.requests;
        if error != self.error {
            looked.failed = error.clone();
        }
        (self.requests, self.status, self.error) = (requests, status, error);
        looked
    }

    /// Its files are not there any more.
    pub(crate) fn leave(&mut self) {
        self.gone = Some(Instant::now());
        self.status = Status::Gone;
        self.error = None;
    }

    /// Its name is there again, as another run.
    pub(crate) fn come_back(&mut self, path: PathBuf, settings: &Settings) {
        self.watch = watch(&path, settings);
        self.path = path;
        self.gone = None;
        self.begin_run(self.run + 1);
        self.status = Status::Running;
    }

    pub(crate) fn view(&self) -> JobView {
        let job = self.watch.job();
        let now = Instant::now();
        JobView {
            id: Arc::clone(&self.id),
            name: Arc::clone(&self.name),
            status: self.status,
            run: self.run,
            start_epoch_s: self.watch.start_epoch_s(),
            newest_s: job.newest().map(|newest| newest.get()),
            arrived: now.checked_sub(job.idle()).unwrap_or(now),
            totals: job.totals(),
            predictions: Arc::clone(&self.shown),
            recording: Arc::clone(job.recording()),
            error: self.error.clone(),
        }
    }

    fn begin_run(&mut self, run: u64) {
        self.run = run;
        self.requests = 0;
        self.told.clear();
        self.shown = Arc::default();
    }

    fn remember(&mut self, told: Told) -> Arc<Told> {
        let told = Arc::new(told);
        if self.told.len() == KEPT {
            self.told.pop_front();
        }
        self.told.push_back(Arc::clone(&told));
        self.shown = self.told.iter().cloned().collect();
        told
    }

    fn judge(&self) -> Status {
        let period = self.told.back().and_then(|told| told.figures.period_s);
        let periods = period.map_or(0.0, |period| IDLE_PERIODS * period);
        let patience = IDLE.as_secs_f64().max(periods);
        if self.watch.job().idle().as_secs_f64() > patience {
            Status::Idle
        } else {
            Status::Running
        }
    }
}

fn watch(path: &std::path::Path, settings: &Settings) -> Watch {
    let source = Source::at(path.to_owned(), &settings.options);
    Watch::new(source, settings.online)
}
