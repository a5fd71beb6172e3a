//! An input that could not be read.

use iotempo_formats::ErrorKind;
use iotempo_model::Warning;
use serde::Serialize;
use std::fmt;
use std::io;

/// Which input failed, why, and where in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Failure {
    /// The input's name.
    pub(crate) input: String,
    /// What was wrong.
    pub(crate) message: String,
    /// How many bytes or lines into it.
    pub(crate) offset: Option<u64>,
}

impl Failure {
    pub(crate) fn new(input: impl Into<String>, message: impl fmt::Display) -> Self {
        Self {
            input: input.into(),
            message: message.to_string(),
            offset: None,
        }
    }

    /// A failure `offset` bytes into the input.
    pub(crate) fn at(input: impl Into<String>, offset: u64, message: impl fmt::Display) -> Self {
        Self {
            input: input.into(),
            message: format!("byte {offset}: {message}"),
            offset: Some(offset),
        }
    }

    pub(crate) fn of(input: impl Into<String>, error: &iotempo_formats::Error) -> Self {
        Self::of_table(input, error, "--columns")
    }

    /// The same of an input whose columns, were it a table, another option names.
    pub(crate) fn of_table(
        input: impl Into<String>,
        error: &iotempo_formats::Error,
        option: &str,
    ) -> Self {
        let hint = match error.kind {
            ErrorKind::UnknownFormat(ref begin) if begin.contains([',', ';', '\t', '|']) => {
                format!("; {option} says what the columns of a table are")
            }
            _ => String::new(),
        };
        Self {
            input: input.into(),
            message: format!("{}{hint}", by_options(&error.to_string(), option)),
            offset: error.offset(),
        }
    }
}

/// An error that names options of all verbs which read such a log, with those of the verb whose option for columns is
/// `columns`: others would be looked for in vain.
fn by_options(error: &str, columns: &str) -> String {
    let step = match columns {
        "--columns" => "--step",
        _ => "--interval",
    };
    error
        .replace("--columns, or --log-columns of signature", columns)
        .replace("--step, or --interval of signature", step)
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.input, self.message)
    }
}

/// Why there is nothing of an input.
#[derive(Debug)]
pub(crate) enum Unread {
    /// It could not be read.
    Failed(Failure),
    /// It lay among logs and is none.
    NoLog(Failure),
}

impl Unread {
    /// An input that failed before its first request. One whose format was only guessed is no log,
    /// unless it is the kind of error that tells damage from another format.
    pub(crate) fn of(log: &str, guessed: bool, error: &iotempo_formats::Error) -> Self {
        let failure = Failure::of(log, error);
        let foreign = matches!(
            error.kind,
            ErrorKind::Invalid { .. } | ErrorKind::Unsupported(_) | ErrorKind::UnknownFormat(_)
        );
        if guessed && foreign {
            Self::NoLog(failure)
        } else {
            Self::Failed(failure)
        }
    }

    /// An input so damaged that nothing of it is left: `what` could not be read.
    pub(crate) fn destroyed(log: &str, what: &str, warnings: &[Warning]) -> Self {
        let damage = warnings.iter().find(|warning| warning.code == "damaged");
        let damage = damage.map_or("it is damaged", |warning| warning.message.as_str());
        Self::Failed(Failure::new(log, format!("{what} could be read: {damage}")))
    }
}

/// Whether an error says that nobody reads our output any more.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let kind = |cause: &(dyn std::error::Error + 'static)| {
        let cause = cause.downcast_ref::<io::Error>()?;
        Some(cause.kind())
    };
    error
        .chain()
        .any(|cause| kind(cause) == Some(io::ErrorKind::BrokenPipe))
}
