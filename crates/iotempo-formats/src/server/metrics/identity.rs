//! What a series of a monitoring database is called, and of whom that speaks.

use super::super::names::{Nature, Words, words_of};
use super::wishes::Wishes;
use crate::table::field;
use crate::table::units::Scale;
use iotempo_model::{Op, Target, TargetKind};

/// The name and labels of a series.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub(in crate::server) struct Identity {
    /// The measurement; empty where the database has none.
    pub(in crate::server) measurement: String,
    /// The metric or field; empty for the result of an expression.
    pub(in crate::server) name: String,
    /// Labels or tags, in the order of their names.
    pub(in crate::server) labels: Vec<(String, String)>,
    /// Whether who shows it says that it is a counter.
    pub(in crate::server) counts: bool,
}

/// What its values mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Meaning {
    /// `None` where nothing names a direction.
    pub(super) op: Option<Op>,
    pub(super) nature: Nature,
    pub(super) scale: Scale,
}

/// Series that count the same bytes from the same side: what one of them holds is not looked for in
/// another one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct View {
    measurement: String,
    /// The words of the name without direction, unit and nature.
    family: String,
    /// The file system that its names speak of.
    system: Option<&'static str>,
    /// A rate beside a counter, or a unit beside another, tells the same again.
    form: Option<(Nature, u64)>,
    pub(super) kind: TargetKind,
}

/// File systems that stand beside each other: what one of them moves, the others do not.
const SYSTEMS: &[&str] = &["lustre", "gpfs", "beegfs", "ceph", "weka", "nfs"];

/// Labels that name a machine, best first.
const SERVERS: &[&str] = &[
    "nodeid",
    "server",
    "hostname",
    "host",
    "nodename",
    "node",
    "instance",
    "nodenumid",
];

/// Labels that name what is counted for, and its kind, best first.
const TARGETS: &[(&str, TargetKind)] = &[
    ("jobid", TargetKind::Job),
    ("job_id", TargetKind::Job),
    ("slurm_job_id", TargetKind::Job),
    ("user", TargetKind::User),
    ("uid", TargetKind::User),
    ("username", TargetKind::User),
    ("client", TargetKind::Client),
    ("target", TargetKind::StorageTarget),
    ("storagetargetid", TargetKind::StorageTarget),
    ("ost", TargetKind::StorageTarget),
    ("nsd", TargetKind::StorageTarget),
    ("device", TargetKind::Device),
    ("disk", TargetKind::Device),
    ("dev", TargetKind::Device),
    ("fs", TargetKind::FileSystem),
    ("fsname", TargetKind::FileSystem),
    ("fs_name", TargetKind::FileSystem),
    ("filesystem", TargetKind::FileSystem),
    ("mountpoint", TargetKind::FileSystem),
];

/// Labels that name a direction.
const DIRECTIONS: &[&str] = &[
    "op",
    "operation",
    "direction",
    "rw",
    "access",
    "mode",
    "io",
    "type",
];

/// Whether a column of this name is a label, whatever its values look like.
pub(in crate::server) fn is_label(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    SERVERS.contains(&lower.as_str())
        || DIRECTIONS.contains(&lower.as_str())
        || lower == "name"
        || lower == "component"
        || TARGETS.iter().any(|(one, _)| *one == lower)
}

impl Identity {
    /// Its metric or field, behind its measurement.
    pub(super) fn called(&self) -> String {
        match (self.measurement.as_str(), self.name.as_str()) {
            ("", "") => "an expression".to_owned(),
            ("", name) => name.to_owned(),
            (measurement, name) => format!("{measurement}.{name}"),
        }
    }

    fn label(&self, name: &str) -> Option<&str> {
        let mut labels = self.labels.iter();
        let found = labels.find(|(one, _)| one.eq_ignore_ascii_case(name))?;
        Some(found.1.as_str()).filter(|value| !value.is_empty())
    }

    fn labelled_op(&self) -> Option<Op> {
        DIRECTIONS
            .iter()
            .find_map(|name| field::op(self.label(name)?.as_bytes()))
    }

    /// What its values mean; `None` where they are not what is asked for, to or from disks.
    pub(super) fn meaning(&self, wishes: &Wishes) -> Option<Meaning> {
        if let Some(wish) = wishes.of(&self.name) {
            let nature = self.nature(wish.nature, wish.op);
            return Some(Meaning { nature, ..wish });
        }
        if wishes.name_fields() {
            return None;
        }
        if self.name.is_empty() && self.measurement.is_empty() {
            return Some(Meaning {
                op: self.labelled_op(),
                nature: Nature::Unstated,
                scale: Scale::ONE,
            });
        }
        let told = words_of(&self.name, wishes.quantity);
        let op = told.op.or_else(|| self.labelled_op())?;
        // Where bits may be meant, nobody knows how much it is.
        if told.is_other || told.unclear.is_some() {
            return None;
        }
        Some(Meaning {
            op: Some(op),
            nature: self.nature(told.nature, told.op),
            scale: told.scale_to_base()?,
        })
    }

