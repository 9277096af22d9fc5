/* verify.c -- how far is y from alpha A x + beta y0?
 *
 * Idea: the reference shares nothing with the multiplications.  It visits the entries one by one,
 * whatever the format, and adds each product to its row with Neumaier's compensated sum: what an
 * addition rounds away is kept in a second number.  Beside it goes the sum of absolute products,
 * which is what rounding errors of any method are proportional to. */
#include "internal.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static const double tolerances[] = {[SPMV_F32] = 1e-6, [SPMV_F64] = 1e-14};

typedef struct row_sum {
    double sum, lost; /* the value is sum + lost */
    double size;      /* sum of absolute terms */
} row_sum;

static void add(row_sum *s, double term)
{
    const double sum = s->sum + term;
    if (fabs(s->sum) >= fabs(term))
        s->lost += (s->sum - sum) + term;
    else
        s->lost += (term - sum) + s->sum;
    s->sum = sum;
    s->size += fabs(term);
}

/* Without compensation where it makes no sense: Inf - Inf would turn Inf into NaN. */
static double value_of(const row_sum *s)
{
    return isfinite(s->sum) ? s->sum + s->lost : s->sum;
}

/* One column of x, and what has been summed so far. */
typedef struct product {
    spmv_type type, x_type;
    const void *x;
    row_sum *rows;
} product;

static void add_entry(void *user, int64_t row, int64_t col, const void *val)
{
    const product *p = user;
    add(&p->rows[row], spmv__value(p->type, val, 0) * spmv__value(p->x_type, p->x, col));
}

enum kind { FINITE, NOT_A_NUMBER, PLUS_INFINITY, MINUS_INFINITY };

static enum kind kind_of(double value)
{
    if (isnan(value)) return NOT_A_NUMBER;
    if (isinf(value)) return value > 0 ? PLUS_INFINITY : MINUS_INFINITY;
    return FINITE;
}

/* As the type would hold it: beyond the range of single precision lies infinity. */
static double round_to(spmv_type type, double value)
{
    return type == SPMV_F32 ? (double)(float)value : value;
}

/* Compare one element with its reference; size is the sum of absolute terms. */
static void compare(spmv_verification *v, spmv_type type, int64_t row, double y, double reference,
                    double size)
{
    const enum kind kind = kind_of(round_to(type, reference));

    if (v->worst_row < 0) v->worst_row = row;
    if (kind_of(y) != kind) {
        if (v->mismatches == 0) v->worst_row = row;
        v->mismatches++;
    }
    if (kind_of(y) != FINITE || kind != FINITE) return;

    const double error = fabs(y - reference);
    if (error > v->max_abs_error) v->max_abs_error = error;
    if (reference != 0 && error / fabs(reference) > v->max_rel_error)
        v->max_rel_error = error / fabs(reference);
    /* Values too small for the type are rounded by an absolute amount. */
    const double smallest = type == SPMV_F32 ? (double)FLT_MIN : DBL_MIN;
    const double scaled = error > 0 ? error / fmax(size, smallest) : 0;
    if (scaled > v->max_scaled_error) {
        v->max_scaled_error = scaled;
        if (v->mismatches == 0) v->worst_row = row;
    }
}

static spmv_status check(const spmv_matrix *A, const spmv_dense *x, const spmv_dense *y0,
                         const spmv_dense *y, spmv_error *err)
{
    const spmv_dense *vectors[] = {x, y, y0};

    if (x->rows != A->head.cols || y->rows != A->head.rows || x->cols != y->cols ||
        (y0 != NULL && (y0->rows != y->rows || y0->cols != y->cols)))
        return spmv__fail(err, SPMV_ERROR_INVALID_DIMENSION,
                          "A is %lld x %lld, but x is %lld x %lld and y is %lld x %lld",
                          (long long)A->head.rows, (long long)A->head.cols, (long long)x->rows,
                          (long long)x->cols, (long long)y->rows, (long long)y->cols);
    for (int i = 0; i < 3; i++) {
        const spmv_dense *v = vectors[i];
        if (v != NULL && (v->on_gpu || (v->type != SPMV_F32 && v->type != SPMV_F64)))
            return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "%s",
                              v->on_gpu ? "a vector to verify lives on a GPU"
                                        : "a vector holds neither f32 nor f64");
    }
    if (A->head.symmetry != SPMV_GENERAL)
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                          "only one triangle of the matrix is stored; expand it first");
    return SPMV_SUCCESS;
}

spmv_status spmv_verify(const spmv_matrix *A, double alpha, const spmv_dense *x, double beta,
                        const spmv_dense *y0, const spmv_dense *y, spmv_verification *out,
                        spmv_error *err)
{
    SPMV__REQUIRE(A != NULL && spmv__format_of(A->format) != NULL, err);
    SPMV__REQUIRE(x != NULL && y != NULL && out != NULL, err);
    SPMV__REQUIRE(beta == 0 || y0 != NULL, err);
    spmv_status st;
    spmv_verification v = {.worst_row = -1};
    row_sum *rows = NULL;

    SPMV__TRY(check(A, x, beta != 0 ? y0 : NULL, y, err));
    SPMV__TRY(spmv__alloc(&rows, y->rows, sizeof *rows, "reference sums", err));
    v.tolerance = tolerances[y->type];
    for (int64_t c = 0; c < y->cols; c++) {
        product p = {A->head.type, x->type, spmv__value_at(x->type, x->data, c * x->rows), rows};
        memset(rows, 0, (size_t)y->rows * sizeof *rows);
        spmv__format_of(A->format)->each(A, add_entry, &p);
        for (int64_t r = 0; r < y->rows; r++) {
            const double old =
                beta != 0 ? beta * spmv__value(y0->type, y0->data, c * y->rows + r) : 0;
            row_sum total = {0};
            add(&total, alpha * value_of(&rows[r]));
            add(&total, old);
            compare(&v, y->type, r, spmv__value(y->type, y->data, c * y->rows + r),
                    value_of(&total), fabs(alpha) * rows[r].size + fabs(old));
        }
    }
    v.pass = v.mismatches == 0 && v.max_scaled_error <= v.tolerance;
    *out = v;
done:
    free(rows);
    return st;
}
