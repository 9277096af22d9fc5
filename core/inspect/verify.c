/* verify.c -- how far is y from alpha A x + beta y0, and how far may it be?
 *
 * Idea: the reference shares nothing with the multiplications.  It visits the entries one by one,
 * whatever the format, and adds each product to its row with Neumaier's compensated sum: what an
 * addition rounds away is kept in a second number.  Beside it go the number of products and the sum
 * of their absolute values.
 *
 * A sum of n products, in any order and with factors and a second term, has an error of at most
 * (n + 8) 2 u times the sum of absolute terms, where u is what one rounding of the sums costs:
 * 2^-53 in double precision (Higham, Accuracy and Stability of Numerical Algorithms, section 4.2;
 * twice that much leaves room for complex products).  The result is then rounded once to its own
 * type. Nothing more is allowed: one lost entry of a million shows.
 *
 * Where the sum of absolute terms is beyond the range of a double, all is computed once more with
 * terms that are 2^-1040 times as large.  An intermediate sum may overflow there, in some order, so
 * that Inf and NaN are as good as a finite result within the bound.
 *
 * All numbers are complex here; real ones have imaginary parts of 0. */
#include "core/matrix/value.h"
#include "core/matrix/vectors.h"
#include "core/matrix/format.h"
#include "core/multiply/multiply.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* The largest error of a rounding, relative to the number. */
static const double unit[] = {
    [SPMV_F32] = 0x1p-24, [SPMV_F64] = 0x1p-53, [SPMV_C64] = 0x1p-24, [SPMV_C128] = 0x1p-53};

enum { FURTHER = 8 }; /* roundings of factors, the second term and complex products */
enum {
    STEPS = 1 << 16, /* rows and entries of a stretch of rows */
    AT_ONCE = 8      /* columns of rows that cannot be told apart, at once at most */
};
static const double SMALL =
    0x1p-520; /* what each factor of a term is scaled by where sums overflow */

/* A compensated sum: its value is sum + lost. */
typedef struct real_sum {
    double sum, lost;
} real_sum;

typedef struct row_sum {
    real_sum re, im;
    double size;   /* sum of absolute terms */
    int64_t terms; /* products, or sums of such that were added */
    bool odd;      /* one of them is NaN or infinite because a factor is */
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
    s->terms++;
    s->odd |= !isfinite(size_of(a.value)) || !isfinite(size_of(b.value));
}

/* One column of x, and what has been summed so far. */
typedef struct product {
    spmv_type type;
    const spmv_dense *x;
    int64_t column;
    double scale; /* of each factor */
    row_sum *rows;
} product;

static factor scaled(factor f, double by)
{
    return (factor){f.is_complex, {f.value.re * by, f.value.im * by}};
}

static void add_entry(void *user, int64_t row, int64_t col, const void *val)
{
    const product *p = user;
    const int64_t at = spmv_dense_index(p->x, col, p->column);
    add(&p->rows[row], scaled(factor_of(p->type, val, 0), p->scale),
        scaled(factor_of(p->x->type, p->x->data, at), p->scale));
}

enum value_kind { FINITE, NOT_A_NUMBER, PLUS_INFINITY, MINUS_INFINITY };

static enum value_kind kind_of(double value)
{
    if (isnan(value)) return NOT_A_NUMBER;
    if (isinf(value)) return value > 0 ? PLUS_INFINITY : MINUS_INFINITY;
    return FINITE;
}

static bool is_single(spmv_type type)
{
    return type == SPMV_F32 || type == SPMV_C64;
}

/* The number as the type would hold it: infinite beyond the range of single precision. */
static double round_to(bool single, double value)
{
    return single ? (double)(float)value : value;
}

/* An element of y, and what it should be. */
typedef struct element {
    int64_t row;
    spmv_scalar y, reference;
    double size;    /* sum of absolute terms */
    double allowed; /* distance */
    double scale;   /* that all of these have */
} element;

static spmv_scalar unscaled(spmv_scalar z, double scale)
{
    return spmv__number(z.re / scale, z.im / scale);
}

static void note_worst(spmv_verification *v, const element *e)
{
    v->worst_row = e->row;
    v->worst_found = unscaled(e->y, e->scale);
    v->worst_expected = unscaled(e->reference, e->scale);
}

static void compare_kinds(spmv_verification *v, const element *e)
{
    if (v->mismatches == 0) note_worst(v, e);
    v->mismatches++;
    v->wrong++;
}

static void compare_values(spmv_verification *v, const element *e)
{
    const double error =
        size_of(spmv__number(e->y.re - e->reference.re, e->y.im - e->reference.im));
    const double exact = size_of(e->reference);
    if (error / e->scale > v->max_abs_error) v->max_abs_error = error / e->scale;
    if (exact != 0 && error / exact > v->max_rel_error) v->max_rel_error = error / exact;
    if (error > e->allowed) v->wrong++;
    const double excess = error > 0 ? error / e->allowed : 0;
    if (v->worst_row >= 0 && excess <= v->excess) return;
    v->excess = excess;
    if (v->mismatches > 0) return;
    note_worst(v, e);
    v->scaled_error = error > 0 ? error / e->size : 0;
    v->tolerance = e->size > 0 ? e->allowed / e->size : 0;
}

