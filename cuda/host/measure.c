/* measure.c -- what a benchmark asks of a context: time, cold caches, ceilings. */
#include "core/multiply/cpu.h"
#include "cuda/gpu/context.h"

enum {
    FLUSH_GPU = 4,      /* times the last-level cache */
    FLUSH_CPU = 2,      /* after which nothing is left that more would drive out */
    STREAM_CACHES = 16, /* so that what stays in it does not count */
    LINE = 64,
    LEAST_CACHE = 1 << 20
};

/* ---- Time ----------------------------------------------------------------------------------- */

spmv_status spmv_context_timer_start(spmv_context *ctx, spmv_error *err)
{
    SPMV__REQUIRE(ctx != NULL, err);
    if (ctx->gpu == NULL) {
        ctx->started = spmv_now();
        return SPMV_SUCCESS;
    }
    const spmv_status st = spmv__gpu_select(ctx->gpu, err);
    return st == SPMV_SUCCESS ? spmv__gpu_timer_start(ctx->gpu, err) : st;
}

spmv_status spmv_context_timer_stop(spmv_context *ctx, double *seconds, spmv_error *err)
{
    SPMV__REQUIRE(ctx != NULL, err);
    SPMV__REQUIRE(seconds != NULL, err);
    *seconds = 0;
    if (ctx->gpu == NULL) {
        *seconds = spmv_now() - ctx->started;
        return SPMV_SUCCESS;
    }
    const spmv_status st = spmv__gpu_select(ctx->gpu, err);
    return st == SPMV_SUCCESS ? spmv__gpu_timer_stop(ctx->gpu, seconds, err) : st;
}

/* ---- Caches --------------------------------------------------------------------------------- */

static int64_t cache_of(const spmv_device_info *info)
{
    return info->cache > LEAST_CACHE ? info->cache : LEAST_CACHE;
}

static spmv_status prepare_flush(spmv_context *ctx, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    spmv_device_info info;
    if (ctx->flush.data != NULL) return SPMV_SUCCESS;
    SPMV__TRY(spmv_device_describe(ctx->device, &info, err));
    const int64_t bytes = (ctx->gpu != NULL ? FLUSH_GPU : FLUSH_CPU) * cache_of(&info);
    if (ctx->gpu != NULL)
        SPMV__TRY(spmv__gpu_alloc(&ctx->flush.data, bytes, "emptying the cache", err));
    else
        SPMV__TRY(spmv__alloc(&ctx->flush.data, bytes, 1, "emptying the cache", err));
    ctx->flush.bytes = bytes;
done:
    return st;
}

/* Every thread writes a part of its own, so that no core's caches are left out. */
static void flush_cpu(const spmv_context *ctx)
{
    volatile char *data = ctx->flush.data;
#pragma omp parallel for num_threads(ctx->threads) schedule(static)
    for (int64_t i = 0; i < ctx->flush.bytes; i += LINE) data[i] = (char)(data[i] + 1);
}

spmv_status spmv_context_flush_cache(spmv_context *ctx, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    SPMV__REQUIRE(ctx != NULL, err);
    if (ctx->gpu != NULL) SPMV__TRY(spmv__gpu_select(ctx->gpu, err));
    SPMV__TRY(prepare_flush(ctx, err));
    if (ctx->gpu != NULL)
        SPMV__TRY(spmv__gpu_clear(ctx->gpu, ctx->flush.data, ctx->flush.bytes, err));
    else
        flush_cpu(ctx);
done:
    return st;
}

/* ---- Ceilings ------------------------------------------------------------------------------- */

spmv_status spmv_context_ceilings(spmv_context *ctx, spmv_type type, int64_t rows,
                                  spmv_peak_rates *out, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    spmv_device_info info;

    SPMV__REQUIRE(ctx != NULL, err);
    SPMV__REQUIRE(out != NULL, err);
    *out = (spmv_peak_rates){0};
    SPMV__REQUIRE(spmv_type_size(type) > 0, err);
    SPMV__REQUIRE(rows >= 0, err);

    /* A wide number is read in one piece: what counts is how far apart they lie. */
    const size_t wide = spmv_type_size(type), size = wide < sizeof(double) ? wide : sizeof(double);
    int64_t n;
    if (!spmv__product(rows, (int64_t)(wide / size), &n))
        SPMV__TRY(spmv__fail(err, SPMV_ERROR_OUT_OF_MEMORY, "a vector of %lld numbers is too large",
                             (long long)rows));
    SPMV__TRY(spmv_device_describe(ctx->device, &info, err));
    if (ctx->gpu == NULL) {
        out->stream = info.bandwidth;
        return spmv__cpu_gather_rate(size, n, ctx->threads, &out->gather, err);
    }
    SPMV__TRY(spmv__gpu_select(ctx->gpu, err));
    SPMV__TRY(spmv__gpu_ceilings(ctx->gpu, STREAM_CACHES * cache_of(&info), size, n,
                                 info.multiprocessors, out, err));
done:
    return st;
}
