/* verify_rows.c -- how far is y from alpha A x + beta y0, and how far may it be?
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
 * that Inf and NaN are as good as a finite result within the bound; and as each other, where a
 * factor is infinite.
 *
 * All numbers are complex here; real ones have imaginary parts of 0. */
#include "core/base/single.h"
#include "core/inspect/verify_rows.h"

#include <float.h>
#include <math.h>

/* The largest error of a rounding, relative to the number. */
static const double unit[] = {
    [SPMV_F32] = 0x1p-24, [SPMV_F64] = 0x1p-53, [SPMV_C64] = 0x1p-24, [SPMV_C128] = 0x1p-53};

enum { FURTHER = 8 }; /* roundings of factors, the second term and complex products */
/* What each factor of a term is scaled by where sums overflow. */
static const double SMALL = 0x1p-520;

double spmv__rounding_unit(spmv_type type)
{
    return unit[type];
}

static void add_real(spmv__real_sum *s, double term)
{
    const double sum = s->sum + term;
    if (fabs(s->sum) >= fabs(term))
        s->lost += (s->sum - sum) + term;
    else
        s->lost += (term - sum) + s->sum;
    s->sum = sum;
}

/* Without compensation where it makes no sense: Inf - Inf would turn Inf into NaN. */
static double real_value(const spmv__real_sum *s)
{
    return isfinite(s->sum) ? s->sum + s->lost : s->sum;
}

static spmv_scalar value_of(const spmv__row_sum *s)
{
    return spmv__number(real_value(&s->re), real_value(&s->im));
}

static bool is_finite(spmv_scalar a)
{
    return isfinite(a.re) && isfinite(a.im);
}

static double size_of(spmv_scalar a)
{
    return a.im == 0 ? fabs(a.re) : hypot(a.re, a.im);
}

static spmv_scalar half(spmv_scalar a)
{
    return spmv__number(a.re / 2, a.im / 2);
}

