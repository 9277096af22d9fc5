/* compare_products.c -- see compare_products.h. */
#include "cli/bench/spgemm/compare_products.h"
#include "cli/tool/fail.h"
#include "cli/tool/steps.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Columns in order ------------------------------------------------------------------------ */

/* An entry on its way, with a value of any type. */
typedef struct moving_entry {
    int32_t col;
    char val[2 * sizeof(double)];
} moving_entry;

static int by_column(const void *a, const void *b)
{
    const int32_t x = ((const moving_entry *)a)->col, y = ((const moving_entry *)b)->col;
    return (x > y) - (x < y);
}

static bool is_sorted(const int32_t *col, int64_t n)
{
    for (int64_t k = 1; k < n; k++)
        if (col[k - 1] >= col[k]) return false;
    return true;
}

static void sort_row(int32_t *col, char *val, size_t size, int64_t n, moving_entry *entries)
{
    for (int64_t k = 0; k < n; k++) {
        entries[k].col = col[k];
        memcpy(entries[k].val, val + (size_t)k * size, size);
    }
    qsort(entries, (size_t)n, sizeof *entries, by_column);
    for (int64_t k = 0; k < n; k++) {
        col[k] = entries[k].col;
        memcpy(val + (size_t)k * size, entries[k].val, size);
    }
}

static spmv_status sort_columns(spmv_csr *C, spmv_error *err)
{
    const size_t size = spmv_type_size(C->type);
    moving_entry *entries = NULL;
    int64_t longest = 0;
    for (int64_t r = 0; r < C->rows; r++) {
        const int64_t n = C->row_ptr[r + 1] - C->row_ptr[r];
        if (n > longest && !is_sorted(C->col_idx + C->row_ptr[r], n)) longest = n;
    }
    if (longest == 0) return SPMV_SUCCESS;
    entries = calloc((size_t)longest, sizeof *entries);
    if (entries == NULL)
        return tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot sort the columns of the product");
    for (int64_t r = 0; r < C->rows; r++) {
        const int64_t at = C->row_ptr[r], n = C->row_ptr[r + 1] - at;
        if (!is_sorted(C->col_idx + at, n))
            sort_row(C->col_idx + at, (char *)C->val + (size_t)at * size, size, n, entries);
    }
    free(entries);
    return SPMV_SUCCESS;
}

/* ---- Entry by entry -------------------------------------------------------------------------- */

typedef struct comparison {
    const spmv_csr *A, *expected, *found;
    const double *magnitude; /* of each expected entry */
    bool exact;
    double eps, tiny, largest; /* of the precision */
    spmv_verification *v;
} comparison;

static spmv_scalar value_at(const spmv_csr *A, int64_t k)
{
    const bool complex = spmv_type_is_complex(A->type);
    const bool single = step_is_single(A->type);
    const float *f = A->val;
    const double *d = A->val;
    const int64_t at = complex ? 2 * k : k;
    return (spmv_scalar){single ? f[at] : d[at], !complex ? 0 : single ? f[at + 1] : d[at + 1]};
}

static bool same_bits(const comparison *c, int64_t e, int64_t f)
{
    const size_t size = spmv_type_size(c->expected->type);
    return memcmp((const char *)c->expected->val + (size_t)e * size,
                  (const char *)c->found->val + (size_t)f * size, size) == 0;
}

/* Finite both, NaN both, or the same infinity. */
static bool same_kind(double x, double y)
{
    return isfinite(x) ? isfinite(y) : isnan(x) ? isnan(y) : x == y;
}

static void count_mismatch(comparison *c, int64_t r)
{
    if (c->v->mismatches++ == 0) c->v->worst_row = r;
    c->v->wrong++;
}

