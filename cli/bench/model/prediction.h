/* prediction.h -- how long a multiplication would take on a machine of --model.
 *
 * Each rank reads its rows, and what it needs of x, from its memory, and exchanges elements of x
 * before: nothing overlaps, and no rank waits for another one but at the end.  The counts are
 * exact, as those of spmv_part_predict are; all times are a model's. */
#pragma once

#include "cli/bench/model/machine.h"
#include "cli/json/rank_record.h"

#include <time.h>

typedef struct prediction {
    const char *file, *name; /* of the matrix, borrowed */
    spmv_row_stats stats;    /* likewise */
    spmv_type type;          /* of its values */
    spmv_type precision;     /* of the vectors */
    const char *partition;   /* as the option has it, borrowed; NULL: the first rule */
    model_machine machine;
    spmv_part_costs *costs; /* [machine.ranks] */
    double one_rank_s;      /* the same on one rank */
    double time_s;          /* of the slowest rank */
    double imbalance;       /* the longest multiplication by the mean */
    double communication;   /* share of the time of all ranks */
    time_t made;            /* when, for its records */
} prediction;

/* Fill in the costs of A, and all that follows from them; what stands above them is there.
 * rank_of_row and errors: those of spmv_part_predict. */
spmv_status prediction_make(prediction *p, const spmv_csr *A, const int32_t *rank_of_row,
                            spmv_error *err);
void prediction_destroy(prediction *p);

rank_figures prediction_rank_at(const prediction *p, int64_t k);
