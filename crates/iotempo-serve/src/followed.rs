//! One job that is followed.

use crate::catalogue::Found;
use crate::identity::Identity;
use crate::journal::{JobPast, LastRun};
use crate::resume;
use crate::settings::Settings;
use crate::view::{JobView, Status, Told};
use iotempo_analysis::online::Prediction;
use iotempo_live::{Event, Line, Source, Watch};
use iotempo_model::Warning;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Predictions that are kept of a job.
pub(crate) const KEPT: usize = 64;
/// A job is idle when nothing has come for this long, and for this many periods.
const IDLE: Duration = Duration::from_secs(60);
const IDLE_PERIODS: f64 = 3.0;
/// Warnings that are kept of a job: the newest.
const MOST_WARNINGS: usize = 32;
/// A job whose data tripped us up this often is not looked at until it is there anew.
const MOST_TRIPS: u32 = 2;

/// A job, and what was told of it.
#[derive(Debug)]
pub(crate) struct Followed {
    id: Arc<str>,
    name: Arc<str>,
    path: PathBuf,
    /// It was named, and was a link then.
    linked: bool,
    watch: Watch,
    run: u64,
    status: Status,
    told: VecDeque<Arc<Told>>,
    /// The same, as it is shown.
    shown: Arc<[Arc<Told>]>,
    /// The last of them as it stands in the journal, by its number.
    entry: Option<(u64, Arc<[u8]>)>,
    /// What its files are.
    identity: Option<Identity>,
    error: Option<Arc<str>>,
    warnings: Vec<Warning>,
    /// The same, as it is shown.
    shown_warnings: Arc<[Warning]>,
    gone: Option<Instant>,
    /// Requests at the last look.
    requests: u64,
    /// How often a look ended in a panic.
    trips: u32,
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
    /// What a person should know, the first time that it is so.
    pub(crate) notices: Vec<String>,
}

impl Followed {
    /// A job that nobody has followed before; or `runs` times, when it was another one.
    pub(crate) fn new(id: Arc<str>, found: &Found, runs: u64, settings: &Settings) -> Self {
        Self {
            id,
            name: Arc::from(&*found.name),
            watch: Watch::new(source(found, settings), settings.online),
            path: found.path.clone(),
            linked: found.linked,
            run: runs + 1,
            status: Status::Running,
            told: VecDeque::new(),
            shown: Arc::default(),
            entry: None,
            identity: None,
            error: None,
            warnings: Vec::new(),
            shown_warnings: Arc::default(),
            gone: None,
            requests: 0,
            trips: 0,
        }
    }

