/* clock.c -- the one clock. */
#include "spmv.h"

#include <time.h>

double spmv_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}
