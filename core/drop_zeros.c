/* drop_zeros.c -- leave out the entries that are stored, but 0. */
#include "internal.h"

spmv_status spmv_drop_zeros(spmv_matrix *out, const spmv_matrix *A, spmv_error *err)
{
    SPMV__REQUIRE(out != NULL && out != A, err);
    memset(out, 0, sizeof *out);
    spmv_matrix B;
    spmv_status st = spmv_convert(&B, A, SPMV_COO, NULL, err);
    if (st != SPMV_SUCCESS) return st;

    int64_t q = 0;
    for (int64_t p = 0; p < B.coo.nnz; p++) {
        if (spmv__is_zero(spmv__scalar(B.coo.type, B.coo.val, p))) continue;
        B.coo.row_idx[q] = B.coo.row_idx[p];
        B.coo.col_idx[q] = B.coo.col_idx[p];
        spmv__copy_value(B.coo.type, B.coo.val, q++, B.coo.val, p);
    }
    B.coo.nnz = q;
    return spmv__convert_move(out, &B, A->format, err);
}