    /// Goes on with a job that was followed before a restart.
    pub(crate) fn resume(id: Arc<str>, found: &Found, past: JobPast, settings: &Settings) -> Self {
        let same = |identity: &Identity| found.linked || identity.is_at(&found.path);
        if !past.identity.as_ref().is_none_or(same) {
            // Another job took its place.
            return Self::new(id, found, past.run, settings);
        }
        let mut followed = Self::new(id, found, past.run.saturating_sub(1), settings);
        let mut source = source(found, settings);
        if let Some(start) = past.start_epoch_ns {
            source = source.starting_at(start);
        }
        let mut watch = Watch::new(source, settings.online);
        if let Some(known) = resume::past(&past) {
            watch = watch.resuming(&known, resume::ago(past.made_epoch_s));
        }
        followed.watch = watch;
        followed.shown = past.told.iter().cloned().collect();
        followed.told = past.told;
        followed.entry = Some((past.seq, past.entry));
        followed.identity = past.identity;
        followed
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn run(&self) -> u64 {
        self.run
    }

    pub(crate) fn start_epoch_ns(&self) -> Option<u64> {
        self.watch.start_epoch_ns()
    }

    /// Since when its files are not there.
    pub(crate) fn gone(&self) -> Option<Instant> {
        self.gone
    }

    /// Its last line in the journal.
    pub(crate) fn entry(&self) -> Option<&[u8]> {
        self.entry.as_ref().map(|(_, entry)| &**entry)
    }

    pub(crate) fn set_entry(&mut self, seq: u64, entry: &[u8]) {
        self.entry = Some((seq, Arc::from(entry)));
    }

    /// What is remembered of it when it is not listed any more.
    pub(crate) fn last_run(&self) -> Option<LastRun> {
        let (seq, entry) = self.entry.clone()?;
        let run = self.run;
        Some(LastRun { run, entry, seq })
    }

    pub(crate) fn identity(&self) -> Option<&Identity> {
        self.identity.as_ref()
    }

    /// Whether it went on after it had been said to have ended.
    pub(crate) fn has_returned(&self) -> bool {
        self.watch.job().has_returned()
    }

    /// Whether something has come of which nothing was told yet.
    pub(crate) fn has_news(&self) -> bool {
        self.watch.job().has_news()
    }

    /// Whether it is time to tell it.
    pub(crate) fn is_due(&self) -> bool {
        self.watch.job().is_due()
    }

    /// Takes in what is new.
    pub(crate) fn look(&mut self, settings: &Settings) -> Looked {
        let mut looked = Looked::default();
        if self.trips >= MOST_TRIPS {
            return looked;
        }
        // A job that a bug of ours trips over must not take the others with it.
        let event = catch_unwind(AssertUnwindSafe(|| self.watch.look(&settings.selection)));
        let taken = match event {
            Ok(Ok(event)) => self.take(event, &mut looked),
            Ok(Err(error)) => Err(error.to_string()),
            Err(_) => Err(self.trip(settings)),
        };
        for warning in self.watch.take_warnings() {
            looked.notices.push(warning.to_string());
            self.warn(warning);
            looked.turned = true;
        }
        let requests = self.watch.job().totals().requests;
        if taken.is_ok() && self.watch.has_caught_up() && self.watch.job().is_behind() {
            // All was read, and it ends before what is known of it: the next look is at another run.
            self.begin_run(settings);
            looked.turned = true;
            looked.told = None;
        } else {
            looked.changed |= requests != self.requests;
            self.requests = requests;
        }
        self.settle(taken.err().map(Arc::from), &mut looked);
        looked
    }

    fn take(&mut self, event: Event, looked: &mut Looked) -> Result<(), String> {
        match event {
            Event::Nothing => {}
            Event::Prediction(prediction) | Event::Ended(prediction) => {
                let told = self.tell(&prediction).map_err(|error| error.to_string())?;
                looked.told = Some(told);
            }
            Event::Anew => {
                self.forget();
                looked.turned = true;
            }
        }
        Ok(())
    }

    /// Keeps a warning with the job. One about damaged lines counts all of them, and takes the place of the last.
    fn warn(&mut self, mut warning: Warning) {
        // Where it lies on this machine is nobody's business elsewhere.
        let folder = format!("{}/", self.path.display());
        warning.message = warning.message.replace(&folder, "");
        let counts = |code: &str| code == "damaged-lines";
        self.warnings
            .retain(|old| *old != warning && !(counts(&old.code) && counts(&warning.code)));
        if self.warnings.len() == MOST_WARNINGS {
            self.warnings.remove(0);
        }
        self.warnings.push(warning);
        self.shown_warnings = self.warnings.iter().cloned().collect();
    }

    /// Notes how the job is, and whether that is new.
    fn settle(&mut self, error: Option<Arc<str>>, looked: &mut Looked) {
        let status = match self.judge() {
            Status::Gone => Status::Gone,
            _ if error.is_some() => Status::Unreadable,
            status => status,
        };
        looked.turned |= status != self.status || error != self.error;
        looked.changed |= looked.turned || looked.told.is_some();
        if error != self.error {
            looked.notices.extend(error.as_deref().map(str::to_owned));
        }
        (self.status, self.error) = (status, error);
        if status == Status::Gone {
            let last = self.leave();
            looked.changed |= last.is_some();
            looked.told = last.or(looked.told.take());
        }
    }

    /// Its files are not there any more: nothing is expected of it. What was known in the end, where that was not told.
    pub(crate) fn leave(&mut self) -> Option<Arc<Told>> {
        self.gone.get_or_insert_with(Instant::now);
        self.status = Status::Gone;
        self.error = None;
        let last = self.watch.abandon()?;
        self.tell(&last).ok()
    }

    /// Its name is there again, as another run.
    pub(crate) fn come_back(&mut self, path: PathBuf, settings: &Settings) {
        self.path = path;
        self.gone = None;
        self.trips = 0;
        self.begin_run(settings);
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
            warnings: Arc::clone(&self.shown_warnings),
        }
    }

