/* A tool that stands between programs and MPI, as profilers do: it counts calls and says how many. */
#include <mpi.h>
#include <stdio.h>

static int calls;

int MPI_File_write_at(MPI_File file, MPI_Offset offset, const void *data, int count,
                      MPI_Datatype type, MPI_Status *status) {
    calls++;
    return PMPI_File_write_at(file, offset, data, count, type, status);
}

int MPI_Wait(MPI_Request *request, MPI_Status *status) {
    calls++;
    return PMPI_Wait(request, status);
}

int MPI_Finalize(void) {
    fprintf(stderr, "the tool saw %d calls\n", calls);
    return PMPI_Finalize();
}
