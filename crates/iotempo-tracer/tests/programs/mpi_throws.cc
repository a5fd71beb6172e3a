/* An error handler that leaves a call of MPI by an exception; says what was moved, as the others. */
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <mpi.h>
#include <unistd.h>

static char data[1000];

static void throws(MPI_File *, int *error, ...) { throw *error; }

static void write_beside(int rank) {
    char name[4096];
    snprintf(name, sizeof name, "own.%d", rank);
    int own = open(name, O_CREAT | O_WRONLY, 0666);
    if (write(own, data, sizeof data) != sizeof data) MPI_Abort(MPI_COMM_WORLD, 1);
    close(own);
}

int main(int argc, char **argv) {
    int rank, mode = MPI_MODE_CREATE | MPI_MODE_WRONLY;
    MPI_File file;
    MPI_Errhandler handler;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "throws", mode, MPI_INFO_NULL, &file);
    MPI_File_create_errhandler(throws, &handler);
    MPI_File_set_errhandler(file, handler);
    try {
        MPI_File_write_at(file, 0, data, -1, MPI_BYTE, MPI_STATUS_IGNORE);
        MPI_Abort(MPI_COMM_WORLD, 1);
    } catch (int) {
        write_beside(rank);
    }
    MPI_File_write_at(file, 1000 * rank, data, 700, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    printf("%d throws write 1 700\n", rank);
    MPI_Finalize();
    return 0;
}