    /// Begins anew after a panic, whose cause may have passed; what to say of it.
    fn trip(&mut self, settings: &Settings) -> String {
        self.trips += 1;
        // What is read again must not be told again under numbers that were given.
        self.begin_run(settings);
        let message = "its data trips up the program: please report this";
        match self.trips {
            MOST_TRIPS.. => format!("{message}; it is no longer followed"),
            _ => message.to_owned(),
        }
    }

    /// Follows it from its beginning, as another run.
    fn begin_run(&mut self, settings: &Settings) {
        let source = source_at(&self.path, self.linked, settings);
        self.watch = Watch::new(source, settings.online);
        self.forget();
    }

    fn forget(&mut self) {
        self.run += 1;
        self.identity = None;
        self.requests = 0;
        self.told.clear();
        self.shown = Arc::default();
        self.warnings.clear();
        self.shown_warnings = Arc::default();
    }

    fn tell(&mut self, prediction: &Prediction) -> serde_json::Result<Arc<Told>> {
        let line = Line::new(&self.name, self.watch.start_epoch_s(), prediction);
        let told = Arc::new(Told::new(serde_json::value::to_raw_value(&line)?)?);
        if self.told.len() == KEPT {
            self.told.pop_front();
        }
        self.told.push_back(Arc::clone(&told));
        if self.identity.as_ref().is_none_or(Identity::is_vague) {
            self.identity = Identity::of(&self.path).or(self.identity.take());
        }
        self.shown = self.told.iter().cloned().collect();
        Ok(told)
    }

    fn judge(&self) -> Status {
        let period = self.told.back().and_then(|told| told.figures.period_s);
        let periods = period.map_or(0.0, |period| IDLE_PERIODS * period);
        let patience = IDLE.as_secs_f64().max(periods);
        if self.watch.is_gone() {
            Status::Gone
        } else if self.watch.job().has_ended() {
            Status::Ended
        } else if self.watch.job().idle().as_secs_f64() > patience {
            Status::Idle
        } else {
            Status::Running
        }
    }
}

fn source(found: &Found, settings: &Settings) -> Source {
    source_at(&found.path, found.linked, settings)
}

