/* gather.h -- numbers of all ranks on all ranks. */
#pragma once

#include "spmv.h"

/* Bring the numbers of each rank to all, as spmv_comm_gather does.
 *
 *   mine  [n], at most SPMV_COMM_NUMBERS
 *   out   [ranks * n], to be freed
 *
 * Errors, on all ranks: OUT_OF_MEMORY. */
spmv_status tool_gather(double **out, spmv_comm *comm, const double *mine, int n, spmv_error *err);
