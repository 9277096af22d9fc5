/* verify.c -- how far is y from alpha A x + beta y0?
 *
 * Idea: the reference shares nothing with the multiplications.  It visits the entries one by one,
 * whatever the format, and adds each product to its row with Neumaier's compensated sum: what an
 * addition rounds away is kept in a second number.  Beside it goes the sum of absolute products,
 * which is what rounding errors of any method are proportional to.
 *
 * All numbers are complex here; real ones have imaginary parts of 0. */
#include "internal.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static const double tolerances[] = {
    [SPMV_F32] = 1e-6, [SPMV_F64] = 1e-14, [SPMV_C64] = 1e-6, [SPMV_C128] = 1e-14};

/* A compensated sum: its value is sum + lost. */
typedef struct real_sum {
    double sum, lost;
} real_sum;

typedef struct row_sum {
    real_sum re, im;
    double size; /* sum of absolute terms */
} row_sum;

static void add_real(real_sum *s, double term)
{
    const double sum = s->sum + term;
    if (fabs(s->sum) >= fabs(term))
        s->lost += (s->sum - sum) + term;
    else
        s->lost += (term - sum) + s->sum;
    s->sum = sum;
}

/* Without compensation where it makes no sense: Inf - Inf would turn Inf into NaN. */
static double real_value(const real_sum *s)
{
    return isfinite(s->sum) ? s->sum + s->lost : s->sum;
}

static spmv_scalar value_of(const row_sum *s)
{
    return spmv__number(real_value(&s->re), real_value(&s->im));
}

static double size_of(spmv_scalar a)
{
    return a.im == 0 ? fabs(a.re) : hypot(a.re, a.im);
}

/* A factor, and whether it has an imaginary part to multiply with: 0 times infinity is NaN. */
typedef struct factor {
    bool is_complex;
    spmv_scalar value;
} factor;

static factor factor_of(spmv_type type, const void *val, int64_t p)
{
    return (factor){spmv_type_is_complex(type), spmv__scalar(type, val, p)};
}

/* s += a b */
static void add(row_sum *s, factor a, factor b)
{
    add_real(&s->re, a.value.re * b.value.re);
    if (a.is_complex && b.is_complex) add_real(&s->re, -(a.value.im * b.value.im));
    if (b.is_complex) add_real(&s->im, a.value.re * b.value.im);
    if (a.is_complex) add_real(&s->im, a.value.im * b.value.re);
    s->size += size_of(a.value) * size_of(b.value);
}

/* One column of x, and what has been summed so far. */
typedef struct product {
    spmv_type type;
    const spmv_dense *x;
    int64_t column;
    row_sum *rows;
} product;

static void add_entry(void *user, int64_t row, int64_t col, const void *val)
{
    const product *p = user;
    const int64_t at = spmv_dense_index(p->x, col, p->column);
    add(&p->rows[row], factor_of(p->type, val, 0), factor_of(p->x->type, p->x->data, at));
}

enum kind { FINITE, NOT_A_NUMBER, PLUS_INFINITY, MINUS_INFINITY };

static enum kind kind_of(double value)
{
    if (isnan(value)) return NOT_A_NUMBER;
    if (isinf(value)) return value > 0 ? PLUS_INFINITY : MINUS_INFINITY;
    return FINITE;
}

/* As the type would hold it: beyond the range of single precision lies infinity. */
static double round_to(bool single, double value)
{
    return single ? (double)(float)value : value;
}

/* Compare one element with its reference; size is the sum of absolute terms. */
static void compare(spmv_verification *v, spmv_type type, int64_t row, spmv_scalar y,
                    spmv_scalar reference, double size)
{
    const bool single = type == SPMV_F32 || type == SPMV_C64;
    const enum kind re = kind_of(round_to(single, reference.re));
    const enum kind im = kind_of(round_to(single, reference.im));

    if (v->worst_row < 0) v->worst_row = row;
    if (kind_of(y.re) != re || kind_of(y.im) != im) {
        if (v->mismatches == 0) v->worst_row = row;
        v->mismatches++;
        return;
    }
    if (re != FINITE || im != FINITE) return;

    const double error = size_of(spmv__number(y.re - reference.re, y.im - reference.im));
    const double exact = size_of(reference);
    if (error > v->max_abs_error) v->max_abs_error = error;
    if (exact != 0 && error / exact > v->max_rel_error) v->max_rel_error = error / exact;
    /* Values too small for the type are rounded by an absolute amount. */
    const double smallest = single ? (double)FLT_MIN : DBL_MIN;
    const double scaled = error > 0 ? error / fmax(size, smallest) : 0;
    if (scaled > v->max_scaled_error) {
        v->max_scaled_error = scaled;
        if (v->mismatches == 0) v->worst_row = row;
    }
}

