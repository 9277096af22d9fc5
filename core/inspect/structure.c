/* structure.c -- how are the entries arranged, and what are their values?
 *
 * The entries in row order and the same in column order are walked side by side, as in merging two
 * sorted lists: entry (r, c) of the one meets (c, r) of the other where both are stored.  It takes
 * no memory per row or column, so a matrix may have more of either than there is memory. */
#include "core/matrix/value.h"
#include "core/matrix/format.h"
#include "core/inspect/structure.h"

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Different numbers in the ascending idx[n]. */
static int64_t count_runs(const int64_t *idx, int64_t n)
{
    int64_t runs = 0;
    for (int64_t p = 0; p < n; p++) runs += p == 0 || idx[p] != idx[p - 1];
    return runs;
}

/* Bandwidths, profile and diagonal: one pass over the entries in row order. */
static void measure_places(spmv_structure *s, const spmv_coo *A)
{
    for (int64_t p = 0; p < A->nnz; p++) {
        const int64_t r = A->row_idx[p], c = A->col_idx[p];
        const bool first = p == 0 || A->row_idx[p - 1] != r;
        s->lower_bandwidth = larger(s->lower_bandwidth, r - c);
        s->upper_bandwidth = larger(s->upper_bandwidth, c - r);
        if (first && c < r && __builtin_add_overflow(s->profile, r - c, &s->profile))
            s->profile = INT64_MAX;
        if (r != c) continue;
        s->diagonal++;
        const spmv_scalar value = spmv__scalar(A->type, A->val, p);
        s->diagonal_zeros += spmv__is_zero(value);
        s->diagonal_imaginary += value.im != 0;
    }
}

/* Entries off the diagonal of which B = A^T has one in the same place, and how the two compare. */
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
            if (r == c) continue;
            s->mirrored++;
            const bool same = spmv__are_alike(a.re, b.re);
            s->equal += same && spmv__are_alike(a.im, b.im);
            s->opposite += spmv__are_alike(a.re, -b.re) && spmv__are_alike(a.im, -b.im);
            s->conjugate += same && spmv__are_alike(a.im, -b.im);
        }
    }
}

spmv_status spmv_structure_compute(const spmv_matrix *A, spmv_structure *out, spmv_error *err)
{
    SPMV__REQUIRE(out != NULL, err);
    memset(out, 0, sizeof *out);
    SPMV__REQUIRE_MATRIX(A, err);
    spmv_status st;
    spmv_matrix own = {0}, transposed = {0};
    spmv_structure s = {0};
    SPMV__TRY(spmv__check_whole(A->head.symmetry, err));

    if (A->format != SPMV_COO) SPMV__TRY(spmv_convert(&own, A, SPMV_COO, NULL, err));
    const spmv_matrix *by_row = A->format == SPMV_COO ? A : &own;
    SPMV__TRY(spmv_transpose(&transposed, by_row, NULL, err));

    s.empty_rows = A->head.rows - count_runs(by_row->coo.row_idx, A->head.nnz);
    s.empty_cols = A->head.cols - count_runs(transposed.coo.row_idx, A->head.nnz);
    measure_places(&s, &by_row->coo);
    if (A->head.rows == A->head.cols) match_mirrors(&s, &by_row->coo, &transposed.coo);
    spmv__scan_values(&s, A->head.type, by_row->coo.val, A->head.nnz);
    *out = s;
done:
    spmv_destroy(&transposed);
    spmv_destroy(&own);
    return st;
}
