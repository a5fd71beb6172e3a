/* A program with MPI-IO as many are: ranks compute, then write a checkpoint into one file, 1 MiB
 * blocks each, and start again. What the tracer costs is the difference of its wall times:
 *
 *   mpicc -O2 -o app bench/mpi_app.c -lm
 *   mpirun -n 4 ./app FILE [STEPS] [MS]
 *   mpirun -n 4 env LD_PRELOAD=.../libiotempo_tracer.so IOTEMPO_DIR=logs ./app FILE [STEPS] [MS]
 *
 * STEPS (default 40) times, each rank computes about MS (default 150) milliseconds of processor time
 * and writes 8 blocks, by turns independently, collectively and without blocking. Rank 0 prints the
 * seconds from the first step to the last. Give it as many processors as ranks. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1 << 20, BLOCKS = 8 };

/* 250000 square roots take about a millisecond; every run does the same number of them. */
static volatile double sink;
static void compute(long rounds) {
    double sum = 0;
    for (long i = 1; i <= rounds; i++) sum += sqrt((double)i);
    sink = sum;
}

static void fail(const char *what) {
    fprintf(stderr, "%s failed\n", what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void write_blocks(MPI_File file, int how, int rank, int ranks, char *data) {
    MPI_Request request[BLOCKS];
    for (int i = 0; i < BLOCKS; i++) {
        MPI_Offset at = ((MPI_Offset)i * ranks + rank) * BLOCK;
        int result;
        if (how == 0)
            result = MPI_File_write_at(file, at, data, BLOCK, MPI_BYTE, MPI_STATUS_IGNORE);
        else if (how == 1)
            result = MPI_File_write_at_all(file, at, data, BLOCK, MPI_BYTE, MPI_STATUS_IGNORE);
        else
            result = MPI_File_iwrite_at(file, at, data, BLOCK, MPI_BYTE, &request[i]);
        if (result != MPI_SUCCESS) fail("a write");
    }
    if (how == 2 && MPI_Waitall(BLOCKS, request, MPI_STATUSES_IGNORE) != MPI_SUCCESS) fail("a wait");
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    if (argc < 2) fail("usage: mpi_app FILE [STEPS] [MS]; it");
    int rank, ranks, steps = argc > 2 ? atoi(argv[2]) : 40, ms = argc > 3 ? atoi(argv[3]) : 150;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    char *data = malloc(BLOCK);
    memset(data, 'a' + rank % 26, BLOCK);
    MPI_File file;
    int mode = MPI_MODE_CREATE | MPI_MODE_WRONLY;
    if (MPI_File_open(MPI_COMM_WORLD, argv[1], mode, MPI_INFO_NULL, &file) != MPI_SUCCESS)
        fail("open");
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    for (int step = 0; step < steps; step++) {
        compute(ms * 250000L);
        write_blocks(file, step % 3, rank, ranks, data);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) printf("%.6f\n", MPI_Wtime() - start);
    MPI_File_close(&file);
    free(data);
    MPI_Finalize();
    return 0;
}
