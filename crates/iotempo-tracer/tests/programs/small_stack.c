/* Does its only I/O in a signal handler that has no more stack than the smallest that people give,
 * and says how much of it was never used. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef AT_MINSIGSTKSZ
#define AT_MINSIGSTKSZ 51
#endif
#define GUARD 65536

static const char *opened;
static int wrote;

static void handler(int signal) {
    (void)signal;
    int fd = opened ? open(opened, O_CREAT | O_TRUNC | O_WRONLY, 0600) : 1;
    wrote = write(fd, "hello\n", 6) == 6;
}

int main(int argc, char **argv) {
    /* Processors with large registers need more for the frame of a signal alone. */
    size_t frame = getauxval(AT_MINSIGSTKSZ), size = frame > 4096 ? frame + 4096 : 8192;
    size = (size + 4095) / 4096 * 4096;
    char *memory = mmap(NULL, GUARD + size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *unused;
    stack_t stack = {.ss_sp = memory + GUARD, .ss_size = size};
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
    if (memory == MAP_FAILED || mprotect(stack.ss_sp, size, PROT_READ | PROT_WRITE) ||
        sigaltstack(&stack, NULL) || sigaction(SIGUSR1, &action, NULL))
        return 1;
    opened = argc > 1 ? argv[1] : NULL;
    raise(SIGUSR1);
    for (unused = stack.ss_sp; !*unused; unused++)
        ;
    fprintf(stderr, "%zd\n", unused - memory - GUARD);
    return !wrote;
}
