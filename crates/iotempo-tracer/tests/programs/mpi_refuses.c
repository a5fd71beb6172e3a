/* Stands between programs and MPI: it refuses two closes, the second by the file's error handler, and
 * the first wait for three requests, of which it completes one, and it never knows how many bytes were
 * moved. */
#include <mpi.h>

int MPI_File_close(MPI_File *file) {
    static int closes;
    closes++;
    if (closes == 6) PMPI_File_call_errhandler(*file, MPI_ERR_IO);
    return closes == 3 || closes == 6 ? MPI_ERR_IO : PMPI_File_close(file);
}

int MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses) {
    static int waits;
    if (count != 3 || waits++) return PMPI_Waitall(count, requests, statuses);
    PMPI_Wait(&requests[0], &statuses[0]);
    statuses[0].MPI_ERROR = MPI_SUCCESS;
    statuses[1].MPI_ERROR = statuses[2].MPI_ERROR = MPI_ERR_PENDING;
    return MPI_ERR_IN_STATUS;
}

int PMPI_Get_elements_x(const MPI_Status *status, MPI_Datatype type, MPI_Count *count) {
    (void)status, (void)type;
    *count = MPI_UNDEFINED;
    return MPI_SUCCESS;
}
