/* spmv/gpu_view.h -- matrices, vectors, a stream and memory that a program has on a GPU already; a
 * chapter of spmv.h, which has the conventions. */
#ifndef SPMV_GPU_VIEW_H
#define SPMV_GPU_VIEW_H

#include "spmv/multiply.h"
#include "spmv/view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Who gives memory of the GPU: the pool of CuPy, of PyTorch, of RMM.  Both functions are called by
 * the thread that calls the library, and do not call it themselves; sparse products in pieces or on
 * several GPUs call them in threads of their own, too.  They keep the order of the stream: what is
 * enqueued there after `allocate` may use the memory, and what was enqueued before `release` may
 * use it still. */
typedef struct spmv_gpu_allocator {
    /* At least so many bytes, > 0, that begin at a multiple of 256; NULL where there are none. */
    void *(*allocate)(int64_t bytes, void *stream, void *user);
    /* Takes back what `allocate` gave, with the same bytes and stream. */
    void (*release)(void *data, int64_t bytes, void *stream, void *user);
    void *user;
} spmv_gpu_allocator;

/* A context whose work is enqueued on a stream of the caller's, behind what is there, in the
 * primary context of the device, which is that of CUDA's runtime and so of CuPy, PyTorch, CUDA.jl
 * and PETSc.
 *
 *   device     the number of a GPU
 *   stream     a cudaStream_t of that GPU, NULL for the default stream.  It must outlive the
 *              context, and whatever takes memory by it
 *   allocator  copied; NULL: the default pool of the device, in the order of the stream.  All that
 *              the context and what is made with it take on the GPU comes from here; what it has
 *              left is its business: the library does not look at the free memory of the GPU
 *
 * spmv_apply with vectors on the GPU and without a result only enqueues, see there.  What makes
 * matrices and operators, or copies to or from the host, may wait for the stream; nothing waits for
 * other streams, and nothing is given back to CUDA.  As with any context on a GPU, a call leaves
 * that GPU the current one of the calling thread.
 * Errors: NO_DEVICE, INVALID_ARGUMENT (an allocator without functions), OUT_OF_MEMORY. */
spmv_status spmv_context_create_on_stream(spmv_context **out, int device, void *stream,
                                          const spmv_gpu_allocator *allocator, spmv_error *err);

/* ---- Matrices --------------------------------------------------------------------------------
 * A spmv_csr_view whose arrays are on the GPU of a context: tensors, arrays of CuPy's.  Vectors
 * there are an spmv_dense with `on_gpu`, whose data begin at a multiple of the size of a number. */

/* Check the arrays as spmv_csr_view_check does, with the same errors; INVALID_ARGUMENT also where
 * one is not in memory of the GPU of the context; CUDA_*.  Waits for the stream.  Time O(rows +
 * nnz). */
spmv_status spmv_gpu_view_check(spmv_context *ctx, const spmv_csr_view *A, spmv_error *err);

/* Make a matrix of it, for spmv_operator_create_on_gpu, spmv_from_gpu, and spmv_spgemm_on_gpu and
 * its plans, which refuse columns that do not ascend with INVALID_FORMAT.
 *
 *   view  its arrays must outlive the matrix and what is made of it, and are trusted: see above.
 *         Columns may be in any order, and stand twice.  row_ptr and col_idx stay as they are; the
 *         values may change between products, which find those that the order of the stream gives
 *
 * Values are always borrowed, and so are row_ptr and col_idx that count from 0 and are of the
 * integers that kernels read: 32 bits for col_idx; for row_ptr 32 bits, too, or 64 bits where rows,
 * columns or entries are about 2^31 or more.  Of others there is a copy on the GPU, by kernels on
 * the stream.  What is borrowed of col_idx and val begins at a multiple of SPMV_GPU_ALIGNMENT
 * bytes, as what CUDA and all pools allocate does; kernels may read what follows its end, up to the
 * next such multiple.
 *
 * The kernels csr-merge (several vectors by rows, too), csr-vector and csr-scalar multiply it, with
 * the bits of a copy that spmv_to_gpu makes.  csr-merge starts a second kernel for the last rows
 * where the entries are not a multiple of 8.  Products begin when all work before has ended.
 * Waits for the stream.
 * Errors: INVALID_ARGUMENT (see spmv_csr_from_view; an array that is not in memory of CUDA's,
 * or in that of another GPU), INVALID_DIMENSION, UNSUPPORTED (alignment), NO_DEVICE (the context is
 * a CPU), OUT_OF_MEMORY, CUDA_*. */
enum { SPMV_GPU_ALIGNMENT = 128 };
spmv_status spmv_gpu_matrix_from_view(spmv_gpu_matrix **out, spmv_context *ctx,
                                      const spmv_csr_view *view, spmv_error *err);

/* Where the arrays of a matrix in CSR are on its GPU, as of one that spmv_spgemm_on_gpu made: for
 * as long as it is there.  Errors: INVALID_FORMAT (not CSR). */
spmv_status spmv_gpu_matrix_view(spmv_csr_view *out, const spmv_gpu_matrix *A, spmv_error *err);

#ifdef __cplusplus
}
#endif
#endif
