/* Makes every call that the tracer stands before, checks what came back, and prints how many bytes
   each file must have in the log: NAME API READ WRITTEN. */
#define _GNU_SOURCE
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define UNTOUCHED 123
#define CHECK(truth)                                                                       \
    do {                                                                                   \
        if (!(truth)) {                                                                    \
            fprintf(stderr, "line %d: %s (errno %d)\n", __LINE__, #truth, errno);          \
            exit(1);                                                                       \
        }                                                                                  \
    } while (0)
/* A call that succeeds must leave errno alone. */
#define FINE(truth)                                                                        \
    do {                                                                                   \
        errno = UNTOUCHED;                                                                 \
        CHECK(truth);                                                                      \
        CHECK(errno == UNTOUCHED);                                                         \
    } while (0)
/* A call that fails must say why. */
#define FAILS(call, wanted)                                                                \
    do {                                                                                   \
        errno = 0;                                                                         \
        CHECK(call);                                                                       \
        CHECK(errno == (wanted));                                                          \
    } while (0)

/* Forms that headers hide behind others. */
extern int __open_2(const char *, int), __open64_2(const char *, int);
extern int __openat_2(int, const char *, int), __openat64_2(int, const char *, int);
extern int __open(const char *, int, ...), __open64(const char *, int, ...), __close(int);
extern ssize_t __read(int, void *, size_t), __write(int, const void *, size_t);
extern ssize_t __read_chk(int, void *, size_t, size_t);
extern ssize_t __pread_chk(int, void *, size_t, off_t, size_t);
extern ssize_t __pread64_chk(int, void *, size_t, off64_t, size_t);
extern ssize_t __pread64(int, void *, size_t, off64_t), __pwrite64(int, const void *, size_t, off64_t);
extern size_t __fread_chk(void *, size_t, size_t, size_t, FILE *);
extern size_t __fread_unlocked_chk(void *, size_t, size_t, size_t, FILE *);
extern char *__fgets_chk(char *, size_t, int, FILE *), *__fgets_unlocked_chk(char *, size_t, int, FILE *);
extern int __printf_chk(int, const char *, ...), __fprintf_chk(FILE *, int, const char *, ...);
extern int __dprintf_chk(int, int, const char *, ...);
extern int __vfprintf_chk(FILE *, int, const char *, va_list), __vprintf_chk(int, const char *, va_list);
extern int __vdprintf_chk(int, int, const char *, va_list);
extern ssize_t __getdelim(char **, size_t *, int, FILE *);
extern int __dup2(int, int);
extern int __isoc99_fscanf(FILE *, const char *, ...), __isoc99_vfscanf(FILE *, const char *, va_list);
extern int __isoc99_scanf(const char *, ...), __isoc99_vscanf(const char *, va_list);
extern int plain_fscanf(FILE *, const char *, ...) __asm__("fscanf");
extern int plain_vfscanf(FILE *, const char *, va_list) __asm__("vfscanf");
extern int plain_scanf(const char *, ...) __asm__("scanf");
extern int plain_vscanf(const char *, va_list) __asm__("vscanf");

static char data[256], room[256];
static struct iovec out[2] = {{data, 100}, {data + 100, 50}}, in[2] = {{room, 100}, {room + 100, 50}};

static void opens(void) {
    int fd, folder = open(".", O_RDONLY | O_DIRECTORY);
#define OPENED(call)          \
    FINE((fd = (call)) >= 0); \
    FINE(close(fd) == 0)
    OPENED(open("opened", O_CREAT | O_RDWR, 0640));
    struct stat status;
    CHECK(stat("opened", &status) == 0 && (status.st_mode & 0777) == 0640);
    OPENED(open64("opened", O_RDONLY));
    OPENED(openat(folder, "opened", O_RDONLY));
    OPENED(openat64(folder, "opened", O_CREAT | O_RDONLY, 0600));
    OPENED(creat("opened", 0600));
    OPENED(creat64("opened", 0600));
    OPENED(__open("opened", O_RDONLY));
    OPENED(__open64("opened", O_RDONLY));
    OPENED(__open_2("opened", O_RDONLY));
    OPENED(__open64_2("opened", O_RDONLY));
    OPENED(__openat_2(folder, "opened", O_RDONLY));
    OPENED(__openat64_2(folder, "opened", O_RDONLY));
    close(folder);
    FAILS(open("absent", O_RDONLY) == -1, ENOENT);
    FAILS(openat(-5, "absent", O_RDONLY) == -1, EBADF);
    FAILS(close(-1) == -1, EBADF);
    FAILS(close(9999) == -1, EBADF);
    char a[] = "tempXXXXXX", b[] = "tempXXXXXX", c[] = "tempXXXXXX.x", d[] = "tempXXXXXX.x";
    /* What libc tries before it finds a free name may leave its mark on errno. */
    CHECK((fd = mkstemp(a)) >= 0 && write(fd, data, 1) == 1 && close(fd) == 0 && unlink(a) == 0);
    CHECK((fd = mkostemp(b, O_CLOEXEC)) >= 0 && close(fd) == 0 && unlink(b) == 0);
    CHECK((fd = mkstemps(c, 2)) >= 0 && close(fd) == 0 && unlink(c) == 0);
    CHECK((fd = mkostemps(d, 2, 0)) >= 0 && close(fd) == 0 && unlink(d) == 0);
    int (*make[])(char *) = {mkstemp, mkstemp64};
    for (int i = 0; i < 2; i++) {
        char name[] = "madeXXXXXX";
        CHECK((fd = make[i](name)) >= 0 && write(fd, data, 30 + i) == 30 + i);
        CHECK(close(fd) == 0 && unlink(name) == 0);
    }
    char e[] = "tempXXXXXX", f[] = "tempXXXXXX.x", g[] = "tempXXXXXX.x";
    CHECK((fd = mkostemp64(e, O_CLOEXEC)) >= 0 && close(fd) == 0 && unlink(e) == 0);
    CHECK((fd = mkstemps64(f, 2)) >= 0 && close(fd) == 0 && unlink(f) == 0);
    CHECK((fd = mkostemps64(g, 2, 0)) >= 0 && close(fd) == 0 && unlink(g) == 0);
    CHECK((fd = shm_open("/iotempo-every-call", O_CREAT | O_RDWR, 0600)) >= 0);
    CHECK(write(fd, data, 5) == 5 && close(fd) == 0 && shm_unlink("/iotempo-every-call") == 0);
}

static void transfers(void) {
    int fd = open("posix", O_CREAT | O_TRUNC | O_RDWR, 0600);
    FINE(write(fd, data, 10) == 10);
    FINE(__write(fd, data + 10, 10) == 10);
    FINE(pwrite(fd, data + 20, 20, 20) == 20);
    FINE(pwrite64(fd, data + 40, 20, 40) == 20);
    FINE(__pwrite64(fd, data + 60, 20, 60) == 20);
    FINE(lseek(fd, 0, SEEK_SET) == 0);
    FINE(writev(fd, out, 2) == 150);
    FINE(pwritev(fd, out, 2, 150) == 150);
    FINE(pwritev64(fd, out, 2, 150) == 150);
    FINE(pwritev2(fd, out, 2, 150, 0) == 150);
    FINE(pwritev64v2(fd, out, 2, 150, 0) == 150);
    /* 80 + 5 * 150 = 830 written */
    FINE(fsync(fd) == 0);
    FINE(fdatasync(fd) == 0);
    FINE(sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WRITE) == 0);
    FINE(lseek(fd, 0, SEEK_SET) == 0);
    FINE(read(fd, room, 10) == 10 && !memcmp(room, data, 10));
    FINE(__read(fd, room, 10) == 10 && !memcmp(room, data + 10, 10));
    FINE(__read_chk(fd, room, 10, sizeof room) == 10);
    FINE(pread(fd, room, 20, 0) == 20 && !memcmp(room, data, 20));
    FINE(pread64(fd, room, 20, 0) == 20);
    FINE(__pread64(fd, room, 20, 0) == 20);
    FINE(__pread_chk(fd, room, 20, 0, sizeof room) == 20);
    FINE(__pread64_chk(fd, room, 20, 0, sizeof room) == 20);
    FINE(lseek(fd, 0, SEEK_SET) == 0);
    FINE(readv(fd, in, 2) == 150 && !memcmp(room, data, 150));
    FINE(preadv(fd, in, 2, 150) == 150 && !memcmp(room, data, 150));
    FINE(preadv64(fd, in, 2, 150) == 150);
    FINE(preadv2(fd, in, 2, 150, 0) == 150);
    FINE(preadv64v2(fd, in, 2, 150, 0) == 150);
    /* 30 + 100 + 5 * 150 = 880 read; the end of the file moves nothing */
    FINE(pread(fd, room, 1, 300) == 0);
    FAILS(write(-1, data, 1) == -1, EBADF);
    FAILS(pread(fd, room, 1, -1) == -1, EINVAL);
    FAILS(fsync(-1) == -1, EBADF);
    FINE(close(fd) == 0);
    FAILS(write(fd, data, 1) == -1, EBADF);
}

