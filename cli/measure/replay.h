/* replay.h -- many short multiplications as one CUDA graph, so that a GPU need not wait for
 * launches. */
#pragma once

#include "spmv.h"

enum { REPLAY_MOST = 50 }; /* multiplications in one graph */

/* How many of `count` multiplications to record as one graph, so that there are samples enough; 1:
 * none. */
int64_t replay_size(int64_t count);

/* Returns whether a multiplication is so short that launches would be a part of its time. */
bool replay_pays(const spmv_context *ctx, double seconds);

typedef spmv_status replay_body(void *work, spmv_error *err);

/* Record multiply(work) n times.  The recording is ended also after an error, or nothing else could
 * be done with the context.
 * Errors: those of multiply, spmv_context_record and spmv_context_record_end. */
spmv_status replay_record(spmv_recording **out, spmv_context *ctx, int n, replay_body *multiply,
                          void *work, spmv_error *err);
