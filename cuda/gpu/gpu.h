/* gpu.h -- the GPU as the host files see it.
 *
 * Everything about CUDA that is not a kernel goes through these few calls, so that the files which
 * own matrices, vectors and operators are plain C and the same in every build.  gpu.cu, device.cu
 * and device_memory.cu implement them; no_cuda.c answers instead in builds without CUDA. */
#pragma once

#include "cuda/gpu/lender.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One device with a stream, of its own or of the caller's, and two events to time with. */
typedef struct spmv__gpu spmv__gpu;

/* lender: NULL, or who lends the stream, and memory unless the allocator is empty: then the pool of
 * the device does.  Errors: NO_DEVICE (no such GPU, or this build has no code for it),
 * OUT_OF_MEMORY. */
spmv_status spmv__gpu_open(spmv__gpu **out, int device, const spmv__lender *lender,
                           spmv_error *err);
void spmv__gpu_close(spmv__gpu *gpu); /* NULL is fine */

/* Make it the calling thread's current device, and its lender the one that memory comes from.
 * Whatever allocates, copies or launches comes after this call; each public function makes it once.
 */
spmv_status spmv__gpu_select(spmv__gpu *gpu, spmv_error *err);

spmv_status spmv__gpu_describe(int device, spmv_device_info *out, spmv_error *err);

/* *bytes = memory of the current device that is free.  CUDA_MALLOC. */
spmv_status spmv__gpu_free_bytes(int64_t *bytes, spmv_error *err);

/* The same for what is about to be allocated: INT64_MAX where a lender gives memory, of which it
 * alone knows what is left. */
spmv_status spmv__gpu_left(int64_t *bytes, spmv_error *err);

/* From now on each allocation of the calling thread lowers *least to the memory that is free behind
 * it; and no more, where it is *least that was lowered. */
void spmv__gpu_watch(int64_t *least);
void spmv__gpu_unwatch(const int64_t *least);
/* Do so now, where allocations are watched: another library may have made some. */
void spmv__gpu_look_at_memory(void);

/* Check that `bytes` more bytes fit on the current device.  OUT_OF_MEMORY with both numbers. */
spmv_status spmv__gpu_fits(int64_t bytes, const char *what, spmv_error *err);

/* Bytes of an array within an allocation, rounded up so that the next one is aligned as well. */
static inline int64_t spmv__gpu_aligned(int64_t bytes)
{
    const int64_t unit = 256; /* at a multiple of it allocations begin */
    return (bytes + unit - 1) / unit * unit;
}

/* Allocate uninitialised memory on the current device; *out is NULL on failure.  CUDA_MALLOC. */
spmv_status spmv__gpu_alloc(void **out, int64_t bytes, const char *what, spmv_error *err);

/* Release memory of any GPU, which what is enqueued so far may still use; NULL is fine. */
void spmv__gpu_free(void *data);

/* Copy between host and device in the order of the stream.  When they return, `from` of an upload
 * may be changed and `to` of a download is complete.  CUDA_MEMCPY. */
spmv_status spmv__gpu_upload(spmv__gpu *gpu, void *to, const void *from, int64_t bytes,
                             spmv_error *err);
spmv_status spmv__gpu_download(spmv__gpu *gpu, void *to, const void *from, int64_t bytes,
                               spmv_error *err);

/* Enqueue setting every byte to 0.  CUDA_MEMCPY. */
spmv_status spmv__gpu_clear(spmv__gpu *gpu, void *data, int64_t bytes, spmv_error *err);

/* Wait for everything enqueued so far.  KERNEL_LAUNCH when something in it failed. */
spmv_status spmv__gpu_synchronize(spmv__gpu *gpu, spmv_error *err);

/* Time what is enqueued between the two calls; the second waits for it. */
spmv_status spmv__gpu_timer_start(spmv__gpu *gpu, spmv_error *err);
spmv_status spmv__gpu_timer_stop(spmv__gpu *gpu, double *seconds, spmv_error *err);

/* All that is enqueued between the first two calls is recorded, to be enqueued as a whole by each
 * replay; the stream is another one meanwhile, also of those that follow.  Nothing may be copied or
 * waited for in between.  KERNEL_LAUNCH; *out is NULL on failure. */
spmv_status spmv__gpu_record_begin(spmv__gpu *gpu, spmv_error *err);
spmv_status spmv__gpu_record_end(spmv__gpu *gpu, spmv_recording **out, spmv_error *err);
spmv_status spmv__gpu_replay(spmv__gpu *gpu, const spmv_recording *recording, spmv_error *err);

/* Measure what no kernel can beat, see spmv_peak_rates: reading `bytes` bytes of memory, and
 * numbers of `size` bytes (4 or 8) from random places of a vector of n.  CUDA_*. */
spmv_status spmv__gpu_ceilings(spmv__gpu *gpu, int64_t bytes, size_t size, int64_t n,
                               int multiprocessors, spmv_peak_rates *out, spmv_error *err);

struct CUstream_st *spmv__gpu_stream(spmv__gpu *gpu); /* a cudaStream_t */

/* What is enqueued on side streams between fork and join runs side by side: after all that was
 * enqueued on the stream before, and before all that comes after.  Number 0 is the stream itself,
 * which the others follow in order, with a higher priority; from SPMV__SIDE_STREAMS on they begin
 * again with number 1.  KERNEL_LAUNCH. */
enum { SPMV__SIDE_STREAMS = 8 };
spmv_status spmv__gpu_fork(spmv__gpu *gpu, spmv_error *err);
spmv_status spmv__gpu_side_stream(spmv__gpu *gpu, int number, void **stream, spmv_error *err);
spmv_status spmv__gpu_join(spmv__gpu *gpu, spmv_error *err);

/* ---- Several of them, which may be of one device -------------------------------------------- */

/* What is enqueued from here on comes after all that is enqueued on another one so far.  Its device
 * is the current one afterwards.  KERNEL_LAUNCH. */
spmv_status spmv__gpu_follow(spmv__gpu *gpu, spmv__gpu *other, spmv_error *err);

/* Let kernels of the current device reach the open memory of another one; where they cannot, *apart
 * becomes true.  NO_DEVICE. */
spmv_status spmv__gpu_reach(int device, bool *apart, spmv_error *err);

/* Allocate such memory on the current device, all 0 for any stream; spmv__gpu_free releases it.
 * CUDA_MALLOC, CUDA_MEMCPY. */
spmv_status spmv__gpu_alloc_open(spmv__gpu *gpu, void **out, int64_t bytes, const char *what,
                                 spmv_error *err);

#ifdef __cplusplus
}
#endif