/* Compare one element with its reference. */
static void compare(spmv_verification *v, spmv_type type, const element *e)
{
    const bool single = is_single(type);
    const enum value_kind re = kind_of(round_to(single, e->reference.re));
    const enum value_kind im = kind_of(round_to(single, e->reference.im));

    if (kind_of(e->y.re) != re || kind_of(e->y.im) != im)
        compare_kinds(v, e);
    else if (re == FINITE && im == FINITE)
        compare_values(v, e);
    else if (v->worst_row < 0)
        note_worst(v, e);
}

/* Returns whether alpha A x + beta y0 may have an imaginary part. */
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
    const char *const names[] = {"x", "y", "y0"};

    if (x->rows != A->head.cols || y->rows != A->head.rows || x->cols != y->cols || x->cols < 1 ||
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
        const spmv_status st = v != NULL ? spmv__check_vectors(v, names[i], err) : SPMV_SUCCESS;
        if (st != SPMV_SUCCESS) return st;
    }
    if (!spmv_type_is_complex(y->type) && is_complex(A, alpha, x, beta, y0))
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                          "a complex product cannot be %s, as y is", spmv_type_name(y->type));
    if (A->head.symmetry != SPMV_GENERAL)
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                          "only one triangle of the matrix is stored; expand it first");
    return SPMV_SUCCESS;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* The product that is verified, and how its sums and values were rounded. */
typedef struct verification_job {
    const spmv_matrix *A;
    factor alpha, beta;
    const spmv_dense *x, *y0, *y;
    double sums, values; /* what a rounding costs; values 0: they were not rounded */
} verification_job;

/* Some rows of one column: what is verified at a time. */
typedef struct stretch {
    int64_t begin, end; /* rows begin .. end - 1 */
    int64_t column;
    spmv_verification found;
} stretch;

/* The number of stretches in which the rows of a matrix lie, which depends on nothing else. */
static int64_t stretches_of(const spmv_matrix *A)
{
    return A->format == SPMV_CSR ? (A->head.rows + A->head.nnz) / STEPS + 1 : 1;
}

/* Where stretch k of n begins. */
static int64_t stretch_begin(const spmv_matrix *A, int64_t k, int64_t n)
{
    if (k == n) return A->head.rows;
    if (k == 0) return 0;
    const spmv__entries entries = spmv__csr_entries(&A->csr);
    return spmv__cut_at(&entries, (int)k, (int)n).row;
}

static spmv_matrix rows_of(const spmv_matrix *A, const stretch *s)
{
    spmv_matrix part = *A;
    part.head.rows = s->end - s->begin;
    if (A->format == SPMV_CSR) part.csr.row_ptr += s->begin;
    return part;
}

/* A x of a stretch, by rows. */
static void sum_products(const verification_job *j, const stretch *s, double scale, row_sum *rows)
{
    const spmv_matrix part = rows_of(j->A, s);
    product p = {j->A->head.type, j->x, s->column, scale, rows};
    memset(rows, 0, (size_t)part.head.rows * sizeof *rows);
    spmv__format_of(part.format)->each(&part, add_entry, &p);
}

/* Element (r, c) and its reference from the sum of its row, both `scale` times as large. */
static element make_element(const verification_job *j, int64_t r, int64_t c, const row_sum *row,
                            double scale, row_sum *total)
{
    const spmv_type type = j->y->type;
    const bool single = is_single(type);
    const int64_t k = spmv_dense_index(j->y, r, c);
    const factor sum = {spmv_type_is_complex(type), value_of(row)};

    *total = (row_sum){0};
    add(total, j->alpha, sum);
    total->size = size_of(j->alpha.value) * row->size;
    if (j->y0 != NULL) {
        const int64_t at = spmv_dense_index(j->y0, r, c);
        add(total, j->beta, scaled(factor_of(j->y0->type, j->y0->data, at), scale));
    }
    element e = {.row = r,
                 .y = scaled(factor_of(type, j->y->data, k), scale).value,
                 .reference = value_of(total),
                 .size = total->size,
                 .scale = scale};
    const double n = (double)(row->terms + FURTHER);
    const double tiny = single ? 2 * (double)FLT_TRUE_MIN : n * DBL_TRUE_MIN;
    const double summed = n * 2 * j->sums * e.size + j->values * e.size;
    e.allowed = summed + unit[type] * (size_of(e.reference) + summed) + tiny;
    total->odd |= row->odd;
    return e;
}

/* Returns whether finite numbers make terms beyond the range of a double. */
static bool overflows(const row_sum *total)
{
    return !isfinite(total->size) && !total->odd;
}

/* `all` false: only the rows whose sums overflow, with terms scaled.  Returns whether there are
 * such rows. */
