/* join_ranks.h -- the processes that mpirun has started become ranks of one run. */
#pragma once

#include "spmv.h"

/* Join the others.  From then on one that has failed, and for which the others do not come to learn
 * of it, says so itself and ends the run.  Errors: those of spmv_comm_join. */
spmv_status tool_join_ranks(spmv_comm **out, spmv_error *err);
