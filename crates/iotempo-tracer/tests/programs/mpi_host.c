/* Runs a program that was compiled as a library, the way Python loads its modules: what the library
 * needs is visible to itself only. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv) {
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    int (*run)(int, char **) = library ? (int (*)(int, char **))dlsym(library, "main") : NULL;
    if (!run) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    return run(argc - 1, argv + 1);
}
