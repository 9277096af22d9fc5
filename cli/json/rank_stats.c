/* rank_stats.c -- see rank_stats.h. */
#include "cli/json/rank_stats.h"
#include "cli/tool/fail.h"

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
    const int size = spmv_comm_size(comm);
    double *told = calloc((size_t)size * TOLD, sizeof *told);
    spmv_status st = SPMV_SUCCESS;
    *out = (spmv_row_stats){.cols = own->cols};
    if (told == NULL)
        st = tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot store the rows of %d ranks", size);
    TOOL_TRY(spmv_comm_agree(comm, st, err));
    spmv_comm_gather(comm, tell, TOLD, told);
    join(out, told, size);
done:
    free(told);
    return st;
}
