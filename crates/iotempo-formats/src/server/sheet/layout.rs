//! Which column of a server's table holds what.

use super::super::names::{Nature, Words, words, words_of};
use super::super::options::Options;
use super::super::quantity::Quantity;
use crate::error::{Error, Place};
use crate::table::rows::{BYTE_ORDER_MARK, Delimiter, Row};
use crate::table::units::{Dimension, Scale, may_be_bits, scale};
use iotempo_model::{Op, TargetKind};

/// A column of times.
#[derive(Debug, Clone, Copy)]
pub(super) struct Time {
    pub(super) index: usize,
    /// The unit that its heading names.
    pub(super) scale: Option<Scale>,
}

/// What the numbers of a column are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Values {
    pub(super) nature: Nature,
    pub(super) scale: Scale,
    /// Whether nobody named a unit of bytes.
    pub(super) is_assumed: bool,
}

/// A column of numbers.
#[derive(Debug)]
pub(super) struct Column {
    pub(super) index: usize,
    pub(super) heading: String,
    /// `None` where another column says so, or nothing does.
    pub(super) op: Option<Op>,
    /// Whose numbers they are; empty where another column says so.
    pub(super) target: String,
    pub(super) values: Values,
}

/// What the columns of a table are.
#[derive(Debug)]
pub(super) struct Layout {
    quantity: Quantity,
    pub(super) time: Option<Time>,
    pub(super) time_name: String,
    /// A day that stands in a column of its own.
    pub(super) day: Option<usize>,
    pub(super) server: Option<usize>,
    pub(super) target: Option<usize>,
    pub(super) kind: TargetKind,
    pub(super) op: Option<usize>,
    pub(super) columns: Vec<Column>,
    /// The columns that have no part in it, and their headings.
    pub(super) others: Vec<(usize, String)>,
    /// Columns of volumes whose unit has no size that is known: their direction, heading and unit.
    sizeless: Vec<(Op, String, String)>,
}

/// The heading of a table.
pub(super) struct Heading {
    pub(super) delimiter: Delimiter,
    pub(super) width: usize,
    /// Whether it is a comment: then no row is a heading.
    pub(super) commented: bool,
    pub(super) layout: Layout,
}

const TIMES: &[&str] = &[
    "time",
    "timestamp",
    "t",
    "ts",
    "datetime",
    "date_time",
    "epoch",
    "utc",
    "time_stamp",
];
const DAYS: &[&str] = &["date", "day"];
const SERVERS: &[&str] = &[
    "server",
    "server_name",
    "servername",
    "host",
    "hostname",
    "host_name",
    "node",
    "nodename",
    "node_name",
    "machine",
    "oss",
    "oss_name",
    "instance",
    // LDMS.
    "producername",
    "producer",
];
const TARGETS: &[(&str, TargetKind)] = &[
    ("target", TargetKind::StorageTarget),
    ("target_name", TargetKind::StorageTarget),
    ("ost", TargetKind::StorageTarget),
    ("ost_name", TargetKind::StorageTarget),
    ("nsd", TargetKind::StorageTarget),
    ("nsd_name", TargetKind::StorageTarget),
    ("device", TargetKind::Device),
    ("device_name", TargetKind::Device),
    ("devicename", TargetKind::Device),
    ("disk", TargetKind::Device),
    ("disk_name", TargetKind::Device),
    ("diskname", TargetKind::Device),
    ("dev", TargetKind::Device),
    ("client", TargetKind::Client),
    ("client_name", TargetKind::Client),
    ("user", TargetKind::User),
    ("user_name", TargetKind::User),
    ("username", TargetKind::User),
    ("uid", TargetKind::User),
    ("jobid", TargetKind::Job),
    ("job_id", TargetKind::Job),
    ("fs", TargetKind::FileSystem),
    ("fs_name", TargetKind::FileSystem),
    ("fsname", TargetKind::FileSystem),
    ("filesystem", TargetKind::FileSystem),
    ("file_system", TargetKind::FileSystem),
    ("mountpoint", TargetKind::FileSystem),
    ("mount_point", TargetKind::FileSystem),
    ("name", TargetKind::Unknown),
];
const OPERATIONS: &[&str] = &["op", "operation", "rw", "direction", "io_type", "type"];
/// Units whose size no heading tells.
const SIZELESS: &[&str] = &[
    "sector", "sectors", "sec", "sect", "block", "blocks", "blk", "blks", "page", "pages",
];
const VOLUMES: &[&str] = &[
    "bytes",
    "nbytes",
    "size",
    "volume",
    "value",
    "rate",
    "bandwidth",
    "bw",
    "throughput",
];

