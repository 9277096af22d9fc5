/* structure.c -- how are the entries arranged, and what are their values?
 *
 * The entries in row order and the same in column order are walked side by side, as in merging two
 * sorted lists: entry (r, c) of the one meets (c, r) of the other where both are stored.  All
 * threads do so row by row.  Where rows or columns are many more than entries, coordinates are
 * walked, which take no memory per row or column: a matrix may have more of either than there is
 * memory. */
#include "core/base/meter.h"
#include "core/matrix/value.h"
#include "core/matrix/format.h"
#include "core/inspect/structure.h"

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* ---- One entry ------------------------------------------------------------------------------ */

/* A sum of distances may be beyond all integers. */
static void add_distance(int64_t *sum, int64_t distance)
{
    if (__builtin_add_overflow(*sum, distance, sum)) *sum = INT64_MAX;
}

/* Bandwidths, profile and diagonal; `first` in its row. */
SPMV__INLINE void add_place(spmv_structure *s, int64_t r, int64_t c, bool first, spmv_type type,
                            const void *val, int64_t p)
{
    s->lower_bandwidth = larger(s->lower_bandwidth, r - c);
    s->upper_bandwidth = larger(s->upper_bandwidth, c - r);
    if (first && c < r) add_distance(&s->profile, r - c);
    if (r != c) return;
    const spmv_scalar value = spmv__scalar(type, val, p);
    s->diagonal++;
    s->diagonal_zeros += spmv__is_zero(value);
    s->diagonal_imaginary += value.im != 0;
}

/* An entry off the diagonal, and the one that its mirror image has. */
SPMV__INLINE void add_mirrored(spmv_structure *s, spmv_scalar a, spmv_scalar b)
{
    const bool same = spmv__are_alike(a.re, b.re);
    s->mirrored++;
    s->equal += same && spmv__are_alike(a.im, b.im);
    s->opposite += spmv__are_alike(a.re, -b.re) && spmv__are_alike(a.im, -b.im);
    s->conjugate += same && spmv__are_alike(a.im, -b.im);
}

/* ---- By rows -------------------------------------------------------------------------------- */

typedef struct structure_rows {
    const spmv_csr *A, *T; /* T: the transpose, of a square matrix; else NULL */
    spmv_structure sum;
} structure_rows;

static void look_at_row(spmv_structure *s, const spmv_csr *A, const spmv_csr *T, int64_t r)
{
    const int64_t begin = A->row_ptr[r], end = A->row_ptr[r + 1];
    int64_t q = T != NULL ? T->row_ptr[r] : 0;
    const int64_t q_end = T != NULL ? T->row_ptr[r + 1] : 0;
    s->empty_rows += begin == end;
    for (int64_t p = begin; p < end; p++) {
        const int32_t c = A->col_idx[p];
        add_place(s, r, c, p == begin, A->type, A->val, p);
        while (q < q_end && T->col_idx[q] < c) q++;
        if (q < q_end && T->col_idx[q] == c && c != r)
            add_mirrored(s, spmv__scalar(A->type, A->val, p), spmv__scalar(T->type, T->val, q));
    }
}

static void add_structure(spmv_structure *sum, const spmv_structure *s)
{
    sum->empty_rows += s->empty_rows;
    sum->lower_bandwidth = larger(sum->lower_bandwidth, s->lower_bandwidth);
    sum->upper_bandwidth = larger(sum->upper_bandwidth, s->upper_bandwidth);
    add_distance(&sum->profile, s->profile);
    sum->diagonal += s->diagonal;
    sum->diagonal_zeros += s->diagonal_zeros;
    sum->diagonal_imaginary += s->diagonal_imaginary;
    sum->mirrored += s->mirrored;
    sum->equal += s->equal;
    sum->opposite += s->opposite;
    sum->conjugate += s->conjugate;
}

static int64_t look_at_rows(void *job, int64_t begin, int64_t end)
{
    structure_rows *rows = job;
    spmv_structure s = {0};
    for (int64_t r = begin; r < end; r++) look_at_row(&s, rows->A, rows->T, r);
#pragma omp critical(spmv__structure)
    add_structure(&rows->sum, &s);
    return 0;
}

/* Columns without an entry, which the offsets of the transpose tell. */
static int64_t count_empty(const int64_t *ptr, int64_t n)
{
    int64_t empty = 0;
    for (int64_t i = 0; i < n; i++) empty += ptr[i] == ptr[i + 1];
    return empty;
}

