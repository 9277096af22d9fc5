/* cpu.c -- what this CPU is called, how much memory it has and how fast it reads it. */
#include "core/multiply/cpu.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* What is read must not be in a cache: x86 can be told so, elsewhere more is read than fits. */
#if defined(__GNUC__) && defined(__x86_64__)
#include <emmintrin.h>
enum { CACHES = 0 };
static void evict(const double *data, int64_t n, int threads)
{
    enum { LINE = 64 / sizeof *data };
#pragma omp parallel for num_threads(threads)
    for (int64_t i = 0; i < n; i += LINE) _mm_clflush(data + i);
    _mm_mfence();
}
#else
enum { CACHES = 2 }; /* times the last-level cache are read */
static void evict(const double *data, int64_t n, int threads)
{
    (void)data, (void)n, (void)threads;
}
#endif

enum {
    LEAST = 1 << 23,     /* doubles: 64 MB */
    OF_THREAD = 1 << 19, /* 4 MB, as many threads take a while to begin */
    MOST = 1 << 27,      /* 1 GB */
    SMALLEST = 1 << 17,
    PASSES = 3
};
static const double patience = 0.1; /* seconds, after which no further pass begins */

/* The first "model name" of /proc/cpuinfo, else "CPU". */
static void find_name(char *name, size_t size)
{
    FILE *file = fopen("/proc/cpuinfo", "re");
    char line[256], model[128] = "CPU";

    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "model name : %127[^\n]", model) == 1) break;
    if (file != NULL) fclose(file);
    snprintf(name, size, "%s", model);
}

static int64_t physical_memory(void)
{
    int64_t bytes = 0;
    return spmv__product(sysconf(_SC_PHYS_PAGES), sysconf(_SC_PAGESIZE), &bytes) ? bytes : 0;
}

/* Bytes of the last-level cache, 0 when the system does not say. */
static int64_t last_level_cache(void)
{
#ifdef _SC_LEVEL3_CACHE_SIZE
    const long third = sysconf(_SC_LEVEL3_CACHE_SIZE);
    if (third > 0) return third;
    const long second = sysconf(_SC_LEVEL2_CACHE_SIZE);
    if (second > 0) return second;
#endif
    return 0;
}

static double read_all(const double *data, int64_t n, int threads)
{
    double sum = 0;
#pragma omp parallel for simd num_threads(threads) reduction(+ : sum)
    for (int64_t i = 0; i < n; i++) sum += data[i];
    return sum;
}

/* Bytes per second of the fastest of a few passes over an array in memory; 0 without the room. */
static double measure_bandwidth(int threads)
{
    double *data = NULL, fastest = 0, spent = 0;
    int64_t n = CACHES * last_level_cache() / (int64_t)sizeof *data;
    volatile double sink; /* keeps the reads from being optimised away */

    n = n < OF_THREAD * (int64_t)threads ? OF_THREAD * (int64_t)threads : n;
    n = n < LEAST ? LEAST : n > MOST ? MOST : n;
    while (n >= SMALLEST && spmv__alloc(&data, n, sizeof *data, "bandwidth", NULL) != SPMV_SUCCESS)
        n /= 2;
    if (data == NULL) return 0;
#pragma omp parallel for num_threads(threads)
    for (int64_t i = 0; i < n; i++) data[i] = 1; /* untouched pages would all be one */
    for (int pass = 0; pass < PASSES && spent < patience; pass++) {
        evict(data, n, threads);
        const double start = spmv_now();
        sink = read_all(data, n, threads);
        const double seconds = spmv_now() - start, rate = (double)n * sizeof *data / seconds;
        spent += seconds;
        if (rate > fastest) fastest = rate;
    }
    (void)sink;
    free(data);
    return fastest;
}

static spmv_device_info description;

static void describe(void)
{
    description.device = SPMV_DEVICE_CPU;
    description.multiprocessors = spmv__threads(0);
    description.memory = physical_memory();
    description.cache = last_level_cache();
    description.bandwidth = measure_bandwidth(description.multiprocessors);
    find_name(description.name, sizeof description.name);
}

/* What was measured holds for that number of threads, which is never 0. */
void spmv__cpu_describe(spmv_device_info *out)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    if (description.multiprocessors != spmv__threads(0)) describe();
    *out = description;
    pthread_mutex_unlock(&lock);
}
