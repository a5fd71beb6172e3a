//! Answers that come one after the other, from a server that is being asked.

use super::super::flows::Measure;
use super::super::metrics::{Emitter, Survey, Wishes};
use super::super::options::{Clock, Options, Reading};
use super::json::{Said, walk};
use crate::error::Error;
use crate::json::Json;
use crate::series::Window;
use iotempo_model::ThroughputSink;
use std::io::Cursor;
use std::sync::Arc;

/// Takes the answers to one query about one stretch of time after the other.
///
/// ```
/// use iotempo_formats::server::{Answers, Options};
/// # use iotempo_model::{Moved, Target, TargetId, ThroughputSink};
/// # #[derive(Default)]
/// # struct Sum(f64);
/// # impl ThroughputSink for Sum {
/// #     fn target(&mut self, _: &Target) -> TargetId { TargetId(0) }
/// #     fn moved(&mut self, moved: Moved) -> std::io::Result<()> { self.0 += moved.bytes.get(); Ok(()) }
/// # }
/// let answer = |values: &str| {
///     let metric = r#"{"__name__":"node_disk_written_bytes_total","device":"sda"}"#;
///     format!(r#"{{"status":"success","data":{{"resultType":"matrix","result":[
///         {{"metric":{metric},"values":[{values}]}}]}}}}"#)
/// };
/// let (options, mut sum) = (Options::default(), Sum::default());
/// let mut answers = Answers::new(&options, &mut sum)?;
/// answers.take(answer(r#"[10,"100"],[20,"150"]"#).into())?;
/// answers.take(answer(r#"[30,"170"]"#).into())?;
/// answers.finish()?;
/// assert_eq!(sum.0, 70.0);
/// # Ok::<(), iotempo_formats::Error>(())
/// ```
pub struct Answers<'a> {
    emitter: Emitter<'a>,
    options: &'a Options,
    said: Said,
}

impl<'a> Answers<'a> {
    /// # Errors
    /// Where `options.columns` names what is no part of a series.
    pub fn new(options: &'a Options, sink: &'a mut dyn ThroughputSink) -> Result<Self, Error> {
        let wishes = Wishes::new(options)?;
        Ok(Self {
            emitter: Emitter::new(options, wishes, Measure::PerSecond, sink),
            options,
            said: Said::default(),
        })
    }

    /// Takes an answer as it came.
    ///
    /// # Errors
    /// Where it is no answer of Prometheus, or the sink fails.
    pub fn take(&mut self, answer: Vec<u8>) -> Result<(), Error> {
        let answer: Arc<[u8]> = answer.into();
        let limits = &self.options.limits;
        let json = || Json::new(Window::new(Cursor::new(Arc::clone(&answer))), limits);
        let mut survey = Survey::new(limits);
        let stopped =
            |stop: super::super::metrics::Stop| stop.damage().unwrap_or_else(|error| error);
        walk(&mut json(), &mut survey, &mut self.said).map_err(stopped)?;
        self.emitter.prepare(survey);
        walk(&mut json(), &mut self.emitter, &mut Said::default()).map_err(stopped)
    }

    /// How many values came in so far.
    #[must_use]
    pub fn values(&self) -> u64 {
        self.emitter.readings()
    }

    /// All answers came.
    ///
    /// # Errors
    /// Where there was nothing in them, or they were errors.
    pub fn finish(self) -> Result<Reading, Error> {
        self.end(None)
    }

    /// No more answers come, because of `error`.
    ///
    /// # Errors
    /// That error, where nothing came before it.
    pub fn cut_off(self, error: Error) -> Result<Reading, Error> {
        self.end(Some(error))
    }

    fn end(mut self, damage: Option<Error>) -> Result<Reading, Error> {
        self.said.tell(&mut self.emitter)?;
        self.emitter.finish("Prometheus", Clock::Epoch, damage)
    }
}
