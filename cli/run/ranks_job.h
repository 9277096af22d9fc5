/* ranks_job.h -- one multiplication by several ranks. */
#pragma once

#include "cli/run/run.h"

/* What one rank has of it. */
typedef struct ranks_job {
    run_job *run; /* on rank 0 with all of x and y */
    spmv_comm *comm;
    bool in_shares; /* all have read the matrix, and nobody has seen all of its rows */
    spmv_part part;
    spmv_type type;           /* of the values */
    spmv_row_stats own_stats; /* of its rows */
    spmv_dense x, y;          /* own elements */
    spmv_part_operator *op;
    double exchange_s, total_s; /* over all samples */
} ranks_job;

/* Tell speed, balance and communication, where they are wanted, and write the record. */
spmv_status ranks_summarise(ranks_job *j, spmv_error *err);
