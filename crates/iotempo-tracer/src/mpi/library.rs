//! The MPI library that runs, and what its handles look like.

use super::loaded::{has_standard_abi, search};
use crate::real::Real;
use core::ffi::{c_int, c_void};
use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// What differs between libraries. These are parts of their ABI: programs are compiled with them.
pub(super) struct Library {
    /// What programs pass to have no status.
    pub(super) ignored: usize,
    pub(super) status_size: usize,
    pub(super) request_size: usize,
    /// Where `MPI_ERROR` lies in a status.
    error_offset: usize,
    /// `MPI_ERR_IN_STATUS`
    in_status: c_int,
    /// `MPI_ERR_PENDING`
    pending: c_int,
    /// `MPI_BYTE`, or nothing where it is the address of a symbol.
    byte: Option<usize>,
}

static OPEN_MPI: Library = Library {
    ignored: 0,
    status_size: 24,
    request_size: 8,
    error_offset: 8,
    in_status: 18,
    pending: 19,
    byte: None,
};

/// MPICH, Intel MPI, MVAPICH, Cray MPICH: they have agreed on one ABI.
static MPICH: Library = Library {
    ignored: 1,
    status_size: 20,
    request_size: 4,
    error_offset: 16,
    in_status: 17,
    pending: 18,
    byte: Some(0x4c00_010d),
};

/// `MPI_COMM_WORLD` in the header of Open MPI.
static OPEN_MPI_WORLD: Real = Real::new(c"ompi_mpi_comm_world");
/// `MPI_BYTE` in the header of Open MPI.
static OPEN_MPI_BYTE: Real = Real::new(c"ompi_mpi_byte");
/// `MPI_DUP_FN` in the header of MPICH.
static MPICH_DUP: Real = Real::new(c"MPIR_Dup_fn");

const UNDECIDED: u8 = 0;
const IS_OPEN_MPI: u8 = 1;
const IS_MPICH: u8 = 2;
const IS_OTHER: u8 = 3;
static RUNNING: AtomicU8 = AtomicU8::new(UNDECIDED);

/// The library, if it is one whose handles are known.
#[inline(always)]
pub(super) fn get() -> Option<&'static Library> {
    match RUNNING.load(Relaxed) {
        IS_OPEN_MPI => Some(&OPEN_MPI),
        IS_MPICH => Some(&MPICH),
        IS_OTHER => None,
        _ => decide(),
    }
}

/// The same, if it was found already.
#[inline(always)]
pub(super) fn running() -> Option<&'static Library> {
    is_running().then(get).flatten()
}

/// Whether a library was found.
#[inline(always)]
pub(crate) fn is_running() -> bool {
    matches!(RUNNING.load(Relaxed), IS_OPEN_MPI | IS_MPICH)
}

/// How a request stands, by the status of a call that failed.
pub(super) enum Outcome {
    Complete,
    UnderWay,
    Failed,
}

#[cold]
#[inline(never)]
fn decide() -> Option<&'static Library> {
    let is = if has_standard_abi() {
        IS_OTHER
    } else if OPEN_MPI_WORLD.address(0) != 0 {
        IS_OPEN_MPI
    } else if MPICH_DUP.address(0) != 0 {
        IS_MPICH
    } else {
        IS_OTHER
    };
    // Without any, one may still be loaded.
    if is == IS_OTHER && search(c"PMPI_File_open").is_null() {
        return None;
    }
    RUNNING.store(is, Relaxed);
    if is == IS_OTHER { None } else { get() }
}

impl Library {
    /// How many bytes a call moved, from its status.
    pub(super) fn bytes(&self, status: usize) -> Option<u64> {
        static ELEMENTS_X: Real = Real::new(c"PMPI_Get_elements_x");
        static ELEMENTS: Real = Real::new(c"PMPI_Get_elements");
        let byte = self.byte.unwrap_or_else(|| OPEN_MPI_BYTE.address(0));
        ask(&ELEMENTS_X, &ELEMENTS, |real, into| unsafe {
            let real: unsafe extern "C" fn(usize, usize, *mut c_void) -> c_int =
                core::mem::transmute(real);
            real(status, byte, into)
        })
    }

    /// How many bytes so many items of a type have. The type must be a valid one.
    pub(super) fn size_of(&self, datatype: usize, count: i64) -> u64 {
        static SIZE_X: Real = Real::new(c"PMPI_Type_size_x");
        static SIZE: Real = Real::new(c"PMPI_Type_size");
        let size = ask(&SIZE_X, &SIZE, |real, into| unsafe {
            let real: unsafe extern "C" fn(usize, *mut c_void) -> c_int =
                core::mem::transmute(real);
            real(datatype, into)
        });
        u64::try_from(count).map_or(0, |count| size.unwrap_or(0).saturating_mul(count))
    }

    /// Whether the result of a call says that each status has an error code of its own.
    pub(super) fn is_in_status(&self, result: c_int) -> bool {
        class(result) == self.in_status
    }

    /// How a request stands where it is so.
    pub(super) unsafe fn outcome(&self, status: usize) -> Outcome {
        let error = status.wrapping_add(self.error_offset) as *const c_int;
        match unsafe { error.read_unaligned() } {
            0 => Outcome::Complete,
            error if class(error) == self.pending => Outcome::UnderWay,
            _ => Outcome::Failed,
        }
    }

    /// The handle of a request as a word.
    pub(super) unsafe fn request_at(&self, requests: usize, index: usize) -> usize {
        let place = requests.wrapping_add(index * self.request_size);
        unsafe {
            match self.request_size {
                4 => (place as *const u32).read_unaligned() as usize,
                _ => (place as *const usize).read_unaligned(),
            }
        }
    }
}

/// The class of an error, which codes of MPICH hold among other things.
fn class(error: c_int) -> c_int {
    static CLASS: Real = Real::new(c"PMPI_Error_class");
    let (mut class, real) = (error, CLASS.address(0));
    if real != 0 {
        unsafe {
            let real: unsafe extern "C" fn(c_int, *mut c_int) -> c_int = core::mem::transmute(real);
            real(error, &raw mut class);
        }
    }
    class
}

/// Calls the form of a function that gives 64 bits, or the older one that gives an `int`.
fn ask(wide: &Real, narrow: &Real, call: impl Fn(usize, *mut c_void) -> c_int) -> Option<u64> {
    let (mut large, mut small) = (-1_i64, -1 as c_int);
    let (result, value) = match (wide.address(0), narrow.address(0)) {
        (0, 0) => return None,
        (0, real) => (call(real, (&raw mut small).cast()), i64::from(small)),
        (real, _) => (call(real, (&raw mut large).cast()), large),
    };
    if result != 0 {
        return None;
    }
    u64::try_from(value).ok()
}

/// `MPI_ERR_COUNT`, the same in all libraries.
pub(super) const TOO_MANY: c_int = 2;

/// Whether a count needs the functions for large counts and the library does not have them: what
/// it then has can do with an `int` only.
#[inline(always)]
pub(super) fn cannot_count(count: i64) -> bool {
    count > i64::from(c_int::MAX) && search(c"PMPI_File_write_at_c").is_null()
}