/* The modulus of a number may be beyond the range of its parts, where that of half of it is not. */
static double size_of_product(spmv_scalar a, spmv_scalar b)
{
    const double x = size_of(a), y = size_of(b);
    return isfinite(x) && isfinite(y) ? x * y : 4 * (size_of(half(a)) * size_of(half(b)));
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

static factor scalar_factor(spmv_scalar value)
{
    return (factor){value.im != 0, value};
}

/* s += a b */
static void add(spmv__row_sum *s, factor a, factor b)
{
    add_real(&s->re, a.value.re * b.value.re);
    if (a.is_complex && b.is_complex) add_real(&s->re, -(a.value.im * b.value.im));
    if (b.is_complex) add_real(&s->im, a.value.re * b.value.im);
    if (a.is_complex) add_real(&s->im, a.value.im * b.value.re);
    const double size = size_of_product(a.value, b.value);
    const bool odd = !is_finite(a.value) || !is_finite(b.value);
    s->size += size;
    s->finite += odd ? 0 : size;
    s->terms++;
    s->odd |= odd;
}

/* One column of x, and what has been summed so far. */
typedef struct product {
    spmv_type type;
    const spmv_dense *x;
    int64_t column;
    double scale; /* of each factor */
    double least; /* size of a value whose rounding is relative to it, scaled */
    spmv__row_sum *rows;
} product;

static factor scaled(factor f, double by)
{
    return (factor){f.is_complex, {f.value.re * by, f.value.im * by}};
}

/* The size of a part, by which its rounding is bounded; 0 is exact. */
static double at_least(double part, double least)
{
    return part == 0 ? 0 : fmax(fabs(part), least);
}

static void add_entry(void *user, int64_t row, int64_t col, const void *val)
{
    const product *p = user;
    const int64_t at = spmv_dense_index(p->x, col, p->column);
    const factor a = scaled(factor_of(p->type, val, 0), p->scale);
    const factor x = scaled(factor_of(p->x->type, p->x->data, at), p->scale);
    const double re = at_least(a.value.re, p->least), im = at_least(a.value.im, p->least);
    add(&p->rows[row], a, x);
    if (re > fabs(a.value.re) || im > fabs(a.value.im))
        p->rows[row].size += (hypot(re, im) - size_of(a.value)) * size_of(x.value);
}

enum value_kind { FINITE, NOT_A_NUMBER, PLUS_INFINITY, MINUS_INFINITY };

static enum value_kind kind_of(double value)
{
    if (isnan(value)) return NOT_A_NUMBER;
    if (isinf(value)) return value > 0 ? PLUS_INFINITY : MINUS_INFINITY;
    return FINITE;
}

/* The number as the type would hold it: infinite beyond the range of single precision. */
static double round_to(bool single, double value)
{
    return single ? spmv__rounded_to_single(value) : value;
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
    const bool single = spmv__is_single(type);
    const enum value_kind re = kind_of(round_to(single, e->reference.re));
    const enum value_kind im = kind_of(round_to(single, e->reference.im));

    if (kind_of(e->y.re) != re || kind_of(e->y.im) != im)
        compare_kinds(v, e);
    else if (re == FINITE && im == FINITE)
        compare_values(v, e);
    else if (v->worst_row < 0)
        note_worst(v, e);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static spmv_matrix rows_of(const spmv_matrix *A, const spmv__row_stretch *s)
{
    spmv_matrix part = *A;
    part.head.rows = s->end - s->begin;
    if (A->format == SPMV_CSR) part.csr.row_ptr += s->begin;
    return part;
}

/* A x, by rows. */
static void sum_products(const spmv__verification_job *j, const spmv__row_stretch *s, double scale,
                         spmv__row_sum *rows)
{
    const spmv_matrix part = rows_of(j->A, s);
    product p = {j->A->head.type, j->x, s->column, scale, 0, rows};
    if (j->values > 0) p.least = FLT_MIN * scale;
    memset(rows, 0, (size_t)part.head.rows * sizeof *rows);
    spmv__format_of(part.format)->each(&part, add_entry, &p);
}

/* Where single precision holds y and not the reference, or the other way round, and both are within
 * the error: what of y's kind is next to the reference.  Elsewhere the reference. */
static double held(double reference, double error, double y)
{
    const double room = copysign(error, reference);
    const bool over = isinf(spmv__rounded_to_single(reference));
    const bool may = over ? isfinite(spmv__rounded_to_single(reference - room))
                          : isinf(spmv__rounded_to_single(reference + room));
    if (!isfinite(reference) || isnan(y) || isinf(y) == over || !may) return reference;
    return copysign(over ? (double)FLT_MAX : INFINITY, reference);
}

/* Element (r, c) and its reference from the sum of its row, both `scale` times as large. */
static element make_element(const spmv__verification_job *j, int64_t r, int64_t c,
                            const spmv__row_sum *row, double scale, spmv__row_sum *total)
{
    const spmv_type type = j->y->type;
    const bool single = spmv__is_single(type);
    const int64_t k = spmv_dense_index(j->y, r, c);
    const factor sum = {spmv_type_is_complex(type), value_of(row)};

    *total = (spmv__row_sum){0};
    add(total, scalar_factor(j->alpha), sum);
    total->odd = row->odd || !is_finite(j->alpha);
    total->size = size_of_product(j->alpha, spmv__number(row->size, 0));
    total->finite = size_of_product(j->alpha, spmv__number(row->finite, 0));
    if (j->y0 != NULL) {
        const int64_t at = spmv_dense_index(j->y0, r, c);
        add(total, scalar_factor(j->beta), scaled(factor_of(j->y0->type, j->y0->data, at), scale));
    }
    element e = {.row = r,
                 .y = scaled(factor_of(type, j->y->data, k), scale).value,
                 .reference = value_of(total),
                 .size = total->size,
                 .scale = scale};
    const double n = (double)(row->terms + FURTHER);
    const double tiny = fmax(single ? 2 * (double)FLT_TRUE_MIN * scale : 0, n * DBL_TRUE_MIN);
    const double summed = n * 2 * j->sums * e.size + j->values * e.size;
    e.allowed = summed + unit[type] * (size_of(e.reference) + summed) + tiny;
    if (single && scale == 1) {
        e.reference.re = held(e.reference.re, summed, e.y.re);
        e.reference.im = held(e.reference.im, summed, e.y.im);
    }
    return e;
}

/* An infinite term beside a sum that overflows, in some order, is infinite of either sign, or NaN.
 */
static void allow_any_infinite(element *e)
{
    if (!isfinite(e->y.re) && !isfinite(e->reference.re)) e->reference.re = e->y.re;
    if (!isfinite(e->y.im) && !isfinite(e->reference.im)) e->reference.im = e->y.im;
}

/* Returns whether finite numbers make terms beyond the range of a double. */
static bool overflows(const spmv__row_sum *total)
{
    return !isfinite(total->size) && !total->odd;
}

/* `all` false: only the rows whose sums overflow, with terms scaled.  Returns whether there are
 * such rows. */
static bool compare_rows(const spmv__verification_job *j, spmv__row_stretch *s, bool all,
                         const spmv__row_sum *rows)
{
    const double scale = all ? 1 : SMALL * SMALL;
    bool any = false;
    for (int64_t r = s->begin; r < s->end; r++) {
        const spmv__row_sum *row = &rows[r - s->begin];
        spmv__row_sum total;
        element e = make_element(j, r, s->column, row, scale, &total);
        if (all && overflows(&total)) {
            any = true;
            continue;
        }
        if (total.odd && !isfinite(total.finite)) allow_any_infinite(&e);
        if (all)
            compare(&s->found, j->y->type, &e);
        else if (is_finite(e.y) && !total.odd && fmax(row->size, e.size) > DBL_MAX * scale)
            compare(&s->found, SPMV_C128, &e);
    }
    return any;
}

void spmv__verify_rows(const spmv__verification_job *j, spmv__row_stretch *s, spmv__row_sum *room)
{
    s->found = (spmv_verification){.worst_row = -1};
    sum_products(j, s, 1, room);
    if (!compare_rows(j, s, true, room)) return;
    sum_products(j, s, SMALL, room);
    compare_rows(j, s, false, room);
}
