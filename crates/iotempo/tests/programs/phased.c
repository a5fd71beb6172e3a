/* Four processes read and write in phases of known sizes, with a pause between them. With -DWITH_MPI they
   are ranks, and there are phases of MPI-IO, too; else one process forks them. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef WITH_MPI
#include <mpi.h>
#endif

enum { PROCESSES = 4, WRITES = 16, WRITE_SIZE = 65536, READS = 8, READ_SIZE = 32768, PAUSE_S = 3 };

static char buffer[WRITE_SIZE];
static FILE *progress;

static void check(int good, const char *what) {
    if (!good) {
        perror(what);
        exit(1);
    }
}

static void together(void) {
#ifdef WITH_MPI
    MPI_Barrier(MPI_COMM_WORLD);
#endif
}

/* A phase is over. The first process says so in a file that stays open. */
static void pause_after(int rank, const char *phase) {
    together();
    if (rank == 0) {
        check(fprintf(progress, "%s\n", phase) > 0 && fflush(progress) == 0, "progress");
    }
    sleep(PAUSE_S);
    together();
}

static void write_own(int rank) {
    char name[32];
    snprintf(name, sizeof name, "own.%d", rank);
    int file = open(name, O_CREAT | O_WRONLY, 0600);
    check(file >= 0, name);
    for (int at = 0; at < WRITES; at++) {
        check(write(file, buffer, WRITE_SIZE) == WRITE_SIZE, name);
    }
    close(file);
}

static void read_shared(int rank) {
    int file = open("shared", O_RDONLY);
    check(file >= 0, "shared");
    for (int at = 0; at < READS; at++) {
        off_t offset = (off_t)(rank * READS + at) * READ_SIZE;
        check(pread(file, buffer, READ_SIZE, offset) == READ_SIZE, "shared");
    }
    close(file);
}

#ifdef WITH_MPI
static void write_together(int rank) {
    MPI_File file;
    int mode = MPI_MODE_CREATE | MPI_MODE_WRONLY;
    check(!MPI_File_open(MPI_COMM_WORLD, "together", mode, MPI_INFO_NULL, &file), "together");
    for (int at = 0; at < READS; at++) {
        MPI_Offset offset = (MPI_Offset)(rank * READS + at) * READ_SIZE;
        check(!MPI_File_write_at_all(file, offset, buffer, READ_SIZE, MPI_BYTE, MPI_STATUS_IGNORE),
              "together");
    }
    MPI_File_close(&file);
}

static void read_alone(int rank) {
    char name[32];
    snprintf(name, sizeof name, "own.%d", rank);
    MPI_File file;
    check(!MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &file), name);
    for (int at = 0; at < WRITES; at++) {
        check(!MPI_File_read(file, buffer, WRITE_SIZE, MPI_BYTE, MPI_STATUS_IGNORE), name);
    }
    MPI_File_close(&file);
}
#endif

static void run(int rank) {
    memset(buffer, 'a' + rank, sizeof buffer);
    if (rank == 0) {
        progress = fopen("progress", "w");
        check(progress != NULL, "progress");
    }
    together();
    write_own(rank);
    pause_after(rank, "written");
    read_shared(rank);
#ifdef WITH_MPI
    pause_after(rank, "read");
    write_together(rank);
    pause_after(rank, "together");
    read_alone(rank);
#endif
    if (rank == 0) {
        fclose(progress);
    }
}

int main(int count, char **words) {
#ifdef WITH_MPI
    int rank;
    MPI_Init(&count, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    run(rank);
    MPI_Finalize();
#else
    (void)count, (void)words;
    for (int rank = 0; rank < PROCESSES; rank++) {
        pid_t child = fork();
        check(child >= 0, "fork");
        if (child == 0) {
            run(rank);
            exit(0);
        }
    }
    for (int rank = 0, status; rank < PROCESSES; rank++) {
        check(wait(&status) > 0 && status == 0, "a process");
    }
#endif
    return 0;
}
