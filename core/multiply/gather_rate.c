/* gather_rate.c -- how many numbers a second this CPU reads from random places of a vector.
 *
 * The places come from a small table, moved by another amount in every pass: reading them costs
 * next to nothing, and yet all of the vector is reached. */
#include "core/base/random.h"
#include "core/multiply/cpu.h"

#include <stdlib.h>

enum {
    TABLE = 1 << 15, /* places, 128 KiB */
    BLOCKS = 64,     /* each moves the whole table by an amount of its own */
    PASSES = 3
};
static const double patience = 0.02; /* seconds, after which no further pass begins */

/* Sums of x at (table + shift) mod n, where the table and the shift are below n. */
static double gather_f64(const double *x, const int32_t *table, int64_t shift, int64_t n)
{
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int i = 0; i < TABLE; i++) {
        const int64_t place = table[i] + shift;
        sum += x[place < n ? place : place - n];
    }
    return sum;
}

static double gather_f32(const float *x, const int32_t *table, int64_t shift, int64_t n)
{
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int i = 0; i < TABLE; i++) {
        const int64_t place = table[i] + shift;
        sum += x[place < n ? place : place - n];
    }
    return (double)sum;
}

/* Seconds of one pass of all threads. */
static double pass_seconds(const void *x, size_t size, const int32_t *table, int64_t n, int pass,
                           int threads)
{
    const double start = spmv_now();
    volatile double sink; /* keeps the reads from being optimised away */
    double sum = 0;
#pragma omp parallel for num_threads(threads) reduction(+ : sum)
    for (int b = 0; b < BLOCKS; b++) {
        const int64_t shift = (int64_t)(spmv__uniform((uint64_t)pass, (uint64_t)b) * (double)n) % n;
        sum += size == sizeof(double) ? gather_f64(x, table, shift, n)
                                      : gather_f32(x, table, shift, n);
    }
    sink = sum;
    (void)sink;
    return spmv_now() - start;
}

spmv_status spmv__cpu_gather_rate(size_t size, int64_t n, int threads, double *out, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    char *x = NULL;
    int32_t *table = NULL;
    double fastest = 0, spent = 0;

    if (n < 1) n = 1;
    if (n > INT32_MAX) n = INT32_MAX;
    SPMV__TRY(spmv__alloc(&x, n, size, "a vector to gather from", err));
    SPMV__TRY(spmv__alloc(&table, TABLE, sizeof *table, "places to gather from", err));
#pragma omp parallel for num_threads(threads)
    for (int64_t i = 0; i < n * (int64_t)size; i++) x[i] = 0; /* untouched pages would all be one */
    for (int i = 0; i < TABLE; i++)
        table[i] = (int32_t)((int64_t)(spmv__uniform(1, (uint64_t)i) * (double)n) % n);
    for (int pass = 0; pass < PASSES && spent < patience; pass++) {
        const double seconds = pass_seconds(x, size, table, n, pass, threads);
        const double rate = (double)TABLE * BLOCKS / seconds;
        if (rate > fastest) fastest = rate;
        spent += seconds;
    }
    *out = fastest;
done:
    free(x);
    free(table);
    return st;
}
