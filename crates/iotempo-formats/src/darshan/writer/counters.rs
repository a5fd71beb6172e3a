//! Records of counters, built by name.

use super::super::layout::Layout;
use super::super::log::DaosObject;
use super::super::module::Module;
use super::error::WriteError;
use super::hash::record_id;
use super::put::Put;

/// A record of counters. What is not set is 0.
///
/// Counters carry the names that `darshan-parser` prints for the version that is written. A name
/// that the version does not know is an error when the record is written.
#[derive(Debug, Clone, PartialEq)]
pub struct CounterRecord {
    /// The module that it belongs to.
    pub module: Module,
    /// Its id.
    pub id: u64,
    /// The file or object; `None` leaves the id without a name.
    pub name: Option<String>,
    /// The rank that made it; −1 for all ranks together.
    pub rank: i64,
    ints: Vec<(String, i64)>,
    floats: Vec<(String, f64)>,
    file_id: u64,
    object: DaosObject,
    node: String,
    place: [i64; 4],
}

impl CounterRecord {
    /// A record of `module` about the file or object `name`, by rank 0.
    #[must_use]
    pub fn new(module: Module, name: &str) -> Self {
        Self {
            name: Some(name.to_owned()),
            ..Self::nameless(module, record_id(name))
        }
    }

    /// A record whose id has no name in the log.
    #[must_use]
    pub fn nameless(module: Module, id: u64) -> Self {
        Self {
            module,
            id,
            name: None,
            rank: 0,
            ints: Vec::new(),
            floats: Vec::new(),
            file_id: 0,
            object: DaosObject::default(),
            node: String::new(),
            place: [0; 4],
        }
    }

    /// The rank that made it; −1 for all ranks together.
    #[must_use]
    pub fn rank(mut self, rank: i64) -> Self {
        self.rank = rank;
        self
    }

    /// Sets an integer counter, such as `POSIX_READS`.
    #[must_use]
    pub fn counter(mut self, name: impl Into<String>, value: i64) -> Self {
        self.set(name, value);
        self
    }

    /// Sets a floating-point counter, such as `POSIX_F_READ_TIME`.
    #[must_use]
    pub fn float(mut self, name: impl Into<String>, value: f64) -> Self {
        self.set_float(name, value);
        self
    }

    /// Sets an integer counter in place.
    pub fn set(&mut self, name: impl Into<String>, value: i64) {
        self.ints.push((name.into(), value));
    }

    /// Sets a floating-point counter in place.
    pub fn set_float(&mut self, name: impl Into<String>, value: f64) {
        self.floats.push((name.into(), value));
    }

    /// The value of an integer counter, where it was set.
    #[must_use]
    pub fn int(&self, name: &str) -> Option<i64> {
        let set = self.ints.iter().rev().find(|(set, _)| set == name);
        set.map(|(_, value)| *value)
    }

    /// The value of a floating-point counter, where it was set.
    #[must_use]
    pub fn float_value(&self, name: &str) -> Option<f64> {
        let set = self.floats.iter().rev().find(|(set, _)| set == name);
        set.map(|(_, value)| *value)
    }

    /// H5D and PNETCDF_VAR: the file that the data set or variable lies in.
    #[must_use]
    pub fn in_file(mut self, file_id: u64) -> Self {
        self.file_id = file_id;
        self
    }

    /// DFS and DAOS: the object.
    #[must_use]
    pub fn object(mut self, object: DaosObject) -> Self {
        self.object = object;
        self
    }

    /// APMPI: the node that the rank ran on.
    #[must_use]
    pub fn node(mut self, node: &str) -> Self {
        node.clone_into(&mut self.node);
        self
    }

    /// APXC: group, chassis, blade and node of the router.
    #[must_use]
    pub fn place(mut self, place: [i64; 4]) -> Self {
        self.place = place;
        self
    }

    pub(super) fn encode(&self, put: &mut Put, version: u32) -> Result<(), WriteError> {
        let (ints, floats) = self.fields(version)?;
        put.u64(self.id);
        put.i64(self.rank);
        match (self.module, version) {
            (Module::H5d, 2) | (Module::PnetcdfVar, _) => put.u64(self.file_id),
            // An alignment of 32 bits that nobody reads, and its padding.
            (Module::BgQ, 1) => put.zeros(8),
            (Module::Apxc, _) => put.i64s(&self.place),
            _ => {}
        }
        put.i64s(&ints);
        put.f64s(&floats);
        match self.module {
            Module::Dfs | Module::Daos => self.encode_object(put),
            Module::Apmpi => put.text(&self.node, 128),
            _ => {}
        }
        Ok(())
    }

    fn encode_object(&self, put: &mut Put) {
        put.bytes.extend(self.object.pool);
        put.bytes.extend(self.object.container);
        if self.module == Module::Daos {
            put.u64(self.object.oid.0);
            put.u64(self.object.oid.1);
        }
    }

    /// The counters in the order of their fields.
    fn fields(&self, version: u32) -> Result<(Vec<i64>, Vec<f64>), WriteError> {
        let module = self.module;
        let layout =
            Layout::of(module, version).ok_or(WriteError::NoSuchVersion { module, version })?;
        let unknown = |name: &str| WriteError::NoSuchCounter {
            module,
            version,
            name: name.to_owned(),
        };
        let mut ints = vec![0; layout.ints.len()];
        for (name, value) in &self.ints {
            ints[layout.int(name).ok_or_else(|| unknown(name))?] = *value;
        }
        let mut floats = vec![0.0; layout.floats.len()];
        for (name, value) in &self.floats {
            floats[layout.float(name).ok_or_else(|| unknown(name))?] = *value;
        }
        Ok((ints, floats))
    }
}
