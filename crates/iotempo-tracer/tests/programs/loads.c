/* Loads a library that does I/O in a thread, and waits for it, while it is being loaded. Compiled
 * with LIBRARY this is the library. */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#ifdef LIBRARY
static void *works(void *unused) {
    int fd = open("worked", O_CREAT | O_TRUNC | O_RDWR, 0600);
    if (fd < 0 || pwrite(fd, "12345", 5, 0) != 5 || fdatasync(fd) || close(fd))
        return NULL;
    return "ok";
}

__attribute__((constructor)) static void loaded(void) {
    pthread_t thread;
    void *result = NULL;
    if (!pthread_create(&thread, NULL, works, NULL) && !pthread_join(thread, &result) && result)
        puts(result);
}
#else
int main(int argc, char **argv) {
    const char *before = dlerror();
    if (before) {
        printf("an error that was not made here: %s\n", before);
        return 1;
    }
    return argc != 2 || !dlopen(argv[1], RTLD_NOW);
}
#endif
