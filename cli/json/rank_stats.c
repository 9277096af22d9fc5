/* rank_stats.c -- see rank_stats.h. */
#include "cli/json/rank_stats.h"
#include "cli/tool/gather.h"

#include <math.h>
#include <stdlib.h>

/* What each rank tells of its rows. */
enum { ROWS, NONZEROS, SHORTEST, LONGEST, EMPTY, SQUARES, TOLD };

static void join(spmv_row_stats *out, const double *told, int size)
{
    double squares = 0;
    out->min = INT64_MAX;
    for (int k = 0; k < size; k++, told += TOLD) {
        out->rows += (int64_t)told[ROWS];
        out->nnz += (int64_t)told[NONZEROS];
        if (told[ROWS] > 0 && (int64_t)told[SHORTEST] < out->min)
            out->min = (int64_t)told[SHORTEST];
        if ((int64_t)told[LONGEST] > out->max) out->max = (int64_t)told[LONGEST];
        out->empty += (int64_t)told[EMPTY];
        squares += told[SQUARES];
    }
    if (out->rows == 0) out->min = 0;
    out->mean = out->rows > 0 ? (double)out->nnz / (double)out->rows : 0;
    const double variance = out->rows > 0 ? squares / (double)out->rows - out->mean * out->mean : 0;
    out->stddev = sqrt(fmax(variance, 0));
}

spmv_status rank_stats_gather(spmv_row_stats *out, spmv_comm *comm, const spmv_row_stats *own,
                              spmv_error *err)
{
    const spmv_row_stats *s = own;
    const double squares = (double)s->rows * (s->stddev * s->stddev + s->mean * s->mean);
    const double tell[TOLD] = {(double)s->rows, (double)s->nnz,   (double)s->min,
                               (double)s->max,  (double)s->empty, squares};
    double *told;
    *out = (spmv_row_stats){.cols = own->cols};
    const spmv_status st = tool_gather(&told, comm, tell, TOLD, err);
    if (st == SPMV_SUCCESS) join(out, told, spmv_comm_size(comm));
    free(told);
    return st;
}