static void copies(void) {
    int from = open("posix", O_RDONLY), to = open("copied", O_CREAT | O_TRUNC | O_RDWR, 0600);
    off_t at = 0;
    off64_t at64 = 0;
    FINE(sendfile(to, from, &at, 100) == 100);
    FINE(sendfile64(to, from, &at64, 100) == 100);
    at64 = 0;
    FINE(copy_file_range(from, &at64, to, NULL, 60, 0) == 60);
    int ends[2];
    CHECK(pipe(ends) == 0);
    FINE(write(ends[1], data, 40) == 40);
    FINE(splice(ends[0], NULL, to, NULL, 40, 0) == 40);
    FINE(close(ends[0]) == 0 && close(ends[1]) == 0);
    FINE(close(from) == 0 && close(to) == 0);
    /* 260 of them came from the other file, 40 through a pipe */
    printf("posix 0 %d 830\ncopied 0 0 300\n", 880 + 260);
}

/* Every number that a descriptor may get is the same file, and no longer once it is closed. */
static void duplicates(void) {
    int fd = open("duplicated", O_CREAT | O_TRUNC | O_RDWR, 0600), copy;
    FINE((copy = dup(fd)) >= 0 && write(copy, data, 1) == 1 && close(copy) == 0);
    FINE(dup2(fd, 200) == 200 && write(200, data, 2) == 2 && close(200) == 0);
    FINE(__dup2(fd, 201) == 201 && write(201, data, 4) == 4 && close(201) == 0);
    FINE(dup3(fd, 202, O_CLOEXEC) == 202 && write(202, data, 8) == 8 && close(202) == 0);
    FINE((copy = fcntl(fd, F_DUPFD, 210)) >= 210 && write(copy, data, 16) == 16);
    FINE(close(copy) == 0);
    FINE((copy = fcntl(fd, F_DUPFD_CLOEXEC, 220)) >= 220 && write(copy, data, 32) == 32);
    FINE(fcntl(copy, F_GETFD) == FD_CLOEXEC);
    int other;
    FINE((other = fcntl64(fd, F_DUPFD, 230)) >= 230 && write(other, data, 128) == 128);
    FINE(close(other) == 0);
    /* Closed without a call of close: the number goes to a socket, which is no file. */
    FINE(close_range(copy, copy, 0) == 0);
    int sockets[2];
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0 && dup2(sockets[0], copy) == copy);
    FINE(write(copy, data, 64) == 64);
    closefrom(fd + 1);
    FAILS(dup2(-1, 5) == -1, EBADF);
    FINE(dup2(fd, fd) == fd && write(fd, data, 100) == 100);
    FINE(syscall(SYS_close, fd) == 0);
    printf("duplicated 0 0 291\n");
}

