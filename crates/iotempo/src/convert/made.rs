//! What came of a conversion, in a line for people.

use super::about::About;
use super::plan::{Output, Plan};
use super::table::Rows;
use crate::human::{self, plural};
use crate::talk::Talk;
use iotempo_model::Source;

/// Counts what was written.
pub(super) struct Made {
    rows: Rows,
    /// The file or folder, which is a folder or not; `None` for standard output.
    output: Option<(String, bool)>,
    /// The last input.
    input: String,
    /// Inputs and rows of every kind of evidence, in the order of their first.
    sources: Vec<(Source, u64, u64)>,
}

impl Made {
    pub(super) fn new(plan: &Plan) -> Self {
        let output = match &plan.output {
            Output::Stdout => None,
            Output::File(path) => Some((path.display().to_string(), false)),
            Output::Folder(path) => Some((path.display().to_string(), true)),
        };
        Self {
            rows: plan.rows(),
            output,
            input: String::new(),
            sources: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, about: &About) {
        self.input.clone_from(&about.input);
        let known = self
            .sources
            .iter_mut()
            .find(|(source, ..)| *source == about.source);
        match known {
            Some((_, inputs, rows)) => {
                *inputs += 1;
                *rows += about.rows;
            }
            None => self.sources.push((about.source, 1, about.rows)),
        }
    }

    /// Tells which rows are no requests and, unless a report does, how many there are.
    pub(super) fn tell(&self, talk: &Talk, reported: bool) {
        let inputs = self
            .sources
            .iter()
            .map(|(_, inputs, _)| inputs)
            .sum::<u64>();
        if self.rows == Rows::Requests {
            for (source, some, _) in &self.sources {
                let Some(what) = what(*source) else { continue };
                let who = match inputs {
                    1 => self.input.clone(),
                    _ => format!("{} of {}", human::count(*some), plural(inputs, "input")),
                };
                talk.warn(format!(
                    "{who}: a row is no single request, but {what} ({source})"
                ));
            }
        }
        if let (Some((output, folder)), false, 1..) = (&self.output, reported, inputs) {
            let tables = match folder {
                true => format!("{}, ", plural(inputs, "table")),
                false => String::new(),
            };
            talk.warn(format!("{output}: {tables}{}", self.sum()));
        }
    }

    /// `2,698 rows from dxt`.
    fn sum(&self) -> String {
        let rows = self.sources.iter().map(|(.., rows)| rows).sum();
        let sources: Vec<_> = self
            .sources
            .iter()
            .map(|(source, ..)| source.name())
            .collect();
        format!("{} from {}", plural(rows, "row"), sources.join(", "))
    }
}

/// What a row is, where it is not a request.
fn what(source: Source) -> Option<&'static str> {
    match source {
        Source::Requests | Source::Dxt => None,
        Source::Heatmap => Some("the bytes of a rank in a bin of time"),
        Source::Counters => Some("the bytes of a file between its first and last access"),
        Source::Phases => Some("a phase of many"),
        Source::Samples => Some("a sample"),
        Source::Server => Some("what a target moved in an interval"),
    }
}
