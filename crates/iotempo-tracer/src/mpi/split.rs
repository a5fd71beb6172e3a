//! Split collective calls: they begin with one call and end with another.

use super::call::Call;
use super::library;
use super::mpi;
use super::requests::{Op, READ_ALL, Started, WRITE_ALL};
use super::status::Status;
use core::ffi::c_int;

/// Remembers what began. The type is valid, because the library has just accepted it.
extern "C" fn began(call: Call, handle: usize, datatype: usize, count: i64) {
    let asked = call.library.size_of(datatype, count);
    call.process
        .mpi
        .files
        .split_began(handle, call.start, asked);
}

/// Hooks of calls that begin; the count is of the given C type.
macro_rules! begins {
    ($($name:ident $profiled:ident($($before:ident),*; $count:ident: $type:ty, $datatype:ident);)*) => {$(
        mpi! {
            fn $name $profiled(file, $($before,)* $count, $datatype), real => {
                if library::cannot_count($count as $type as i64) {
                    return library::TOO_MANY;
                }
                let Some((call, _)) = Call::on(file) else {
                    return real(file, $($before,)* $count, $datatype);
                };
                let _inside = call.until_dropped();
                let result = real(file, $($before,)* $count, $datatype);
                if result == 0 {
                    began(call, file, $datatype, $count as $type as i64);
                }
                result
            };
        }
    )*};
}

begins! {
    MPI_File_read_all_begin PMPI_File_read_all_begin(buffer; count: c_int, datatype);
    MPI_File_read_all_begin_c PMPI_File_read_all_begin_c(buffer; count: i64, datatype);
    MPI_File_read_at_all_begin PMPI_File_read_at_all_begin(offset, buffer; count: c_int, datatype);
    MPI_File_read_at_all_begin_c PMPI_File_read_at_all_begin_c(offset, buffer; count: i64, datatype);
    MPI_File_read_ordered_begin PMPI_File_read_ordered_begin(buffer; count: c_int, datatype);
    MPI_File_read_ordered_begin_c PMPI_File_read_ordered_begin_c(buffer; count: i64, datatype);
    MPI_File_write_all_begin PMPI_File_write_all_begin(buffer; count: c_int, datatype);
    MPI_File_write_all_begin_c PMPI_File_write_all_begin_c(buffer; count: i64, datatype);
    MPI_File_write_at_all_begin PMPI_File_write_at_all_begin(offset, buffer; count: c_int, datatype);
    MPI_File_write_at_all_begin_c PMPI_File_write_at_all_begin_c(offset, buffer; count: i64, datatype);
    MPI_File_write_ordered_begin PMPI_File_write_ordered_begin(buffer; count: c_int, datatype);
    MPI_File_write_ordered_begin_c PMPI_File_write_ordered_begin_c(buffer; count: i64, datatype);
}

extern "C" fn ended(call: Call, handle: usize, file: u32, op: Op, status: usize) {
    if let Some((start, asked)) = call.process.mpi.files.split(handle) {
        let what = Started {
            start,
            asked,
            file,
            op,
        };
        call.transferred(what, Some(status));
    }
}

/// Hooks of calls that end.
macro_rules! ends {
    ($($op:ident $name:ident $profiled:ident;)*) => {$(
        mpi! {
            fn $name $profiled(file, buffer, status), real => {
                let Some((call, number)) = Call::on(file) else {
                    return real(file, buffer, status);
                };
                let _inside = call.until_dropped();
                let mut own = Status::new();
                let status = own.instead_of(status, call.library);
                let result = real(file, buffer, status);
                if result == 0 {
                    ended(call, file, number, $op, status);
                }
                result
            };
        }
    )*};
}

ends! {
    READ_ALL MPI_File_read_all_end PMPI_File_read_all_end;
    READ_ALL MPI_File_read_at_all_end PMPI_File_read_at_all_end;
    READ_ALL MPI_File_read_ordered_end PMPI_File_read_ordered_end;
    WRITE_ALL MPI_File_write_all_end PMPI_File_write_all_end;
    WRITE_ALL MPI_File_write_at_all_end PMPI_File_write_at_all_end;
    WRITE_ALL MPI_File_write_ordered_end PMPI_File_write_ordered_end;
}
