//! Calls that return when the bytes have moved.

use super::call::Call;
use super::library;
use super::mpi;
use super::requests::{Op, READ, READ_ALL, Started, WRITE, WRITE_ALL};
use super::status::Status;
use core::ffi::c_int;

/// Records what a call moved; how much it was asked for matters only where its status does not tell.
extern "C" fn finished(call: Call, file: u32, op: Op, status: usize, datatype: usize, count: i64) {
    let moved = call.library.bytes(status);
    let what = Started {
        start: call.start,
        asked: moved.unwrap_or_else(|| call.library.size_of(datatype, count)),
        file,
        op,
    };
    call.transferred(what, None);
}

/// Hooks of calls on a file; the last arguments are the count, of the given C type, the type of
/// data, and the status.
macro_rules! transfers {
    ($($op:ident $name:ident $profiled:ident($($before:ident),*; $count:ident: $type:ty);)*) => {$(
        mpi! {
            fn $name $profiled(file, $($before,)* $count, datatype, status), real => {
                if library::cannot_count($count as $type as i64) {
                    return library::TOO_MANY;
                }
                let Some((call, number)) = Call::on(file) else {
                    return real(file, $($before,)* $count, datatype, status);
                };
                let _inside = call.until_dropped();
                let mut own = Status::new();
                let status = own.instead_of(status, call.library);
                let result = real(file, $($before,)* $count, datatype, status);
                if result == 0 {
                    finished(call, number, $op, status, datatype, $count as $type as i64);
                }
                result
            };
        }
    )*};
}

transfers! {
    READ MPI_File_read PMPI_File_read(buffer; count: c_int);
    READ MPI_File_read_c PMPI_File_read_c(buffer; count: i64);
    READ_ALL MPI_File_read_all PMPI_File_read_all(buffer; count: c_int);
    READ_ALL MPI_File_read_all_c PMPI_File_read_all_c(buffer; count: i64);
    READ MPI_File_read_at PMPI_File_read_at(offset, buffer; count: c_int);
    READ MPI_File_read_at_c PMPI_File_read_at_c(offset, buffer; count: i64);
    READ_ALL MPI_File_read_at_all PMPI_File_read_at_all(offset, buffer; count: c_int);
    READ_ALL MPI_File_read_at_all_c PMPI_File_read_at_all_c(offset, buffer; count: i64);
    READ MPI_File_read_shared PMPI_File_read_shared(buffer; count: c_int);
    READ MPI_File_read_shared_c PMPI_File_read_shared_c(buffer; count: i64);
    READ_ALL MPI_File_read_ordered PMPI_File_read_ordered(buffer; count: c_int);
    READ_ALL MPI_File_read_ordered_c PMPI_File_read_ordered_c(buffer; count: i64);
    WRITE MPI_File_write PMPI_File_write(buffer; count: c_int);
    WRITE MPI_File_write_c PMPI_File_write_c(buffer; count: i64);
    WRITE_ALL MPI_File_write_all PMPI_File_write_all(buffer; count: c_int);
    WRITE_ALL MPI_File_write_all_c PMPI_File_write_all_c(buffer; count: i64);
    WRITE MPI_File_write_at PMPI_File_write_at(offset, buffer; count: c_int);
    WRITE MPI_File_write_at_c PMPI_File_write_at_c(offset, buffer; count: i64);
    WRITE_ALL MPI_File_write_at_all PMPI_File_write_at_all(offset, buffer; count: c_int);
    WRITE_ALL MPI_File_write_at_all_c PMPI_File_write_at_all_c(offset, buffer; count: i64);
    WRITE MPI_File_write_shared PMPI_File_write_shared(buffer; count: c_int);
    WRITE MPI_File_write_shared_c PMPI_File_write_shared_c(buffer; count: i64);
    WRITE_ALL MPI_File_write_ordered PMPI_File_write_ordered(buffer; count: c_int);
    WRITE_ALL MPI_File_write_ordered_c PMPI_File_write_ordered_c(buffer; count: i64);
}
