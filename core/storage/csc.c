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
    {"col_ptr", offsetof(spmv_matrix, csc.col_ptr), SPMV__TARGETS, SPMV__I64, cols_plus_1},
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

/* Columns begin .. end - 1, which one thread counts or fills: it looks at the entries of all. */
typedef struct sorting {
    const spmv_csr *from;
    spmv_csc *to;
    int64_t *next; /* [cols], where the next entry of a column goes */
    int64_t begin, end;
} sorting;

enum { SORTING_THREADS = 32 }; /* at most: further ones only look */

SPMV__INLINE bool is_among(const sorting *s, int32_t col)
{
    return (uint32_t)col - (uint32_t)s->begin < (uint32_t)(s->end - s->begin);
}

static int64_t count_columns(void *job, int64_t begin, int64_t end)
{
    const sorting s = *(const sorting *)job;
    const int32_t *col_idx = s.from->col_idx;
    int64_t *count = s.to->col_ptr + 1;
    for (int64_t p = begin; p < end; p++)
        if (is_among(&s, col_idx[p])) count[col_idx[p]]++;
    return end - begin;
}

/* Let the entries of some rows take their places. */
static int64_t move_rows(void *job, int64_t begin, int64_t end)
{
    const sorting s = *(const sorting *)job;
    const spmv_csr A = *s.from;
    const spmv_csc to = *s.to;
    for (int64_t r = begin; r < end; r++) {
        for (int64_t p = A.row_ptr[r]; p < A.row_ptr[r + 1]; p++) {
            if (!is_among(&s, A.col_idx[p])) continue;
            const int64_t q = s.next[A.col_idx[p]]++;
            to.row_idx[q] = (int32_t)r;
            spmv__copy_value(A.type, to.val, q, A.val, p);
        }
    }
    return A.row_ptr[end] - A.row_ptr[begin];
}

/* Do this for all columns by all threads, each of which takes those between two places of cut.  All
 * come on at the same pace: the first one tells how far. */
static void sort_by_all(const sorting *all, spmv__portion_work *work, int64_t n, const int64_t *cut,
                        int threads, spmv__meter *meter)
{
#pragma omp parallel for schedule(static, 1) num_threads(threads)
    for (int t = 0; t < threads; t++) {
        sorting own = {all->from, all->to, all->next, cut[t], cut[t + 1]};
        spmv__meter silent = {0};
        spmv__in_portions(work, &own, n, all->from->nnz, 1, t == 0 ? meter : &silent);
    }
}

/* Cut the columns into as many parts: of as many columns, or, once they are counted, of about as
 * many entries. */
static void cut_columns(const spmv_csc *A, bool counted, int parts, int64_t *cut)
{
    cut[0] = 0;
    for (int t = 1; t < parts; t++)
        cut[t] = counted ? spmv__find_offset(A->col_ptr, A->cols, A->nnz / parts * t)
                         : A->cols / parts * t;
    cut[parts] = A->cols;
}

/* Count the columns, then let each entry take the next place in its column.  Source: Gustavson,
 * Two fast algorithms for sparse matrices, ACM TOMS 4 (1978). */
static spmv_status from_csr(spmv_matrix *out, const spmv_csr *A, const spmv_convert_options *build,
                            spmv__meter *meter, spmv_error *err)
{
    (void)build;
    spmv_status st;
    spmv_matrix B = spmv__blank(SPMV_CSC, A->type, A->symmetry, A->rows, A->cols, A->nnz);
    sorting s = {A, &B.csc, NULL, 0, A->cols};
    int64_t cut[SORTING_THREADS + 1];
    const int available = spmv__threads_for(A->nnz);
    const int threads = available < SORTING_THREADS ? available : SORTING_THREADS;

    SPMV__TRY(spmv__allocate(&B, err));
    SPMV__TRY(spmv__alloc(&s.next, A->cols, sizeof *s.next, "column positions", err));
    if (threads > 1) spmv__threads_start();
    cut_columns(&B.csc, false, threads, cut);
    sort_by_all(&s, count_columns, A->nnz, cut, threads, meter);
    spmv__counts_to_offsets(B.csc.col_ptr, A->cols);
    memcpy(s.next, B.csc.col_ptr, (size_t)A->cols * sizeof *s.next);
    cut_columns(&B.csc, true, threads, cut);
    sort_by_all(&s, move_rows, A->rows, cut, threads, meter);
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
