/* gpu_vectors.c -- vectors to the GPU and back. */
#include "core/matrix/vectors.h"
#include "cuda/gpu/context.h"

#include <stdlib.h>
#include <string.h>

/* Check what both directions ask of a vector, and find the GPU and its size in bytes. */
static spmv_status prepare(const spmv_context *ctx, const spmv_dense *x, bool on_gpu,
                           spmv__gpu **gpu, int64_t *bytes, spmv_error *err)
{
    if (!spmv__is_packed(x))
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                          "vectors travel to the GPU and back without gaps; these have the leading "
                          "dimension %lld",
                          (long long)x->ld);
    if (x->on_gpu != on_gpu)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "the vector is on the %s",
                          x->on_gpu ? "GPU already" : "CPU already");
    if (!spmv__product(x->rows, x->cols, bytes) ||
        !spmv__product(*bytes, (int64_t)spmv_type_size(x->type), bytes))
        return spmv__fail(err, SPMV_ERROR_INVALID_DIMENSION, "a vector of %lld x %lld",
                          (long long)x->rows, (long long)x->cols);
    return spmv__context_gpu(gpu, ctx, err);
}

/* Device memory that a vector owns. */
typedef struct device_memory {
    spmv_storage base;
    void *data;
} device_memory;

static void release(spmv_storage *self)
{
    device_memory *memory = (device_memory *)self;
    spmv__gpu_free(memory->data);
    free(memory);
}

spmv_status spmv_dense_to_gpu(spmv_dense *out, spmv_context *ctx, const spmv_dense *x,
                              spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    spmv__gpu *gpu = NULL;
    int64_t bytes = 0;
    device_memory *memory = NULL;

    SPMV__REQUIRE(out != NULL && x != out, err);
    *out = (spmv_dense){0};
    SPMV__REQUIRE(x != NULL, err);
    SPMV__TRY(prepare(ctx, x, false, &gpu, &bytes, err));
    SPMV__TRY(spmv__gpu_fits(bytes, "the vector", err));
    SPMV__TRY(spmv__alloc(&memory, 1, sizeof *memory, "the vector", err));
    memory->base.release = release;
    SPMV__TRY(spmv__gpu_alloc(&memory->data, bytes, "the vector", err));
    SPMV__TRY(spmv__gpu_upload(gpu, memory->data, x->data, bytes, err));
    *out = *x;
    out->data = memory->data;
    out->ld = 0;
    out->on_gpu = true;
    out->storage = &memory->base;
    memory = NULL;
done:
    if (memory != NULL) release(&memory->base);
    return st;
}

spmv_status spmv_dense_from_gpu(spmv_dense *out, spmv_context *ctx, const spmv_dense *x,
                                spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    spmv__gpu *gpu = NULL;
    int64_t bytes = 0;
    spmv_dense host = {0};

    SPMV__REQUIRE(out != NULL && x != out, err);
    *out = (spmv_dense){0};
    SPMV__REQUIRE(x != NULL, err);
    SPMV__TRY(prepare(ctx, x, true, &gpu, &bytes, err));
    SPMV__TRY(spmv_dense_create(&host, x->type, x->rows, x->cols, err));
    SPMV__TRY(spmv__gpu_download(gpu, host.data, x->data, bytes, err));
    host.by_rows = x->by_rows;
    *out = host;
    host = (spmv_dense){0};
done:
    spmv_dense_destroy(&host);
    return st;
}

spmv_status spmv_dense_set(spmv_dense *to, spmv_context *ctx, const spmv_dense *from,
                           spmv_error *err)
{
    SPMV__REQUIRE(to != NULL && from != NULL && !from->on_gpu, err);
    if (to->rows != from->rows || to->cols != from->cols)
        return spmv__fail(err, SPMV_ERROR_INVALID_DIMENSION,
                          "vectors of %lld x %lld cannot take those of %lld x %lld",
                          (long long)to->rows, (long long)to->cols, (long long)from->rows,
                          (long long)from->cols);
    SPMV__REQUIRE(to->type == from->type && (to->cols < 2 || to->by_rows == from->by_rows), err);
    SPMV__REQUIRE(spmv__is_packed(to) && spmv__is_packed(from), err);
    const size_t bytes = (size_t)(to->rows * to->cols) * spmv_type_size(to->type);
    SPMV__REQUIRE(bytes == 0 || (to->data != NULL && from->data != NULL), err);
    spmv_status st = SPMV_SUCCESS;
    spmv__gpu *gpu = NULL;
    if (to->on_gpu) {
        SPMV__TRY(spmv__context_gpu(&gpu, ctx, err));
        st = spmv__gpu_upload(gpu, to->data, from->data, (int64_t)bytes, err);
    } else if (bytes > 0) {
        memcpy(to->data, from->data, bytes);
    }
done:
    return st;
}