static int prints(int (*print)(FILE *, const char *, va_list), FILE *to, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int size = print(to, format, args);
    va_end(args);
    return size;
}

static int checked(FILE *to, const char *format, va_list args) {
    return __vfprintf_chk(to, 1, format, args);
}

static int to_descriptor(int fd, int flag, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int size = flag < 0 ? vdprintf(fd, format, args) : __vdprintf_chk(fd, flag, format, args);
    va_end(args);
    return size;
}

static int to_stdout(int flag, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int size = flag < 0 ? vprintf(format, args) : __vprintf_chk(flag, format, args);
    va_end(args);
    return size;
}

static void streams(void) {
    FILE *file;
    FINE((file = fopen("stream", "w+")) != NULL);
    FINE(fwrite(data, 10, 5, file) == 5);
    FINE(fwrite_unlocked(data, 1, 50, file) == 50);
    FINE(fflush(file) == 0 && fflush_unlocked(file) == 0 && fflush(NULL) == 0);
    rewind(file);
    FINE(fread(room, 10, 2, file) == 2 && !memcmp(room, data, 20));
    FINE(fread_unlocked(room, 1, 20, file) == 20);
    FINE(__fread_chk(room, sizeof room, 1, 20, file) == 20);
    FINE(__fread_unlocked_chk(room, sizeof room, 1, 20, file) == 20);
    FINE(fread(room, 1, 99, file) == 20 && feof(file));
    FINE(fclose(file) == 0);
    printf("stream 1 100 100\n");

    FINE((file = fopen64("lines", "w")) != NULL);
    FINE(fputs("one\n", file) >= 0);
    FINE(fputs_unlocked("two\n", file) >= 0);
    FINE(fprintf(file, "%s%d\n", "three", 3) == 7);
    FINE(__fprintf_chk(file, 1, "%c\n", 'x') == 2);
    FINE(prints(vfprintf, file, "%s\n", "four") == 5);
    FINE(prints(checked, file, "%s\n", "five") == 5);
    /* 27 so far; then whole, floating and long arguments, in registers and on the stack */
    int size = fprintf(file, "%d %d %d %d %d %d %d %.1f %.2f %.1f %.1f %.1f %.1f %.1f %.1f %.1f %Lg %s\n", 1,
                       2, 3, 4, 5, 6, 7, 0.5, 1.25, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 2.5L, "end");
    const char *wanted = "1 2 3 4 5 6 7 0.5 1.25 2.0 3.0 4.0 5.0 6.0 7.0 8.0 2.5 end\n";
    CHECK(size == (int)strlen(wanted));
    FINE((file = freopen("lines", "r", file)) != NULL);
    char *line = NULL;
    size_t length = 0;
    FINE(fgets(room, sizeof room, file) && !strcmp(room, "one\n"));
    FINE(fgets_unlocked(room, sizeof room, file) && !strcmp(room, "two\n"));
    FINE(__fgets_chk(room, sizeof room, sizeof room, file) && !strcmp(room, "three3\n"));
    FINE(__fgets_unlocked_chk(room, sizeof room, sizeof room, file) && !strcmp(room, "x\n"));
    FINE(getline(&line, &length, file) == 5 && !strcmp(line, "four\n"));
    FINE(getdelim(&line, &length, 'v', file) == 3 && !strcmp(line, "fiv"));
    FINE(__getdelim(&line, &length, '\n', file) == 2);
    FINE(getline(&line, &length, file) == size && !strcmp(line, wanted));
    CHECK(getline(&line, &length, file) == -1);
    free(line);
    FINE(fclose(file) == 0);
    printf("lines 1 %d %d\n", 27 + size, 27 + size);

    FAILS(fopen("absent", "r") == NULL, ENOENT);
    FAILS(fdopen(-1, "r") == NULL, EBADF);
    char *memory;
    FINE((file = open_memstream(&memory, &length)) != NULL);
    FINE(fputs("no file", file) >= 0 && fclose(file) == 0 && length == 7);
    free(memory);
    CHECK((file = tmpfile()) != NULL && fputs("gone", file) >= 0 && fclose(file) == 0);
    CHECK((file = tmpfile64()) != NULL && fputs("gone", file) >= 0);
    FINE((file = freopen64("reopened", "w", file)) != NULL);
    FINE(fputs("there", file) >= 0 && fclose(file) == 0);
    printf("reopened 1 0 5\n");
    CHECK((file = popen("cat >/dev/null", "w")) != NULL && fputs("pipe", file) >= 0);
    CHECK(pclose(file) == 0);
}