const DELIMITERS: [Delimiter; 4] = [
    Delimiter::Byte(b','),
    Delimiter::Byte(b'\t'),
    Delimiter::Byte(b';'),
    Delimiter::Whitespace,
];

impl Heading {
    /// The heading that a table begins with; `None` where it is none that makes sense.
    ///
    /// # Errors
    /// Where the user names columns that the table does not have.
    pub(super) fn of(head: &[u8], options: &Options) -> Result<Option<Self>, Error> {
        let head = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head);
        let mut comment = None;
        let mut tries: Vec<(&[u8], bool)> = Vec::new();
        for line in head
            .split(|&byte| byte == b'\n')
            .map(<[u8]>::trim_ascii_end)
        {
            match line.strip_prefix(b"#") {
                Some(text) => comment = Some((text, true)),
                None if line.trim_ascii().is_empty() => {}
                None => {
                    tries.push((line, false));
                    break;
                }
            }
        }
        tries.extend(comment);
        let mut failure: Option<(usize, Error)> = None;
        for (line, commented) in tries {
            let Ok(line) = std::str::from_utf8(line) else {
                continue;
            };
            if line.chars().any(|c| c.is_control() && c != '\t') {
                continue;
            }
            for delimiter in DELIMITERS {
                let names = split(line, delimiter);
                let (layout, headless) = match numbers(&names, options) {
                    Some(numbers) => {
                        // No heading is a number.
                        let headless = names.iter().any(|name| name.parse::<f64>().is_ok());
                        (Layout::of(&numbers, options), headless)
                    }
                    None => (Layout::of(&names, options), false),
                };
                let commented = commented || headless;
                match layout {
                    Ok(None) => {}
                    Ok(Some(layout)) => {
                        return Ok(Some(Self {
                            delimiter,
                            width: names.len(),
                            commented,
                            layout,
                        }));
                    }
                    // With the wrong delimiter the whole line is one heading, or words of headings are.
                    Err(error) => {
                        let fit = match finds_one(&names, options) {
                            true => usize::MAX,
                            false => names.len(),
                        };
                        if failure.as_ref().is_none_or(|(other, _)| fit > *other) {
                            failure = Some((fit, error));
                        }
                    }
                }
            }
        }
        failure.map_or(Ok(None), |(_, error)| Err(error))
    }
}

/// Whether one of these is known: by its name, as a time, or as the user calls it.
fn finds_one(names: &[String], options: &Options) -> bool {
    let mut chosen = options.columns.iter();
    names.iter().any(|name| time_of(name).is_some())
        || chosen.any(|(_, theirs)| place(names, theirs).is_ok())
}

/// The numbers of the columns, from 1, where the user names columns so and no heading is called so.
fn numbers(names: &[String], options: &Options) -> Option<Vec<String>> {
    let numbers: Vec<String> = (1..=names.len()).map(|one| one.to_string()).collect();
    let mut columns = options.columns.iter();
    let by_number = columns.all(|(_, theirs)| numbers.iter().any(|one| one == theirs.trim()));
    (by_number && !options.columns.is_empty()).then_some(numbers)
}

fn split(line: &str, delimiter: Delimiter) -> Vec<String> {
    let mut row = Row::default();
    row.split(line.as_bytes(), delimiter);
    (0..row.len())
        .map(|index| String::from_utf8_lossy(row.get(index)).trim().to_owned())
        .collect()
}

/// `Time [ms]` as `time` and its unit.
fn plain(name: &str) -> String {
    joined(name).to_ascii_lowercase()
}

/// As [`plain`], with its capitals: `MBps` is a unit, and `mbps` may be another.
fn joined(name: &str) -> String {
    let words = name.split(|c: char| !c.is_alphanumeric() && c != '/');
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    words.join("_")
}

fn time_of(name: &str) -> Option<Option<Scale>> {
    let plain = plain(name);
    if TIMES.contains(&plain.as_str()) {
        return Some(None);
    }
    let (stem, unit) = plain.rsplit_once('_')?;
    let unit = scale(Dimension::Time, unit)?;
    TIMES.contains(&stem).then_some(Some(unit))
}

