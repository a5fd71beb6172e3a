//! How many bytes each layer counted: what any other evidence is held against.

use super::log::CounterTable;
use super::module::Module;
use iotempo_model::Api;

/// The modules that count bytes, with the layer they stand for, top of the preference first.
pub(crate) const COUNTING: [(Module, Api); 6] = [
    (Module::Posix, Api::Posix),
    (Module::MpiIo, Api::MpiIo),
    (Module::Stdio, Api::Stdio),
    (Module::Dfs, Api::Dfs),
    (Module::Daos, Api::Daos),
    (Module::Cp, Api::Posix),
];

/// Records and bytes of one module.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Totals {
    pub(crate) records: u64,
    pub(crate) read: f64,
    pub(crate) written: f64,
}

/// Negative counts, which MPI-IO's 32-bit sizes can overflow to, stand for nothing.
pub(crate) fn add(totals: &mut Totals, module: Module, table: &CounterTable) {
    totals.records += table.len() as u64;
    let Some((read, written)) = byte_columns(module, table) else {
        return;
    };
    for record in 0..table.len() {
        let ints = table.ints_of(record);
        totals.read += ints[read].max(0) as f64;
        totals.written += ints[written].max(0) as f64;
    }
}

/// How many requests the records of a module count; `None` for modules that do not count them as
/// reads and writes.
pub(crate) fn requests(module: Module, table: &CounterTable) -> Option<u64> {
    let kinds: &[&str] = match module {
        Module::Posix | Module::Stdio | Module::H5d => &[""],
        Module::MpiIo => &["INDEP_", "COLL_", "SPLIT_", "NB_"],
        Module::PnetcdfVar => &["INDEP_", "COLL_", "NB_"],
        _ => return None,
    };
    let prefix = counter_prefix(module);
    let ways = ["READS", "WRITES"];
    let names = kinds
        .iter()
        .flat_map(|kind| ways.map(|way| format!("{prefix}{kind}{way}")));
    let columns: Vec<usize> = names.filter_map(|name| table.layout.int(&name)).collect();
    let of_record = |record: usize| {
        let ints = table.ints_of(record);
        let counts = columns
            .iter()
            .map(|&column| u64::try_from(ints[column]).unwrap_or(0));
        counts.fold(0, u64::saturating_add)
    };
    Some((0..table.len()).map(of_record).fold(0, u64::saturating_add))
}

/// The places of a module's counters of bytes read and written.
pub(crate) fn byte_columns(module: Module, table: &CounterTable) -> Option<(usize, usize)> {
    let prefix = counter_prefix(module);
    let column = |name: &str| table.layout.int(&format!("{prefix}{name}"));
    column("BYTES_READ").zip(column("BYTES_WRITTEN"))
}

/// What a module's counters begin with.
pub(crate) fn counter_prefix(module: Module) -> &'static str {
    match module {
        Module::MpiIo => "MPIIO_",
        Module::Posix => "POSIX_",
        Module::Stdio => "STDIO_",
        Module::H5f => "H5F_",
        Module::H5d => "H5D_",
        Module::PnetcdfFile => "PNETCDF_FILE_",
        Module::PnetcdfVar => "PNETCDF_VAR_",
        Module::BgQ => "BGQ_",
        Module::Dfs => "DFS_",
        Module::Daos => "DAOS_",
        Module::Cp => "CP_",
        _ => "",
    }
}
