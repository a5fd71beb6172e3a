/* Calls of MPI-IO that fail in part, or that an error handler leaves by a jump, between others that
 * do not. Says on stdout what was moved: lines of "rank file op requests bytes". Runs in the current
 * folder. */
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIZE = 1000, ROUNDS = 200, THREADS = 4 };

static int rank;
static char data[SIZE];
static MPI_File file;
static long requests, bytes;

static void check(int is_well, const char *what) {
    if (is_well) return;
    fprintf(stderr, "rank %d: not so: %s\n", rank, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}
#define TRY(call) check((call) == MPI_SUCCESS, #call)
#define FAIL(call) check((call) != MPI_SUCCESS, #call)

static void moved(long size) {
    requests += 1;
    bytes += size;
}

static void open_file(const char *name) {
    int mode = MPI_MODE_CREATE | MPI_MODE_WRONLY;
    requests = bytes = 0;
    TRY(MPI_File_open(MPI_COMM_WORLD, name, mode, MPI_INFO_NULL, &file));
}

static void say(const char *name) { printf("%d %s write %ld %ld\n", rank, name, requests, bytes); }

static void close_file(const char *name) {
    TRY(MPI_File_close(&file));
    say(name);
}

static void write_some(int size) {
    TRY(MPI_File_write_at(file, SIZE * rank, data, size, MPI_BYTE, MPI_STATUS_IGNORE));
    moved(size);
}

static MPI_Request start_some(int size) {
    MPI_Request request;
    TRY(MPI_File_iwrite_at(file, SIZE * rank, data, size, MPI_BYTE, &request));
    moved(size);
    return request;
}

static jmp_buf before;

static void jump(MPI_File *of, int *error, ...) {
    (void)of, (void)error;
    longjmp(before, 1);
}

static void jump_of_comm(MPI_Comm *of, int *error, ...) {
    (void)of, (void)error;
    longjmp(before, 1);
}

static void handle_by(MPI_Errhandler handler) {
    TRY(MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler));
    TRY(MPI_Comm_set_errhandler(MPI_COMM_SELF, handler));
}

/* A request that a test is asked for in vain is still under way. */
static void jump_from_test(void) {
    static MPI_Request request;
    MPI_Errhandler handler;
    TRY(MPI_Comm_create_errhandler(jump_of_comm, &handler));
    request = start_some(400);
    handle_by(handler);
    if (!setjmp(before)) {
        MPI_Test(&request, NULL, MPI_STATUS_IGNORE);
        check(0, "an error handler that never returns from MPI_Test");
    }
    handle_by(MPI_ERRORS_RETURN);
    TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
    TRY(MPI_Errhandler_free(&handler));
}

/* The program's own bytes, from a function whose frame covers those of the call that was left. */
static void write_beside(void) {
    char name[4096];
    snprintf(name, sizeof name, "own.%d", rank);
    int own = open(name, O_CREAT | O_WRONLY, 0666);
    check(write(own, data, SIZE) == SIZE, "written beside MPI");
    close(own);
}

static void jumps(void) {
    MPI_Errhandler handler;
    open_file("jumps");
    TRY(MPI_File_create_errhandler(jump, &handler));
    TRY(MPI_File_set_errhandler(file, handler));
    write_some(100);
    if (!setjmp(before)) {
        MPI_File_write_at(file, 0, data, -1, MPI_BYTE, MPI_STATUS_IGNORE);
        check(0, "an error handler that never returns");
    }
    write_beside();
    write_some(200);
    MPI_Request request = start_some(300);
    TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
    TRY(MPI_File_set_errhandler(file, MPI_ERRORS_RETURN));
    TRY(MPI_Errhandler_free(&handler));
    jump_from_test();
    close_file("jumps");
}

static int query_fails(void *state, MPI_Status *status) {
    (void)state;
    MPI_Status_set_elements(status, MPI_BYTE, 0);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = status->MPI_TAG = MPI_UNDEFINED;
    return MPI_ERR_IO;
}
static int do_nothing(void *state) { return (void)state, MPI_SUCCESS; }
static int cancel_nothing(void *state, int done) { return (void)state, (void)done, MPI_SUCCESS; }