/// What a heading says about its numbers. Without a unit they are bytes per second, as in any table;
/// bytes and operations may be those of an interval, or counted since some start.
fn values(told: &Words) -> Values {
    let nature = match (told.nature, told.scale) {
        (Nature::Unstated, None) => Nature::Rate,
        (nature, _) => nature,
    };
    Values {
        nature,
        scale: told.scale.unwrap_or(Scale::ONE).per(told.per),
        is_assumed: told.scale.is_none(),
    }
}

impl Layout {
    fn of(names: &[String], options: &Options) -> Result<Option<Self>, Error> {
        let mut layout = Self {
            quantity: options.quantity,
            time: None,
            time_name: String::new(),
            day: None,
            server: None,
            target: None,
            kind: TargetKind::Unknown,
            op: None,
            columns: Vec::new(),
            others: Vec::new(),
            sizeless: Vec::new(),
        };
        let mut taken = vec![false; names.len()];
        for (ours, theirs) in &options.columns {
            let index = place(names, theirs)?;
            taken[index] = true;
            layout.choose(ours, index, &names[index])?;
        }
        let is_chosen = !layout.columns.is_empty();
        for (index, name) in names.iter().enumerate().filter(|(index, _)| !taken[*index]) {
            layout.guess(index, name, is_chosen)?;
        }
        if layout.time.is_none() {
            layout.time = layout.day.take().map(|index| Time { index, scale: None });
        }
        if let Some(time) = layout.time {
            names[time.index].clone_into(&mut layout.time_name);
        }
        // A volume without a direction stands beside a column that names it, or alone.
        if layout.columns.iter().any(|column| column.op.is_some()) {
            layout.columns.retain(|column| column.op.is_some());
            layout.op = None;
        } else if layout.columns.len() > 1 {
            layout.columns.truncate(1);
        }
        let timed = layout.time.is_some() || options.interval.is_some();
        if timed {
            layout.refuse_sizeless()?;
        }
        if timed && layout.columns.is_empty() {
            let mut units = names.iter().filter(|name| may_be_bits(&joined(name)));
            units.try_for_each(|name| words_of(name, options.quantity).clear(name))?;
        }
        layout.note_others(names);
        Ok((timed && !layout.columns.is_empty()).then_some(layout))
    }

    /// Refuses volumes of which nobody says how large their unit is, where no other column tells the same.
    fn refuse_sizeless(&mut self) -> Result<(), Error> {
        for (op, name, unit) in std::mem::take(&mut self.sizeless) {
            let tells = |column: &Column| column.op == Some(op) && !column.values.is_assumed;
            if !self.columns.iter().any(tells) {
                let way = op.name();
                let what = format!(
                    "how many bytes {unit} have is not known: give bytes, and state their unit, as in \
                     {way}_kib=… (--columns, or --log-columns of signature)"
                );
                return Err(Error::invalid("table", Place::Whole, what, name));
            }
        }
        Ok(())
    }

    fn note_others(&mut self, names: &[String]) {
        let time = self.time.map(|time| time.index);
        let parts = [time, self.day, self.server, self.target, self.op];
        let columns: Vec<usize> = self.columns.iter().map(|one| one.index).collect();
        let names = names.iter().cloned().enumerate();
        let others =
            names.filter(|(index, _)| !parts.contains(&Some(*index)) && !columns.contains(index));
        self.others = others.collect();
    }

    fn guess(&mut self, index: usize, name: &str, is_chosen: bool) -> Result<(), Error> {
        let lower = plain(name);
        let is = |names: &[&str]| names.contains(&lower.as_str());
        if self.time.is_none()
            && let Some(scale) = time_of(name)
        {
            self.time = Some(Time { index, scale });
        } else if self.day.is_none() && is(DAYS) {
            self.day = Some(index);
        } else if self.server.is_none() && is(SERVERS) {
            self.server = Some(index);
        } else if self.op.is_none() && is(OPERATIONS) {
            self.op = Some(index);
        } else if let Some((_, kind)) = TARGETS.iter().find(|(one, _)| *one == lower) {
            if self.target.is_none() {
                self.target = Some(index);
                self.kind = *kind;
            }
        } else if !is_chosen {
            self.guess_values(index, name, &lower)?;
        }
        Ok(())
    }

