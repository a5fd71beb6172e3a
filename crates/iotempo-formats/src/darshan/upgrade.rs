//! Records of every version of a module in the shape of the newest one.

use super::layout::{Layout, latest_version};
use super::module::Module;

/// Where a counter of the newest version comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum From<T> {
    /// A field of the record on disk.
    Field(usize),
    /// The sum of two fields.
    Sum(usize, usize),
    /// The version on disk did not have it.
    Constant(T),
}

/// How records of one version become records of the newest.
#[derive(Debug)]
pub(crate) struct Upgrade {
    pub(crate) ints: Vec<From<i64>>,
    pub(crate) floats: Vec<From<f64>>,
}

impl Upgrade {
    /// `None` for a module without counters or a version that does not exist.
    pub(crate) fn new(module: Module, version: u32) -> Option<Self> {
        let old = Layout::of(module, version)?;
        let new = Layout::latest(module)?;
        Some(Self {
            ints: new.ints.iter().map(|name| int(old, name)).collect(),
            floats: new.floats.iter().map(|name| float(old, name)).collect(),
        })
    }

    /// Whether fields on disk are already in order.
    pub(crate) fn is_identity(module: Module, version: u32) -> bool {
        latest_version(module) == Some(version)
            || Layout::of(module, version).map(|old| (&old.ints, &old.floats))
                == Layout::latest(module).map(|new| (&new.ints, &new.floats))
    }
}

fn int(old: &Layout, name: &str) -> From<i64> {
    if let Some(at) = old.int(name).or_else(|| old.int(&former_name(name))) {
        return From::Field(at);
    }
    match name {
        "PNETCDF_FILE_OPENS" => {
            match old
                .int("PNETCDF_INDEP_OPENS")
                .zip(old.int("PNETCDF_COLL_OPENS"))
            {
                Some((independent, collective)) => From::Sum(independent, collective),
                None => From::Constant(-1),
            }
        }
        // An id, of which 0 means none.
        "POSIX_RENAMED_FROM" => From::Constant(0),
        _ => From::Constant(-1),
    }
}

fn float(old: &Layout, name: &str) -> From<f64> {
    let former = former_name(name);
    // The first open and the last close kept their meaning when stamps were split in two.
    let single = former
        .replace("OPEN_START_TIMESTAMP", "OPEN_TIMESTAMP")
        .replace("CLOSE_END_TIMESTAMP", "CLOSE_TIMESTAMP");
    [name, &former, &single]
        .into_iter()
        .find_map(|known| old.float(known))
        .map_or(From::Constant(-1.0), From::Field)
}

/// Modules that were renamed.
fn former_name(name: &str) -> String {
    name.replace("PNETCDF_FILE_", "PNETCDF_")
        .replace("H5F_", "HDF5_")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn float_source(module: Module, version: u32, name: &str) -> From<f64> {
        let at = Layout::latest(module)
            .and_then(|l| l.float(name))
            .expect("a counter");
        Upgrade::new(module, version).expect("a version").floats[at]
    }

    fn int_source(module: Module, version: u32, name: &str) -> From<i64> {
        let at = Layout::latest(module)
            .and_then(|l| l.int(name))
            .expect("a counter");
        Upgrade::new(module, version).expect("a version").ints[at]
    }

    #[test]
    fn counters_that_did_not_exist_are_minus_one() {
        assert_eq!(
            int_source(Module::Posix, 3, "POSIX_DUPS"),
            From::Constant(-1)
        );
        assert_eq!(
            int_source(Module::Posix, 3, "POSIX_RENAMED_FROM"),
            From::Constant(0)
        );
        assert_eq!(
            int_source(Module::Stdio, 1, "STDIO_FDOPENS"),
            From::Constant(-1)
        );
        assert_eq!(
            float_source(Module::MpiIo, 2, "MPIIO_F_CLOSE_START_TIMESTAMP"),
            From::Constant(-1.0)
        );
    }

    #[test]
    fn single_stamps_become_the_first_open_and_the_last_close() {
        assert_eq!(
            float_source(Module::Posix, 1, "POSIX_F_OPEN_START_TIMESTAMP"),
            From::Field(0)
        );
        assert_eq!(
            float_source(Module::Posix, 2, "POSIX_F_CLOSE_END_TIMESTAMP"),
            From::Field(5)
        );
        assert_eq!(
            float_source(Module::H5f, 1, "H5F_F_CLOSE_END_TIMESTAMP"),
            From::Field(1)
        );
        assert_eq!(
            float_source(Module::PnetcdfFile, 2, "PNETCDF_FILE_F_CLOSE_END_TIMESTAMP"),
            From::Field(3)
        );
    }

    #[test]
    fn independent_and_collective_opens_are_added() {
        let source = int_source(Module::PnetcdfFile, 1, "PNETCDF_FILE_OPENS");
        assert_eq!(source, From::Sum(0, 1));
        assert_eq!(
            int_source(Module::PnetcdfFile, 1, "PNETCDF_FILE_CREATES"),
            From::Constant(-1)
        );
    }
}
