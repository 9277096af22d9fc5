/* view_rules.c -- see view_rules.h. */
#include "core/matrix/view_rules.h"

static spmv_status check_either(int value, int a, int b, const char *name, spmv_error *err)
{
    if (value == a || value == b) return SPMV_SUCCESS;
    return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "%s is %d, not %d or %d", name, value, a,
                      b);
}

static spmv_status check_is_there(const void *array, const char *name, spmv_error *err)
{
    if (array != NULL) return SPMV_SUCCESS;
    return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "the view has no %s", name);
}

spmv_status spmv__view_head_check(const spmv_csr_view *A, spmv_error *err)
{
    spmv_status st;
    SPMV__TRY(check_either(A->row_ptr_bits, 32, 64, "row_ptr_bits", err));
    SPMV__TRY(check_either(A->col_idx_bits, 32, 64, "col_idx_bits", err));
    SPMV__TRY(check_either(A->index_base, 0, 1, "index_base", err));
    if ((unsigned)A->type >= SPMV_TYPES)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "there is no type %d", (int)A->type);
    if ((unsigned)A->symmetry >= SPMV_SYMMETRIES)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "there is no symmetry %d",
                          (int)A->symmetry);
    if (A->rows < 0 || A->cols < 0 || A->nnz < 0)
        return spmv__fail(err, SPMV_ERROR_INVALID_DIMENSION,
                          "there is no matrix of %lld x %lld with %lld entries", (long long)A->rows,
                          (long long)A->cols, (long long)A->nnz);
    SPMV__TRY(check_is_there(A->row_ptr, "row_ptr", err));
    if (A->nnz > 0) SPMV__TRY(check_is_there(A->col_idx, "col_idx", err));
    if (A->nnz > 0 && A->type != SPMV_PATTERN) SPMV__TRY(check_is_there(A->val, "val", err));
done:
    return st;
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
