/* How long a small write to /dev/null takes: the median over blocks of 50,000 writes, in
   nanoseconds of processor time of the threads that write.
   usage: cost THREADS BLOCKS-PER-THREAD */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { WRITES = 50000, MOST_THREADS = 64, MOST_BLOCKS = 1000 };
static double costs[MOST_THREADS * MOST_BLOCKS];
static int blocks, null_device;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * 1e9 + time.tv_nsec;
}

static void *work(void *first) {
    for (int block = 0; block < blocks; block++) {
        double start = now();
        for (int i = 0; i < WRITES; i++)
            if (write(null_device, "12345678", 8) != 8)
                abort();
        ((double *)first)[block] = (now() - start) / WRITES;
    }
    return NULL;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv) {
    int threads = argc > 1 ? atoi(argv[1]) : 1;
    blocks = argc > 2 ? atoi(argv[2]) : 20;
    if (threads < 1 || threads > MOST_THREADS || blocks < 1 || blocks > MOST_BLOCKS)
        return 2;
    pthread_t ids[MOST_THREADS];
    null_device = open("/dev/null", O_WRONLY);
    for (int i = 0; i < threads; i++)
        pthread_create(&ids[i], NULL, work, &costs[i * blocks]);
    for (int i = 0; i < threads; i++)
        pthread_join(ids[i], NULL);
    qsort(costs, threads * blocks, sizeof(double), compare);
    printf("%.1f\n", costs[threads * blocks / 2]);
    return 0;
}
