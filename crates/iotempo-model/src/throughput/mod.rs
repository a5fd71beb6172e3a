//! What servers log: how much each of their targets moved in each interval, whoever asked for it.

mod binned;
mod coverage;
mod expected;
mod pace;
mod told;

pub use binned::Binned;
pub use expected::{Expected, Hole, Seldom, Unseen};

use crate::request::{Interval, Op};
use crate::units::Bytes;
use serde::Serialize;
use std::io;

/// What a series of a server's log is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TargetKind {
    /// A disk, or another block device.
    Device,
    /// A storage target of a parallel file system: an OST, an NSD.
    StorageTarget,
    /// A server as a whole.
    Server,
    /// A client of a file system: a compute node.
    Client,
    /// All that one user moved.
    User,
    /// All that one job moved.
    Job,
    /// A file system as a whole.
    FileSystem,
    /// The log does not say.
    Unknown,
}

/// What a series of a server's log is about: this target of that server.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Target {
    /// The machine that counted; empty where the log does not say.
    pub server: String,
    /// What it counted for: `sda`, `lustre-OST0004`, `alice`. Empty for the server as a whole.
    pub name: String,
    /// The kind of thing that is.
    pub kind: TargetKind,
}

impl Target {
    /// The target `name` of `server`.
    pub fn new(server: impl Into<String>, name: impl Into<String>, kind: TargetKind) -> Self {
        Self {
            server: server.into(),
            name: name.into(),
            kind,
        }
    }

    /// Whether two logs that name it mean the same. Every server has an `sda`; a storage target has its
    /// name in all of a site.
    #[must_use]
    pub fn is_unique(&self) -> bool {
        let named = !matches!(
            self.kind,
            TargetKind::Device | TargetKind::Server | TargetKind::Unknown
        );
        !self.server.is_empty() || (named && !self.name.is_empty())
    }

    /// How people call it: `oss1/OST0004`, or the half of that which is known.
    #[must_use]
    pub fn label(&self) -> String {
        match (self.server.as_str(), self.name.as_str()) {
            ("", name) => name.to_owned(),
            (server, "") => server.to_owned(),
            (server, name) => format!("{server}/{name}"),
        }
    }
}

/// A target of a log: an index into those that its reader announced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TargetId(pub u32);

/// What a target moved in an interval. Nothing is an observation, too: it tells a quiet target from
/// a log that has a hole.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moved {
    /// The target.
    pub target: TargetId,
    /// The direction.
    pub op: Op,
    /// The interval.
    pub when: Interval,
    /// How much: bytes, or operations where a log was read for these.
    pub bytes: Bytes,
}

/// Takes what a server's log says, one interval at a time, so that no reader needs to hold months.
pub trait ThroughputSink {
    /// The id under which the volumes of `target` will be pushed; asked once for each.
    fn target(&mut self, target: &Target) -> TargetId;

    /// Notes a target that nobody asked for: none of its volumes will be pushed.
    fn passed_over(&mut self, _target: &Target) {}

    /// Takes what was moved in one interval.
    ///
    /// # Errors
    /// Where the sink writes somewhere and that fails; the reader stops and passes it on.
    fn moved(&mut self, moved: Moved) -> io::Result<()>;
}

impl<S: ThroughputSink + ?Sized> ThroughputSink for &mut S {
    fn target(&mut self, target: &Target) -> TargetId {
        (**self).target(target)
    }

    fn passed_over(&mut self, target: &Target) {
        (**self).passed_over(target);
    }

    fn moved(&mut self, moved: Moved) -> io::Result<()> {
        (**self).moved(moved)
    }
}
