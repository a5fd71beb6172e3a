//! Old records in the newest shape, by the rules of the format and not by the reader's tables.

use super::random_log::Row;
use iotempo_formats::darshan::Module;

/// The value that the newest version's integer counter `name` must have.
pub(crate) fn int(row: &Row, module: Module, name: &str) -> i64 {
    let find = |suffix: &str| {
        let same = |(old, _): &&(String, i64)| bare(module, old) == suffix;
        row.ints.iter().find(same).map(|(_, value)| *value)
    };
    let suffix = bare(module, name);
    match (module, suffix) {
        (Module::PnetcdfFile, "OPENS") => find("OPENS").unwrap_or_else(|| {
            let (independent, collective) = (find("INDEP_OPENS"), find("COLL_OPENS"));
            independent.unwrap().wrapping_add(collective.unwrap())
        }),
        // An id, of which 0 means none.
        (Module::Posix, "RENAMED_FROM") => find(suffix).unwrap_or(0),
        _ => find(suffix).unwrap_or(-1),
    }
}

/// The value that the newest version's floating-point counter `name` must have.
pub(crate) fn float(row: &Row, module: Module, name: &str) -> f64 {
    let find = |suffix: &str| {
        let same = |(old, _): &&(String, f64)| bare(module, old) == suffix;
        row.floats.iter().find(same).map(|(_, value)| *value)
    };
    let suffix = bare(module, name);
    let former = match suffix {
        "F_OPEN_START_TIMESTAMP" => "F_OPEN_TIMESTAMP",
        "F_CLOSE_END_TIMESTAMP" => "F_CLOSE_TIMESTAMP",
        other => other,
    };
    find(suffix).or_else(|| find(former)).unwrap_or(-1.0)
}

/// A counter's name without the module's, which two modules changed.
fn bare(module: Module, name: &str) -> &str {
    let prefixes: &[&str] = match module {
        Module::H5f => &["HDF5_", "H5F_"],
        Module::PnetcdfFile => &["PNETCDF_FILE_", "PNETCDF_"],
        _ => &[],
    };
    prefixes
        .iter()
        .find_map(|prefix| name.strip_prefix(prefix))
        .unwrap_or_else(|| strip_module(module, name))
}

fn strip_module(module: Module, name: &str) -> &str {
    let prefix = match module {
        Module::MpiIo => "MPIIO_",
        Module::BgQ => "BGQ_",
        Module::Posix => "POSIX_",
        Module::Stdio => "STDIO_",
        _ => "",
    };
    name.strip_prefix(prefix).unwrap_or(name)
}
