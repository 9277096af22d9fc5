/* clock.c -- the time that passes. */
#include "cli/tool/clock.h"

#include <time.h>

double tool_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
