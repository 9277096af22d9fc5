/* vectors.c -- dense vectors of one or several columns. */
#include "core/matrix/value.h"

#include <stdlib.h>

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
    const spmv_status st = spmv_dense_create(out, x->type, x->rows, x->cols, err);
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
