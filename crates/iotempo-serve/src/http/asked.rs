//! What a request asks for: the id of a job, and parameters.

use super::answer::Refusal;
use axum::extract::{FromRequestParts, Path, Query};
use axum::http::StatusCode;
use axum::http::request::Parts;
use std::fmt;

/// Letters of a value that are repeated to whoever sent it.
const REPEATED: usize = 64;

/// The id of a job.
#[derive(Debug)]
pub(super) struct Id(pub(super) String);

impl<S: Send + Sync> FromRequestParts<S> for Id {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let id = Path::<String>::from_request_parts(parts, state).await;
        // What is no text is the id of no job.
        id.map(|Path(id)| Self(id)).map_err(|_| no_such_job(""))
    }
}

/// Says that there is no job of this id.
pub(super) fn no_such_job(id: &str) -> Refusal {
    let id = Repeated(id);
    let message = format_args!("no such job: '{id}'; GET /api/jobs lists those that there are");
    Refusal::new(StatusCode::NOT_FOUND, message)
}

/// The parameters behind the question mark.
#[derive(Debug)]
pub(super) struct Parameters(Vec<(String, String)>);

impl<S: Send + Sync> FromRequestParts<S> for Parameters {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let pairs = Query::<Vec<(String, String)>>::from_request_parts(parts, state).await;
        let unread = |_| Refusal::bad("parameters are NAME=VALUE, with & between them");
        pairs.map(|Query(pairs)| Self(pairs)).map_err(unread)
    }
}

impl Parameters {
    /// Refuses those that nobody would look at, and those that say two things.
    pub(super) fn only(self, known: &[&str]) -> Result<Self, Refusal> {
        for (place, (name, value)) in self.0.iter().enumerate() {
            if !known.contains(&&**name) {
                let (name, value) = (Repeated(name), Repeated(value));
                return Err(Refusal::bad(format_args!(
                    "{name}={value}: there is no parameter {name} here, only {}",
                    known.join(", ")
                )));
            }
            if self.0[..place].iter().any(|(other, _)| other == name) {
                return Err(Refusal::bad(format_args!("{name} is given twice")));
            }
        }
        Ok(self)
    }

    pub(super) fn text(&self, name: &str) -> Option<&str> {
        let (_, value) = self.0.iter().find(|(known, _)| known == name)?;
        Some(value)
    }

    /// A value as `read` understands it; where it does not, the answer says what is `wanted`.
    pub(super) fn value<T>(
        &self,
        name: &str,
        wanted: impl fmt::Display,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, Refusal> {
        let Some(text) = self.text(name) else {
            return Ok(None);
        };
        let refusal = || {
            let text = Repeated(text);
            Refusal::bad(format_args!("{name}={text}: {name} is {wanted}"))
        };
        read(text).map(Some).ok_or_else(refusal)
    }

    /// A whole number from 1 to `most`.
    pub(super) fn number(&self, name: &str, most: usize) -> Result<Option<usize>, Refusal> {
        let wanted = format_args!("a whole number from 1 to {most}");
        self.value(name, wanted, |text| {
            let number = text.parse().ok();
            number.filter(|number| (1..=most).contains(number))
        })
    }

    /// A time of the job.
    pub(super) fn seconds(&self, name: &str) -> Result<Option<f64>, Refusal> {
        let wanted = "a time of the job in seconds, such as 12.5";
        self.value(name, wanted, |text| {
            let seconds: Option<f64> = text.parse().ok();
            seconds.filter(|seconds| seconds.is_finite())
        })
    }
}

/// What somebody sent, or enough of it to be recognised.
struct Repeated<'a>(&'a str);

impl fmt::Display for Repeated<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.char_indices().nth(REPEATED) {
            Some((end, _)) => write!(formatter, "{}…", &self.0[..end]),
            None => formatter.write_str(self.0),
        }
    }
}
