/* view_cases_test.c -- see view_cases_test.h. */
#include "cuda/host/view_cases_test.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

spmv_dense view_test_array(spmv_context *ctx, const void *data, int64_t bytes, int garbage)
{
    const int64_t blocks = (bytes + SPMV_GPU_ALIGNMENT - 1) / SPMV_GPU_ALIGNMENT;
    const int64_t all = blocks * SPMV_GPU_ALIGNMENT;
    spmv_dense host, out;
    cr_assert_eq(spmv_dense_create(&host, SPMV_F32, all / 4, 1, NULL), SPMV_SUCCESS);
    memset(host.data, garbage, (size_t)all);
    if (bytes > 0) memcpy(host.data, data, (size_t)bytes);
    cr_assert_eq(spmv_dense_to_gpu(&out, ctx, &host, NULL), SPMV_SUCCESS);
    spmv_dense_destroy(&host);
    return out;
}

static spmv_dense integers(spmv_context *ctx, const spmv_csr *A, bool rows, int bits, int base)
{
    const int64_t n = rows ? A->rows + 1 : A->nnz;
    char *array = malloc((size_t)(n + 1) * 8);
    cr_assert_not_null(array);
    for (int64_t i = 0; i < n; i++) {
        const int64_t wide = (rows ? A->row_ptr[i] : A->col_idx[i]) + base;
        const int32_t narrow = (int32_t)wide;
        memcpy(array + i * bits / 8, bits == 64 ? (const void *)&wide : &narrow, (size_t)bits / 8);
    }
    const spmv_dense out = view_test_array(ctx, array, n * bits / 8, 0x7f);
    free(array);
    return out;
}

view_case view_test_make(spmv_context *ctx, const spmv_csr *A, int kind)
{
    const int row_bits = kind & 1 ? 64 : 32, col_bits = kind & 2 ? 64 : 32, base = kind & 4 ? 1 : 0;
    view_case f = {
        .row_ptr = integers(ctx, A, true, row_bits, base),
        .col_idx = integers(ctx, A, false, col_bits, base),
        .val = view_test_array(ctx, A->val, A->nnz * (int64_t)spmv_type_size(A->type), 0xff),
    };
    f.view = (spmv_csr_view){
        .type = A->type,
        .symmetry = A->symmetry,
        .rows = A->rows,
        .cols = A->cols,
        .nnz = A->nnz,
        .row_ptr_bits = row_bits,
        .col_idx_bits = col_bits,
        .index_base = base,
        .row_ptr = f.row_ptr.data,
        .col_idx = f.col_idx.data,
        .val = A->type != SPMV_PATTERN ? f.val.data : NULL,
    };
    return f;
}

void view_test_free(view_case *f)
{
    spmv_dense_destroy(&f->row_ptr);
    spmv_dense_destroy(&f->col_idx);
    spmv_dense_destroy(&f->val);
}
