/* csc.c -- compressed columns.  The same arrays are the CSR form of the transpose, and the way
 * from one to the other is a counting sort. */
#include "core/multiply/multiply.h"
#include "core/matrix/value.h"
#include "core/matrix/format.h"
#include "core/base/meter.h"

#include <stdlib.h>

static int64_t cols_plus_1(const spmv_matrix *A)
{
    return A->head.cols + 1;
}

static int64_t nnz(const spmv_matrix *A)
{
    return A->head.nnz;
}

static const spmv__array arrays[] = {
    {"col_ptr", offsetof(spmv_matrix, csc.col_ptr), SPMV__OFFSETS, SPMV__I64, cols_plus_1},
    {"row_idx", offsetof(spmv_matrix, csc.row_idx), SPMV__TARGETS, SPMV__I32, nnz},
    {"val", offsetof(spmv_matrix, csc.val), SPMV__VALUES, SPMV__VALUE, nnz},
};

spmv_status spmv_csc_create(spmv_csc *out, spmv_type type, int64_t rows, int64_t cols, int64_t nnz,
                            spmv_error *err)
{
    SPMV__REQUIRE(out != NULL, err);
    spmv_matrix A = spmv__blank(SPMV_CSC, type, SPMV_GENERAL, rows, cols, nnz);
    spmv_status st = spmv__allocate(&A, err);
    *out = A.csc;
    return st;
}

static spmv_status check(const spmv_matrix *M, spmv_error *err)
{
    const spmv_csc *A = &M->csc;
    spmv_status st = spmv__check_offsets(A->col_ptr, A->cols, A->nnz, "col_ptr", err);
    for (int64_t c = 0; st == SPMV_SUCCESS && c < A->cols; c++) {
        int64_t previous = -1;
        for (int64_t p = A->col_ptr[c]; p < A->col_ptr[c + 1]; p++) {
            int64_t r = A->row_idx[p];
            if (!spmv__entry_valid(&M->head, r, c) || r <= previous)
                return spmv__bad_entry(M, p, r, c, err);
            previous = r;
        }
    }
    return st;
}

typedef struct sorting {
    const spmv_csr *from;
    spmv_csc *to;
    int64_t *next; /* [cols], where the next entry of a column goes */
} sorting;

static int64_t count_columns(void *job, int64_t begin, int64_t end)
{
    const spmv_csr *A = ((const sorting *)job)->from;
    int64_t *col_ptr = ((const sorting *)job)->to->col_ptr;
    for (int64_t p = begin; p < end; p++) col_ptr[A->col_idx[p] + 1]++;
    return end - begin;
}

/* Let the entries of some rows take their places. */
static int64_t move_rows(void *job, int64_t begin, int64_t end)
{
    const spmv_csr *A = ((const sorting *)job)->from;
    const spmv_csc *to = ((const sorting *)job)->to;
    int64_t *next = ((const sorting *)job)->next;
    for (int64_t r = begin; r < end; r++) {
        for (int64_t p = A->row_ptr[r]; p < A->row_ptr[r + 1]; p++) {
            int64_t q = next[A->col_idx[p]]++;
            to->row_idx[q] = (int32_t)r;
            spmv__copy_value(A->type, to->val, q, A->val, p);
        }
    }
    return A->row_ptr[end] - A->row_ptr[begin];
}

/* Count the columns, then let each entry take the next place in its column.  Source: Gustavson,
 * Two fast algorithms for sparse matrices, ACM TOMS 4 (1978). */
static spmv_status from_csr(spmv_matrix *out, const spmv_csr *A, const spmv_convert_options *build,
                            spmv__meter *meter, spmv_error *err)
{
    (void)build;
    spmv_status st;
    spmv_matrix B = spmv__blank(SPMV_CSC, A->type, A->symmetry, A->rows, A->cols, A->nnz);
    sorting s = {A, &B.csc, NULL};

    SPMV__TRY(spmv__allocate(&B, err));
    SPMV__TRY(spmv__alloc(&s.next, A->cols, sizeof *s.next, "column positions", err));
    spmv__in_portions(count_columns, &s, A->nnz, A->nnz, 1, meter);
    spmv__counts_to_offsets(B.csc.col_ptr, A->cols);
    memcpy(s.next, B.csc.col_ptr, (size_t)A->cols * sizeof *s.next);
    spmv__in_portions(move_rows, &s, A->rows, A->nnz, 1, meter);
done:
    if (st != SPMV_SUCCESS) spmv_destroy(&B);
    free(s.next);
    *out = B;
    return st;
}

/* CSR is CSC of the transpose. */
static spmv_status to_csr(spmv_csr *out, const spmv_matrix *A, spmv__meter *meter, spmv_error *err)
{
    const spmv_head *h = &A->head;
    const spmv_matrix T = spmv__relabel(A);
    spmv_matrix B = spmv__blank(SPMV_CSR, h->type, h->symmetry, h->rows, h->cols, h->nnz);
    spmv_status st;

    SPMV__TRY(spmv__check_head(&B, err));
    SPMV__TRY(from_csr(&B, &T.csr, NULL, meter, err));
    *out = spmv__relabel(&B).csr;
done:
    return st;
}

static void each(const spmv_matrix *M, spmv__visit visit, void *user)
{
    const spmv_csc *A = &M->csc;
    for (int64_t c = 0; c < A->cols; c++) {
        for (int64_t p = A->col_ptr[c]; p < A->col_ptr[c + 1]; p++)
            visit(user, A->row_idx[p], c, spmv__value_at(A->type, A->val, p));
    }
}

/* O(log column length) */
static spmv_scalar get(const spmv_matrix *M, int64_t row, int64_t col)
{
    const spmv_csc *A = &M->csc;
    int64_t p = spmv__find_i32(A->row_idx, A->col_ptr[col], A->col_ptr[col + 1], row);
    return p >= 0 ? spmv__scalar(A->type, A->val, p) : spmv__number(0, 0);
}

const spmv__format spmv__csc_format = {
    .name = "csc",
    .max_rows = INT32_MAX,
    .max_cols = INT64_MAX - 1,
    .arrays = arrays,
    .array_count = 3,
    .check = check,
    .from_csr = from_csr,
    .walks = SPMV__TO_CSR_WALKS,
    .to_csr = to_csr,
    .each = each,
    .get = get,
    .scratch = true,
    .multiply = spmv__csc_multiply,
    .kernel = "cpu-csc",
    .kernel_summary = "every thread adds the entries of its own rows",
};
