! Moves bytes by calls of MPI-IO from Fortran and says how many, as mpi_io.c does. Compiled with
! -DF08 for the module mpi_f08, where handles and statuses are types; else it is the module mpi.
program transfers
#ifdef F08
    use mpi_f08
#else
    use mpi
#endif
    implicit none
#ifdef F08
    type(MPI_File) :: file
    type(MPI_Status) :: status
    type(MPI_Request) :: request(3)
    type(MPI_Datatype) :: blocks
#else
    integer :: file, status(MPI_STATUS_SIZE), request(3), blocks
#endif
    integer :: rank, ranks, error, n, index
    logical :: done
    integer(MPI_OFFSET_KIND) :: place
    integer :: data(8192)
    integer :: requests(2), bytes(2)

    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
    data = 1
    n = 250 * (rank + 1)
    place = 16384 * rank
    requests = 0
    bytes = 0
    call MPI_File_open(MPI_COMM_WORLD, 'fortran', MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, &
        file, error)
    call must(error, 'open')

    call MPI_File_write_at(file, place, data, n, MPI_INTEGER, status, error)
    call moved(2, n)
    call MPI_File_write_at_all(file, place, data, n, MPI_INTEGER, MPI_STATUS_IGNORE, error)
    call moved(2, n)
    call MPI_File_seek(file, place, MPI_SEEK_SET, error)
    call MPI_File_write(file, data, n, MPI_INTEGER, status, error)
    call moved(2, n)
    call MPI_File_write_all(file, data, n, MPI_INTEGER, status, error)
    call moved(2, n)
    call MPI_File_write_at_all_begin(file, place, data, n, MPI_INTEGER, error)
    call MPI_File_write_at_all_end(file, data, status, error)
    call moved(2, n)
    call MPI_File_write_shared(file, data, 250, MPI_INTEGER, status, error)
    call moved(2, 250)
    call MPI_File_write_ordered(file, data, 250, MPI_INTEGER, MPI_STATUS_IGNORE, error)
    call moved(2, 250)

    call MPI_File_iwrite_at(file, place, data, n, MPI_INTEGER, request(1), error)
    call moved(2, n)
    call MPI_Wait(request(1), status, error)
    call MPI_File_iwrite_at_all(file, place, data, n, MPI_INTEGER, request(1), error)
    call moved(2, n)
    call MPI_Wait(request(1), MPI_STATUS_IGNORE, error)
    call start_three()
    call MPI_Waitall(3, request, MPI_STATUSES_IGNORE, error)
    call start_three()
    do n = 1, 3
        call MPI_Waitany(3, request, index, status, error)
    end do
    call start_three()
    do n = 1, 3
        done = .false.
        do while (.not. done)
            call MPI_Test(request(n), done, status, error)
        end do
    end do
    n = 250 * (rank + 1)
    call MPI_File_sync(file, error)
    call MPI_Barrier(MPI_COMM_WORLD, error)

    call MPI_File_read_at(file, place, data, n, MPI_INTEGER, status, error)
    call moved(1, n)
    call MPI_File_read_at_all(file, place, data, n, MPI_INTEGER, MPI_STATUS_IGNORE, error)
    call moved(1, n)
    call MPI_File_iread_at(file, place, data, n, MPI_INTEGER, request(1), error)
    call moved(1, n)
    call MPI_Waitall(1, request, MPI_STATUSES_IGNORE, error)
    call MPI_File_read_at_all_begin(file, place, data, n, MPI_INTEGER, error)
    call MPI_File_read_at_all_end(file, data, MPI_STATUS_IGNORE, error)
    call moved(1, n)

    call MPI_Type_vector(8, 4, 4 * ranks, MPI_INTEGER, blocks, error)
    call MPI_Type_commit(blocks, error)
    place = 16 * rank
    call MPI_File_set_view(file, place, MPI_INTEGER, blocks, 'native', MPI_INFO_NULL, error)
    call MPI_File_write_all(file, data, 32, MPI_INTEGER, status, error)
    call moved(2, 32)
    call must(error, 'write_all of a view')
    call MPI_File_close(file, error)
    call must(error, 'close')
    call MPI_Type_free(blocks, error)

    print '(i0, a, 2(i0, a), i0)', rank, ' fortran read ', requests(1), ' ', bytes(1)
    print '(i0, a, 2(i0, a), i0)', rank, ' fortran write ', requests(2), ' ', bytes(2)
    call MPI_Finalize(error)

contains

    subroutine start_three()
        integer :: i
        integer(MPI_OFFSET_KIND) :: at
        do i = 1, 3
            at = place + 100 * i
            call MPI_File_iwrite_at(file, at, data, 10 + i, MPI_INTEGER, request(i), error)
            call moved(2, 10 + i)
        end do
    end subroutine

    subroutine moved(op, count)
        integer, intent(in) :: op, count
        call must(error, 'a transfer')
        requests(op) = requests(op) + 1
        bytes(op) = bytes(op) + 4 * count
    end subroutine

    subroutine must(error, what)
        integer, intent(in) :: error
        character(*), intent(in) :: what
        integer :: ignored
        if (error /= MPI_SUCCESS) then
            print '(a, a)', what, ' failed'
            call MPI_Abort(MPI_COMM_WORLD, 1, ignored)
        end if
    end subroutine

end program
