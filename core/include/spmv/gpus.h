/* spmv/gpus.h -- several GPUs that multiply together, of one process or of several; a chapter of
 * spmv.h, which has the conventions. */
#ifndef SPMV_GPUS_H
#define SPMV_GPUS_H

#include "spmv/multiply.h"
#include "spmv/parts.h"

#ifdef __cplusplus
extern "C" {
#endif

/* y = alpha A x + beta y by several GPUs, each of which has neighbouring rows of A and y and
 * neighbouring elements of x.  What a GPU needs of x of another one that other one writes into its
 * memory before each product, while rows that need none of it are multiplied: the host takes no
 * part in that, and nothing is copied through its memory.  Where some do not reach the memory of
 * others, the host carries it, and products cannot be recorded.
 *
 * A row is summed by one GPU, in the order of its columns as the kernel has it: the same bits every
 * time with as many GPUs and a kernel that is deterministic.  With sell, ell and csr-scalar, which
 * sum each row for itself by one thread, they are those of one GPU, too; with others, which cut the
 * matrix into pieces or choose by what many rows are like, they may differ in the last place.
 *
 * One thread at a time makes these calls. */
typedef struct spmv_gpus spmv_gpus;

/* Hand out the rows of A, which is not needed afterwards.
 *
 *   device   [count] numbers of GPUs, NULL: 0, 1, ...; one that is there twice has two parts
 *   options  kernel, block size and type of the vectors, which is not PATTERN; rows are converted
 *            to the format of the kernel
 *
 * Errors: INVALID_ARGUMENT (no GPU kernel, block size, types, a cut within rows), UNSUPPORTED
 * (symmetry not expanded), NO_DEVICE (no such GPU), OUT_OF_MEMORY, CUDA_*. */
spmv_status spmv_gpus_create(spmv_gpus **out, const int *device, int count, const spmv_csr *A,
                             spmv_partition by, const spmv_kernel_options *options,
                             spmv_error *err);

/* Multiply with the GPUs of all ranks, each of which has one with the rows of its part: the vectors
 * below are those of this rank, and all ranks together make the calls below but the answers. The
 * hosts have a part in products over ROUTE_HOST and ROUTE_DEVICE, and these cannot be recorded.
 *
 *   part  by NNZ or ROWS; the columns of part->own are numbered anew, and the caller destroys it
 *
 * Errors, which all ranks have together: those of spmv_gpus_create, and NO_DEVICE where a route
 * that was asked for is none here.  A failure of another call is of one rank alone: the
 * others learn of it by spmv_comm_agree. */
spmv_status spmv_gpus_create_on_rank(spmv_gpus **out, spmv_comm *comm, int device, spmv_part *part,
                                     const spmv_kernel_options *options, spmv_route route,
                                     spmv_error *err);
/* The one that is taken, which is not AUTO; within a process IPC, or HOST where GPUs do not reach
 * each other's memory. */
spmv_route spmv_gpus_route(const spmv_gpus *gpus);

/* Those of several ranks all ranks destroy together. */
void spmv_gpus_destroy(spmv_gpus *gpus);

/* The kernel that multiplies, see spmv_operator_kernel. */
const char *spmv_gpus_kernel(const spmv_gpus *gpus);

/* Overwrite x or y with a vector on the host, of the type that was asked for, or copy y back.
 * Errors: INVALID_DIMENSION, INVALID_ARGUMENT (another type, not on the host), CUDA_MEMCPY. */
spmv_status spmv_gpus_set_x(spmv_gpus *gpus, const spmv_dense *x, spmv_error *err);
spmv_status spmv_gpus_set_y(spmv_gpus *gpus, const spmv_dense *y, spmv_error *err);
spmv_status spmv_gpus_get_y(spmv_gpus *gpus, spmv_dense *y, spmv_error *err);

/* Enqueue `times` products on all GPUs; or record them, to be enqueued by each replay.
 * Errors: INVALID_ARGUMENT (a complex factor of real vectors), KERNEL_LAUNCH. */
spmv_status spmv_gpus_apply(spmv_gpus *gpus, spmv_scalar alpha, spmv_scalar beta, int64_t times,
                            spmv_error *err);
spmv_status spmv_gpus_record(spmv_recording **out, spmv_gpus *gpus, spmv_scalar alpha,
                             spmv_scalar beta, int64_t times, spmv_error *err);
spmv_status spmv_gpus_replay(spmv_gpus *gpus, const spmv_recording *recording, spmv_error *err);

/* Enqueue what the products exchange, and nothing else: to see what that takes by itself.
 * Errors: KERNEL_LAUNCH. */
spmv_status spmv_gpus_exchange(spmv_gpus *gpus, int64_t times, spmv_error *err);

/* Time what is enqueued between the two calls; the second waits for it.
 * Errors: KERNEL_LAUNCH (also: a GPU waited in vain for another one, ten seconds). */
spmv_status spmv_gpus_timer_start(spmv_gpus *gpus, spmv_error *err);
spmv_status spmv_gpus_timer_stop(spmv_gpus *gpus, double *seconds, spmv_error *err);

/* What one of them has, and exchanges for each product. */
typedef struct spmv_gpu_share {
    int64_t rows, nnz;
    int64_t inner;          /* nonzeros of rows that are multiplied meanwhile */
    int64_t received, sent; /* elements of x */
    int neighbours;         /* GPUs that something comes from */
    int receivers;          /* GPUs that something goes to */
} spmv_gpu_share;
int spmv_gpus_count(const spmv_gpus *gpus);
spmv_gpu_share spmv_gpus_share(const spmv_gpus *gpus, int i); /* 0 .. count - 1 */

#ifdef __cplusplus
}
#endif
#endif
