/* vectors.c -- dense vectors of one or several columns. */
#include "core/matrix/value.h"
#include "core/matrix/vectors.h"

#include <stdlib.h>

extern inline int64_t spmv_dense_index(const spmv_dense *x, int64_t r, int64_t c);

spmv_status spmv_dense_create(spmv_dense *out, spmv_type type, int64_t rows, int64_t cols,
                              spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    int64_t count;
    void *data = NULL;

    SPMV__REQUIRE(out != NULL, err);
    *out = (spmv_dense){0};
    SPMV__REQUIRE(type > SPMV_PATTERN && type < SPMV_TYPES, err);
    if (!spmv__product(rows, cols, &count))
        return spmv__fail(err, SPMV_ERROR_INVALID_DIMENSION,
                          "there are no vectors of %lld rows and %lld columns", (long long)rows,
                          (long long)cols);
    SPMV__TRY(spmv__alloc(&data, count, spmv_type_size(type), "the vector", err));
    *out = (spmv_dense){.type = type, .rows = rows, .cols = cols, .data = data};
done:
    return st;
}

spmv_status spmv_dense_reorder(spmv_dense *out, const spmv_dense *x, bool by_rows, spmv_error *err)
{
    SPMV__REQUIRE(out != NULL && out != x, err);
    *out = (spmv_dense){0};
    SPMV__REQUIRE(x != NULL && !x->on_gpu, err);
    spmv_status st = spmv__check_vectors(x, "the vector", err);
    if (st != SPMV_SUCCESS) return st;
    st = spmv_dense_create(out, x->type, x->rows, x->cols, err);
    if (st != SPMV_SUCCESS) return st;
    out->by_rows = by_rows;
    for (int64_t r = 0; r < x->rows && x->cols > 0; r++)
        for (int64_t c = 0; c < x->cols; c++)
            spmv__copy_value(x->type, out->data, spmv_dense_index(out, r, c), x->data,
                             spmv_dense_index(x, r, c));
    return st;
}

void spmv_dense_destroy(spmv_dense *x)
{
    if (x == NULL) return;
    if (x->storage != NULL)
        x->storage->release(x->storage);
    else
        free(x->data);
    *x = (spmv_dense){0};
}

/* ---- Checks ---------------------------------------------------------------------------------- */

/* Bytes from the first element to behind the last one, of vectors that were checked. */
static int64_t span_of(const spmv_dense *x)
{
    if (x->rows == 0 || x->cols == 0) return 0;
    const int64_t last = spmv_dense_index(x, x->rows - 1, x->cols - 1);
    return (last + 1) * (int64_t)spmv_type_size(x->type);
}

/* Whether an int64_t can count the bytes. */
static bool is_countable(const spmv_dense *x)
{
    int64_t n;
    return spmv__product(x->by_rows ? x->rows : x->cols, spmv__ld(x), &n) &&
           spmv__product(n, (int64_t)spmv_type_size(x->type), &n);
}

spmv_status spmv__check_vectors(const spmv_dense *x, const char *what, spmv_error *err)
{
    const int64_t least = x->by_rows ? x->cols : x->rows;
    if (x->rows < 0 || x->cols < 0)
        return spmv__fail(err, SPMV_ERROR_INVALID_DIMENSION,
                          "%s is %lld x %lld, which is less than nothing", what, (long long)x->rows,
                          (long long)x->cols);
    if (spmv__ld(x) < least)
        return spmv__fail(err, SPMV_ERROR_INVALID_DIMENSION,
                          "%s has the leading dimension %lld, and %lld %s", what, (long long)x->ld,
                          (long long)least, x->by_rows ? "columns" : "rows");
    if (!is_countable(x))
        return spmv__fail(err, SPMV_ERROR_INVALID_DIMENSION,
                          "%s is %lld x %lld, more than can be addressed", what, (long long)x->rows,
                          (long long)x->cols);
    if (x->data == NULL && span_of(x) > 0)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "%s has no data", what);
    return SPMV_SUCCESS;
}

/* Bytes from one row, or column, to the next, and those of its elements. */
static uintptr_t pitch(const spmv_dense *x)
{
    return (uintptr_t)spmv__ld(x) * spmv_type_size(x->type);
}

static uintptr_t width(const spmv_dense *x)
{
    return (uintptr_t)(x->by_rows ? x->cols : x->rows) * spmv_type_size(x->type);
}

/* Whether elements of a, which begins first, and of b lie in the same place.  What has the same
 * pitch may share an array, each in the gaps of the other. */
static bool overlap(const spmv_dense *a, const spmv_dense *b)
{
    const uintptr_t between = (uintptr_t)b->data - (uintptr_t)a->data;
    if (span_of(b) == 0 || between >= (uintptr_t)span_of(a)) return false;
    const uintptr_t at = between % pitch(a);
    return pitch(a) != pitch(b) || at < width(a) || at + width(b) > pitch(a);
}

spmv_status spmv__check_product(spmv_type type, int64_t rows, int64_t cols, spmv_scalar alpha,
                                const spmv_dense *x, spmv_scalar beta, const spmv_dense *y,
                                spmv_error *err)
{
    if (x->rows != cols || y->rows != rows || x->cols != y->cols || x->cols < 0)
        return spmv__fail(err, SPMV_ERROR_INVALID_DIMENSION,
                          "A is %lld x %lld, but x is %lld x %lld and y is %lld x %lld",
                          (long long)rows, (long long)cols, (long long)x->rows, (long long)x->cols,
                          (long long)y->rows, (long long)y->cols);
    if (x->type != y->type || !spmv_type_multiplies(type, x->type))
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                          "x is %s and y is %s, which does not go with a matrix of type %s",
                          spmv_type_name(x->type), spmv_type_name(y->type), spmv_type_name(type));
    if ((alpha.im != 0 || beta.im != 0) && !spmv_type_is_complex(x->type))
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                          "alpha or beta is complex, but the vectors are %s",
                          spmv_type_name(x->type));
    if (x->cols > 1 && x->by_rows != y->by_rows)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "x is stored by %s, y by %s",
                          x->by_rows ? "rows" : "columns", y->by_rows ? "rows" : "columns");
    spmv_status st = spmv__check_vectors(x, "x", err);
    if (st == SPMV_SUCCESS) st = spmv__check_vectors(y, "y", err);
    const bool x_first = (uintptr_t)x->data <= (uintptr_t)y->data;
    if (st == SPMV_SUCCESS && (x_first ? overlap(x, y) : overlap(y, x)))
        st = spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "x and y overlap");
    return st;
}
