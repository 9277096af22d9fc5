/* drop_entries.c -- leave out entries: those that are stored, but 0, or those on the diagonal. */
#include "core/matrix/value.h"
#include "core/matrix/format.h"
#include "core/convert/convert.h"

static bool is_zero(const spmv_coo *A, int64_t p)
{
    return spmv__is_zero(spmv__scalar(A->type, A->val, p));
}

static bool is_diagonal(const spmv_coo *A, int64_t p)
{
    return A->row_idx[p] == A->col_idx[p];
}

static spmv_status drop(spmv_matrix *out, const spmv_matrix *A,
                        bool (*unwanted)(const spmv_coo *A, int64_t p),
                        const spmv_convert_options *build, spmv_error *err)
{
    spmv_matrix B;
    spmv_status st;
    if (A->format == SPMV_CSC) {
        /* The transpose in CSR needs no offsets of rows, of which there may be any number. */
        const spmv_matrix T = spmv__relabel(A);
        st = drop(&B, &T, unwanted, build, err);
        if (st == SPMV_SUCCESS) *out = spmv__relabel(&B);
        return st;
    }
    st = spmv__convert(&B, A, SPMV_COO, build, "dropping", err);
    if (st != SPMV_SUCCESS) return st;

    int64_t q = 0;
    for (int64_t p = 0; p < B.coo.nnz; p++) {
        if (unwanted(&B.coo, p)) continue;
        B.coo.row_idx[q] = B.coo.row_idx[p];
        B.coo.col_idx[q] = B.coo.col_idx[p];
        spmv__copy_value(B.coo.type, B.coo.val, q++, B.coo.val, p);
    }
    B.coo.nnz = q;
    return spmv__convert_move(out, &B, A->format, build, err);
}

spmv_status spmv_drop_zeros(spmv_matrix *out, const spmv_matrix *A,
                            const spmv_convert_options *build, spmv_error *err)
{
    SPMV__REQUIRE(out != NULL && out != A, err);
    memset(out, 0, sizeof *out);
    SPMV__REQUIRE_MATRIX(A, err);
    return drop(out, A, is_zero, build, err);
}

spmv_status spmv_drop_diagonal(spmv_matrix *out, const spmv_matrix *A,
                               const spmv_convert_options *build, spmv_error *err)
{
    SPMV__REQUIRE(out != NULL && out != A, err);
    memset(out, 0, sizeof *out);
    SPMV__REQUIRE_MATRIX(A, err);
    return drop(out, A, is_diagonal, build, err);
}
