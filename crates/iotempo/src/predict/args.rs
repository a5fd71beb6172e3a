//! The words of `iotempo predict`.

use crate::cli::{SelectArgs, hertz};
use clap::{Args, ValueEnum};
use iotempo_analysis::ftio::online::Strategy;
use iotempo_analysis::online::Window;
use iotempo_live::{Query, Values};
use iotempo_model::{Hertz, Seconds};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

pub(crate) const EXAMPLES: &str = "\
Examples:
  iotempo predict iotempo-trace/job               a line of JSON after every phase
  iotempo predict trace.jsonl                     the same of a file that TMIO appends to
  iotempo predict trace.jsonl --op write --until-idle 10m
  iotempo predict trace.jsonl --window 4          forgets all but the last four periods
  iotempo predict trace.jsonl --method ftio -w frequency_hits    as FTIO's predictor
  iotempo predict tcp-listen://:7000              what programs of this machine send
  iotempo predict --prometheus http://localhost:9090 --query 'sum(rate(lustre_write_bytes[5s]))'
  iotempo predict iotempo-trace/job --tui         a live view on the terminal
  iotempo predict --follow http://127.0.0.1:7788  what iotempo serve says of its jobs";

/// Words of `iotempo predict`.
#[derive(Debug, Args)]
pub(crate) struct PredictArgs {
    /// A folder of `iotempo trace`, or a file that the job appends to: JSON lines, MessagePack, or a table
    /// of requests; `-` is standard input. Or who sends the same: tcp://HOST:PORT, unix:///PATH,
    /// tcp-listen://[ADDRESS]:PORT, unix-listen:///PATH; zmq://[ADDRESS]:PORT takes messages of ZeroMQ.
    #[arg(value_name = "SOURCE", required_unless_present_any = ["prometheus", "follow"])]
    pub(super) followed: Option<PathBuf>,
    /// Instead of a source: what an `iotempo serve` says of all its jobs, or of one, such as
    /// http://login:7788/api/jobs/ID or, as a browser shows it, http://login:7788/#job/ID.
    #[arg(
        long,
        value_name = "URL",
        conflicts_with_all = [
            "followed", "prometheus", "tui", "method", "freq", "window_adaptation", "hits", "window", "op",
            "ranks", "files", "start", "end", "api", "columns", "step", "source",
        ]
    )]
    pub(super) follow: Option<String>,
    /// With --follow: for how long to wait for a server that is not there yet [default: 30s].
    #[arg(long, value_name = "TIME", value_parser = duration_or_zero, allow_hyphen_values = true)]
    pub(super) connect_timeout: Option<Duration>,
    /// A file with the secret that the server wants [default: what is in IOTEMPO_TOKEN, if anything].
    #[arg(long, value_name = "FILE")]
    pub(super) token_file: Option<PathBuf>,
    /// How often to look for new data [default: 1s].
    #[arg(long, value_name = "TIME", value_parser = duration, allow_hyphen_values = true)]
    pub(super) every: Option<Duration>,
    /// End when nothing new has come for this long [default: never].
    #[arg(long, value_name = "TIME", value_parser = duration, allow_hyphen_values = true)]
    pub(super) until_idle: Option<Duration>,
    /// What an answer is made from: that many periods, all there is, or a time such as 90s [default: 16].
    #[arg(long, value_name = "WINDOW", value_parser = window, allow_hyphen_values = true)]
    pub(super) window: Option<Window>,
    /// Show a live view on the terminal instead of printing lines.
    #[arg(long, conflicts_with_all = ["freq", "window_adaptation", "hits"])]
    pub(super) tui: bool,
    /// How to look for the period.
    #[arg(long, value_name = "METHOD", default_value = "iotempo")]
    pub(super) method: Method,
    #[command(flatten)]
    pub(super) ftio: FtioArgs,
    #[command(flatten)]
    pub(super) prometheus: PrometheusArgs,
    #[command(flatten)]
    pub(super) select: SelectArgs,
}

/// How to look for a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Method {
    /// Follows a rhythm, and says what comes next.
    Iotempo,
    /// As the predictor of FTIO 0.0.9 does it, after every flush.
    Ftio,
    /// As the paper on FTIO describes it.
    Paper,
}

