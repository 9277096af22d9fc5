/* change_part.c -- a part of the transpose, or of what is left without some entries. */
#include "core/matrix/format.h"
#include "core/matrix/value.h"
#include "core/parts/merge_shares.h"
#include "core/parts/partition.h"
#include "core/parts/remade_parts.h"

#include <inttypes.h>

/* ---- The transpose --------------------------------------------------------------------------- */

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

/* Each rank transposes its rows, which makes some entries of all rows, and the ranks merge these.
 */
spmv_status spmv_part_transpose(spmv_part *out, spmv_comm *comm, const spmv_part *part,
                                spmv_error *err)
{
    SPMV__REQUIRE(out != NULL && out != part, err);
    *out = (spmv_part){0};
    SPMV__REQUIRE(comm != NULL && part != NULL, err);
    SPMV__REQUIRE_IN_ORDER(part, err);
    spmv_csr share = {0};
    spmv_status st = transpose_own(&share, part, comm->rank, err);
    SPMV__TRY(spmv_comm_agree(comm, st, err));
    SPMV__TRY(spmv__part_merge(out, comm, &share, SPMV_PARTITION_NNZ, err));
done:
    spmv_csr_destroy(&share);
    return st;
}

/* ---- Fewer entries --------------------------------------------------------------------------- */

/* Says whether entry p of a row of the whole matrix goes. */
typedef bool goes_rule(const spmv_csr *own, int64_t p, int64_t row);

static bool is_diagonal(const spmv_csr *own, int64_t p, int64_t row)
{
    return own->col_idx[p] == row;
}

static bool has_value_0(const spmv_csr *own, int64_t p, int64_t row)
{
    (void)row;
    return spmv__is_zero(spmv__scalar(own->type, own->val, p));
}

static void drop_entries(spmv_part *part, spmv_comm *comm, goes_rule *goes)
{
    spmv_csr *own = &part->own;
    const int64_t first = part->row_begin[comm->rank];
    int64_t p = 0, q = 0;
    for (int64_t r = 0; r < own->rows; r++) {
        for (; p < own->row_ptr[r + 1]; p++) {
            if (goes(own, p, first + r)) continue;
            own->col_idx[q] = own->col_idx[p];
            spmv__copy_value(own->type, own->val, q++, own->val, p);
        }
        own->row_ptr[r + 1] = q;
    }
    own->nnz = q;
    spmv__part_place(part, comm);
}

spmv_status spmv_part_drop_diagonal(spmv_part *part, spmv_comm *comm, spmv_error *err)
{
    SPMV__REQUIRE(part != NULL && comm != NULL, err);
    SPMV__REQUIRE_IN_ORDER(part, err);
    drop_entries(part, comm, is_diagonal);
    return SPMV_SUCCESS;
}

spmv_status spmv_part_drop_zeros(spmv_part *part, spmv_comm *comm, spmv_error *err)
{
    SPMV__REQUIRE(part != NULL && comm != NULL, err);
    SPMV__REQUIRE_IN_ORDER(part, err);
    drop_entries(part, comm, has_value_0);
    return SPMV_SUCCESS;
}
