/* context.c -- execution contexts: a CPU with a number of threads, or a GPU with its stream. */
#include "core/multiply/cpu.h"
#include "cuda/gpu/context.h"

#include <stdlib.h>

/* Turns AUTO into the first GPU, or the CPU where there is none. */
static int resolve(int device)
{
    if (device != SPMV_DEVICE_AUTO) return device;
    return spmv_gpu_count() > 0 ? 0 : SPMV_DEVICE_CPU;
}

spmv_status spmv_device_describe(int device, spmv_device_info *out, spmv_error *err)
{
    SPMV__REQUIRE(out != NULL, err);
    *out = (spmv_device_info){.device = resolve(device)};
    if (out->device != SPMV_DEVICE_CPU) return spmv__gpu_describe(out->device, out, err);
    spmv__cpu_describe(out);
    return SPMV_SUCCESS;
}

static spmv_status create(spmv_context **out, int device, int threads, const spmv__lender *lender,
                          spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    spmv_context *ctx = NULL;

    SPMV__TRY(spmv__alloc(&ctx, 1, sizeof *ctx, "the context", err));
    ctx->device = device;
    ctx->threads = spmv__threads(threads);
    if (device != SPMV_DEVICE_CPU || lender != NULL)
        SPMV__TRY(spmv__gpu_open(&ctx->gpu, device, lender, err));
    *out = ctx;
    ctx = NULL;
done:
    spmv_context_destroy(ctx);
    return st;
}

spmv_status spmv_context_create(spmv_context **out, int device, int threads, spmv_error *err)
{
    SPMV__REQUIRE(out != NULL, err);
    *out = NULL;
    SPMV__REQUIRE(threads >= 0, err);
    return create(out, resolve(device), threads, NULL, err);
}

spmv_status spmv_context_create_on_stream(spmv_context **out, int device, void *stream,
                                          const spmv_gpu_allocator *allocator, spmv_error *err)
{
    spmv__lender lender = {.stream = stream};

    SPMV__REQUIRE(out != NULL, err);
    *out = NULL;
    if (allocator != NULL) {
        SPMV__REQUIRE(allocator->allocate != NULL && allocator->release != NULL, err);
        lender.allocator = *allocator;
    }
    return create(out, device, 0, &lender, err);
}

/* Releases what was taken to flush caches. */
static void free_flush(spmv_context *ctx)
{
    if (ctx->gpu != NULL)
        spmv__gpu_free(ctx->flush.data);
    else
        free(ctx->flush.data);
    ctx->flush.data = NULL;
}

void spmv_context_destroy(spmv_context *ctx)
{
    if (ctx == NULL) return;
    spmv__gpu_unwatch(&ctx->memory.least);
    if (ctx->gpu != NULL) (void)spmv__gpu_select(ctx->gpu, NULL); /* whose memory it is */
    free_flush(ctx);
    if (ctx->products != NULL) ctx->free_products(ctx->products);
    spmv__gpu_close(ctx->gpu);
    free(ctx);
}

int spmv_context_device(const spmv_context *ctx)
{
    return ctx != NULL ? ctx->device : SPMV_DEVICE_CPU;
}

spmv_status spmv_context_synchronize(spmv_context *ctx, spmv_error *err)
{
    SPMV__REQUIRE(ctx != NULL, err);
    if (ctx->gpu == NULL) return SPMV_SUCCESS;
    const spmv_status st = spmv__gpu_select(ctx->gpu, err);
    return st == SPMV_SUCCESS ? spmv__gpu_synchronize(ctx->gpu, err) : st;
}

spmv_status spmv__context_gpu(spmv__gpu **out, const spmv_context *ctx, spmv_error *err)
{
    if (ctx == NULL) return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "there is no context");
    if (ctx->gpu == NULL)
        return spmv__fail(err, SPMV_ERROR_NO_DEVICE, "the context is a CPU, not a GPU");
    *out = ctx->gpu;
    return spmv__gpu_select(ctx->gpu, err);
}

/* ---- Memory --------------------------------------------------------------------------------- */

spmv_status spmv_context_memory_start(spmv_context *ctx, spmv_error *err)
{
    spmv_status st;
    spmv__gpu *gpu;
    SPMV__TRY(spmv__context_gpu(&gpu, ctx, err));
    SPMV__TRY(spmv__gpu_free_bytes(&ctx->memory.before, err));
    ctx->memory.least = ctx->memory.before;
    spmv__gpu_watch(&ctx->memory.least);
done:
    return st;
}

spmv_status spmv_context_memory_stop(spmv_context *ctx, int64_t *bytes, spmv_error *err)
{
    spmv_status st;
    spmv__gpu *gpu;
    SPMV__REQUIRE(bytes != NULL, err);
    *bytes = 0;
    SPMV__TRY(spmv__context_gpu(&gpu, ctx, err));
    spmv__gpu_look_at_memory();
    *bytes = ctx->memory.before - ctx->memory.least;
done:
    if (ctx != NULL) spmv__gpu_unwatch(&ctx->memory.least);
    return st;
}

/* ---- Recording ------------------------------------------------------------------------------ */

spmv_status spmv_context_record(spmv_context *ctx, spmv_error *err)
{
    spmv_status st;
    spmv__gpu *gpu;
    SPMV__TRY(spmv__context_gpu(&gpu, ctx, err));
    SPMV__REQUIRE(!ctx->recording, err);
    SPMV__TRY(spmv__gpu_record_begin(gpu, err));
    ctx->recording = true;
done:
    return st;
}

spmv_status spmv_context_record_end(spmv_context *ctx, spmv_recording **out, spmv_error *err)
{
    spmv_status st;
    spmv__gpu *gpu;
    SPMV__REQUIRE(out != NULL, err);
    *out = NULL;
    SPMV__TRY(spmv__context_gpu(&gpu, ctx, err));
    SPMV__REQUIRE(ctx->recording, err);
    ctx->recording = false;
    SPMV__TRY(spmv__gpu_record_end(gpu, out, err));
done:
    return st;
}

spmv_status spmv_context_replay(spmv_context *ctx, const spmv_recording *recording, spmv_error *err)
{
    spmv_status st;
    spmv__gpu *gpu;
    SPMV__REQUIRE(recording != NULL, err);
    SPMV__TRY(spmv__context_gpu(&gpu, ctx, err));
    SPMV__TRY(spmv__gpu_replay(gpu, recording, err));
done:
    return st;
}

void *spmv_context_stream(const spmv_context *ctx)
{
    return ctx != NULL && ctx->gpu != NULL ? spmv__gpu_stream(ctx->gpu) : NULL;
}
