/* ell.c -- ELLPACK: every row padded to one width, stored column by column, so that neighbouring
 * threads read neighbouring entries.  Padding costs room: skewed matrices are refused. */
#include "core/multiply/multiply.h"
#include "core/matrix/row_windows.h"
#include "core/matrix/value.h"
#include "core/storage/ell.h"

#include <math.h>
#include <stdio.h>

static const int64_t always_allowed = (int64_t)1 << 20; /* slots, when no limit was asked for */
static const double default_fill = 10;                  /* slots per nonzero */

static int64_t slots(const spmv_matrix *A)
{
    int64_t n;
    return spmv__product(A->ell.width, A->ell.rows, &n) ? n : -1;
}

static const spmv__array arrays[] = {
    {"col_idx", offsetof(spmv_matrix, ell.col_idx), SPMV__INDICES, SPMV__I32, slots},
    {"val", offsetof(spmv_matrix, ell.val), SPMV__VALUES, SPMV__VALUE, slots},
};
static const size_t params[] = {offsetof(spmv_matrix, ell.width)};

spmv_status spmv_ell_create(spmv_ell *out, spmv_type type, int64_t rows, int64_t cols,
                            int64_t width, spmv_error *err)
{
    SPMV__REQUIRE(out != NULL, err);
    spmv_matrix A = spmv__blank(SPMV_ELL, type, SPMV_GENERAL, rows, cols, 0);
    A.ell.width = width;
    spmv_status st = spmv__allocate(&A, err);
    if (st == SPMV_SUCCESS) spmv__ell_clear(&A.ell);
    *out = A.ell;
    return st;
}

void spmv__ell_clear(spmv_ell *A)
{
    spmv__clear_columns(A->col_idx, A->width * A->rows);
}

void spmv__clear_padding(spmv_type type, const int32_t *col_idx, void *val, int64_t n)
{
    for (int64_t p = 0; p < n; p++)
        if (col_idx[p] < 0) spmv__set_value(type, val, p, 0);
}

static void clear_padding(spmv_matrix *A)
{
    spmv__clear_padding(A->ell.type, A->ell.col_idx, A->ell.val, slots(A));
}

double spmv__fill_limit(const spmv_convert_options *build)
{
    return build != NULL && build->max_fill > 0 ? build->max_fill : default_fill;
}

static spmv_status check_fill(int64_t nnz, double slots, const char *what, const char *instead,
                              const spmv_convert_options *build, spmv_error *err)
{
    const bool chosen = build != NULL && build->max_fill > 0;
    const double fill = spmv__fill_limit(build), nonzeros = (double)nnz;
    if (slots / fill <= nonzeros || (!chosen && slots <= (double)always_allowed))
        return SPMV_SUCCESS;
    return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                      "%s needs %.0f slots for %lld nonzeros, a fill of %.3g over the limit of "
                      "%.3g; use %s instead",
                      what, slots, (long long)nnz, nnz > 0 ? slots / nonzeros : INFINITY, fill,
                      instead);
}

spmv_status spmv__check_fill(int64_t nnz, double slots, const char *what,
                             const spmv_convert_options *build, spmv_error *err)
{
    return check_fill(nnz, slots, what, "HYB or JDS", build, err);
}

spmv_status spmv__hyb_check_fill(const spmv_csr *A, int64_t width,
                                 const spmv_convert_options *build, spmv_error *err)
{
    char what[64];
    snprintf(what, sizeof what, "HYB with ELL of width %lld", (long long)width);
    return check_fill(A->nnz, (double)width * (double)A->rows, what, "JDS or a smaller `hyb_width`",
                      build, err);
}

static spmv_status ell_check_fill(const spmv_csr *A, int64_t width,
                                  const spmv_convert_options *build, spmv_error *err)
{
    char what[64];
    snprintf(what, sizeof what, "ELL of width %lld", (long long)width);
    return spmv__check_fill(A->nnz, (double)width * (double)A->rows, what, build, err);
}

spmv_status spmv__ell_check(const spmv_matrix *M, const spmv_ell *A, spmv_error *err)
{
    int64_t n = 0, width = A->rows > 0 ? A->width : 0; /* any width is allowed without rows */
    for (int64_t k = 0; k < width; k++) {
        for (int64_t r = 0; r < A->rows; r++) {
            int64_t p = k * A->rows + r, c = A->col_idx[p];
            int64_t previous = k > 0 ? A->col_idx[p - A->rows] : -1;
            if (c == -1) {
                if (spmv__holds_value(A->type, A->val, p))
                    return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT,
                                      "padding %lld of row %lld holds a value", (long long)k,
                                      (long long)r);
                continue;
            }
            if (k > 0 && previous == -1)
                return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT,
                                  "entry %lld of row %lld comes after padding", (long long)k,
                                  (long long)r);
            if (!spmv__entry_valid(&M->head, r, c) || c <= previous)
                return spmv__bad_entry(M, p, r, c, err);
            n++;
        }
    }
    if (n != A->nnz)
        return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT, "ELL holds %lld entries, expected %lld",
                          (long long)n, (long long)A->nnz);
    return SPMV_SUCCESS;
}

