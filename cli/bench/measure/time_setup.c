/* time_setup.c -- see time_setup.h. */
#include "cli/bench/measure/time_setup.h"
#include "cli/tool/fail.h"

#include <math.h>

enum { SETUPS = 3 };
static const double SETUP_TIME = 0.5; /* seconds for all of them, about */

spmv_status bench_time_setup(double *seconds, spmv_context *ctx,
                             spmv_status (*make)(void *work, spmv_error *err),
                             void (*undo)(void *work), void *work, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    double spent = 0;
    *seconds = INFINITY;
    for (int i = 0; i < SETUPS && spent < SETUP_TIME; i++) {
        undo(work);
        const double start = spmv_now();
        TOOL_TRY(make(work, err));
        TOOL_TRY(spmv_context_synchronize(ctx, err));
        const double one = spmv_now() - start;
        spent += one;
        *seconds = fmin(*seconds, one);
    }
done:
    return st;
}
