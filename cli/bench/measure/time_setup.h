/* time_setup.h -- the time of a set-up. */
#pragma once

#include "spmv.h"

/* Measures what it takes to make something ready, by the wall clock: the shortest of a few times,
 * as long as that takes little, since what the machine does beside it only adds.  It is undone
 * before each, also before the first. */
spmv_status bench_time_setup(double *seconds, spmv_context *ctx,
                             spmv_status (*make)(void *work, spmv_error *err),
                             void (*undo)(void *work), void *work, spmv_error *err);
