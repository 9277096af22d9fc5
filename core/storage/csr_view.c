/* csr_view.c -- compressed rows in arrays of the caller: checked, multiplied where they are, and
 * made a matrix of. */
#include "core/matrix/format.h"
#include "core/multiply/multiply.h"
#include "core/matrix/vectors.h"
#include "core/matrix/view_rules.h"

#include <stdlib.h>

/* ---- Checking -------------------------------------------------------------------------------- */

static int64_t number_at(const void *array, int bits, int64_t i)
{
    return bits == 64 ? ((const int64_t *)array)[i] : ((const int32_t *)array)[i];
}

static spmv_status check_row_ptr(const spmv_csr_view *A, spmv_error *err)
{
    int64_t before = number_at(A->row_ptr, A->row_ptr_bits, 0);
    const int64_t last = number_at(A->row_ptr, A->row_ptr_bits, A->rows);
    const spmv_status st = spmv__view_ends_check(A, before, last, err);
    if (st != SPMV_SUCCESS) return st;
    for (int64_t r = 1; r <= A->rows; r++) {
        const int64_t next = number_at(A->row_ptr, A->row_ptr_bits, r);
        if (next < before) return spmv__view_falls(r, before, next, err);
        before = next;
    }
    return SPMV_SUCCESS;
}

/* The first entry whose column is outside, or nnz. */
static int64_t find_outside(const spmv_csr_view *A)
{
    int64_t first = A->nnz;
#pragma omp parallel for schedule(static) num_threads(spmv__threads(0)) \
    reduction(min                                                       \
              : first) if (A->nnz >= SPMV__PARALLEL_CHECK_NNZ)
    for (int64_t p = 0; p < A->nnz; p++) {
        const int64_t c = number_at(A->col_idx, A->col_idx_bits, p), base = A->index_base;
        if ((c < base || c - base >= A->cols) && p < first) first = p;
    }
    return first;
}

spmv_status spmv_csr_view_check(const spmv_csr_view *A, spmv_error *err)
{
    spmv_status st;
    SPMV__REQUIRE(A != NULL, err);
    SPMV__TRY(spmv__view_head_check(A, err));
    SPMV__TRY(check_row_ptr(A, err));
    const int64_t p = find_outside(A);
    if (p < A->nnz) st = spmv__view_outside(A, p, number_at(A->col_idx, A->col_idx_bits, p), err);
done:
    return st;
}

/* ---- Multiplying ----------------------------------------------------------------------------- */

static spmv__entries entries_of(const spmv_csr_view *A)
{
    return (spmv__entries){
        .type = A->type,
        .rows = A->rows,
        .nnz = A->nnz,
        .row_ptr = A->row_ptr_bits == 64 ? A->row_ptr : NULL,
        .row_ptr32 = A->row_ptr_bits == 32 ? A->row_ptr : NULL,
        .base = A->index_base,
        .wide = A->col_idx_bits == 64,
        .col_idx = A->col_idx,
        .val = A->val,
    };
}

static spmv_status multiply_by_rows(const spmv__entries *A, spmv_scalar alpha, const spmv_dense *x,
                                    spmv_scalar beta, const spmv_dense *y, int threads,
                                    spmv_error *err)
{
    double *scratch;
    const spmv_status st = spmv__alloc(&scratch, x->cols, SPMV__SPMM_SCRATCH * sizeof *scratch,
                                       "sums of shared rows", err);
    if (st != SPMV_SUCCESS) return st;
    spmv__entries_spmm(A, alpha, x, beta, y, scratch, threads);
    free(scratch);
    return st;
}

