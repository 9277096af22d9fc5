/* team.h -- how many threads the tool has. */
#pragma once

#include "spmv.h"

/* Have OpenMP use as many threads as --threads says, or where that is 0 as OMP_NUM_THREADS and the
 * processors do; a number that is not 0 becomes what can be started.  Errors: INVALID_ARGUMENT. */
spmv_status tool_set_threads(int64_t *threads, spmv_error *err);
