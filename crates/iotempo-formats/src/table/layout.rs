//! Which column of a table holds what.

use super::heading::{Direction, Role, fit, unit};
use super::units::Scale;
use crate::error::{Error, Place};
use crate::reading::ReadOptions;
use iotempo_model::{Op, Seconds};

/// A column and the unit of its numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Column {
    pub(super) index: usize,
    pub(super) scale: Scale,
}

/// What the rows of a table are.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Layout {
    Requests(RequestColumns),
    Samples(SampleColumns),
}

/// The columns of a table of requests.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RequestColumns {
    pub(super) start: Column,
    pub(super) end: End,
    pub(super) bytes: Column,
    pub(super) rank: Option<Column>,
    pub(super) op: Option<Column>,
    pub(super) file: Option<Column>,
    pub(super) api: Option<Column>,
}

/// How a table says when a request ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum End {
    At(Column),
    After(Column),
}

/// The columns of a table of samples.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SampleColumns {
    /// `None`: a step a row.
    pub(super) time: Option<Column>,
    /// Seconds from row to row, as the user says; `None` without a time: one.
    pub(super) step: Option<f64>,
    /// Whether times may be days written as numbers, such as `19580329`.
    pub(super) compact_dates: bool,
    pub(super) rates: Vec<(Op, Column)>,
    /// The heading of a rate that does not say which way it flows.
    pub(super) undirected: Option<String>,
}

/// Finds the columns of a table.
///
/// `Ok(None)` where the headings are not those of a table of ours, and nobody said they are.
pub(super) fn layout(names: &[String], options: &ReadOptions) -> Result<Option<Layout>, Error> {
    let chosen = &options.columns;
    let columns = Columns::new(names, options)?;
    if let Some(requests) = columns.requests()? {
        return Ok(Some(Layout::Requests(requests)));
    }
    if let Some(samples) = columns.samples()? {
        return Ok(Some(Layout::Samples(samples)));
    }
    if chosen.is_empty() {
        return Ok(None);
    }
    let what = "the columns are neither requests (start, end or duration, bytes) nor samples \
                (time, bandwidth or read or write)";
    Err(Error::invalid(
        "table",
        Place::Whole,
        what,
        names.join(", "),
    ))
}

/// Headings, and what a person said about them.
struct Columns<'a> {
    names: &'a [String],
    chosen: Vec<(Role, Column)>,
    step: Option<f64>,
}

impl<'a> Columns<'a> {
    fn new(names: &'a [String], options: &ReadOptions) -> Result<Self, Error> {
        let chosen = options
            .columns
            .iter()
            .map(|(ours, theirs)| choice(names, ours, theirs))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            names,
            chosen,
            step: options.step.map(Seconds::get),
        })
    }

    /// The column of a role: the chosen one, else the one whose heading fits best.
    fn find(&self, role: Role) -> Result<Option<Column>, Error> {
        if let Some((_, column)) = self.chosen.iter().find(|(known, _)| *known == role) {
            return Ok(Some(*column));
        }
        let mut best: Option<(usize, Column)> = None;
        for (index, name) in self.names.iter().enumerate() {
            let Some(fit) = fit(name, role).filter(|_| !self.is_chosen(index)) else {
                continue;
            };
            if best.is_some_and(|(priority, _)| priority == fit.priority) {
                let what = format!(
                    "two columns may be the {}: choose with --columns",
                    role.name()
                );
                return Err(Error::invalid("table", Place::Whole, what, name));
            }
            if best.is_none_or(|(priority, _)| fit.priority < priority) {
                let scale = fit.scale.unwrap_or(Scale::ONE);
                best = Some((fit.priority, Column { index, scale }));
            }
        }
        Ok(best.map(|(_, column)| column))
    }

    fn is_chosen(&self, index: usize) -> bool {
        self.chosen.iter().any(|(_, column)| column.index == index)
    }

    fn requests(&self) -> Result<Option<RequestColumns>, Error> {
        let end = match self.find(Role::End) {
            Ok(None) => self
                .find(Role::Duration)
                .map(|column| column.map(End::After)),
            end => end.map(|column| column.map(End::At)),
        };
        let (start, bytes) = (self.find(Role::Start), self.find(Role::Bytes));
        // Only a table that has all three is one of requests, and may be one with a mistake.
        let (Some(start), Some(end), Some(bytes)) =
            (start.transpose(), end.transpose(), bytes.transpose())
        else {
            return Ok(None);
        };
        Ok(Some(RequestColumns {
            start: start?,
            end: end?,
            bytes: bytes?,
            rank: self.find(Role::Rank)?,
            op: self.find(Role::Op)?,
            file: self.find(Role::File)?,
            api: self.find(Role::Api)?,
        }))
    }

    fn samples(&self) -> Result<Option<SampleColumns>, Error> {
        let time = self.find(Role::Time)?;
        let [read, write, both] = [Direction::Read, Direction::Write, Direction::Both]
            .map(|direction| self.find(Role::Rate(direction)));
        let (read, write, both) = (read?, write?, both?);
        let known = [time, read, write, both];
        if !self.may_be_samples(&known) {
            return Ok(None);
        }
        let directed = [(Op::Read, read), (Op::Write, write)];
        let mut rates: Vec<_> = directed
            .into_iter()
            .filter_map(|(op, column)| Some((op, column?)))
            .collect();
        let undirected = both.filter(|_| rates.is_empty());
        rates.extend(undirected.map(|column| (Op::Write, column)));
        let time = time.filter(|_| self.step.is_none());
        let dated = |column: Column| self.names[column.index].to_lowercase().ends_with("date");
        Ok(Some(SampleColumns {
            time,
            step: self.step,
            compact_dates: time.is_some_and(dated),
            rates,
            undirected: undirected.map(|column| self.names[column.index].clone()),
        }))
    }

    /// Tables of benchmark results have a `time` and a `bandwidth` too, among many others: without
    /// a word from the user, samples are a table of nothing but times and rates.
    fn may_be_samples(&self, [time, rates @ ..]: &[Option<Column>; 4]) -> bool {
        let rates = rates.iter().flatten().count();
        let known = rates + usize::from(time.is_some());
        let named = self.names.iter().filter(|name| !name.is_empty()).count();
        let enough = if time.is_some() || self.step.is_some() {
            rates >= 1
        } else {
            rates >= 2
        };
        enough && (known == named || !self.chosen.is_empty())
    }
}