/* A request that is complete, and has failed. */
static MPI_Request failing(void) {
    MPI_Request request;
    TRY(MPI_Grequest_start(query_fails, do_nothing, cancel_nothing, NULL, &request));
    TRY(MPI_Grequest_complete(request));
    return request;
}

static int class_of(int error) {
    int class;
    MPI_Error_class(error, &class);
    return class;
}

/* Requests of a file that are complete, or in MPICH still under way, beside one that failed. */
static void partly(MPI_Status *statuses) {
    MPI_Request request[4] = {start_some(10), MPI_REQUEST_NULL, failing(), start_some(20)};
    check(class_of(MPI_Waitall(4, request, statuses)) == MPI_ERR_IN_STATUS, "MPI_ERR_IN_STATUS");
    request[2] = MPI_REQUEST_NULL;
    TRY(MPI_Waitall(4, request, statuses));
}

static void partly_some(MPI_Status *statuses) {
    MPI_Request request[4] = {start_some(30), failing(), MPI_REQUEST_NULL, start_some(40)};
    int done, indices[4], failed = 0;
    do {
        int result = MPI_Waitsome(4, request, &done, indices, statuses);
        if (result != MPI_SUCCESS) {
            check(class_of(result) == MPI_ERR_IN_STATUS, "MPI_ERR_IN_STATUS of MPI_Waitsome");
            failed++;
            for (int i = 0; i < done; i++)
                if (indices[i] == 1) request[1] = MPI_REQUEST_NULL;
        }
    } while (done != MPI_UNDEFINED);
    check(failed == 1, "one of them failed");
}

static void in_statuses(void) {
    MPI_Status status[4];
    open_file("in_statuses");
    partly(status);
    partly(MPI_STATUSES_IGNORE);
    partly_some(status);
    close_file("in_statuses");
}

/* Whoever stands before MPI may refuse: nothing is lost then, and it can be done again. */
static void refused(void) {
    open_file("refused");
    write_some(100);
    while (MPI_File_close(&file) != MPI_SUCCESS) write_some(200);
    say("refused");
}

static void pending(void) {
    MPI_Status status[3];
    open_file("pending");
    MPI_Request request[3] = {start_some(1), start_some(2), start_some(3)};
    while (MPI_Waitall(3, request, status) != MPI_SUCCESS)
        check(request[0] == MPI_REQUEST_NULL && request[1] != MPI_REQUEST_NULL, "one is complete");
    close_file("pending");
}

/* A close that a jump leaves: the file is still open. */
static void left(void) {
    MPI_Errhandler handler;
    open_file("left");
    TRY(MPI_File_create_errhandler(jump, &handler));
    TRY(MPI_File_set_errhandler(file, handler));
    TRY(MPI_Errhandler_free(&handler));
    write_some(100);
    if (setjmp(before)) write_some(200);
    close_file("left");
}

static void *write_often(void *unused) {
    MPI_Request request[2];
    for (int i = 0; i < ROUNDS; i++) {
        for (int j = 0; j < 2; j++)
            TRY(MPI_File_iwrite_at(file, SIZE * rank, data, 10, MPI_BYTE, &request[j]));
        TRY(MPI_Waitall(2, request, MPI_STATUSES_IGNORE));
    }
    return unused;
}

/* Threads that use the same few handles again and again. */
static void threads(void) {
    pthread_t thread[THREADS];
    open_file("threads");
    for (int i = 0; i < THREADS; i++) pthread_create(&thread[i], NULL, write_often, NULL);
    for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
    requests = 2L * ROUNDS * THREADS;
    bytes = 10 * requests;
    close_file("threads");
}

int main(int argc, char **argv) {
    /* With several threads, MPICH has a lock that a jump would leave locked. */
    int level, several = argc > 1 && strcmp(argv[1], "threads") == 0;
    int wanted = several ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, wanted, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    handle_by(MPI_ERRORS_RETURN);
    memset(data, 'x', SIZE);
    if (several) {
        check(level == wanted, "several threads can call MPI");
        threads();
    } else {
        jumps();
        in_statuses();
        refused();
        pending();
        left();
    }
    MPI_Finalize();
    return 0;
}