/// What users of FTIO's predictor are used to.
#[derive(Debug, Args)]
#[command(next_help_heading = "With --method ftio or paper")]
pub(crate) struct FtioArgs {
    /// Samples per second [default: 10].
    #[arg(short, long, value_name = "HZ", value_parser = hertz)]
    pub(super) freq: Option<Hertz>,
    /// What moves the start of the window: none, frequency_hits, data, adwin, cusum or ph [default: none].
    #[arg(
        short = 'w',
        long,
        alias = "window_adaptation",
        value_name = "STRATEGY"
    )]
    pub(super) window_adaptation: Option<Strategy>,
    /// So many hits, or steps, move the window [default: 3].
    #[arg(long, value_name = "N")]
    pub(super) hits: Option<NonZeroUsize>,
}

/// Where values are asked for.
#[derive(Debug, Args)]
#[command(next_help_heading = "Prometheus")]
pub(crate) struct PrometheusArgs {
    /// A server to ask, such as http://localhost:9090, instead of a SOURCE.
    #[arg(
        long,
        value_name = "URL",
        requires = "query",
        conflicts_with = "followed"
    )]
    prometheus: Option<String>,
    /// What to ask: PromQL that gives one series, of bytes per second, every --step (1 s).
    #[arg(long, value_name = "EXPR")]
    query: Option<String>,
    /// The series counts bytes; what it rises by in a step was moved.
    #[arg(long, requires = "prometheus")]
    counter: bool,
    /// How much of the past to begin with [default: nothing].
    #[arg(long, value_name = "TIME", requires = "prometheus", value_parser = duration, allow_hyphen_values = true)]
    since: Option<Duration>,
}

impl PrometheusArgs {
    /// Whether a server is to be asked.
    pub(super) fn is_asked(&self) -> bool {
        self.prometheus.is_some()
    }

    /// Whether it was said what to ask.
    pub(super) fn has_query(&self) -> bool {
        self.query.is_some()
    }

    /// What to ask, where that was asked for.
    pub(super) fn query(self, step: Option<Seconds>) -> Option<Query> {
        let step = step.map(|step| Duration::try_from_secs_f64(step.get()));
        Some(Query {
            url: self.prometheus?,
            expression: self.query?,
            step: step.and_then(Result::ok).unwrap_or(Duration::from_secs(1)),
            values: if self.counter {
                Values::Counter
            } else {
                Values::Rate
            },
            since: self.since.unwrap_or_default(),
        })
    }
}

/// `250ms`, `1.5s`, `10m`, `2h`; a bare number is seconds.
pub(crate) fn duration(word: &str) -> Result<Duration, String> {
    let wrong = || format!("'{word}' is no time of 1ms or more, such as 250ms, 1.5s, 10m or 2h");
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &word[digits.len()..] {
        "ms" => 1e-3,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(wrong()),
    };
    let number: f64 = digits.parse().map_err(|_| wrong())?;
    let seconds = number * unit;
    let some = (1e-3..=1e9).contains(&seconds);
    some.then(|| Duration::from_secs_f64(seconds))
        .ok_or_else(wrong)
}

/// The same, or 0.
fn duration_or_zero(word: &str) -> Result<Duration, String> {
    match word {
        "0" | "0s" => Ok(Duration::ZERO),
        _ => duration(word),
    }
}

pub(crate) fn window(word: &str) -> Result<Window, String> {
    if word == "all" {
        return Ok(Window::All);
    }
    match word.parse::<usize>() {
        Ok(count @ 0..3) => Err(format!("{count} periods show no rhythm: 3 are the fewest")),
        Ok(count) => Ok(Window::Periods(count)),
        Err(_) => {
            let length = duration(word)?.as_secs_f64();
            Ok(Window::Last(Seconds::new(length).ok_or("no time")?))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        assert_eq!(duration("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(duration("1.5"), Ok(Duration::from_millis(1500)));
        assert_eq!(duration("2h"), Ok(Duration::from_secs(7200)));
        for wrong in ["", "s", "-1s", "0", "1 day", "nan", "1e99h"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_window_is_a_number_of_periods_a_time_or_all() {
        assert_eq!(window("8"), Ok(Window::Periods(8)));
        assert_eq!(window("all"), Ok(Window::All));
        let minute = Seconds::new(60.0).expect("finite");
        assert_eq!(window("1m"), Ok(Window::Last(minute)));
        assert!(window("2").is_err() && window("many").is_err());
    }
}
