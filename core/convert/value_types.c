/* value_types.c -- the same matrix with values of another type. */
#include "core/matrix/value.h"
#include "core/matrix/format.h"
#include "core/matrix/vectors.h"

#include <math.h>

static void to_single(float *to, const double *from, int64_t n)
{
    for (int64_t p = 0; p < n; p++) to[p] = (float)from[p];
}

/* Values that stood for themselves are rounded; those of a pattern become 1, also in padding. */
static void convert_array(spmv_matrix *out, const spmv_matrix *A, const spmv__array *array)
{
    void *to = *spmv__array_pointer(out, array);
    const void *from = spmv__array_data(A, array);
    int64_t n = array->count(A);
    if (A->head.type == SPMV_F64 && out->head.type == SPMV_F32) {
        to_single(to, from, n);
        return;
    }
    for (int64_t p = 0; p < n; p++)
        spmv__set_scalar(out->head.type, to, p, spmv__scalar(A->head.type, from, p));
}

/* Returns whether n values are the same in single precision.  NaN counts as another one. */
static bool are_single(const double *val, int64_t n)
{
    enum { AT_ONCE = 4096 };
    for (int64_t begin = 0; begin < n; begin += AT_ONCE) {
        const int64_t end = begin + AT_ONCE < n ? begin + AT_ONCE : n;
        int others = 0;
        for (int64_t p = begin; p < end; p++) others |= (double)(float)val[p] != val[p];
        if (others != 0) return false;
    }
    return true;
}

/* Returns whether n real values are 1, but for `zeros` that are 0.  Those that are found are
 * subtracted. */
static bool are_one(spmv_type type, const void *val, int64_t n, int64_t *zeros)
{
    for (int64_t p = 0; p < n; p++) {
        const spmv_scalar v = spmv__scalar(type, val, p);
        if (v.re == 1) continue;
        if (!spmv__is_zero(v) || --*zeros < 0) return false;
    }
    return true;
}

/* Places for values that no entry has. */
static int64_t padding_of(const spmv_matrix *A)
{
    const spmv__format *f = spmv__format_of(A->format);
    int64_t slots = 0;
    for (int i = 0; i < f->array_count; i++)
        if (f->arrays[i].role == SPMV__VALUES) slots += f->arrays[i].count(A);
    return slots - A->head.nnz;
}

/* Returns whether a type, which is complex when A is, holds all values of A.  Padding is 0, and one
 * more 0 than that is an entry. */
static bool holds(spmv_type type, const spmv_matrix *A)
{
    const spmv__format *f = spmv__format_of(A->format);
    if (spmv_type_size(type) >= spmv_type_size(A->head.type)) return true;
    if (type == SPMV_PATTERN && A->head.symmetry != SPMV_GENERAL) return false;
    int64_t padding = padding_of(A);
    for (int i = 0; i < f->array_count; i++) {
        const spmv__array *array = &f->arrays[i];
        const void *val = spmv__array_data(A, array);
        const int64_t n = array->count(A);
        if (array->role != SPMV__VALUES) continue;
        if (type == SPMV_PATTERN ? !are_one(A->head.type, val, n, &padding)
                                 : !are_single(val, spmv_type_is_complex(type) ? 2 * n : n))
            return false;
    }
    return true;
}

spmv_type spmv_smallest_type(const spmv_matrix *A, spmv_type vector_type)
{
    spmv_type largest = vector_type;
    for (int t = SPMV_PATTERN; A != NULL && t < SPMV_TYPES; t++) {
        const spmv_type type = (spmv_type)t;
        const bool same = spmv_type_is_complex(type) == spmv_type_is_complex(A->head.type);
        /* What is not complex scales both parts of x, and 1+0i makes NaN where one is infinite. */
        if (!spmv_type_multiplies(type, vector_type) || !same) continue;
        if (holds(type, A)) return type;
        if (type != SPMV_PATTERN) largest = type;
    }
    return largest;
}

typedef struct counting {
    spmv_losses *of;
    spmv_type type;
} counting;

static void count_part(spmv_losses *of, double value, int64_t row, int64_t col)
{
    const float rounded = (float)value;
    const bool infinite = isfinite(value) && isinf(rounded);
    const bool vanished = value != 0 && rounded == 0;
    if (!infinite && !vanished) return;
    if (of->infinite == 0 && of->vanished == 0) {
        of->row = row;
        of->col = col;
        of->value = value;
    }
    of->infinite += infinite;
    of->vanished += vanished;
}

static void count_entry(void *user, int64_t row, int64_t col, const void *val)
{
    const counting *c = user;
    const spmv_scalar value = spmv__scalar(c->type, val, 0);
    count_part(c->of, value.re, row, col);
    count_part(c->of, value.im, row, col);
}

spmv_status spmv_single_losses(const spmv_matrix *A, spmv_losses *out, spmv_error *err)
{
    SPMV__REQUIRE(out != NULL, err);
    SPMV__REQUIRE_MATRIX(A, err);
    counting c = {out, A->head.type};
    memset(out, 0, sizeof *out);
    spmv__format_of(A->format)->each(A, count_entry, &c);
    return SPMV_SUCCESS;
}

spmv_status spmv_dense_single_losses(const spmv_dense *v, spmv_losses *out, spmv_error *err)
{
    SPMV__REQUIRE(v != NULL && !v->on_gpu && out != NULL, err);
    memset(out, 0, sizeof *out);
    const spmv_status st = spmv__check_vectors(v, "the vectors", err);
    if (st != SPMV_SUCCESS) return st;
    counting c = {out, v->type};
    for (int64_t col = 0; col < v->cols; col++)
        for (int64_t row = 0; row < v->rows; row++)
            count_entry(&c, row, col,
                        spmv__value_at(v->type, v->data, spmv_dense_index(v, row, col)));
    return SPMV_SUCCESS;
}

spmv_status spmv_convert_values(spmv_matrix *out, const spmv_matrix *A, spmv_type type,
                                spmv_error *err)
{
    SPMV__REQUIRE(out != NULL && out != A, err);
    memset(out, 0, sizeof *out);
    SPMV__REQUIRE_MATRIX(A, err);
    const spmv__format *f = spmv__format_of(A->format);
    if (A->head.type == type) return spmv__copy(out, A, err);
    if (spmv_type_is_complex(A->head.type) && (type == SPMV_F32 || type == SPMV_F64))
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                          "complex values are not %s; `complex_values` real, imag or abs makes "
                          "them real",
                          spmv_type_name(type));

    spmv_matrix B = *A;
    B.head.type = type;
    if (type == SPMV_PATTERN && B.head.symmetry != SPMV_GENERAL) B.head.symmetry = SPMV_SYMMETRIC;
    spmv_status st = spmv__allocate(&B, err);
    for (int i = 0; st == SPMV_SUCCESS && i < f->array_count; i++) {
        const spmv__array *array = &f->arrays[i];
        int64_t bytes = spmv__array_bytes(&B, array);
        if (bytes > 0 && array->role == SPMV__VALUES)
            convert_array(&B, A, array);
        else if (bytes > 0)
            memcpy(*spmv__array_pointer(&B, array), spmv__array_data(A, array), (size_t)bytes);
    }
    if (st == SPMV_SUCCESS && f->clear_padding != NULL && A->head.type == SPMV_PATTERN)
        f->clear_padding(&B);
    *out = B;
    return st;
}