/* May alpha A x + beta y0 have an imaginary part? */
static bool is_complex(const spmv_matrix *A, spmv_scalar alpha, const spmv_dense *x,
                       spmv_scalar beta, const spmv_dense *y0)
{
    return alpha.im != 0 || beta.im != 0 || spmv_type_is_complex(A->head.type) ||
           spmv_type_is_complex(x->type) || (y0 != NULL && spmv_type_is_complex(y0->type));
}

static spmv_status check(const spmv_matrix *A, spmv_scalar alpha, const spmv_dense *x,
                         spmv_scalar beta, const spmv_dense *y0, const spmv_dense *y,
                         spmv_error *err)
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
        if (v != NULL && (v->on_gpu || v->type <= SPMV_PATTERN || v->type >= SPMV_TYPES))
            return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "%s",
                              v->on_gpu ? "a vector to verify lives on a GPU"
                                        : "a vector to verify holds no numbers");
    }
    if (!spmv_type_is_complex(y->type) && is_complex(A, alpha, x, beta, y0))
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                          "a complex product cannot be %s, as y is", spmv_type_name(y->type));
    if (A->head.symmetry != SPMV_GENERAL)
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                          "only one triangle of the matrix is stored; expand it first");
    return SPMV_SUCCESS;
}

spmv_status spmv_verify_complex(const spmv_matrix *A, spmv_scalar alpha, const spmv_dense *x,
                                spmv_scalar beta, const spmv_dense *y0, const spmv_dense *y,
                                spmv_verification *out, spmv_error *err)
{
    SPMV__REQUIRE(A != NULL && spmv__format_of(A->format) != NULL, err);
    SPMV__REQUIRE(x != NULL && y != NULL && out != NULL, err);
    SPMV__REQUIRE(spmv__is_zero(beta) || y0 != NULL, err);
    const factor a = {alpha.im != 0, alpha}, b = {beta.im != 0, beta};
    spmv_status st;
    spmv_verification v = {.worst_row = -1};
    row_sum *rows = NULL;

    if (spmv__is_zero(beta)) y0 = NULL;
    SPMV__TRY(check(A, alpha, x, beta, y0, y, err));
    SPMV__TRY(spmv__alloc(&rows, y->rows, sizeof *rows, "reference sums", err));
    v.tolerance = tolerances[y->type];
    for (int64_t c = 0; c < y->cols; c++) {
        product p = {A->head.type, x, c, rows};
        memset(rows, 0, (size_t)y->rows * sizeof *rows);
        spmv__format_of(A->format)->each(A, add_entry, &p);
        for (int64_t r = 0; r < y->rows; r++) {
            const int64_t k = spmv_dense_index(y, r, c);
            const factor sum = {spmv_type_is_complex(y->type), value_of(&rows[r])};
            row_sum total = {0};
            add(&total, a, sum);
            total.size = size_of(alpha) * rows[r].size;
            if (y0 != NULL)
                add(&total, b, factor_of(y0->type, y0->data, spmv_dense_index(y0, r, c)));
            compare(&v, y->type, r, spmv__scalar(y->type, y->data, k), value_of(&total),
                    total.size);
        }
    }
    v.pass = v.mismatches == 0 && v.max_scaled_error <= v.tolerance;
    *out = v;
done:
    free(rows);
    return st;
}

spmv_status spmv_verify(const spmv_matrix *A, double alpha, const spmv_dense *x, double beta,
                        const spmv_dense *y0, const spmv_dense *y, spmv_verification *out,
                        spmv_error *err)
{
    return spmv_verify_complex(A, spmv__number(alpha, 0), x, spmv__number(beta, 0), y0, y, out,
                               err);
}