/// One `our name=their name`.
fn choice(names: &[String], ours: &str, theirs: &str) -> Result<(Role, Column), Error> {
    let fits = |role: Role| Some((role, fit(ours, role)?));
    let (role, fit) = Role::ALL.into_iter().find_map(fits).ok_or_else(|| {
        let what = "--columns: not a name that iotempo knows";
        Error::invalid("table", Place::Whole, what, ours)
    })?;
    let theirs = theirs.trim();
    let index = names
        .iter()
        .position(|name| name == theirs)
        .or_else(|| {
            names
                .iter()
                .position(|name| name.eq_ignore_ascii_case(theirs))
        })
        .ok_or_else(|| {
            let what = format!(
                "--columns: the table has no such column, but {}",
                names.join(", ")
            );
            Error::invalid("table", Place::Whole, what, theirs)
        })?;
    let scale = fit.scale.or_else(|| unit(&names[index], role));
    let scale = scale.unwrap_or(Scale::ONE);
    Ok((role, Column { index, scale }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(heading: &str, chosen: &[(&str, &str)]) -> Result<Option<Layout>, Error> {
        let names: Vec<String> = heading.split(',').map(str::to_owned).collect();
        let chosen: Vec<_> = chosen
            .iter()
            .map(|(ours, theirs)| (ours.to_string(), theirs.to_string()))
            .collect();
        let options = ReadOptions {
            columns: chosen,
            ..ReadOptions::default()
        };
        layout(&names, &options)
    }

    fn requests(heading: &str, chosen: &[(&str, &str)]) -> RequestColumns {
        match of(heading, chosen) {
            Ok(Some(Layout::Requests(columns))) => columns,
            other => panic!("{heading}: {other:?}"),
        }
    }

    fn samples(heading: &str, chosen: &[(&str, &str)]) -> SampleColumns {
        match of(heading, chosen) {
            Ok(Some(Layout::Samples(columns))) => columns,
            other => panic!("{heading}: {other:?}"),
        }
    }

    #[test]
    fn columns_come_in_any_order_and_among_others() {
        let columns = requests("host,bytes,op,end,start,rank,offset", &[]);
        assert_eq!(columns.start.index, 4);
        assert_eq!(columns.bytes.index, 1);
        assert!(matches!(columns.end, End::At(Column { index: 3, .. })));
    }

    #[test]
    fn a_duration_stands_in_for_an_end() {
        let columns = requests("ts,dur_us,size", &[]);
        let End::After(column) = columns.end else {
            panic!("{columns:?}");
        };
        assert_eq!(column.scale.apply(2e6), 2.0);
    }

    #[test]
    fn a_person_may_say_which_column_and_which_unit() {
        let columns = requests(
            "t0,t1,len_kib",
            &[("start_ms", "t0"), ("end", "T1"), ("bytes", "len_kib")],
        );
        assert_eq!(columns.start.scale.apply(1500.0), 1.5);
        assert_eq!(columns.bytes.scale.apply(2.0), 2048.0);
        let wrong = of("a,b", &[("start", "c")]).expect_err("no such column");
        assert_eq!(
            wrong.to_string(),
            "table: --columns: the table has no such column, but a, b: c"
        );
        let wrong = of("a,b", &[("begun", "a")]).expect_err("no such name");
        assert!(
            wrong
                .to_string()
                .ends_with("not a name that iotempo knows: begun")
        );
    }

    #[test]
    fn the_columns_of_a_dataset_are_rates_per_direction() {
        let columns = samples("timestamp,read,write,both", &[]);
        let ops: Vec<_> = columns.rates.iter().map(|(op, _)| *op).collect();
        assert_eq!(ops, [Op::Read, Op::Write]);
        assert_eq!(columns.undirected, None);
        assert_eq!(samples("read,write,both", &[]).time, None);
        assert_eq!(samples("t,b", &[]).undirected.as_deref(), Some("b"));
        assert_eq!(
            samples("time_s,MiB/s", &[]).undirected.as_deref(),
            Some("MiB/s")
        );
    }

    #[test]
    fn a_table_of_results_is_not_taken_for_samples() {
        let heading = "clients,operation,time,bandwidth";
        assert_eq!(of(heading, &[]).expect("no mistake"), None);
        let chosen = [("time", "time"), ("write", "bandwidth")];
        assert_eq!(samples(heading, &chosen).rates.len(), 1);
        assert_eq!(of("year,volume", &[]).expect("no mistake"), None);
        assert_eq!(of("value", &[]).expect("no mistake"), None);
    }

    #[test]
    fn two_columns_for_one_role_are_not_guessed_at() {
        let error = of("start_s,start_ms,end,bytes", &[]).expect_err("ambiguous");
        assert!(
            error.to_string().contains("two columns may be the start"),
            "{error}"
        );
        requests("start_s,start_ms,end,bytes", &[("start", "start_ms")]);
    }
}