static spmv_status measure_by_rows(spmv_structure *s, const spmv_matrix *A, spmv_error *err)
{
    spmv_status st;
    spmv_matrix own = {0}, turned = {0};
    structure_rows job = {0};
    if (A->format != SPMV_CSR) SPMV__TRY(spmv_convert(&own, A, SPMV_CSR, NULL, err));
    job.A = A->format == SPMV_CSR ? &A->csr : &own.csr;
    const spmv_matrix by_row = {.format = SPMV_CSR, .csr = *job.A};
    SPMV__TRY(spmv_convert(&turned, &by_row, SPMV_CSC, NULL, err));
    turned = spmv__relabel(&turned);
    if (A->head.rows == A->head.cols) job.T = &turned.csr;
    spmv__in_portions(look_at_rows, &job, A->head.rows, A->head.nnz, spmv__threads_for(A->head.nnz),
                      &(spmv__meter){0});
    *s = job.sum;
    s->empty_cols = count_empty(turned.csr.row_ptr, A->head.cols);
    spmv__scan_values(s, A->head.type, job.A->val, A->head.nnz);
done:
    spmv_destroy(&turned);
    spmv_destroy(&own);
    return st;
}

/* ---- Among coordinates ---------------------------------------------------------------------- */

/* Different numbers in the ascending idx[n]. */
static int64_t count_runs(const int64_t *idx, int64_t n)
{
    int64_t runs = 0;
    for (int64_t p = 0; p < n; p++) runs += p == 0 || idx[p] != idx[p - 1];
    return runs;
}

static void look_at_places(spmv_structure *s, const spmv_coo *A)
{
    for (int64_t p = 0; p < A->nnz; p++) {
        const int64_t r = A->row_idx[p];
        add_place(s, r, A->col_idx[p], p == 0 || A->row_idx[p - 1] != r, A->type, A->val, p);
    }
}

/* Entries off the diagonal of which B = A^T has one in the same place. */
static void match_mirrors(spmv_structure *s, const spmv_coo *A, const spmv_coo *B)
{
    for (int64_t p = 0, q = 0; p < A->nnz && q < B->nnz;) {
        const int64_t r = A->row_idx[p], c = A->col_idx[p];
        if (r < B->row_idx[q] || (r == B->row_idx[q] && c < B->col_idx[q])) {
            p++;
        } else if (r != B->row_idx[q] || c != B->col_idx[q]) {
            q++;
        } else {
            const spmv_scalar a = spmv__scalar(A->type, A->val, p++);
            const spmv_scalar b = spmv__scalar(B->type, B->val, q++);
            if (r != c) add_mirrored(s, a, b);
        }
    }
}

static spmv_status measure_among_coordinates(spmv_structure *s, const spmv_matrix *A,
                                             spmv_error *err)
{
    spmv_status st;
    spmv_matrix own = {0}, turned = {0};
    if (A->format != SPMV_COO) SPMV__TRY(spmv_convert(&own, A, SPMV_COO, NULL, err));
    const spmv_matrix *by_row = A->format == SPMV_COO ? A : &own;
    SPMV__TRY(spmv_transpose(&turned, by_row, NULL, err));
    s->empty_rows = A->head.rows - count_runs(by_row->coo.row_idx, A->head.nnz);
    s->empty_cols = A->head.cols - count_runs(turned.coo.row_idx, A->head.nnz);
    look_at_places(s, &by_row->coo);
    if (A->head.rows == A->head.cols) match_mirrors(s, &by_row->coo, &turned.coo);
    spmv__scan_values(s, A->head.type, by_row->coo.val, A->head.nnz);
done:
    spmv_destroy(&turned);
    spmv_destroy(&own);
    return st;
}

/* ---- Either --------------------------------------------------------------------------------- */

/* Returns whether offsets of rows and columns take little beside the entries. */
static bool has_room_for_offsets(const spmv_head *h)
{
    return h->rows <= INT32_MAX && h->cols <= INT32_MAX && !spmv__is_hypersparse(h->rows, h->nnz) &&
           !spmv__is_hypersparse(h->cols, h->nnz);
}

spmv_status spmv_structure_compute(const spmv_matrix *A, spmv_structure *out, spmv_error *err)
{
    SPMV__REQUIRE(out != NULL, err);
    memset(out, 0, sizeof *out);
    SPMV__REQUIRE_MATRIX(A, err);
    spmv_status st;
    spmv_structure s = {0};
    SPMV__TRY(spmv__check_whole(A->head.symmetry, err));
    SPMV__TRY(
        (has_room_for_offsets(&A->head) ? measure_by_rows : measure_among_coordinates)(&s, A, err));
    *out = s;
done:
    return st;
}
