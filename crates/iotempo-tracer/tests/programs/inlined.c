/* Writes and reads characters by macros, which the compiler makes code of the program. */
#include <stdio.h>
#include <stdlib.h>

#define CHECK(truth) ((truth) ? (void)0 : exit(1))

static void by_macros(const char *name) {
    FILE *file = fopen(name, "w+");
    CHECK(file != NULL);
    for (int i = 0; i < 20000; i++)
        CHECK(putc_unlocked('x', file) == 'x');
    rewind(file);
    for (int i = 0; i < 20000; i++)
        CHECK(getc_unlocked(file) == 'x');
    CHECK(getc_unlocked(file) == EOF && fclose(file) == 0);
}

int main(void) {
    by_macros("inlined.1");
    by_macros("inlined.2");
    FILE *file = fopen("called", "w");
    CHECK(file != NULL);
    for (int i = 0; i < 10000; i++)
        CHECK(putc('x', file) == 'x');
    CHECK(fclose(file) == 0);
    return 0;
}