/// What a person has named may be a link; one that takes its place, or was found, leads out of what was named.
fn source_at(path: &Path, linked: bool, settings: &Settings) -> Source {
    let (path, options) = (path.to_owned(), &settings.options);
    if linked {
        Source::at(path, options)
    } else {
        Source::found_at(path, options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Catalogue;
    use iotempo_model::{Op, Selection};
    use std::fs;

    fn found(path: &Path) -> Found {
        Found {
            name: "a".to_owned(),
            path: path.to_owned(),
            linked: false,
        }
    }

    /// A job of which one prediction was told, when its data ended after 100 s.
    fn resumed(path: &Path, settings: &Settings) -> Followed {
        let line = r#"{"number":1,"at_s":101,"state":"learning","confidence":0,"window_start_s":0,
            "window_end_s":100,"accuracy":{"judged":0,"missed":0,"within_interval":0}}"#;
        let line = serde_json::value::RawValue::from_string(line.to_owned()).expect("JSON");
        let past = JobPast {
            run: 1,
            told: VecDeque::from([Arc::new(Told::new(line).expect("a prediction"))]),
            ..JobPast::default()
        };
        Followed::resume(Arc::from("a"), &found(path), past, settings)
    }

    #[test]
    fn a_long_file_is_the_same_run_even_where_its_beginning_is_not_selected() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.csv");
        // More than one look takes.
        let reads = "read,1.000000,2.000000,1048576\n".repeat(17 << 15);
        fs::write(
            &path,
            format!("op,start,end,bytes\n{reads}write,99,100,5\n"),
        )
        .expect("room");
        let settings = Settings {
            selection: Selection {
                op: Some(Op::Write),
                ..Selection::default()
            },
            ..Settings::of(folder.path())
        };
        let mut followed = resumed(&path, &settings);
        followed.look(&settings);
        assert_eq!((followed.run(), followed.requests), (1, 0));
        followed.look(&settings);
        assert_eq!((followed.run(), followed.requests), (1, 1));
        assert!(!followed.watch.job().is_behind());
    }

    #[test]
    fn a_file_that_ends_before_what_is_known_of_it_is_another_run() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.csv");
        fs::write(&path, "op,start,end,bytes\nwrite,0,1,5\n").expect("room");
        let settings = Settings::of(folder.path());
        let mut followed = resumed(&path, &settings);
        let looked = followed.look(&settings);
        assert!(looked.turned && looked.told.is_none());
        assert_eq!((followed.run(), followed.told.len()), (2, 0));
        followed.look(&settings);
        assert_eq!((followed.run(), followed.requests), (2, 1));
    }

    #[test]
    fn a_file_that_took_the_place_of_another_is_another_run_however_long_it_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.csv");
        let settings = Settings::of(folder.path());
        let rows = |every: u32| -> String {
            let row = |n: u32| format!("write,{},{},5\n", every * n, every * n + 1);
            "op,start,end,bytes\n".to_owned() + &(0..40).map(row).collect::<String>()
        };
        fs::write(&path, rows(20)).expect("room");
        let identity = Identity::of(&path);
        for (every, run) in [(20, 1), (30, 2)] {
            fs::write(&path, rows(every)).expect("room");
            let past = JobPast {
                run: 1,
                identity: identity.clone(),
                ..JobPast::default()
            };
            let followed = Followed::resume(Arc::from("a"), &found(&path), past, &settings);
            assert_eq!(followed.run(), run, "{every}");
        }
    }

    #[test]
    fn nothing_is_expected_of_a_job_that_is_gone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.csv");
        let row = |n: u32| format!("write,{},{},5\n", 20 * n, 20 * n + 1);
        let rows: String = (0..10).map(row).collect();
        fs::write(&path, format!("op,start,end,bytes\n{rows}")).expect("room");
        let settings = Settings::of(folder.path());
        let mut followed = Followed::new(Arc::from("a"), &found(&path), 0, &settings);
        let told = followed.look(&settings).told.expect("a prediction");
        assert!(told.figures.next_start_s.is_some());
        fs::remove_file(&path).expect("there");
        let told = (0..5).find_map(|_| followed.look(&settings).told);
        let figures = &told.expect("its end").figures;
        assert_eq!((&*figures.state, figures.next_start_s), ("ended", None));
        assert!(followed.gone().is_some() && followed.leave().is_none());
    }

    #[test]
    fn a_job_that_trips_us_up_begins_another_run_and_is_then_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.csv");
        fs::write(&path, "op,start,end,bytes\nwrite,99,100,5\n").expect("room");
        let settings = Settings::of(folder.path());
        let mut followed = resumed(&path, &settings);
        followed.trip(&settings);
        assert_eq!((followed.run(), followed.told.len()), (2, 0));
        followed.look(&settings);
        assert_eq!(followed.requests, 1);
        followed.trip(&settings);
        followed.look(&settings);
        assert_eq!((followed.run(), followed.requests), (3, 0));
        followed.come_back(path, &settings);
        followed.look(&settings);
        assert_eq!((followed.run(), followed.requests), (4, 1));
    }

    #[test]
    fn a_link_that_takes_the_place_of_a_file_leads_nowhere() {
        let folder = tempfile::tempdir().expect("a folder");
        let secret = tempfile::tempdir().expect("a folder");
        let (path, outside) = (folder.path().join("a.csv"), secret.path().join("b.csv"));
        for path in [&path, &outside] {
            fs::write(path, "op,start,end,bytes\nwrite,0,1,5\n").expect("room");
        }
        let settings = Settings::of(folder.path());
        let mut followed = Followed::new(Arc::from("a"), &found(&path), 0, &settings);
        followed.look(&settings);
        assert_eq!(followed.requests, 1);
        fs::remove_file(&path).expect("there");
        std::os::unix::fs::symlink(&outside, &path).expect("room");
        for _ in 0..3 {
            followed.look(&settings);
        }
        assert!(followed.error.is_some() && followed.requests <= 1);
        let mut anew = Followed::new(Arc::from("a"), &found(&path), 0, &settings);
        anew.look(&settings);
        assert_eq!(anew.requests, 0);
        assert!(anew.error.is_some());
    }

    #[test]
    fn a_link_that_takes_the_place_of_a_file_that_was_named_leads_nowhere() {
        let folder = tempfile::tempdir().expect("a folder");
        let secret = tempfile::tempdir().expect("a folder");
        let (path, outside) = (folder.path().join("a.csv"), secret.path().join("b.csv"));
        let row = "write,0,1,5\n";
        fs::write(&path, format!("op,start,end,bytes\n{row}")).expect("room");
        let rows = row.repeat(7);
        fs::write(&outside, format!("op,start,end,bytes\n{rows}")).expect("room");
        let settings = Settings::of(&path);
        let mut catalogue = Catalogue::new(settings.roots.clone());
        let found = catalogue.scan().jobs.remove("a.csv").expect("there");
        let mut followed = Followed::new(Arc::from("a"), &found, 0, &settings);
        followed.look(&settings);
        assert_eq!(followed.requests, 1);
        fs::remove_file(&path).expect("there");
        std::os::unix::fs::symlink(&outside, &path).expect("room");
        for _ in 0..3 {
            followed.look(&settings);
        }
        assert!(followed.error.is_some() && followed.requests <= 1);
        followed.come_back(path.clone(), &settings);
        followed.look(&settings);
        assert_eq!(followed.requests, 0);
        let scan = catalogue.scan();
        assert!(scan.jobs.is_empty() && scan.failures.len() == 1);
        // A link that was one when it was named is meant.
        let mut catalogue = Catalogue::new(settings.roots.clone());
        let found = catalogue.scan().jobs.remove("a.csv").expect("there");
        let mut followed = Followed::new(Arc::from("a"), &found, 0, &settings);
        followed.look(&settings);
        assert_eq!(followed.requests, 7);
    }

    #[test]
    fn what_is_wrong_with_lines_is_kept_with_the_job() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.csv");
        let bad = "write,x,2,5\n";
        fs::write(&path, format!("op,start,end,bytes\nwrite,0,1,5\n{bad}")).expect("room");
        let settings = Settings::of(folder.path());
        let mut followed = Followed::new(Arc::from("a"), &found(&path), 0, &settings);
        assert_eq!(followed.look(&settings).notices.len(), 1);
        assert!(followed.look(&settings).notices.is_empty());
        let warnings = followed.view().warnings;
        assert_eq!(warnings.len(), 1);
        assert!(warnings[0].message.contains("line 3 "), "{warnings:?}");
        let more = fs::read_to_string(&path).expect("there") + &bad.repeat(9);
        fs::write(&path, more).expect("room");
        followed.look(&settings);
        let warnings = followed.view().warnings;
        assert_eq!(warnings.len(), 1);
        assert!(warnings[0].message.starts_with("10 lines"), "{warnings:?}");
    }
}
