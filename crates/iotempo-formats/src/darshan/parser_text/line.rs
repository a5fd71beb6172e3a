//! One line of `darshan-parser`'s text.

use crate::darshan::module::Module;
use crate::darshan::text::Spot;

/// What a line is.
pub(super) enum Line<'a> {
    /// Blank, or a sum over all records (`--total`).
    Nothing,
    /// It begins with `#`.
    Comment,
    /// A counter of a record.
    Counter(CounterLine<'a>),
    /// Nothing that the tool prints by default.
    Unknown,
}

/// A counter of a record.
pub(super) struct CounterLine<'a> {
    pub(super) module: &'a str,
    pub(super) rank: i64,
    pub(super) id: u64,
    pub(super) counter: &'a str,
    pub(super) value: &'a str,
    /// Name, mount point and file-system type; `None` where the line ends in the value.
    pub(super) name: Option<[&'a str; 3]>,
    pub(super) spot: Spot,
}

impl<'a> Line<'a> {
    pub(super) fn of(line: &'a str, spot: Spot) -> Self {
        if line.starts_with('#') {
            Self::Comment
        } else if line.trim().is_empty() || line.starts_with("total_") {
            Self::Nothing
        } else {
            CounterLine::of(line, spot).map_or(Self::Unknown, Self::Counter)
        }
    }
}

impl<'a> CounterLine<'a> {
    /// `module rank id counter value name mount type`, with tabs between. Before 3.0 there was no
    /// module, and before 1.23 no mount point.
    fn of(line: &'a str, spot: Spot) -> Option<Self> {
        let (module, rest) = match line.split_once('\t')? {
            (rank, _) if rank.parse::<i64>().is_ok() => (Module::Cp.name(), line),
            (module, rest) => (module, rest),
        };
        let mut fields = rest.splitn(5, '\t');
        let line = Self {
            module,
            rank: fields.next()?.parse().ok()?,
            id: fields.next()?.parse().ok()?,
            counter: fields.next()?,
            value: fields.next()?,
            name: fields.next().map(name_and_mount),
            spot,
        };
        let of_cp = module == Module::Cp.name();
        (!line.counter.is_empty() && of_cp == line.counter.starts_with("CP_")).then_some(line)
    }

    /// The name of the record, where it has one.
    pub(super) fn record_name(&self) -> Option<&'a str> {
        // DAOS objects have their id there, and AutoPerf nothing.
        let [name, ..] = self.name?;
        let named = !matches!(self.module, "DAOS" | "APMPI" | "APXC");
        let nameless = ["", "(null)", "darshan-bgq-record"].contains(&name);
        (named && !nameless).then_some(name)
    }

    /// Whether the line goes on to its last columns.
    pub(super) fn has_mount(&self) -> bool {
        self.name.is_some_and(|[_, mount, _]| !mount.is_empty())
    }

    pub(super) fn int(&self) -> Option<i64> {
        // Record ids are printed without a sign.
        let unsigned = || self.value.parse::<u64>().ok().map(u64::cast_signed);
        self.value.parse().ok().or_else(unsigned)
    }

    pub(super) fn float(&self) -> Option<f64> {
        self.value.parse().ok()
    }

    /// The number behind `prefix`, as in `HEATMAP_READ_BIN_7`.
    pub(super) fn index(&self, prefix: &str) -> Option<usize> {
        self.counter.strip_prefix(prefix)?.parse().ok()
    }
}

/// A name may hold tabs; the two fields behind it do not.
fn name_and_mount(fields: &str) -> [&str; 3] {
    let mut from_end = fields.rsplitn(3, '\t');
    match (from_end.next(), from_end.next(), from_end.next()) {
        (Some(fs_type), Some(mount), Some(name)) => [name, mount, fs_type],
        _ => [fields, "", ""],
    }
}

/// Whether a line is a counter of a module that is known.
pub(in crate::darshan) fn is_counter(line: &str) -> bool {
    match Line::of(line, Spot::default()) {
        Line::Counter(line) => Module::from_name(line.module).is_some(),
        _ => false,
    }
}