static bool compare_rows(const verification_job *j, stretch *s, bool all, const row_sum *rows)
{
    const double scale = all ? 1 : SMALL * SMALL;
    bool any = false;
    for (int64_t r = s->begin; r < s->end; r++) {
        row_sum total;
        element e = make_element(j, r, s->column, &rows[r - s->begin], scale, &total);
        if (all && overflows(&total)) {
            any = true;
            continue;
        }
        const bool finite = isfinite(e.y.re) && isfinite(e.y.im);
        if (all)
            compare(&s->found, j->y->type, &e);
        else if (finite && !total.odd && e.size > DBL_MAX * scale)
            compare(&s->found, SPMV_C128, &e);
    }
    return any;
}

static void verify_stretch(const verification_job *j, stretch *s, row_sum *rows)
{
    s->found = (spmv_verification){.worst_row = -1};
    sum_products(j, s, 1, rows);
    if (!compare_rows(j, s, true, rows)) return;
    sum_products(j, s, SMALL, rows);
    compare_rows(j, s, false, rows);
}

/* What was found in a further stretch: its worst row is that of all where it has the first
 * mismatch, or, without any, is off by more. */
static void add_found(spmv_verification *v, const spmv_verification *further)
{
    const spmv_verification before = *v;
    const bool worse =
        further->mismatches > 0 || before.worst_row < 0 || further->excess > before.excess;
    if (before.mismatches == 0 && worse) *v = *further;
    v->max_abs_error = fmax(before.max_abs_error, further->max_abs_error);
    v->max_rel_error = fmax(before.max_rel_error, further->max_rel_error);
    v->excess = fmax(before.excess, further->excess);
    v->wrong = before.wrong + further->wrong;
    v->mismatches = before.mismatches + further->mismatches;
}

/* Make the stretches, column by column; returns the most rows of one. */
static int64_t cut(const verification_job *j, stretch *all, int64_t each)
{
    int64_t most = 0;
    for (int64_t i = 0; i < each * j->y->cols; i++) {
        stretch *s = &all[i];
        s->column = i / each;
        s->begin = stretch_begin(j->A, i % each, each);
        s->end = stretch_begin(j->A, i % each + 1, each);
        if (s->end - s->begin > most) most = s->end - s->begin;
    }
    return most;
}

/* Stretches are verified by several threads, each with sums of its own. */
static spmv_status verify(const verification_job *j, spmv_verification *v, spmv_error *err)
{
    const int64_t each = stretches_of(j->A), n = each * j->y->cols;
    const int all = spmv__threads(0), most = each == 1 ? AT_ONCE : all;
    int threads = all < most ? all : most;
    if (threads > n) threads = (int)n;
    stretch *part = NULL;
    row_sum *rows = NULL;
    int64_t longest;
    spmv_status st;
    SPMV__TRY(spmv__alloc(&part, n, sizeof *part, "verified rows", err));
    longest = cut(j, part, each);
    SPMV__TRY(spmv__alloc(&rows, longest * threads, sizeof *rows, "reference sums", err));
    if (threads > 1) spmv__threads_start();
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) if (threads > 1)
    for (int64_t i = 0; i < n; i++) verify_stretch(j, &part[i], rows + longest * spmv__thread());
    for (int64_t i = 0; i < n; i++) add_found(v, &part[i].found);
    v->pass = v->wrong == 0;
done:
    free(part);
    free(rows);
    return st;
}

spmv_status spmv_verify_complex(const spmv_matrix *A, spmv_scalar alpha, const spmv_dense *x,
                                spmv_scalar beta, const spmv_dense *y0, const spmv_dense *y,
                                const spmv_rounding *rounding, spmv_verification *out,
                                spmv_error *err)
{
    static const spmv_rounding usual = {0};
    SPMV__REQUIRE_MATRIX(A, err);
    SPMV__REQUIRE(x != NULL && y != NULL && out != NULL, err);
    SPMV__REQUIRE(spmv__is_zero(beta) || y0 != NULL, err);
    if (rounding == NULL) rounding = &usual;
    const verification_job j = {.A = A,
                                .alpha = {alpha.im != 0, alpha},
                                .beta = {beta.im != 0, beta},
                                .x = x,
                                .y0 = spmv__is_zero(beta) ? NULL : y0,
                                .y = y,
                                .sums = unit[rounding->single_sums ? SPMV_F32 : SPMV_F64],
                                .values = rounding->single_values ? unit[SPMV_F32] : 0};
    spmv_verification v = {.worst_row = -1};
    spmv_status st;

    SPMV__TRY(check(A, alpha, x, beta, j.y0, y, err));
    SPMV__TRY(verify(&j, &v, err));
    *out = v;
done:
    return st;
}

spmv_status spmv_verify(const spmv_matrix *A, double alpha, const spmv_dense *x, double beta,
                        const spmv_dense *y0, const spmv_dense *y, spmv_verification *out,
                        spmv_error *err)
{
    return spmv_verify_complex(A, spmv__number(alpha, 0), x, spmv__number(beta, 0), y0, y, NULL,
                               out, err);
}
