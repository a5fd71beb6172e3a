//! A job and where it is watched.

use crate::job::Job;
#[cfg(unix)]
use crate::source::Socket;
use crate::source::{News, Source};
use iotempo_analysis::online::{self, Past, Prediction};
use iotempo_formats::Error;
use iotempo_model::{Selection, Warning};
use std::time::Duration;

/// Follows one job at its source.
#[derive(Debug)]
pub struct Watch {
    source: Source,
    job: Job,
    /// Whether it was looked at before.
    looked: bool,
}

/// What a look brought.
#[derive(Debug)]
pub enum Event {
    /// Nothing worth a word.
    Nothing,
    /// What is expected now.
    Prediction(Box<Prediction>),
    /// The source was written anew, and the job is followed from its beginning.
    Anew,
    /// There will be no more; what is expected of it.
    Ended(Box<Prediction>),
}

impl Watch {
    /// Follows a job from its beginning.
    #[must_use]
    pub fn new(source: Source, settings: online::Settings) -> Self {
        Self {
            source,
            job: Job::new(settings),
            looked: false,
        }
    }

    /// Goes on where somebody else ended who followed the job, `ago` ago.
    #[must_use]
    pub fn resuming(mut self, past: &Past, ago: Duration) -> Self {
        self.job.resume(past, ago);
        self.looked = true;
        self
    }

    /// What is known of the job.
    #[must_use]
    pub fn job(&self) -> &Job {
        &self.job
    }

    /// When the job's time 0 was, in seconds since 1970, where its source says that.
    #[must_use]
    pub fn start_epoch_s(&self) -> Option<f64> {
        self.source.start_epoch_s()
    }

    /// The same in ns.
    #[must_use]
    pub fn start_epoch_ns(&self) -> Option<u64> {
        self.source.start_epoch_ns()
    }

    /// The socket of ours that the source made, which is removed when the source is dropped.
    #[cfg(unix)]
    #[must_use]
    pub fn socket(&self) -> Option<Socket> {
        self.source.socket()
    }

    /// Whether the source had something, and all of it was deleted.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        self.source.is_gone()
    }

    /// Whether the last look took in all that was there then.
    #[must_use]
    pub fn has_caught_up(&self) -> bool {
        self.source.has_caught_up()
    }

    /// Whether the last look left something for another that can follow at once.
    #[must_use]
    pub fn has_more(&self) -> bool {
        self.source.has_more()
    }

    /// Whether the source is there.
    #[must_use]
    pub fn is_there(&self) -> bool {
        self.source.is_there()
    }

    /// Nobody will look again: takes in what only waited for its end, as a last line without one does.
    ///
    /// # Errors
    /// Where the source cannot be read.
    pub fn finish(&mut self, selection: &Selection) -> Result<(), Error> {
        self.source.finish(selection, &mut self.job)
    }

    /// Nobody will look again. What was known in the end, where nothing says whether there is more to come and that
    /// was not said before: a traced job that has not said so itself may only be quiet.
    pub fn leave(&mut self) -> Option<Prediction> {
        let untold = self.job.totals().requests > 0 && !self.job.has_ended();
        (untold && !self.source.tells_its_end()).then(|| self.job.end())
    }

    /// Its files are gone. What was known in the end, where that was not said before.
    pub fn abandon(&mut self) -> Option<Prediction> {
        let untold = self.job.totals().requests > 0 && !self.job.has_ended();
        untold.then(|| self.job.end())
    }

    /// What a person should know about parts of the source, when nobody will ask again.
    pub fn take_last_warnings(&mut self) -> Vec<Warning> {
        self.source.take_last_warnings()
    }

    /// What a person should know about parts of the source, since this was last asked.
    pub fn take_warnings(&mut self) -> Vec<Warning> {
        self.source.take_warnings()
    }

    /// Takes in what is new, and says what is expected where that is worth a word.
    ///
    /// # Errors
    /// Where the source cannot be read; it can be looked at again.
    pub fn look(&mut self, selection: &Selection) -> Result<Event, Error> {
        let news = self.source.poll(selection, &mut self.job);
        self.job.date(self.source.start_epoch_s());
        let news = news?;
        if matches!(news, News::Flushed | News::Other)
            && self.source.has_ended()
            && let Some(last) = if self.looked {
                self.job.end_if_over()
            } else {
                self.job.end_before()
            }
        {
            return Ok(Event::Prediction(Box::new(last)));
        }
        self.looked |= self.source.has_caught_up();
        Ok(match news {
            News::Anew => {
                self.job.start_over();
                Event::Anew
            }
            News::Ended => Event::Ended(Box::new(self.job.end())),
            News::Flushed if self.job.has_news() => Event::Prediction(Box::new(self.job.predict())),
            News::Flushed | News::Other => match self.job.due() {
                Some(prediction) => Event::Prediction(Box::new(prediction)),
                None => Event::Nothing,
            },
        })
    }
}
