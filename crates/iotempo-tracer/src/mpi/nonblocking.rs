//! Calls that start a request and return.

use super::call::Call;
use super::library;
use super::mpi;
use super::requests::{Op, READ, READ_ALL, Started, WRITE, WRITE_ALL};
use crate::log;
use core::ffi::c_int;

/// Remembers a request until it is complete. The type is valid, because the library has accepted it.
extern "C" fn started(call: Call, file: u32, op: Op, request: usize, datatype: usize, count: i64) {
    let what = Started {
        start: call.start,
        asked: call.library.size_of(datatype, count),
        file,
        op,
    };
    let handle = unsafe { call.library.request_at(request, 0) };
    if !call.process.mpi.requests.started(handle, what) {
        log::count_dropped(call.process);
    }
}

/// Hooks of calls on a file; the last argument is the request, the count is of the given C type.
macro_rules! starts {
    ($($op:ident $name:ident $profiled:ident(
        $($before:ident),*; $count:ident: $type:ty, $datatype:ident
    );)*) => {$(
        mpi! {
            fn $name $profiled(file, $($before,)* $count, $datatype, request), real => {
                if library::cannot_count($count as $type as i64) {
                    return library::TOO_MANY;
                }
                let Some((call, number)) = Call::on(file) else {
                    return real(file, $($before,)* $count, $datatype, request);
                };
                let _inside = call.until_dropped();
                let result = real(file, $($before,)* $count, $datatype, request);
                if result == 0 {
                    started(call, number, $op, request, $datatype, $count as $type as i64);
                }
                result
            };
        }
    )*};
}

starts! {
    READ MPI_File_iread PMPI_File_iread(buffer; count: c_int, datatype);
    READ MPI_File_iread_c PMPI_File_iread_c(buffer; count: i64, datatype);
    READ_ALL MPI_File_iread_all PMPI_File_iread_all(buffer; count: c_int, datatype);
    READ_ALL MPI_File_iread_all_c PMPI_File_iread_all_c(buffer; count: i64, datatype);
    READ MPI_File_iread_at PMPI_File_iread_at(offset, buffer; count: c_int, datatype);
    READ MPI_File_iread_at_c PMPI_File_iread_at_c(offset, buffer; count: i64, datatype);
    READ_ALL MPI_File_iread_at_all PMPI_File_iread_at_all(offset, buffer; count: c_int, datatype);
    READ_ALL MPI_File_iread_at_all_c PMPI_File_iread_at_all_c(offset, buffer; count: i64, datatype);
    READ MPI_File_iread_shared PMPI_File_iread_shared(buffer; count: c_int, datatype);
    READ MPI_File_iread_shared_c PMPI_File_iread_shared_c(buffer; count: i64, datatype);
    WRITE MPI_File_iwrite PMPI_File_iwrite(buffer; count: c_int, datatype);
    WRITE MPI_File_iwrite_c PMPI_File_iwrite_c(buffer; count: i64, datatype);
    WRITE_ALL MPI_File_iwrite_all PMPI_File_iwrite_all(buffer; count: c_int, datatype);
    WRITE_ALL MPI_File_iwrite_all_c PMPI_File_iwrite_all_c(buffer; count: i64, datatype);
    WRITE MPI_File_iwrite_at PMPI_File_iwrite_at(offset, buffer; count: c_int, datatype);
    WRITE MPI_File_iwrite_at_c PMPI_File_iwrite_at_c(offset, buffer; count: i64, datatype);
    WRITE_ALL MPI_File_iwrite_at_all PMPI_File_iwrite_at_all(offset, buffer; count: c_int, datatype);
    WRITE_ALL MPI_File_iwrite_at_all_c PMPI_File_iwrite_at_all_c(offset, buffer; count: i64, datatype);
    WRITE MPI_File_iwrite_shared PMPI_File_iwrite_shared(buffer; count: c_int, datatype);
    WRITE MPI_File_iwrite_shared_c PMPI_File_iwrite_shared_c(buffer; count: i64, datatype);
}
