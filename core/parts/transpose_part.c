/* transpose_part.c -- a part of the transpose: each rank transposes its rows, which makes some
 * entries of all rows, and the ranks merge these. */
#include "core/convert/convert.h"
#include "core/matrix/format.h"
#include "core/parts/merge_shares.h"
#include "core/parts/remade_parts.h"

#include <inttypes.h>

/* out = the entries of A^T that are on this rank, as a matrix of its shape. */
static spmv_status transpose_own(spmv_csr *out, const spmv_part *part, int rank, spmv_error *err)
{
    const spmv_matrix own = spmv__wrap_csr(&part->own);
    const int64_t first = part->row_begin[rank];
    spmv_matrix made = {0};
    spmv_status st;
    *out = (spmv_csr){0};
    if (part->rows > INT32_MAX)
        return spmv__fail(err, SPMV_ERROR_INVALID_DIMENSION,
                          "%" PRId64 " rows are too many for columns, 2^31 - 1 at most",
                          part->rows);
    SPMV__TRY(spmv_convert(&made, &own, SPMV_CSC, NULL, err));
    *out = spmv__relabel(&made).csr;
    out->cols = part->rows;
    for (int64_t p = 0; p < out->nnz; p++) out->col_idx[p] += (int32_t)first;
done:
    return st;
}

spmv_status spmv__part_transpose(spmv_part *out, spmv_comm *comm, const spmv_part *part,
                                 spmv_error *err)
{
    spmv_csr share = {0};
    spmv_status st = transpose_own(&share, part, comm->rank, err);
    SPMV__TRY(spmv_comm_agree(comm, st, err));
    SPMV__TRY(spmv__part_merge(out, comm, &share, SPMV_PARTITION_NNZ, err));
done:
    spmv_csr_destroy(&share);
    return st;
}