static void characters(void) {
    FILE *file = fopen("chars", "w");
    for (int i = 0; i < 9999; i++)
        FINE(fputc('a' + i % 26, file) == 'a' + i % 26);
    FINE((putc)('1', file) == '1' && fputc_unlocked('2', file) == '2');
    FINE((putc_unlocked)('\n', file) == '\n');
    FINE(fclose(file) == 0);
    file = fopen("chars", "r");
    for (int i = 0; i < 9999; i++)
        FINE(fgetc(file) == 'a' + i % 26);
    FINE((getc)(file) == '1' && fgetc_unlocked(file) == '2' && (getc_unlocked)(file) == '\n');
    FINE((getc)(file) == EOF);
    FINE(fclose(file) == 0);
    printf("chars 1 10002 10002\n");
}

static int scans(int (*scan)(FILE *, const char *, va_list), FILE *from, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int fields = scan(from, format, args);
    va_end(args);
    return fields;
}

static int from_stdin(int (*scan)(const char *, va_list), const char *format, ...) {
    va_list args;
    va_start(args, format);
    int fields = scan(format, args);
    va_end(args);
    return fields;
}

/* Numbers over many buffers, by every form of scanf in turn. */
static void scanned(void) {
    FILE *file = fopen("scanned", "w");
    int size = 0, number;
    double value;
    for (int i = 0; i < 9000; i++)
        size += fprintf(file, "%d %.1f\n", i, i / 2.0);
    CHECK(fclose(file) == 0 && (file = fopen("scanned", "r")) != NULL);
    for (int i = 0; i < 9000; i++) {
        int fields = i % 4 == 0   ? plain_fscanf(file, "%d %lf", &number, &value)
                     : i % 4 == 1 ? __isoc99_fscanf(file, "%d %lf", &number, &value)
                     : i % 4 == 2 ? scans(plain_vfscanf, file, "%d %lf", &number, &value)
                                  : scans(__isoc99_vfscanf, file, "%d %lf", &number, &value);
        CHECK(fields == 2 && number == i && value == i / 2.0);
    }
    CHECK(fscanf(file, "%d", &number) == EOF && fclose(file) == 0);
    CHECK(freopen("scanned", "r", stdin) == stdin);
    for (int i = 0; i < 8; i++) {
        int fields = i % 4 == 0   ? plain_scanf("%d %*f", &number)
                     : i % 4 == 1 ? __isoc99_scanf("%d %*f", &number)
                     : i % 4 == 2 ? from_stdin(plain_vscanf, "%d %*f", &number)
                                  : from_stdin(__isoc99_vscanf, "%d %*f", &number);
        CHECK(fields == 1 && number == i);
    }
    /* "0 0.0\n" … "7 3.5", the end of the last line excepted */
    printf("scanned 1 %d %d\n", size + 47, size);
}

