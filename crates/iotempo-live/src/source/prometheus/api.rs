//! Prometheus over HTTP.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::time::Duration;
use ureq::http::StatusCode;

/// How long an answer may take.
const TIMEOUT: Duration = Duration::from_secs(10);
/// How long an answer may be, in bytes.
const LONGEST: u64 = 16 << 20;

/// A server that is asked.
#[derive(Debug)]
pub(super) struct Api {
    agent: ureq::Agent,
    url: String,
}

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum Failure {
    /// It may come if it is asked again.
    Passing(String),
    /// The question is wrong.
    Lasting(String),
    /// The answer is longer than was allowed.
    TooLong,
}

#[derive(Deserialize)]
struct Answer<T> {
    #[serde(default)]
    error: String,
    data: Option<Data<T>>,
}

#[derive(Deserialize)]
struct Data<T> {
    result: T,
}

#[derive(Deserialize)]
struct Series {
    metric: BTreeMap<String, String>,
    #[serde(default)]
    values: Vec<(f64, String)>,
}

impl Api {
    /// The server at `http://host:port`, with a path before `/api` where there is one.
    pub(super) fn new(url: &str) -> Result<Self, String> {
        if url.starts_with("https://") {
            return Err(format!(
                "{url}: this iotempo does not speak TLS: put a proxy on this machine in between, \
                 and give its http:// address"
            ));
        }
        let host = url.strip_prefix("http://").unwrap_or_default();
        if host.trim_end_matches('/').is_empty() {
            return Err(format!(
                "'{url}' is no address such as http://localhost:9090"
            ));
        }
        let agent = ureq::Agent::config_builder()
            .timeout_global(Some(TIMEOUT))
            .http_status_as_error(false)
            .max_redirects(0)
            .proxy(None)
            .build();
        Ok(Self {
            agent: agent.into(),
            url: url.trim_end_matches('/').to_owned(),
        })
    }

    /// The server's time, in seconds since 1970.
    pub(super) fn now_s(&self) -> Result<f64, Failure> {
        let (_, now): (f64, String) = self.ask("query", &[("query", "time()")])?;
        let no_time = |_| Failure::Passing(format!("{}: its time is '{now}'", self.url));
        now.parse().map_err(no_time)
    }

    /// The values of a query from a step to another, by step.
    pub(super) fn values(
        &self,
        query: &str,
        step_ms: i64,
        [first, last]: [i64; 2],
    ) -> Result<BTreeMap<i64, f64>, Failure> {
        let seconds = |ms: i64| format!("{}.{:03}", ms / 1000, ms % 1000);
        let words = [
            ("query", query),
            ("start", &seconds(first * step_ms)),
            ("end", &seconds(last * step_ms)),
            ("step", &seconds(step_ms)),
        ];
        let series: Vec<Series> = self.ask("query_range", &words)?;
        if let [one, other, ..] = &series[..] {
            return Err(Failure::Lasting(format!(
                "the query gives {} series, such as {:?} and {:?}: make one of them, as in \
                 sum(rate(…))",
                series.len(),
                one.metric,
                other.metric
            )));
        }
        let values = series.into_iter().flat_map(|one| one.values);
        let number = |(time, value): (f64, String)| {
            let step = (time * 1000.0 / step_ms as f64).round() as i64;
            Some((step, value.parse().ok()?))
        };
        Ok(values.filter_map(number).collect())
    }

    fn ask<T: for<'a> Deserialize<'a>>(
        &self,
        what: &str,
        words: &[(&str, &str)],
    ) -> Result<T, Failure> {
        let (status, body) = self.fetch(what, words, LONGEST)?;
        self.understood(status, &body)
    }

    /// An answer to `query_range` as it came, of at most so many bytes.
    pub(super) fn range(&self, words: &[(&str, &str)], longest: u64) -> Result<Vec<u8>, Failure> {
        let (status, body) = self.fetch("query_range", words, longest)?;
        if !status.is_success() {
            self.understood::<serde::de::IgnoredAny>(status, &body)?;
        }
        Ok(body)
    }

    fn no_answer(&self, error: &dyn std::fmt::Display) -> Failure {
        Failure::Passing(format!("{}: no answer: {error}", self.url))
    }

    fn fetch(
        &self,
        what: &str,
        words: &[(&str, &str)],
        longest: u64,
    ) -> Result<(StatusCode, Vec<u8>), Failure> {
        let request = self.agent.get(format!("{}/api/v1/{what}", self.url));
        let request = request.query_pairs(words.iter().copied());
        let mut response = request.call().map_err(|error| self.no_answer(&error))?;
        let status = response.status();
        let body = response.body_mut().with_config().limit(longest);
        let body = body.read_to_vec().map_err(|error| match error {
            ureq::Error::BodyExceedsLimit(_) => Failure::TooLong,
            error => self.no_answer(&error),
        })?;
        Ok((status, body))
    }

    fn understood<T: for<'a> Deserialize<'a>>(
        &self,
        status: StatusCode,
        body: &[u8],
    ) -> Result<T, Failure> {
        let passing = |error: &dyn std::fmt::Display| self.no_answer(error);
        let answer: Result<Answer<T>, _> = serde_json::from_slice(body);
        match answer {
            Ok(Answer {
                data: Some(data), ..
            }) if status.is_success() => Ok(data.result),
            Ok(answer) if matches!(status.as_u16(), 400 | 422) => {
                Err(Failure::Lasting(format!("{}: {}", self.url, answer.error)))
            }
            Ok(answer) => Err(passing(&format!("{status} {}", answer.error))),
            Err(error) if status.is_success() => {
                let message = format!("{}: this is no Prometheus: {error}", self.url);
                Err(Failure::Passing(message))
            }
            Err(_) => Err(passing(&status)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_cannot_be_asked_is_refused() {
        let said = Api::new("https://node1:9090").expect_err("TLS");
        assert!(said.contains("proxy"), "{said}");
        for wrong in ["", "node1:9090", "http://", "ftp://node1"] {
            assert!(Api::new(wrong).is_err(), "{wrong}");
        }
        let api = Api::new("http://localhost:9090/").expect("fine");
        assert_eq!(api.url, "http://localhost:9090");
    }
}