    fn guess_values(&mut self, index: usize, name: &str, lower: &str) -> Result<(), Error> {
        let mut told = words_of(name, self.quantity);
        // `total_read` is a sum, `read_total` a counter.
        if lower.starts_with("total_") && told.nature == Nature::Counter {
            told.nature = Nature::Unstated;
            told.rest.insert(0, "total".to_owned());
        }
        let stem = lower.split('_').next().unwrap_or_default();
        let is_volume = match self.quantity {
            Quantity::Bytes => VOLUMES.contains(&stem) || is_unit(name),
            // Whatever is no operation is other.
            Quantity::Operations => true,
        };
        let is_volume = told.op.is_none() && is_volume;
        if told.is_other || !(told.op.is_some() || is_volume) {
            return Ok(());
        }
        told.clear(name)?;
        let is_sizeless = |word: &&String| SIZELESS.contains(&word.to_ascii_lowercase().as_str());
        if self.quantity == Quantity::Bytes
            && told.scale.is_none()
            && let Some(op) = told.op
            && let Some(unit) = told.rest.iter().find(is_sizeless)
        {
            self.sizeless.push((op, name.to_owned(), unit.clone()));
            return Ok(());
        }
        let target = match told.op {
            Some(_) => told.rest.join("_"),
            None => String::new(),
        };
        self.columns.push(Column {
            index,
            heading: name.to_owned(),
            op: told.op,
            target,
            values: values(&told),
        });
        Ok(())
    }

    /// One `our name=their name`.
    fn choose(&mut self, ours: &str, index: usize, theirs: &str) -> Result<(), Error> {
        let lower = plain(ours);
        if let Some(scale) = time_of(ours) {
            let scale = scale.or_else(|| time_of(theirs).flatten());
            self.time = Some(Time { index, scale });
            return Ok(());
        }
        match lower.as_str() {
            "server" | "host" => self.server = Some(index),
            "target" => self.target = Some(index),
            "op" => self.op = Some(index),
            _ => {
                let told = words_of(ours, self.quantity);
                let stem = lower.split('_').next().unwrap_or_default();
                let known = told.op.is_some()
                    || match self.quantity {
                        Quantity::Bytes => VOLUMES.contains(&stem) || is_unit(ours),
                        Quantity::Operations => !told.is_other,
                    };
                if !known {
                    let what = "columns (--columns, or --log-columns of signature): not a name that iotempo \
                                knows (time, server, target, op, \
                                bytes, read, write)";
                    return Err(Error::invalid("table", Place::Whole, what, ours));
                }
                let values = self.chosen_values(&told, ours, theirs)?;
                self.columns.push(Column {
                    index,
                    heading: theirs.to_owned(),
                    op: told.op,
                    target: String::new(),
                    values,
                });
            }
        }
        Ok(())
    }
}

impl Layout {
    /// What the numbers of a column are that somebody chose; what they leave open, its heading tells.
    fn chosen_values(&self, told: &Words, ours: &str, theirs: &str) -> Result<Values, Error> {
        if self.quantity == Quantity::Operations {
            if words(ours).scale.is_some() {
                let what = "columns: of bytes, where operations are asked for (read, write)";
                return Err(Error::invalid("table", Place::Whole, what, ours));
            }
            let both = told.or(words_of(theirs, self.quantity));
            return Ok(Values {
                nature: both.nature,
                scale: Scale::ONE.per(both.per),
                is_assumed: false,
            });
        }
        told.clear(ours)?;
        let both = told.or(words(theirs));
        both.clear(theirs)?;
        Ok(values(&both))
    }
}

/// Whether a heading is nothing but a unit: `MiB/s`, `bytes_per_s`.
fn is_unit(name: &str) -> bool {
    let mut dimensions = [Dimension::Rate, Dimension::Size].into_iter();
    dimensions.any(|one| {
        scale(one, &joined(name))
            .or(scale(one, &plain(name)))
            .is_some()
    })
}

fn place(names: &[String], theirs: &str) -> Result<usize, Error> {
    let theirs = theirs.trim();
    let exact = names.iter().position(|name| name == theirs);
    let found = exact.or_else(|| {
        names
            .iter()
            .position(|name| name.eq_ignore_ascii_case(theirs))
    });
    found.ok_or_else(|| {
        let what = format!(
            "columns (--columns, or --log-columns of signature): the table has no such column, but {}",
            names.join(", ")
        );
        Error::invalid("table", Place::Whole, what, theirs)
    })
}
