/* A job that moves data every so many milliseconds, in phases that repeat or do not.
 * usage: ticker TICK_MS TICKS PERIOD_TICKS PHASE_TICKS BACKGROUND SEED
 * PERIOD_TICKS 0: phases come at random. BACKGROUND bytes move in every other tick.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static char block[1 << 20];

int main(int count, char **words)
{
    if (count != 7)
        return 2;
    long tick_ms = atol(words[1]), ticks = atol(words[2]), period = atol(words[3]);
    long phase = atol(words[4]), background = atol(words[5]);
    srand48(atol(words[6]));
    int out = open("/dev/null", O_WRONLY);
    struct timespec next;
    clock_gettime(CLOCK_MONOTONIC, &next);
    /* Jobs do not start together. */
    long left = 0, wait = (long)(drand48() * (period ? period : 20));
    for (long tick = 0; tick < ticks; tick++) {
        if (left == 0 && wait-- <= 0) {
            left = phase;
            wait = period ? period - phase : (long)(5 + 60 * drand48());
        }
        long bytes = left > 0 ? (long)sizeof block : background;
        left -= left > 0;
        if (bytes > 0 && write(out, block, bytes) != bytes)
            return 1;
        next.tv_nsec += tick_ms * 1000000;
        next.tv_sec += next.tv_nsec / 1000000000;
        next.tv_nsec %= 1000000000;
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
    }
    return 0;
}