static void prints_to_descriptors(void) {
    int fd = open("printed", O_CREAT | O_TRUNC | O_RDWR, 0600);
    FINE(dprintf(fd, "%d %s\n", 12, "abc") == 7);
    FINE(__dprintf_chk(fd, 1, "%.1f\n", 1.5) == 4);
    FINE(to_descriptor(fd, -1, "%d\n", 7) == 2);
    FINE(to_descriptor(fd, 1, "%d\n", 77) == 3);
    FAILS(dprintf(-1, "x") == -1, EBADF);
    FILE *file = fdopen(fd, "r");
    CHECK(fseek(file, 0, SEEK_SET) == 0 && fread(room, 1, 99, file) == 16);
    CHECK(!memcmp(room, "12 abc\n1.5\n7\n77\n", 16));
    FINE(fclose(file) == 0);
    printf("printed 0 0 16\nprinted 1 16 0\n");
}

static void prints_to_stdout(void) {
    CHECK(freopen("standard", "w", stdout) == stdout);
    FINE(puts("123") >= 0);
    FINE(printf("%d%s\n", 45, "6") == 4);
    FINE(__printf_chk(1, "%g\n", 0.5) == 4);
    FINE(to_stdout(-1, "%d\n", 1) == 2);
    FINE(to_stdout(1, "%d\n", 1) == 2);
    FINE((putchar)('x') == 'x' && (putchar_unlocked)('\n') == '\n');
    FINE(fflush(stdout) == 0);
    CHECK(freopen("standard", "r", stdin) == stdin);
    FINE(getchar() == '1' && (getchar_unlocked)() == '2' && fread(room, 1, 99, stdin) == 16);
}