spmv_status spmv_csr_view_multiply(const spmv_csr_view *A, double alpha, const spmv_dense *x,
                                   double beta, spmv_dense *y, int threads, spmv_error *err)
{
    SPMV__REQUIRE(A != NULL && x != NULL && y != NULL && threads >= 0, err);
    const spmv_scalar a = {alpha, 0}, b = {beta, 0};
    const int used = spmv__threads(threads);
    spmv_status st;

    SPMV__TRY(spmv__view_head_check(A, err));
    SPMV__TRY(spmv__check_whole(A->symmetry, err));
    SPMV__TRY(spmv__check_product(A->type, A->rows, A->cols, a, x, b, y, err));
    if (x->on_gpu || y->on_gpu)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "%s is on the GPU, the view on the CPU",
                          x->on_gpu ? "x" : "y");
    const spmv__entries entries = entries_of(A);
    const int64_t size = (int64_t)spmv_type_size(x->type);
    if (spmv__by_rows(x) || spmv__by_rows(y))
        return multiply_by_rows(&entries, a, x, b, y, used, err);
    for (int64_t c = 0; c < x->cols; c++) {
        const spmv__output out = {
            .type = y->type, .alpha = a, .beta = b, .y = spmv__column_of(y, c)};
        spmv__entries_multiply(&entries, x->type,
                               spmv__before(spmv__column_of(x, c), A->index_base, size), &out,
                               used);
    }
done:
    return st;
}

/* ---- A matrix of it -------------------------------------------------------------------------- */

/* The arrays that could not be borrowed. */
typedef struct copies {
    spmv_storage base;
    int64_t *row_ptr;
    int32_t *col_idx;
} copies;

static void release(spmv_storage *self)
{
    copies *held = (copies *)self;
    free(held->row_ptr);
    free(held->col_idx);
    free(held);
}

static spmv_status copy_row_ptr(copies *to, const spmv_csr_view *A, spmv_error *err)
{
    const spmv_status st =
        spmv__alloc_unset(&to->row_ptr, A->rows + 1, sizeof *to->row_ptr, "row_ptr", err);
    for (int64_t r = 0; st == SPMV_SUCCESS && r <= A->rows; r++)
        to->row_ptr[r] = number_at(A->row_ptr, A->row_ptr_bits, r) - A->index_base;
    return st;
}

static spmv_status copy_col_idx(copies *to, const spmv_csr_view *A, spmv_error *err)
{
    const spmv_status st =
        spmv__alloc_unset(&to->col_idx, A->nnz, sizeof *to->col_idx, "col_idx", err);
    if (st != SPMV_SUCCESS) return st;
#pragma omp parallel for schedule(static) \
    num_threads(spmv__threads(0)) if (A->nnz >= SPMV__PARALLEL_NNZ)
    for (int64_t p = 0; p < A->nnz; p++)
        to->col_idx[p] = (int32_t)(number_at(A->col_idx, A->col_idx_bits, p) - A->index_base);
    return st;
}

/* Matrices have no const members; arrays in a storage are not written to. */
static void *lend(const void *array)
{
    return (void *)(uintptr_t)array;
}

spmv_status spmv_csr_from_view(spmv_csr *out, const spmv_csr_view *view, spmv_error *err)
{
    SPMV__REQUIRE(out != NULL, err);
    memset(out, 0, sizeof *out);
    SPMV__REQUIRE(view != NULL, err);
    spmv_matrix A =
        spmv__blank(SPMV_CSR, view->type, view->symmetry, view->rows, view->cols, view->nnz);
    copies *held = NULL;
    spmv_status st;

    SPMV__TRY(spmv_csr_view_check(view, err));
    SPMV__TRY(spmv__check_head(&A, err));
    A.csr.storage = SPMV_BORROWED;
    A.csr.row_ptr = lend(view->row_ptr);
    A.csr.col_idx = lend(view->col_idx);
    A.csr.val = lend(view->val);
    const bool same_rows = view->row_ptr_bits == 64 && view->index_base == 0;
    const bool same_cols = view->col_idx_bits == 32 && view->index_base == 0;
    if (!same_rows || !same_cols) {
        SPMV__TRY(spmv__alloc(&held, 1, sizeof *held, "copies of indices", err));
        held->base.release = release;
        if (!same_rows) SPMV__TRY(copy_row_ptr(held, view, err));
        if (!same_cols) SPMV__TRY(copy_col_idx(held, view, err));
        A.csr.storage = &held->base;
        if (!same_rows) A.csr.row_ptr = held->row_ptr;
        if (!same_cols) A.csr.col_idx = held->col_idx;
    }
    SPMV__TRY(spmv_check(&A, err));
    *out = A.csr;
    held = NULL;
done:
    if (held != NULL) release(&held->base);
    return st;
}
