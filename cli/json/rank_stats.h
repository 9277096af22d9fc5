/* rank_stats.h -- the lengths of all rows, where no process has looked at the whole matrix. */
#pragma once

#include "spmv.h"

/* out = what is known of all rows, from what each rank knows of its own; all ranks make the call,
 * and each gets all of it.  Histograms, and what takes neighbouring rows, stay 0.
 * Errors: OUT_OF_MEMORY. */
spmv_status rank_stats_gather(spmv_row_stats *out, spmv_comm *comm, const spmv_row_stats *own,
                              spmv_error *err);
