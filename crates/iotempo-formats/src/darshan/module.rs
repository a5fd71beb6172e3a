//! The modules of a Darshan log.

use serde::Serialize;
use std::fmt;

/// A part of Darshan that instruments one interface. The numbers are those of log version 3.41.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names are Darshan's own")]
pub enum Module {
    Null = 0,
    Posix = 1,
    MpiIo = 2,
    H5f = 3,
    H5d = 4,
    PnetcdfFile = 5,
    PnetcdfVar = 6,
    BgQ = 7,
    Lustre = 8,
    Stdio = 9,
    DxtPosix = 10,
    DxtMpiio = 11,
    Mdhim = 12,
    Apxc = 13,
    Apmpi = 14,
    Heatmap = 15,
    Dfs = 16,
    Daos = 17,
    /// The file records of logs 1.x and 2.x, which knew no modules: POSIX and MPI-IO in one.
    Cp = 64,
}

impl Module {
    /// Every module, in the order of their numbers.
    pub const ALL: [Self; 19] = [
        Self::Null,
        Self::Posix,
        Self::MpiIo,
        Self::H5f,
        Self::H5d,
        Self::PnetcdfFile,
        Self::PnetcdfVar,
        Self::BgQ,
        Self::Lustre,
        Self::Stdio,
        Self::DxtPosix,
        Self::DxtMpiio,
        Self::Mdhim,
        Self::Apxc,
        Self::Apmpi,
        Self::Heatmap,
        Self::Dfs,
        Self::Daos,
        Self::Cp,
    ];

    /// The module of a number; `None` for those of a newer Darshan.
    #[must_use]
    pub fn from_id(id: u32) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|module| *module as u32 == id && *module != Self::Cp)
    }

    /// The module of a name as Darshan's own tools print it.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let name = match name {
            // As printed for logs before 3.2.0 and 3.4.1.
            "HDF5" => "H5F",
            "PNETCDF" => "PNETCDF_FILE",
            "MPIIO" => "MPI-IO",
            "X_POSIX" => "DXT_POSIX",
            "X_MPIIO" => "DXT_MPIIO",
            name => name,
        };
        Self::ALL.into_iter().find(|module| module.name() == name)
    }

    /// Darshan's name for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Null => "NULL",
            Self::Posix => "POSIX",
            Self::MpiIo => "MPI-IO",
            Self::H5f => "H5F",
            Self::H5d => "H5D",
            Self::PnetcdfFile => "PNETCDF_FILE",
            Self::PnetcdfVar => "PNETCDF_VAR",
            Self::BgQ => "BG/Q",
            Self::Lustre => "LUSTRE",
            Self::Stdio => "STDIO",
            Self::DxtPosix => "DXT_POSIX",
            Self::DxtMpiio => "DXT_MPIIO",
            Self::Mdhim => "MDHIM",
            Self::Apxc => "APXC",
            Self::Apmpi => "APMPI",
            Self::Heatmap => "HEATMAP",
            Self::Dfs => "DFS",
            Self::Daos => "DAOS",
            Self::Cp => "CP",
        }
    }
}

impl fmt::Display for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
