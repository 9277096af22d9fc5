/* gpu_view.c -- compressed rows that somebody else has on the GPU: checked, and made a matrix of.
 */
#include "core/matrix/format.h"
#include "core/matrix/view_rules.h"
#include "cuda/host/gpu_matrix.h"
#include "cuda/host/gpu_spgemm.h"
#include "cuda/kernels/view_arrays.h"

#include <inttypes.h>

static spmv__gpu_indices row_ptr_of(const spmv_csr_view *A)
{
    return (spmv__gpu_indices){A->row_ptr, A->rows + 1, A->row_ptr_bits, A->index_base};
}

static spmv__gpu_indices col_idx_of(const spmv_csr_view *A)
{
    return (spmv__gpu_indices){A->col_idx, A->nnz, A->col_idx_bits, A->index_base};
}

/* ---- Checking -------------------------------------------------------------------------------- */

/* Check all that can be known without reading the arrays, and give the GPU. */
static spmv_status open_view(spmv__gpu **gpu, spmv_context *ctx, const spmv_csr_view *A,
                             spmv_error *err)
{
    spmv_status st;
    SPMV__TRY(spmv__view_head_check(A, err));
    SPMV__TRY(spmv__context_gpu(gpu, ctx, err));
    SPMV__TRY(spmv__gpu_array_check(A->row_ptr, "row_ptr", err));
    SPMV__TRY(spmv__gpu_array_check(A->col_idx, "col_idx", err));
    SPMV__TRY(spmv__gpu_array_check(A->val, "val", err));
done:
    return st;
}

static spmv_status check_row_ptr(spmv__gpu *gpu, const spmv_csr_view *A, spmv_error *err)
{
    const spmv__gpu_indices row_ptr = row_ptr_of(A);
    int64_t first, last, r, before, found;
    spmv_status st;
    SPMV__TRY(spmv__gpu_indices_get(gpu, &row_ptr, 0, &first, err));
    SPMV__TRY(spmv__gpu_indices_get(gpu, &row_ptr, A->rows, &last, err));
    SPMV__TRY(spmv__view_ends_check(A, first, last, err));
    SPMV__TRY(spmv__gpu_indices_find_fall(gpu, &row_ptr, &r, err));
    if (r == row_ptr.n) goto done;
    SPMV__TRY(spmv__gpu_indices_get(gpu, &row_ptr, r - 1, &before, err));
    SPMV__TRY(spmv__gpu_indices_get(gpu, &row_ptr, r, &found, err));
    st = spmv__view_falls(r, before, found, err);
done:
    return st;
}

static spmv_status check_col_idx(spmv__gpu *gpu, const spmv_csr_view *A, spmv_error *err)
{
    const spmv__gpu_indices col_idx = col_idx_of(A);
    int64_t p, found;
    spmv_status st;
    SPMV__TRY(spmv__gpu_indices_find_outside(gpu, &col_idx, A->cols, &p, err));
    if (p == col_idx.n) goto done;
    SPMV__TRY(spmv__gpu_indices_get(gpu, &col_idx, p, &found, err));
    st = spmv__view_outside(A, p, found, err);
done:
    return st;
}

spmv_status spmv_gpu_view_check(spmv_context *ctx, const spmv_csr_view *A, spmv_error *err)
{
    spmv__gpu *gpu;
    spmv_status st;
    SPMV__REQUIRE(A != NULL, err);
    SPMV__TRY(open_view(&gpu, ctx, A, err));
    SPMV__TRY(check_row_ptr(gpu, A, err));
    st = check_col_idx(gpu, A, err);
done:
    return st;
}

/* ---- A matrix of it -------------------------------------------------------------------------- */

/* Wide loads begin at multiples of their size: those at the end of an array then stay in the last
 * SPMV_GPU_ALIGNMENT bytes that it has a part of, which a GPU can always read. */
static spmv_status check_alignment(const void *data, const char *name, spmv_error *err)
{
    if ((uintptr_t)data % SPMV_GPU_ALIGNMENT == 0) return SPMV_SUCCESS;
    return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                      "%s does not begin at a multiple of %d bytes on the GPU: copy it there", name,
                      SPMV_GPU_ALIGNMENT);
}

/* The arrays of the caller are never written to. */
static void *borrow(const void *data)
{
    return (void *)(uintptr_t)data;
}

static spmv_status take_row_ptr(spmv_gpu_matrix *to, spmv__gpu *gpu, const spmv_csr_view *view,
                                spmv_error *err)
{
    const spmv__gpu_indices from = row_ptr_of(view);
    const int bits = to->narrow ? 32 : 64;
    spmv_status st = SPMV_SUCCESS;
    void *data = borrow(view->row_ptr);
    if (from.bits != bits || from.base != 0) {
        SPMV__TRY(
            spmv__gpu_matrix_array(gpu, &to->row_ptr_copy, from.n * bits / 8, "row_ptr", err));
        SPMV__TRY(spmv__gpu_indices_copy(gpu, to->row_ptr_copy, bits, &from, err));
        data = to->row_ptr_copy;
    }
    to->shape.csr.row_ptr = data;
done:
    return st;
}

