/* Moves bytes by every call of MPI-IO and says on stdout how many: one line for each file that a
 * rank read or wrote, "rank file op requests bytes". Sizes differ between ranks, contents do not
 * depend on which of them comes first. Runs in the current folder. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 100, ROOM = 1 << 20 };
enum { READ, WRITE };

static int rank, ranks;
static char *data;
static MPI_File file;
static const char *name;
static long requests[2], bytes[2];

static void check(int result, const char *what) {
    if (result == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING];
    int length;
    MPI_Error_string(result, text, &length);
    fprintf(stderr, "%s: %s\n", what, text);
    MPI_Abort(MPI_COMM_WORLD, 1);
}
#define TRY(call) check(call, #call)

static void moved(int op, long size) {
    requests[op] += 1;
    bytes[op] += size;
}

/* A status tells the same as the arithmetic here. */
static void status_says(MPI_Status *status, long size) {
    int count;
    TRY(MPI_Get_elements(status, MPI_BYTE, &count));
    if (count == size) return;
    fprintf(stderr, "%s: a status tells %d bytes, not %ld\n", name, count, size);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void open_file(const char *path, int mode) {
    name = strchr(path, ':') ? strchr(path, ':') + 1 : path;
    memset(requests, 0, sizeof requests);
    memset(bytes, 0, sizeof bytes);
    TRY(MPI_File_open(MPI_COMM_WORLD, path, mode | MPI_MODE_RDWR, MPI_INFO_NULL, &file));
}

static void close_file(void) {
    TRY(MPI_File_close(&file));
    for (int op = READ; op <= WRITE; op++)
        if (requests[op])
            printf("%d %s %s %ld %ld\n", rank, name, op == READ ? "read" : "write", requests[op],
                   bytes[op]);
}

/* Where the part of this rank begins, and how long it is: every rank has another size. */
static long part(void) { return 1000 * (rank + 1); }
static MPI_Offset place(void) { return 10000 * rank; }

static void independent(void) {
    MPI_Status status;
    int n = part();
    open_file("independent", MPI_MODE_CREATE);
    TRY(MPI_File_write_at(file, place(), data, n, MPI_BYTE, &status));
    status_says(&status, n);
    moved(WRITE, n);
    TRY(MPI_File_write_at(file, place() + n, data, n / 4, MPI_INT, MPI_STATUS_IGNORE));
    moved(WRITE, n);
    TRY(MPI_File_seek(file, place() + 2 * n, MPI_SEEK_SET));
    TRY(MPI_File_write(file, data, n, MPI_BYTE, MPI_STATUS_IGNORE));
    moved(WRITE, n);
    TRY(MPI_File_sync(file));
    TRY(MPI_File_read_at(file, place(), data, 2 * n, MPI_BYTE, &status));
    status_says(&status, 2 * n);
    moved(READ, 2 * n);
    TRY(MPI_File_seek(file, place(), MPI_SEEK_SET));
    TRY(MPI_File_read(file, data, n / 4, MPI_INT, MPI_STATUS_IGNORE));
    moved(READ, n);
    close_file();
}

static void collective(void) {
    MPI_Status status;
    int n = part();
    open_file("collective", MPI_MODE_CREATE);
    TRY(MPI_File_write_at_all(file, place(), data, n, MPI_BYTE, &status));
    status_says(&status, n);
    moved(WRITE, n);
    TRY(MPI_File_seek(file, place() + n, MPI_SEEK_SET));
    TRY(MPI_File_write_all(file, data, n, MPI_BYTE, MPI_STATUS_IGNORE));
    moved(WRITE, n);
    TRY(MPI_File_sync(file));
    TRY(MPI_File_read_at_all(file, place(), data, n, MPI_BYTE, MPI_STATUS_IGNORE));
    moved(READ, n);
    TRY(MPI_File_seek(file, place(), MPI_SEEK_SET));
    TRY(MPI_File_read_all(file, data, n, MPI_BYTE, &status));
    status_says(&status, n);
    moved(READ, n);
    close_file();
}

static void split(void) {
    MPI_Status status;
    int n = part();
    open_file("split", MPI_MODE_CREATE);
    TRY(MPI_File_write_at_all_begin(file, place(), data, n, MPI_BYTE));
    TRY(MPI_File_write_at_all_end(file, data, &status));
    moved(WRITE, n);
    TRY(MPI_File_seek(file, place() + n, MPI_SEEK_SET));
    TRY(MPI_File_write_all_begin(file, data, n, MPI_BYTE));
    TRY(MPI_File_write_all_end(file, data, MPI_STATUS_IGNORE));
    moved(WRITE, n);
    TRY(MPI_File_sync(file));
    TRY(MPI_File_read_at_all_begin(file, place(), data, n, MPI_BYTE));
    TRY(MPI_File_read_at_all_end(file, data, MPI_STATUS_IGNORE));
    moved(READ, n);
    TRY(MPI_File_seek(file, place(), MPI_SEEK_SET));
    TRY(MPI_File_read_all_begin(file, data, n, MPI_BYTE));
    TRY(MPI_File_read_all_end(file, data, &status));
    moved(READ, n);
    close_file();
}

static void shared(void) {
    MPI_Status status;
    MPI_Request request;
    open_file("shared", MPI_MODE_CREATE);
    for (int i = 0; i <= rank; i++) {
        TRY(MPI_File_write_shared(file, data, 500, MPI_BYTE, i ? &status : MPI_STATUS_IGNORE));
        moved(WRITE, 500);
    }
    TRY(MPI_File_iwrite_shared(file, data, 500, MPI_BYTE, &request));
    TRY(MPI_Wait(&request, &status));
    moved(WRITE, 500);
    TRY(MPI_File_sync(file));
    MPI_Barrier(MPI_COMM_WORLD);
    TRY(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
    TRY(MPI_File_read_shared(file, data, 250, MPI_BYTE, &status));
    moved(READ, 250);
    TRY(MPI_File_iread_shared(file, data, 250, MPI_BYTE, &request));
    TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
    moved(READ, 250);
    close_file();
}

static void ordered(void) {
    MPI_Status status;
    int n = part();
    open_file("ordered", MPI_MODE_CREATE);
    TRY(MPI_File_write_ordered(file, data, n, MPI_BYTE, &status));
    moved(WRITE, n);
    TRY(MPI_File_write_ordered_begin(file, data, n, MPI_BYTE));
    TRY(MPI_File_write_ordered_end(file, data, MPI_STATUS_IGNORE));
    moved(WRITE, n);
    TRY(MPI_File_sync(file));
    MPI_Barrier(MPI_COMM_WORLD);
    TRY(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
    TRY(MPI_File_read_ordered(file, data, n, MPI_BYTE, MPI_STATUS_IGNORE));
    moved(READ, n);
    TRY(MPI_File_read_ordered_begin(file, data, n, MPI_BYTE));
    TRY(MPI_File_read_ordered_end(file, data, &status));
    moved(READ, n);
    close_file();
}

static void start_writes(MPI_Request *request, int count) {
    for (int i = 0; i < count; i++) {
        int n = rank + 1 + i;
        TRY(MPI_File_iwrite_at(file, place() + 100 * i, data, n, MPI_BYTE, &request[i]));
        moved(WRITE, n);
    }
}

/* Every way to learn that requests are complete. */
static void completions(void) {
    MPI_Request request[MANY];
    MPI_Status status[MANY];
    int done, index, indices[MANY], left;
    open_file("completions", MPI_MODE_CREATE);
    start_writes(request, 1);
    TRY(MPI_Wait(request, status));
    start_writes(request, 1);
    for (done = 0; !done;) TRY(MPI_Test(request, &done, MPI_STATUS_IGNORE));
    start_writes(request, 5);
    TRY(MPI_Waitall(5, request, status));
    start_writes(request, 5);
    TRY(MPI_Waitall(5, request, MPI_STATUSES_IGNORE));
    start_writes(request, MANY);
    TRY(MPI_Waitall(MANY, request, MPI_STATUSES_IGNORE));
    start_writes(request, 5);
#ifdef OPEN_MPI
    for (done = 0; !done;) TRY(MPI_Testall(5, request, &done, MPI_STATUSES_IGNORE));
#else /* MPICH 4.0 may abort where only some of them are complete. */
    for (index = 0; index < 5; index += done)
        TRY(MPI_Testall(1, &request[index], &done, MPI_STATUSES_IGNORE));
#endif
    start_writes(request, 5);
    for (left = 5; left > 0; left--)
        TRY(MPI_Waitany(5, request, &index, left % 2 ? status : MPI_STATUS_IGNORE));
    start_writes(request, 5);
    for (left = 5; left > 0; left -= done) TRY(MPI_Testany(5, request, &index, &done, status));
    start_writes(request, 5);
    for (left = 5; left > 0; left -= done)
        TRY(MPI_Waitsome(5, request, &done, indices, MPI_STATUSES_IGNORE));
    start_writes(request, 5);
    for (left = 5; left > 0; left -= done)
        TRY(MPI_Testsome(5, request, &done, indices, status));
    close_file();
}

/* Requests of files among messages, and messages alone while a request is under way. */
static void messages(void) {
    MPI_Request request[3], message[2];
    MPI_Status status[3];
    int got[2] = {-1, -1}, next = (rank + 1) % ranks, last = (rank + ranks - 1) % ranks;
    open_file("messages", MPI_MODE_CREATE);
    TRY(MPI_File_iwrite_at(file, place(), data, part(), MPI_BYTE, &request[1]));
    moved(WRITE, part());
    TRY(MPI_Irecv(&got[1], 1, MPI_INT, last, 1, MPI_COMM_WORLD, &message[0]));
    TRY(MPI_Isend(&rank, 1, MPI_INT, next, 1, MPI_COMM_WORLD, &message[1]));
    TRY(MPI_Waitall(2, message, status));
    TRY(MPI_Irecv(&got[0], 1, MPI_INT, last, 0, MPI_COMM_WORLD, &request[0]));
    TRY(MPI_Isend(&rank, 1, MPI_INT, next, 0, MPI_COMM_WORLD, &request[2]));
    TRY(MPI_Waitall(3, request, status));
    if (got[0] != last || got[1] != last || status[0].MPI_SOURCE != last) MPI_Abort(MPI_COMM_WORLD, 1);
    close_file();
}

static void nonblocking(void) {
    MPI_Request request[4];
    MPI_Status status[4];
    int n = part();
    open_file("nonblocking", MPI_MODE_CREATE);
    TRY(MPI_File_seek(file, place(), MPI_SEEK_SET));
    TRY(MPI_File_iwrite(file, data, n, MPI_BYTE, &request[0]));
    moved(WRITE, n);
    TRY(MPI_Wait(&request[0], MPI_STATUS_IGNORE));
    TRY(MPI_File_iwrite_at_all(file, place() + n, data, n, MPI_BYTE, &request[0]));
    moved(WRITE, n);
    TRY(MPI_Wait(&request[0], status));
    TRY(MPI_File_seek(file, place() + 2 * n, MPI_SEEK_SET));
    TRY(MPI_File_iwrite_all(file, data, n / 4, MPI_INT, &request[0]));
    moved(WRITE, n);
    TRY(MPI_Wait(&request[0], status));
    TRY(MPI_File_sync(file));
    TRY(MPI_File_seek(file, place(), MPI_SEEK_SET));
    TRY(MPI_File_iread(file, data, n, MPI_BYTE, &request[0]));
    TRY(MPI_File_iread_at(file, place() + n, data + n, n, MPI_BYTE, &request[1]));
    moved(READ, n);
    moved(READ, n);
    TRY(MPI_Waitall(2, request, status));
    status_says(&status[1], n);
    TRY(MPI_File_iread_at_all(file, place(), data, n, MPI_BYTE, &request[0]));
    moved(READ, n);
    TRY(MPI_Wait(&request[0], MPI_STATUS_IGNORE));
    TRY(MPI_File_seek(file, place(), MPI_SEEK_SET));
    TRY(MPI_File_iread_all(file, data, n, MPI_BYTE, &request[0]));
    moved(READ, n);
    TRY(MPI_Wait(&request[0], MPI_STATUS_IGNORE));
    close_file();
}

/* Every rank has every fourth block of the file, and takes it from blocks with gaps in memory. */
static void view(void) {
    MPI_Status status;
    MPI_Datatype blocks, gaps;
    TRY(MPI_Type_vector(8, 16, 16 * ranks, MPI_INT, &blocks));
    TRY(MPI_Type_vector(32, 4, 6, MPI_INT, &gaps));
    TRY(MPI_Type_commit(&blocks));
    TRY(MPI_Type_commit(&gaps));
    open_file("view", MPI_MODE_CREATE);
    TRY(MPI_File_set_view(file, 64 * rank, MPI_INT, blocks, "native", MPI_INFO_NULL));
    TRY(MPI_File_write_all(file, data, 1, gaps, &status));
    status_says(&status, 512);
    moved(WRITE, 512);
    TRY(MPI_File_sync(file));
    TRY(MPI_File_read_at(file, 0, data, 1, gaps, MPI_STATUS_IGNORE));
    moved(READ, 512);
    TRY(MPI_File_read_at_all(file, 0, data, 1, gaps, &status));
    moved(READ, 512);
    close_file();
    TRY(MPI_Type_free(&blocks));
    TRY(MPI_Type_free(&gaps));
}

/* The file has 1000 bytes: the last rank finds fewer than it asks for. */
static void end_of_file(void) {
    MPI_Status status;
    open_file("end", MPI_MODE_CREATE);
    if (rank == 0) {
        TRY(MPI_File_write_at(file, 0, data, 1000, MPI_BYTE, MPI_STATUS_IGNORE));
        moved(WRITE, 1000);
    }
    TRY(MPI_File_sync(file));
    MPI_Barrier(MPI_COMM_WORLD);
    TRY(MPI_File_read_at(file, 300 * rank, data, 300, MPI_BYTE, MPI_STATUS_IGNORE));
    moved(READ, rank < 3 ? 300 : 100);
#ifndef OPEN_MPI /* OMPIO 4.1 asks for the missing bytes forever. */
    MPI_Request request;
    TRY(MPI_File_iread_at(file, 300 * rank, data, 300, MPI_BYTE, &request));
    TRY(MPI_Waitall(1, &request, MPI_STATUSES_IGNORE));
    moved(READ, rank < 3 ? 300 : 100);
#endif
    TRY(MPI_File_read_at(file, 5000, data, 300, MPI_BYTE, &status));
    moved(READ, 0);
    close_file();
}

/* Functions for large counts, where the library has them. Programs probe for them like this. */
#define WEAK extern int __attribute__((weak))
#if MPI_VERSION < 4
WEAK MPI_File_write_at_c(MPI_File, MPI_Offset, const void *, MPI_Count, MPI_Datatype, MPI_Status *);
WEAK MPI_File_iwrite_at_c(MPI_File, MPI_Offset, const void *, MPI_Count, MPI_Datatype, MPI_Request *);
#else
#pragma weak MPI_File_write_at_c
#pragma weak MPI_File_iwrite_at_c
#endif

static void large(void) {
    MPI_Request request;
    int n = part();
    open_file("large", MPI_MODE_CREATE);
    if (MPI_File_write_at_c)
        TRY(MPI_File_write_at_c(file, place(), data, n, MPI_BYTE, MPI_STATUS_IGNORE));
    else
        TRY(MPI_File_write_at(file, place(), data, n, MPI_BYTE, MPI_STATUS_IGNORE));
    moved(WRITE, n);
    if (MPI_File_iwrite_at_c)
        TRY(MPI_File_iwrite_at_c(file, place(), data, n, MPI_BYTE, &request));
    else
        TRY(MPI_File_iwrite_at(file, place(), data, n, MPI_BYTE, &request));
    TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
    moved(WRITE, n);
#if MPI_VERSION >= 4
    TRY(MPI_File_write_at_all_begin_c(file, place(), data, n, MPI_BYTE));
    TRY(MPI_File_write_at_all_end(file, data, MPI_STATUS_IGNORE));
    moved(WRITE, n);
    TRY(MPI_File_read_at_all_c(file, place(), data, n, MPI_BYTE, MPI_STATUS_IGNORE));
    moved(READ, n);
#endif
    close_file();
}

/* A request that nobody waits for, a name with a file system before it, calls that fail. */
static void corners(void) {
    MPI_Request request;
    open_file("ufs:prefixed", MPI_MODE_CREATE);
    TRY(MPI_File_iwrite_at(file, place(), data, part(), MPI_BYTE, &request));
    TRY(MPI_Request_free(&request));
    moved(WRITE, part());
    /* Whether it was ever written, nobody knows: so the same bytes again. */
    TRY(MPI_File_write_at(file, place(), data, part(), MPI_BYTE, MPI_STATUS_IGNORE));
    moved(WRITE, part());
    TRY(MPI_File_write_at(file, place(), data, 0, MPI_BYTE, MPI_STATUS_IGNORE));
    moved(WRITE, 0);
    if (MPI_File_write_at(file, 0, data, -1, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS) exit(1);
    close_file();
    MPI_File absent;
    if (MPI_File_open(MPI_COMM_WORLD, "no/such/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &absent) ==
        MPI_SUCCESS)
        exit(1);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    data = malloc(ROOM);
    memset(data, 'x', ROOM);
    independent();
    collective();
    split();
    shared();
    ordered();
    completions();
    messages();
    nonblocking();
    view();
    end_of_file();
    large();
    corners();
    free(data);
    MPI_Finalize();
    return 0;
}
