/* replay.c -- many short multiplications as one CUDA graph. */
#include "cli/measure/replay.h"

/* A launch takes a few microseconds, which longer multiplications hide. */
bool replay_pays(const spmv_context *ctx, double seconds)
{
    const double longest = 50e-6;
    return spmv_context_device(ctx) != SPMV_DEVICE_CPU && seconds < longest;
}

int64_t replay_size(int64_t count)
{
    enum { LEAST_SAMPLES = 10 };
    const int64_t size = count / LEAST_SAMPLES;
    return size < 2 ? 1 : size < REPLAY_MOST ? size : REPLAY_MOST;
}

spmv_status replay_record(spmv_recording **out, spmv_context *ctx, int n, replay_body *multiply,
                          void *work, spmv_error *err)
{
    spmv_status st = spmv_context_record(ctx, err);
    if (st != SPMV_SUCCESS) return st;
    for (int i = 0; i < n && st == SPMV_SUCCESS; i++) st = multiply(work, err);
    const spmv_status ended = spmv_context_record_end(ctx, out, st == SPMV_SUCCESS ? err : NULL);
    if (st == SPMV_SUCCESS) return ended;
    spmv_recording_destroy(*out);
    *out = NULL;
    return st;
}
