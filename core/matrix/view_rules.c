/* view_rules.c -- see view_rules.h. */
#include "core/matrix/view_rules.h"

spmv_status spmv__view_head_check(const spmv_csr_view *A, spmv_error *err)
{
    SPMV__REQUIRE(A->row_ptr_bits == 32 || A->row_ptr_bits == 64, err);
    SPMV__REQUIRE(A->col_idx_bits == 32 || A->col_idx_bits == 64, err);
    SPMV__REQUIRE(A->index_base == 0 || A->index_base == 1, err);
    SPMV__REQUIRE((unsigned)A->type < SPMV_TYPES, err);
    SPMV__REQUIRE((unsigned)A->symmetry < SPMV_SYMMETRIES, err);
    if (A->rows < 0 || A->cols < 0 || A->nnz < 0)
        return spmv__fail(err, SPMV_ERROR_INVALID_DIMENSION,
                          "there is no matrix of %lld x %lld with %lld entries", (long long)A->rows,
                          (long long)A->cols, (long long)A->nnz);
    SPMV__REQUIRE(A->row_ptr != NULL, err);
    SPMV__REQUIRE(A->col_idx != NULL || A->nnz == 0, err);
    SPMV__REQUIRE(A->val != NULL || A->nnz == 0 || A->type == SPMV_PATTERN, err);
    return SPMV_SUCCESS;
}

spmv_status spmv__view_ends_check(const spmv_csr_view *A, int64_t first, int64_t last,
                                  spmv_error *err)
{
    if (first != A->index_base)
        return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT, "row_ptr[0] is %lld, expected %d",
                          (long long)first, A->index_base);
    if (last != A->nnz + A->index_base)
        return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT,
                          "row_ptr ends at %lld, expected %lld for %lld entries", (long long)last,
                          (long long)(A->nnz + A->index_base), (long long)A->nnz);
    return SPMV_SUCCESS;
}

spmv_status spmv__view_falls(int64_t r, int64_t before, int64_t found, spmv_error *err)
{
    return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT, "row_ptr falls from %lld to %lld at %lld",
                      (long long)before, (long long)found, (long long)r);
}

spmv_status spmv__view_outside(const spmv_csr_view *A, int64_t p, int64_t found, spmv_error *err)
{
    return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT, "col_idx[%lld] is %lld, outside %d .. %lld",
                      (long long)p, (long long)found, A->index_base,
                      (long long)(A->cols - 1 + A->index_base));
}