static void invisible(void) {
    int fd = open("posix", O_RDWR);
    char *memory;
    FINE((memory = mmap(NULL, 300, PROT_READ, MAP_SHARED, fd, 0)) != MAP_FAILED);
    CHECK(!memcmp(memory, data, 150) && munmap(memory, 300) == 0);
    FINE((memory = mmap64(NULL, 300, PROT_READ, MAP_SHARED, fd, 0)) != MAP_FAILED);
    CHECK(munmap(memory, 300) == 0);
    FAILS(mmap(NULL, 0, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED, EINVAL);
    struct aiocb request = {.aio_fildes = fd, .aio_buf = room, .aio_nbytes = 10};
    const struct aiocb *list[] = {&request};
    CHECK(aio_read(&request) == 0 && aio_suspend(list, 1, NULL) == 0 && aio_return(&request) == 10);
    request.aio_buf = data;
    CHECK(aio_write(&request) == 0 && aio_suspend(list, 1, NULL) == 0);
    CHECK(aio_return(&request) == 10);
    struct aiocb64 request64 = {.aio_fildes = fd, .aio_buf = room, .aio_nbytes = 10};
    const struct aiocb64 *list64[] = {&request64};
    CHECK(aio_read64(&request64) == 0 && aio_suspend64(list64, 1, NULL) == 0);
    CHECK(aio_return64(&request64) == 10);
    CHECK(aio_write64(&request64) == 0 && aio_suspend64(list64, 1, NULL) == 0);
    CHECK(aio_return64(&request64) == 10);
    close(fd);
    struct aiocb refused = {.aio_fildes = open("refused", O_CREAT | O_RDWR, 0600), .aio_reqprio = -1};
    FAILS(aio_read(&refused) == -1, EINVAL);
    close(refused.aio_fildes);
    char parameters[120] = {0};
    int ring = syscall(SYS_io_uring_setup, 4, parameters);
    fprintf(stderr, "%d rings\n", ring >= 0);
    if (ring >= 0)
        close(ring);
    FINE(syscall(SYS_getpid) == getpid());
}

/* What the results of fread and fgets do not tell: parts of items, and what stands behind zeros. */
static void in_part(void) {
    static char big[1 << 20], text[20000];
    FILE *file = fopen("in_part", "w+");
    CHECK(file && fwrite(big, 1, 300000, file) == 300000);
    rewind(file);
    FINE(fread(big, sizeof big, 1, file) == 0 && feof(file));
    rewind(file);
    FINE(fread_unlocked(room, 8, 3, file) == 3);
    FINE(__fread_chk(big, sizeof big, 200000, 2, file) == 1);
    rewind(file);
    FINE(fread(room, 100, 1, file) == 1);
    FINE(__fread_unlocked_chk(big, sizeof big, 299000, 2, file) == 1);
    FINE(fread(big, 7, 100, file) == 0);
    CHECK(fclose(file) == 0);
    printf("in_part 1 900000 300000\n");

    file = fopen("zeros", "w+");
    memset(text, 'x', sizeof text);
    text[0] = text[9] = text[15] = text[19998] = 0;
    text[10] = text[14] = '\n';
    CHECK(file && fwrite(text, 1, sizeof text, file) == sizeof text);
    rewind(file);
    FINE(fgets(room, sizeof room, file) && room[10] == '\n');
    FINE(fgets_unlocked(room, sizeof room, file) && !strcmp(room, "xxx\n"));
    FINE(__fgets_chk(big, sizeof big, 10000, file) && big[1] == 'x');
    FINE(__fgets_unlocked_chk(big, sizeof big, sizeof big, file) && big[0] == 'x');
    FINE(fgets(room, sizeof room, file) == NULL);
    CHECK(fclose(file) == 0);
    printf("zeros 1 20000 20000\n");
}

int main(void) {
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (char)i;
    opens();
    transfers();
    copies();
    duplicates();
    streams();
    characters();
    scanned();
    in_part();
    prints_to_descriptors();
    invisible();
    printf("standard 1 18 18\n");
    fflush(stdout);
    prints_to_stdout();
    return 0;
}
