//! The words of `iotempo predict`.

use crate::cli::SelectArgs;
use clap::Args;
use iotempo_analysis::online::Window;
use iotempo_model::Seconds;
use std::path::PathBuf;
use std::time::Duration;

pub(crate) const EXAMPLES: &str = "\
Examples:
  iotempo predict iotempo-trace/job               a line of JSON after every phase
  iotempo predict trace.jsonl                     the same of a file that TMIO appends to
  iotempo predict trace.jsonl --op write --until-idle 10m
  iotempo predict trace.jsonl --window 4          forgets all but the last four periods";

/// Words of `iotempo predict`.
#[derive(Debug, Args)]
pub(crate) struct PredictArgs {
    /// A folder of `iotempo trace`, or a file that the job appends to: JSON lines, MessagePack, or a table
    /// of requests; `-` is standard input.
    #[arg(value_name = "SOURCE")]
    pub(super) followed: PathBuf,
    /// How often to look for new data.
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = duration)]
    pub(super) every: Duration,
    /// End when nothing new has come for this long [default: never].
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(super) until_idle: Option<Duration>,
    /// What an answer is made from: that many periods, all there is, or a time such as 90s.
    #[arg(long, value_name = "WINDOW", default_value = "16", value_parser = window)]
    pub(super) window: Window,
    #[command(flatten)]
    pub(super) select: SelectArgs,
}

/// `250ms`, `1.5s`, `10m`, `2h`; a bare number is seconds.
pub(crate) fn duration(word: &str) -> Result<Duration, String> {
    let wrong = || format!("'{word}' is no time such as 250ms, 1.5s, 10m or 2h");
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