static spmv_status take_col_idx(spmv_gpu_matrix *to, spmv__gpu *gpu, const spmv_csr_view *view,
                                spmv_error *err)
{
    const spmv__gpu_indices from = col_idx_of(view);
    spmv_status st = SPMV_SUCCESS;
    void *data = borrow(view->col_idx);
    if (from.bits != 32 || from.base != 0) {
        SPMV__TRY(spmv__gpu_matrix_array(gpu, &to->col_idx_copy, from.n * 4, "col_idx", err));
        SPMV__TRY(spmv__gpu_indices_copy(gpu, to->col_idx_copy, 32, &from, err));
        data = to->col_idx_copy;
    } else {
        SPMV__TRY(check_alignment(data, "col_idx", err));
    }
    to->shape.csr.col_idx = data;
done:
    return st;
}

static spmv__gpu_indices offsets_of(const spmv_gpu_matrix *A)
{
    const spmv_csr *csr = &A->shape.csr;
    return (spmv__gpu_indices){csr->row_ptr, csr->rows + 1, A->narrow ? 32 : 64, 0};
}

spmv_status spmv__gpu_matrix_check_order(const spmv_gpu_matrix *A, spmv_context *ctx,
                                         const char *name, spmv_error *err)
{
    const spmv_csr *csr = &A->shape.csr;
    const spmv__gpu_indices row_ptr = offsets_of(A);
    spmv__gpu *gpu;
    int64_t p;
    spmv_status st;
    SPMV__TRY(spmv__context_gpu(&gpu, ctx, err));
    SPMV__TRY(spmv__gpu_indices_find_unordered(gpu, &row_ptr, csr->col_idx, csr->nnz, &p, err));
    if (p < csr->nnz)
        st = spmv__fail(err, SPMV_ERROR_INVALID_FORMAT,
                        "col_idx[%" PRId64 "] of %s is not behind the column before it", p, name);
done:
    return st;
}

/* What spmv_to_gpu finds out on the host. */
static spmv_status find_loads(spmv_gpu_matrix *A, spmv__gpu *gpu, spmv_error *err)
{
    const spmv__gpu_indices row_ptr = offsets_of(A);
    return spmv__gpu_indices_longest_loads(gpu, &row_ptr, &A->loads, err);
}

spmv_status spmv_gpu_matrix_from_view(spmv_gpu_matrix **out, spmv_context *ctx,
                                      const spmv_csr_view *view, spmv_error *err)
{
    spmv_status st;
    spmv_gpu_matrix *made = NULL;
    spmv__gpu *gpu;

    SPMV__REQUIRE(out != NULL, err);
    *out = NULL;
    SPMV__REQUIRE(view != NULL, err);
    SPMV__TRY(open_view(&gpu, ctx, view, err));
    const spmv_matrix shape =
        spmv__blank(SPMV_CSR, view->type, view->symmetry, view->rows, view->cols, view->nnz);
    SPMV__TRY(spmv__check_head(&shape, err));
    SPMV__TRY(check_alignment(view->val, "val", err));
    SPMV__TRY(spmv__alloc(&made, 1, sizeof *made, "the matrix on the GPU", err));
    made->shape = shape;
    made->narrow = spmv__gpu_matrix_is_narrow(&shape);
    made->device = ctx->device;
    made->awaited = made->borrowed = true;
    made->shape.csr.val = view->type != SPMV_PATTERN ? borrow(view->val) : NULL;
    SPMV__TRY(take_row_ptr(made, gpu, view, err));
    SPMV__TRY(take_col_idx(made, gpu, view, err));
    SPMV__TRY(find_loads(made, gpu, err));
    *out = made;
    made = NULL;
done:
    spmv_gpu_matrix_destroy(made);
    return st;
}

spmv_status spmv_gpu_matrix_view(spmv_csr_view *out, const spmv_gpu_matrix *A, spmv_error *err)
{
    SPMV__REQUIRE(out != NULL, err);
    *out = (spmv_csr_view){.val = NULL};
    SPMV__REQUIRE(A != NULL, err);
    if (A->shape.format != SPMV_CSR)
        return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT, "the matrix on the GPU is %s, not csr",
                          spmv_format_name(A->shape.format));
    const spmv_csr *csr = &A->shape.csr;
    *out = (spmv_csr_view){.type = csr->type,
                           .symmetry = csr->symmetry,
                           .rows = csr->rows,
                           .cols = csr->cols,
                           .nnz = csr->nnz,
                           .row_ptr_bits = A->narrow ? 32 : 64,
                           .col_idx_bits = 32,
                           .row_ptr = csr->row_ptr,
                           .col_idx = csr->col_idx,
                           .val = csr->val};
    return SPMV_SUCCESS;
}
