//! Which modules, in which version, a log of a version carries.

use super::super::header::LogVersion;
use super::super::module::Module;

/// The version of a module's records that the last release of Darshan with this log version wrote;
/// `None` where it did not know the module.
#[must_use]
pub const fn module_version(log: LogVersion, module: Module) -> Option<u32> {
    use LogVersion::{V300, V310, V320, V321, V341};
    match (module, log) {
        (Module::Posix | Module::MpiIo | Module::H5f | Module::PnetcdfFile | Module::BgQ, V300) => {
            Some(1)
        }
        (Module::Posix, _) => Some(4),
        (Module::MpiIo, _) => Some(3),
        (Module::H5f | Module::PnetcdfFile, V310) => Some(2),
        (Module::H5f, _) => Some(3),
        (Module::PnetcdfFile, V320 | V321) => Some(2),
        (Module::PnetcdfFile, V341) => Some(3),
        (Module::BgQ, _) => Some(2),
        (Module::Stdio, V310 | V320 | V321 | V341) => Some(2),
        (Module::Lustre, V310 | V320 | V321) => Some(1),
        (Module::Lustre, V341) => Some(2),
        (Module::DxtPosix, V310 | V320 | V321 | V341) => Some(1),
        (Module::DxtMpiio, V310) => Some(1),
        (Module::DxtMpiio, V320 | V321 | V341) => Some(2),
        (Module::Mdhim, V310 | V320 | V321 | V341) => Some(1),
        (Module::H5d, V320) => Some(1),
        (Module::H5d, V321 | V341) => Some(2),
        (Module::Apxc | Module::Apmpi | Module::Heatmap, V321 | V341) => Some(1),
        (Module::PnetcdfVar | Module::Dfs | Module::Daos, V341) => Some(1),
        _ => None,
    }
}

/// The place of a module in the header; `None` where the log version has none for it.
pub(super) fn slot(log: LogVersion, module_id: u32) -> Option<usize> {
    (0..log.slots()).find(|&slot| log.module_id(slot as u32) == module_id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_module_that_a_log_version_carries_has_a_place_in_its_header() {
        for log in LogVersion::ALL {
            for module in Module::ALL {
                if module_version(log, module).is_some() {
                    assert!(slot(log, module as u32).is_some(), "{module} in {log:?}");
                }
            }
        }
    }

    #[test]
    fn modules_stand_where_darshan_put_them() {
        let at = |log, module: Module| slot(log, module as u32);
        assert_eq!(at(LogVersion::V310, Module::PnetcdfFile), Some(4));
        assert_eq!(at(LogVersion::V310, Module::DxtMpiio), Some(9));
        assert_eq!(at(LogVersion::V310, Module::H5d), None);
        assert_eq!(at(LogVersion::V321, Module::Stdio), Some(8));
        assert_eq!(at(LogVersion::V321, Module::PnetcdfVar), None);
        assert_eq!(at(LogVersion::V341, Module::Heatmap), Some(15));
    }
}
