/* Programs that make life hard for a tracer, by name; what they write they also print. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHECK(truth)                                                                \
    do {                                                                            \
        if (!(truth)) {                                                             \
            fprintf(stderr, "line %d: %s (errno %d)\n", __LINE__, #truth, errno);   \
            exit(1);                                                                \
        }                                                                           \
    } while (0)

static char block[4096];
static int shared, count;

static int make(const char *name) {
    int fd = open(name, O_CREAT | O_TRUNC | O_WRONLY | O_APPEND, 0600);
    CHECK(fd >= 0);
    return fd;
}

static pthread_barrier_t all_there;
static void *writes(void *number) {
    char name[32];
    pthread_barrier_wait(&all_there);
    snprintf(name, sizeof name, "thread.%ld", (long)number);
    int own = make(name);
    for (int i = 0; i < count; i++)
        CHECK(write(own, block, 10) == 10 && write(shared, block, 3) == 3);
    CHECK(close(own) == 0);
    return NULL;
}

static void at_once(int number, int writes_each) {
    pthread_t ids[256];
    count = writes_each;
    CHECK(pthread_barrier_init(&all_there, NULL, number) == 0);
    for (long i = 0; i < number; i++)
        CHECK(pthread_create(&ids[i], NULL, writes, (void *)i) == 0);
    for (int i = 0; i < number; i++)
        pthread_join(ids[i], NULL);
    pthread_barrier_destroy(&all_there);
}

/* Many threads at once. */
static void threads(int number) { at_once(number, 3000); }

static void *one_write(void *unused) {
    CHECK(write(shared, block, 7) == 7);
    return unused;
}

/* Many threads, one after another. */
static void churn(int number) {
    for (int i = 0; i < number; i++) {
        pthread_t id;
        CHECK(pthread_create(&id, NULL, one_write, NULL) == 0);
        pthread_join(id, NULL);
    }
}

/* No descriptor is left, and the log must go on. */
static void exhaust(int number) {
    struct rlimit limit = {number, number};
    CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
    int opened = 0, fd, last = -1;
    while ((fd = open("exhausted", O_CREAT | O_WRONLY | O_APPEND, 0600)) >= 0) {
        CHECK(write(fd, block, 5) == 5);
        opened++;
        last = fd;
    }
    CHECK(errno == EMFILE);
    for (int i = 0; i < 20000; i++)
        CHECK(write(last, block, 1) == 1);
    pid_t child = fork();
    if (child == 0) {
        for (int i = 0; i < 5000; i++)
            CHECK(write(last, block, 2) == 2);
        _exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    printf("opened %d\n", opened);
}

static volatile sig_atomic_t handled;
static void handler(int signal) {
    (void)signal;
    int before = errno;
    CHECK(write(shared, block, 1) == 1);
    handled++;
    errno = before;
}

/* Signal handlers that write, while the program writes. */
static void signals(int number) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    struct itimerval often = {{0, 50}, {0, 50}}, never = {{0, 0}, {0, 0}};
    int own = make("main");
    CHECK(sigaction(SIGALRM, &action, NULL) == 0 && setitimer(ITIMER_REAL, &often, NULL) == 0);
    for (int i = 0; i < number; i++)
        CHECK(write(own, block, 2) == 2);
    CHECK(setitimer(ITIMER_REAL, &never, NULL) == 0);
    fprintf(stderr, "%d\n", (int)handled);
}

static int zero;
static const struct itimerval once = {{0, 0}, {0, 100}};
static void flood(int signal) {
    (void)signal;
    int before = errno;
    for (int i = 0; i < 2100; i++)
        CHECK(read(zero, block, 1) == 1);
    handled++;
    CHECK(setitimer(ITIMER_REAL, &once, NULL) == 0);
    errno = before;
}

/* Signal handlers that write more than a chunk holds, while characters share records. */
static void floods(int number) {
    struct sigaction action = {.sa_handler = flood, .sa_flags = SA_RESTART};
    struct itimerval never = {{0, 0}, {0, 0}};
    zero = open("/dev/zero", O_RDONLY);
    FILE *file = fopen("characters", "w");
    CHECK(sigaction(SIGALRM, &action, NULL) == 0 && setitimer(ITIMER_REAL, &once, NULL) == 0);
    long characters = 0;
    for (; handled < number; characters++)
        CHECK(fputc('x', file) == 'x');
    CHECK(setitimer(ITIMER_REAL, &never, NULL) == 0);
    fprintf(stderr, "%ld %ld\n", characters, 2100L * handled);
}

static sigjmp_buf back;
static volatile sig_atomic_t may_jump;
static volatile long written;
static void jump(int signal) {
    (void)signal;
    handled++;
    if (may_jump)
        siglongjmp(back, 1);
}

/* Signal handlers that never return, while the program writes: once more at a greater depth. */
static void jumps_from(int number, int depth) {
    volatile char room[512];
    room[0] = depth;
    if (depth > 0)
        return jumps_from(number, depth - room[0] / depth);
    struct itimerval often = {{0, 50}, {0, 50}}, never = {{0, 0}, {0, 0}};
    sigsetjmp(back, 1);
    may_jump = 1;
    CHECK(setitimer(ITIMER_REAL, &often, NULL) == 0);
    while (handled < number)
        if (pwrite(shared, block, 1, 0) == 1)
            written++;
    may_jump = 0;
    CHECK(setitimer(ITIMER_REAL, &never, NULL) == 0);
}