    /// What its values are, where its name may leave it open.
    fn nature(&self, told: Nature, op: Option<Op>) -> Nature {
        match told {
            Nature::Unstated if self.counts => Nature::Counter,
            // Telegraf. Flux keeps these names where it derives rates of them.
            Nature::Unstated if self.measurement == "diskio" && op.is_some() => Nature::Counted,
            told => told,
        }
    }

    /// Names that say whether it counts bits or bytes, where only that is open.
    pub(super) fn clear_names(&self, wishes: &Wishes) -> Option<[String; 2]> {
        let told = words_of(&self.name, wishes.quantity);
        let wanted = wishes.measurement.as_ref();
        let would_count = told.unclear.is_some()
            && !told.is_other
            && !wishes.name_fields()
            && wanted.is_none_or(|one| *one == self.measurement);
        let op = told.op.or_else(|| self.labelled_op())?;
        let told = Words {
            op: Some(op),
            ..told
        };
        would_count.then(|| told.clear_names())
    }

    fn kind(&self, wishes: &Wishes) -> (TargetKind, Option<&str>) {
        if let Some(label) = &wishes.target {
            let known = TARGETS
                .iter()
                .find(|(one, _)| one.eq_ignore_ascii_case(label));
            let kind = known.map_or(TargetKind::Unknown, |(_, kind)| *kind);
            return (kind, self.label(label));
        }
        // Telegraf calls disks and targets of Lustre by their `name`.
        match self.measurement.as_str() {
            "lustre2" if self.label("jobid").is_none() && self.label("name").is_some() => {
                return (TargetKind::StorageTarget, self.label("name"));
            }
            "diskio" => return (TargetKind::Device, self.label("name")),
            "storageClientOpsByNode" | "metaClientOpsByNode" => {
                return (TargetKind::Client, self.label("node"));
            }
            _ => {}
        }
        let found = TARGETS
            .iter()
            .find_map(|(name, kind)| Some((*kind, self.label(name)?)));
        let of_client = self.label("component").is_some_and(|one| one == "client");
        match found {
            Some((TargetKind::StorageTarget, name)) if of_client => {
                (TargetKind::Client, Some(name))
            }
            Some((kind, name)) => (kind, Some(name)),
            None if self.server(wishes).is_some() => (TargetKind::Server, None),
            None => (TargetKind::Unknown, self.label("name")),
        }
    }

    fn server(&self, wishes: &Wishes) -> Option<&str> {
        if let Some(label) = &wishes.server {
            return self.label(label);
        }
        SERVERS.iter().find_map(|name| self.label(name))
    }

    /// Of whom it speaks. What a job moved on a target is named under that target.
    pub(super) fn target(&self, wishes: &Wishes) -> Target {
        let (kind, name) = self.kind(wishes);
        let server = match kind {
            TargetKind::Job => self.label("target").or_else(|| self.server(wishes)),
            TargetKind::Client if self.label("node") == name => None,
            _ => self.server(wishes),
        };
        Target::new(server.unwrap_or_default(), name.unwrap_or_default(), kind)
    }

    pub(super) fn view(&self, wishes: &Wishes) -> View {
        let Words {
            op,
            rest,
            nature,
            scale,
            ..
        } = words_of(&self.name, wishes.quantity);
        let nature = self.nature(nature, op);
        let unit = scale.unwrap_or(Scale::ONE).apply(1.0).to_bits();
        let chosen = wishes.name_fields();
        let named = [&self.measurement, &self.name].map(|name| name.to_ascii_lowercase());
        let speaks = |system: &&&str| named.iter().any(|name| name.contains(**system));
        View {
            system: SYSTEMS.iter().find(speaks).copied(),
            measurement: self.measurement.clone(),
            family: match chosen {
                true => String::new(),
                false => rest.join("_").to_ascii_lowercase(),
            },
            form: (!chosen).then_some((nature, unit)),
            kind: self.kind(wishes).0,
        }
    }

    /// All labels, as Prometheus writes them.
    pub(super) fn written_labels(&self) -> String {
        let written = self
            .labels
            .iter()
            .map(|(name, value)| format!("{name}={value}"));
        written.collect::<Vec<_>>().join(",")
    }
}

impl View {
    /// Whether two views are of different file systems: no byte is in both.
    pub(super) fn is_apart_from(&self, other: &Self) -> bool {
        self.system.is_some() && other.system.is_some() && self.system != other.system
    }

    /// Lower is preferred: what storage itself counts, before what others cause there.
    pub(super) fn rank(&self) -> u8 {
        match self.kind {
            TargetKind::StorageTarget => 0,
            TargetKind::Server => 1,
            TargetKind::Device => 2,
            TargetKind::FileSystem => 3,
            TargetKind::Client => 4,
            TargetKind::Job => 5,
            TargetKind::User => 6,
            TargetKind::Unknown => 7,
        }
    }
}