static spmv_status check(const spmv_matrix *A, spmv_error *err)
{
    return spmv__ell_check(A, &A->ell, err);
}

typedef struct ell_filling {
    const spmv_csr *from;
    spmv_ell *to;
} ell_filling;

static int64_t fill_rows(void *job, int64_t begin, int64_t end)
{
    const spmv_csr *A = ((const ell_filling *)job)->from;
    const spmv_ell *out = ((const ell_filling *)job)->to;
    int64_t n = 0;
    for (int64_t r = begin; r < end; r++) {
        const int64_t first = A->row_ptr[r], length = A->row_ptr[r + 1] - first;
        const int64_t kept = length < out->width ? length : out->width;
        for (int64_t k = 0; k < kept; k++) {
            out->col_idx[k * A->rows + r] = A->col_idx[first + k];
            spmv__copy_value(A->type, out->val, k * A->rows + r, A->val, first + k);
        }
        n += kept;
    }
    return n;
}

void spmv__ell_fill(spmv_ell *out, const spmv_csr *A, spmv__meter *meter)
{
    ell_filling job = {A, out};
    spmv__ell_clear(out);
    spmv__in_portions(fill_rows, &job, A->rows, A->nnz, spmv__threads_for(A->nnz), meter);
}

static void set_width(spmv_ell *out, double *filled, int64_t longest,
                      const spmv_convert_options *build)
{
    out->width = build != NULL && build->ell_width > longest ? build->ell_width : longest;
    *filled = (double)out->width * (double)out->rows;
}

static spmv_status plan_sparse(spmv_matrix *out, double *filled, const spmv_row_stats *rows,
                               const spmv_convert_options *build, spmv_error *err)
{
    (void)err;
    set_width(&out->ell, filled, rows->max, build);
    return SPMV_SUCCESS;
}

static spmv_status plan(spmv_matrix *out, double *filled, const spmv_csr *A,
                        const spmv_convert_options *build, spmv_error *err)
{
    (void)err;
    *out = spmv__blank(SPMV_ELL, A->type, A->symmetry, A->rows, A->cols, A->nnz);
    set_width(&out->ell, filled, spmv__longest_row(A), build);
    return SPMV_SUCCESS;
}

static spmv_status from_csr(spmv_matrix *out, const spmv_csr *A, const spmv_convert_options *build,
                            spmv__meter *meter, spmv_error *err)
{
    spmv_status st;
    spmv_matrix B;
    double filled;

    SPMV__TRY(plan(&B, &filled, A, build, err));
    SPMV__TRY(ell_check_fill(A, B.ell.width, build, err));
    SPMV__TRY(spmv__allocate(&B, err));
    spmv__ell_fill(&B.ell, A, meter);
done:
    if (st != SPMV_SUCCESS) spmv_destroy(&B);
    *out = B;
    return st;
}

void spmv__ell_each(const spmv_ell *A, spmv__visit visit, void *user)
{
    int64_t width = A->rows > 0 ? A->width : 0;
    for (int64_t k = 0; k < width; k++) {
        for (int64_t r = 0; r < A->rows; r++) {
            int64_t p = k * A->rows + r;
            if (A->col_idx[p] >= 0)
                visit(user, r, A->col_idx[p], spmv__value_at(A->type, A->val, p));
        }
    }
}

static void each(const spmv_matrix *A, spmv__visit visit, void *user)
{
    spmv__ell_each(&A->ell, visit, user);
}

bool spmv__ell_find(const spmv_ell *A, int64_t row, int64_t col, spmv_scalar *value)
{
    for (int64_t k = 0; k < A->width; k++) {
        const int64_t p = k * A->rows + row;
        if (A->col_idx[p] != col) continue;
        *value = spmv__scalar(A->type, A->val, p);
        return true;
    }
    return false;
}

/* O(width) */
static spmv_scalar get(const spmv_matrix *A, int64_t row, int64_t col)
{
    spmv_scalar value = {0, 0};
    spmv__ell_find(&A->ell, row, col, &value);
    return value;
}

/* ---- Multiplying ---------------------------------------------------------------------------- */

static void multiply(const spmv_matrix *A, spmv_type vector_type, spmv_scalar alpha, const void *x,
                     spmv_scalar beta, void *y, double *scratch, int threads)
{
    const spmv__diagonals diagonals = spmv__ell_diagonals(&A->ell);
    const spmv__output out = {.type = vector_type, .alpha = alpha, .beta = beta, .y = y};

    (void)scratch;
    spmv__diagonals_multiply(&diagonals, vector_type, x, &out, threads);
}

const spmv__format spmv__ell_format = {
    .name = "ell",
    .max_rows = INT64_MAX,
    .max_cols = INT32_MAX,
    .arrays = arrays,
    .array_count = 2,
    .params = params,
    .param_count = 1,
    .check = check,
    .from_csr = from_csr,
    .plan = plan,
    .plan_sparse = plan_sparse,
    .walks = 1,
    .clear_padding = clear_padding,
    .each = each,
    .get = get,
    .multiply = multiply,
    .kernel = "cpu-ell",
    .kernel_summary = "blocks of rows, one padded column after the other",
};