static void jumps(int number) {
    struct sigaction action = {.sa_handler = jump};
    CHECK(sigaction(SIGALRM, &action, NULL) == 0);
    jumps_from(number, 0);
    jumps_from(2 * number, 5);
    for (int i = 0; i < 5000; i++, written++)
        CHECK(pwrite(shared, block, 1, 0) == 1);
    fprintf(stderr, "%ld %d\n", written, (int)handled);
}

static void *waits(void *end) {
    char byte;
    CHECK(read((int)(long)end, &byte, 1) == 1);
    return NULL;
}

/* A thread is cancelled inside a call, and unwinds through the hook. */
static void cancel(int number) {
    int ends[2];
    CHECK(pipe(ends) == 0);
    for (int i = 0; i < number; i++) {
        pthread_t id;
        void *result;
        CHECK(pthread_create(&id, NULL, waits, (void *)(long)ends[0]) == 0);
        usleep(1000);
        CHECK(pthread_cancel(id) == 0 && pthread_join(id, &result) == 0);
        CHECK(result == PTHREAD_CANCELED);
    }
    CHECK(write(shared, block, 9) == 9);
}

/* Children of every kind; those of vfork change descriptors that the parent keeps. */
static void forks(int number) {
    for (int i = 0; i < number; i++) {
        CHECK(write(shared, block, 1) == 1);
        pid_t child = i % 3 == 0 ? fork() : i % 3 == 1 ? syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) : vfork();
        if (child == 0) {
            if (i % 3 == 2) {
                close(shared);
                _exit(0);
            }
            CHECK(write(shared, block, 10) == 10);
            _exit(0);
        }
        int status;
        CHECK(waitpid(child, &status, 0) == child && status == 0);
        CHECK(write(shared, block, 1) == 1);
    }
}

/* A child of vfork puts another file in the place of stdout, or not, and writes there. */
static void borrow(int replace) {
    pid_t child = vfork();
    if (child == 0) {
        if (replace && dup2(shared, 1) != 1)
            _exit(1);
        _exit(write(1, block, 10) != 10);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    CHECK(write(1, block, 7) == 7);
}

static volatile int children;
static void *forks_on(void *number) {
    for (int i = 0; i < (int)(long)number; i++) {
        pid_t child = fork();
        if (child == 0) {
            for (int n = 0; n < 100; n++)
                if (write(shared, block, 3) != 3)
                    _exit(1);
            _exit(0);
        }
        int status;
        CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
        children++;
    }
    return NULL;
}

/* Many threads that write and come and go, signals that write, and children that write, at once. */
static void storm(int number) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
    CHECK(sigaction(SIGALRM, &action, NULL) == 0 && setitimer(ITIMER_REAL, &often, NULL) == 0);
    pthread_t forker;
    CHECK(pthread_create(&forker, NULL, forks_on, (void *)20L) == 0);
    for (int round = 0; round < 2; round++)
        at_once(number, 1000);
    CHECK(pthread_join(forker, NULL) == 0 && setitimer(ITIMER_REAL, &never, NULL) == 0);
    CHECK(children == 20);
}

/* Writes and tells so until it is killed. */
static void endless(int number) {
    for (unsigned long i = 1;; i++) {
        CHECK(write(shared, block, number) == number);
        if (i % 1000 == 0)
            CHECK(write(1, "+", 1) == 1);
    }
}

/* Writes a character now and then, and ends without a last word. */
static void slowly(int number) {
    FILE *file = fdopen(shared, "w");
    setvbuf(file, NULL, _IONBF, 0);
    for (int i = 0; i < number; i++) {
        usleep(150000);
        CHECK(fputc('x', file) == 'x');
    }
    kill(getpid(), SIGKILL);
}

/* Writes so much that the log needs many chunks. */
static void many(int number) {
    for (int i = 0; i < number; i++)
        CHECK(pwrite(shared, block, 8, 0) == 8);
}

/* More files than the tracer can list, twice. */
static void files(int number) {
    char name[32];
    CHECK(mkdir("many", 0700) == 0);
    for (int i = 0; i < 2 * number; i++) {
        snprintf(name, sizeof name, "many/%d", i % number);
        int fd = open(name, O_CREAT | O_WRONLY | O_APPEND, 0600);
        CHECK(fd >= 0 && write(fd, block, 3) == 3 && close(fd) == 0);
    }
}

/* Closes all from a descriptor on, which must not touch much memory, and gives its number to a pipe. */
static void close_all(int number) {
    struct rusage before, after;
    int ends[2];
    CHECK(dup2(shared, number) == number && write(number, block, 5) == 5);
    CHECK(getrusage(RUSAGE_SELF, &before) == 0);
    closefrom(number - 10);
    CHECK(getrusage(RUSAGE_SELF, &after) == 0);
    CHECK(pipe(ends) == 0);
    CHECK(syscall(SYS_dup3, ends[1], number, 0) == number && write(number, block, 50) == 50);
    printf("%ld\n", after.ru_minflt - before.ru_minflt);
}

int main(int argc, char **argv) {
    CHECK(argc == 3);
    static const struct {
        const char *name;
        void (*run)(int);
    } all[] = {{"threads", threads}, {"churn", churn},   {"exhaust", exhaust}, {"signals", signals},
               {"cancel", cancel},   {"forks", forks},   {"endless", endless}, {"many", many},
               {"storm", storm},     {"slowly", slowly}, {"floods", floods},   {"jumps", jumps},
               {"borrow", borrow},   {"files", files},   {"close_all", close_all}};
    shared = make("shared");
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(argv[1], all[i].name)) {
            all[i].run(atoi(argv[2]));
            return 0;
        }
    return 2;
}
