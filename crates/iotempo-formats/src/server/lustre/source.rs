//! Whose counters they are: the name of a parameter of `lctl get_param`, or the path of a file.

use iotempo_model::TargetKind;

/// How close to the disks something is counted. The bytes of an OST are those of all its clients,
/// and those of all jobs: one level holds each of them once, and the first in this order is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Level {
    /// An OST as a whole.
    Target,
    /// A client of an OST.
    Export,
    /// A job on an OST.
    Job,
    /// A mount of a client.
    Mount,
    /// A client's connection to an OST.
    Connection,
}

impl Level {
    /// In the words of somebody who reads a warning.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Target => "stats of OSTs",
            Self::Export => "stats of exports",
            Self::Job => "job_stats",
            Self::Mount => "stats of mounts (llite)",
            Self::Connection => "stats of connections (osc)",
        }
    }

    pub(super) fn kind(self) -> TargetKind {
        match self {
            Self::Target => TargetKind::StorageTarget,
            Self::Export | Self::Mount | Self::Connection => TargetKind::Client,
            Self::Job => TargetKind::Job,
        }
    }
}

/// What stands behind the name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    /// Counters of a target, a client or a mount.
    Stats,
    /// Counters of jobs.
    Jobs,
    /// Histograms of request sizes: no bytes over time.
    Histograms,
    /// Something else: limits, names, versions.
    Other,
}

/// A source of counters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Source {
    pub(super) content: Content,
    pub(super) level: Level,
    /// The OST of an export or a job; else empty.
    pub(super) server: String,
    /// The OST, the client, the mount; empty where nobody says.
    pub(super) name: String,
    /// Whether it is a part of a metadata server.
    pub(super) metadata: bool,
}

impl Source {
    /// Counters without a name before them: `cat` writes none.
    pub(super) fn nameless(content: Content) -> Self {
        let level = match content {
            Content::Jobs => Level::Job,
            _ => Level::Target,
        };
        Self {
            content,
            level,
            server: String::new(),
            name: String::new(),
            metadata: false,
        }
    }

    /// `obdfilter.lustre-OST0000.exports.10.0.0.1@o2ib.stats`.
    fn of_parameter(name: &str) -> Option<Self> {
        let (device, rest) = name.split_once('.')?;
        let (instance, rest) = rest.split_once('.').unwrap_or((rest, ""));
        match rest.strip_prefix("exports.") {
            Some(rest) => {
                let (client, what) = rest.rsplit_once('.')?;
                Self::new(device, instance, Some(client), what)
            }
            None => Self::new(device, instance, None, rest),
        }
    }

    /// `/proc/fs/lustre/obdfilter/lustre-OST0000/exports/10.0.0.1@o2ib/stats`.
    fn of_path(path: &str) -> Option<Self> {
        let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        let device = parts.iter().position(|part| is_device(part))?;
        match parts.get(device..)? {
            [device, instance, "exports", client, what] => {
                Self::new(device, instance, Some(client), what)
            }
            [device, instance, what] => Self::new(device, instance, None, what),
            _ => None,
        }
    }

    fn new(device: &str, instance: &str, client: Option<&str>, what: &str) -> Option<Self> {
        if !is_device(device) || instance.is_empty() {
            return None;
        }
        let content = match what {
            "stats" => Content::Stats,
            "job_stats" => Content::Jobs,
            "brw_stats" => Content::Histograms,
            _ => Content::Other,
        };
        let level = match (device, content, client) {
            (_, Content::Jobs, _) => Level::Job,
            ("llite", ..) => Level::Mount,
            ("osc", ..) => Level::Connection,
            (_, _, Some(_)) => Level::Export,
            _ => Level::Target,
        };
        let (server, name) = match (level, client) {
            (Level::Export, Some(client)) => (instance, client),
            (Level::Job, _) => (instance, ""),
            _ => ("", instance),
        };
        Some(Self {
            content,
            level,
            server: server.to_owned(),
            name: name.to_owned(),
            metadata: matches!(device, "mdt" | "mdd" | "mds"),
        })
    }
}

fn is_device(word: &str) -> bool {
    matches!(
        word,
        "obdfilter" | "ost" | "llite" | "osc" | "mdt" | "mdd" | "mds"
    ) || word.starts_with("osd-")
}

/// The source that a line announces, and what of the line follows its name: `lctl get_param` writes
/// the first line of the value right behind it.
pub(super) fn announced(line: &str) -> Option<(Source, &str)> {
    let path = line.trim().strip_prefix("==> ");
    if let Some(path) = path.and_then(|path| path.strip_suffix(" <==")) {
        return Some((Source::of_path(path)?, ""));
    }
    let (name, rest) = line.split_once('=')?;
    let plain = !name.is_empty() && !name.contains(char::is_whitespace);
    Some((plain.then(|| Source::of_parameter(name))??, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(line: &str) -> Option<(Content, Level, String, String, bool)> {
        let (source, _) = announced(line)?;
        let Source {
            content,
            level,
            server,
            name,
            metadata,
        } = source;
        Some((content, level, server, name, metadata))
    }

    #[test]
    fn parameters_and_paths_name_the_same_source() {
        let text = str::to_owned;
        let ost = "lustre-OST0000";
        let stats = Some((Content::Stats, Level::Target, text(""), text(ost), false));
        let export = Some((
            Content::Stats,
            Level::Export,
            text(ost),
            text("10.0.0.1@o2ib"),
            false,
        ));
        let jobs = Some((Content::Jobs, Level::Job, text(ost), text(""), false));
        for (line, expected) in [
            ("obdfilter.lustre-OST0000.stats=", &stats),
            (
                "==> /proc/fs/lustre/obdfilter/lustre-OST0000/stats <==",
                &stats,
            ),
            (
                "obdfilter.lustre-OST0000.exports.10.0.0.1@o2ib.stats=",
                &export,
            ),
            (
                "==> /proc/fs/lustre/obdfilter/lustre-OST0000/exports/10.0.0.1@o2ib/stats <==",
                &export,
            ),
            ("obdfilter.lustre-OST0000.job_stats=job_stats:", &jobs),
        ] {
            assert_eq!(&told(line), expected, "{line}");
        }
        let mount = told("llite.lustre-ffff88105db50000.stats=").expect("a source");
        assert_eq!(
            (mount.1, mount.3.as_str()),
            (Level::Mount, "lustre-ffff88105db50000")
        );
        assert!(
            told("mdt.lustre-MDT0000.job_stats=job_stats:")
                .expect("a source")
                .4
        );
        let brw = told("osd-ldiskfs.lustre-OST0000.brw_stats=").expect("a source");
        assert_eq!(brw.0, Content::Histograms);
        let other = told("obdfilter.lustre-OST0000.kbytesfree=123").expect("a source");
        assert_eq!(other.0, Content::Other);
    }

    #[test]
    fn other_lines_announce_nothing() {
        for line in [
            "",
            "a=b",
            "obdfilter=",
            "obdfilter.=",
            "x.y.stats=",
            "==> /etc/passwd <==",
            "a b.c.stats=",
            "=",
            "obdfilter..stats=",
        ] {
            assert_eq!(told(line), None, "{line}");
        }
    }
}
