/* Opens files by something that looks like MPI, with the last descriptor, while signals are sent to
 * the whole group of processes. Compiled with LIBRARY this is what looks like MPI. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef LIBRARY
char ompi_mpi_comm_world[64];

int PMPI_File_open(void *comm, const char *name, long mode, void *info, long *file) {
    (void)comm, (void)mode, (void)info;
    *file = open(name, O_CREAT | O_WRONLY, 0600);
    return *file < 0;
}

int PMPI_File_close(long *file) { return close((int)*file); }
#else
static int (*file_open)(void *comm, const char *name, long mode, void *info, long *file);
static int (*file_close)(long *file);

static pid_t self;
static volatile sig_atomic_t handled, strayed;
static void handler(int signal) {
    (void)signal;
    handled++;
    strayed |= syscall(SYS_getpid) != self;
}

int main(int argc, char **argv) {
    if (argc != 2 || setpgid(0, 0) || !dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL))
        return 1;
    *(void **)&file_open = dlsym(RTLD_DEFAULT, "PMPI_File_open");
    *(void **)&file_close = dlsym(RTLD_DEFAULT, "PMPI_File_close");
    self = getpid();
    pid_t sender = fork();
    if (sender == 0) {
        signal(SIGUSR1, SIG_IGN);
        usleep(20000);
        while (getppid() == self)
            kill(0, SIGUSR1);
        _exit(0);
    }
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    struct rlimit one = {4, 4};
    if (sender < 0 || sigaction(SIGUSR1, &action, NULL) || setrlimit(RLIMIT_NOFILE, &one))
        return 1;
    int opened = 0;
    while (opened < 2000 || handled < 100) {
        long file;
        if (file_open(NULL, "opened", 0, NULL, &file) || file_close(&file))
            return 1;
        opened++;
    }
    kill(sender, SIGKILL);
    while (waitpid(sender, NULL, 0) != sender)
        ;
    printf("%s\n", strayed ? "a handler ran elsewhere" : "ok");
    return 0;
}
#endif
