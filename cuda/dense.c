/* dense.c -- vectors to the GPU and back. */
#include "context.h"

/* Check what both directions ask of their arguments and give the GPU and the size in bytes. */
static spmv_status prepare(spmv_dense *out, const spmv_context *ctx, const spmv_dense *x,
                           bool on_gpu, spmv__gpu **gpu, int64_t *bytes, spmv_error *err)
{
    SPMV__REQUIRE(out != NULL, err);
    SPMV__REQUIRE(x != NULL, err);
    *out = (spmv_dense){0};
    if (x->on_gpu != on_gpu)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "the vector is on the %s",
                          x->on_gpu ? "GPU already" : "CPU already");
    if (!spmv__product(x->rows, x->cols, bytes) ||
        !spmv__product(*bytes, (int64_t)spmv_type_size(x->type), bytes))
        return spmv__fail(err, SPMV_ERROR_INVALID_DIMENSION, "a vector of %lld x %lld",
                          (long long)x->rows, (long long)x->cols);
    return spmv__context_gpu(gpu, ctx, err);
}

spmv_status spmv_dense_to_gpu(spmv_dense *out, spmv_context *ctx, const spmv_dense *x,
                              spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    spmv__gpu *gpu = NULL;
    int64_t bytes = 0;
    void *data = NULL;

    SPMV__TRY(prepare(out, ctx, x, false, &gpu, &bytes, err));
    SPMV__TRY(spmv__gpu_fits(bytes, "the vector", err));
    SPMV__TRY(spmv__gpu_alloc(&data, bytes, "the vector", err));
    SPMV__TRY(spmv__gpu_upload(gpu, data, x->data, bytes, err));
    *out = (spmv_dense){x->type, x->rows, x->cols, data, true, x->by_rows};
    data = NULL;
done:
    spmv__gpu_free(data);
    return st;
}

spmv_status spmv_dense_from_gpu(spmv_dense *out, spmv_context *ctx, const spmv_dense *x,
                                spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    spmv__gpu *gpu = NULL;
    int64_t bytes = 0;
    spmv_dense host = {0};

    SPMV__TRY(prepare(out, ctx, x, true, &gpu, &bytes, err));
    SPMV__TRY(spmv_dense_create(&host, x->type, x->rows, x->cols, err));
    SPMV__TRY(spmv__gpu_download(gpu, host.data, x->data, bytes, err));
    host.by_rows = x->by_rows;
    *out = host;
    host = (spmv_dense){0};
done:
    spmv_dense_destroy(&host);
    return st;
}