/* Entry f of what was found stands where entry e is expected, in row r. */
static void compare_entry(comparison *c, int64_t r, int64_t e, int64_t f)
{
    spmv_verification *v = c->v;
    const spmv_scalar want = value_at(c->expected, e), got = value_at(c->found, f);
    const double n = (double)(c->A->row_ptr[r + 1] - c->A->row_ptr[r]), size = c->magnitude[e];
    const double error = hypot(got.re - want.re, got.im - want.im);
    const double norm = hypot(want.re, want.im);
    const double allowed = n * c->eps * size + n * c->tiny;
    if (!isfinite(error)) {
        const bool alike = same_kind(got.re, want.re) && same_kind(got.im, want.im);
        if (c->exact ? !same_bits(c, e, f) : !alike && !(size > c->largest)) count_mismatch(c, r);
        return;
    }
    v->wrong += c->exact ? !same_bits(c, e, f) : error > allowed;
    v->max_abs_error = fmax(v->max_abs_error, error);
    if (norm > 0) v->max_rel_error = fmax(v->max_rel_error, error / norm);
    if (v->worst_row >= 0 && !(error / allowed > v->excess)) return;
    v->excess = error / allowed;
    v->scaled_error = size > 0 ? error / size : 0;
    v->tolerance = n * c->eps;
    v->worst_found = got;
    v->worst_expected = want;
    if (v->mismatches == 0) v->worst_row = r;
}

/* Both rows ascend: an entry that only one of them has is wrong. */
static void compare_row(comparison *c, int64_t r)
{
    const spmv_csr *want = c->expected, *got = c->found;
    int64_t e = want->row_ptr[r], f = got->row_ptr[r];
    const int64_t e_end = want->row_ptr[r + 1], f_end = got->row_ptr[r + 1];
    while (e < e_end || f < f_end) {
        const int64_t column = e < e_end ? want->col_idx[e] : INT64_MAX;
        const int64_t other = f < f_end ? got->col_idx[f] : INT64_MAX;
        if (column == other)
            compare_entry(c, r, e, f);
        else
            count_mismatch(c, r);
        e += column <= other;
        f += other <= column;
    }
}

static bool is_identical(const spmv_csr *a, const spmv_csr *b)
{
    const size_t rows = (size_t)a->rows + 1, n = (size_t)a->nnz;
    return a->nnz == b->nnz && memcmp(a->row_ptr, b->row_ptr, rows * sizeof *a->row_ptr) == 0 &&
           (n == 0 || (memcmp(a->col_idx, b->col_idx, n * sizeof *a->col_idx) == 0 &&
                       memcmp(a->val, b->val, n * spmv_type_size(a->type)) == 0));
}

spmv_status bench_compare_product(bench_product *p, spmv_matrix *C, bool exact, product_check *out,
                                  spmv_error *err)
{
    const spmv_csr *want = &p->expected.csr, *got = &C->csr;
    const bool single = step_is_single(want->type);
    spmv_verification *v = &out->verification;
    spmv_status st;
    *out = (product_check){.verification = {.worst_row = -1}};
    if (got->type != want->type || got->rows != want->rows || got->cols != want->cols) {
        v->wrong = v->mismatches = want->nnz + 1;
        return SPMV_SUCCESS;
    }
    TOOL_TRY(sort_columns(&C->csr, err));
    out->equal_bits = is_identical(want, got);
    if (!out->equal_bits) {
        TOOL_TRY(bench_product_find_magnitudes(p, err));
        comparison c = {.A = &bench_product_a(p)->A->csr,
                        .expected = want,
                        .found = got,
                        .magnitude = p->magnitudes.csr.val,
                        .exact = exact,
                        .eps = (single ? FLT_EPSILON : DBL_EPSILON) *
                               (spmv_type_is_complex(want->type) ? 2 : 1),
                        .tiny = single ? FLT_MIN : DBL_MIN,
                        .largest = single ? FLT_MAX : DBL_MAX,
                        .v = v};
        for (int64_t r = 0; r < want->rows; r++) compare_row(&c, r);
    }
    v->pass = v->wrong == 0;
done:
    return st;
}
