/* spmv/multiply.h -- contexts and multiplication; a chapter of spmv.h, which has the conventions.
 */
#ifndef SPMV_MULTIPLY_H
#define SPMV_MULTIPLY_H

#include "spmv/vector.h"
#include "spmv/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A context holds what lasts from one multiplication to the next: the device, its stream and
 * workspace, or the number of CPU threads.  One thread at a time may use it. */
typedef struct spmv_context spmv_context;

enum { SPMV_DEVICE_CPU = -1, SPMV_DEVICE_AUTO = -2 }; /* or the number of a GPU, from 0 */

typedef struct spmv_device_info {
    int device; /* SPMV_DEVICE_CPU or the number of a GPU */
    char name[128];
    double bandwidth;    /* theoretical bytes per second (CPU: measured with a streaming read) */
    int64_t memory;      /* bytes */
    int64_t cache;       /* bytes of the last-level cache; 0 unknown */
    int multiprocessors; /* GPU SMs, or CPU threads */
    int clock_khz, memory_clock_khz;                         /* GPU only */
    int driver_version, runtime_version, compute_capability; /* GPU only, as CUDA numbers them */
} spmv_device_info;

int spmv_gpu_count(void); /* usable GPUs; 0 without a driver or without CUDA in the build */

/* Errors: NO_DEVICE (no such GPU). */
spmv_status spmv_device_describe(int device, spmv_device_info *out, spmv_error *err);

/* threads: of the CPU, 0 = all that OpenMP would use.  Errors: NO_DEVICE, OUT_OF_MEMORY,
 * INVALID_ARGUMENT (a negative number of threads). */
spmv_status spmv_context_create(spmv_context **out, int device, int threads, spmv_error *err);
void spmv_context_destroy(spmv_context *ctx);
int spmv_context_device(const spmv_context *ctx); /* SPMV_DEVICE_CPU or the number of a GPU */

/* Wait for all that was enqueued.  Errors: KERNEL_LAUNCH (of any of it). */
spmv_status spmv_context_synchronize(spmv_context *ctx, spmv_error *err);

double spmv_now(void); /* seconds on a clock that only goes forward */

/* Time what the context does between the two calls: with events on its GPU, with a clock on the
 * CPU. The second waits for it.  Errors: KERNEL_LAUNCH. */
spmv_status spmv_context_timer_start(spmv_context *ctx, spmv_error *err);
spmv_status spmv_context_timer_stop(spmv_context *ctx, double *seconds, spmv_error *err);

/* Tell the most memory of the GPU that was taken at a time between the two calls, by the context or
 * another owner in the calling thread: beyond what was taken at the first, in bytes.  Looked at
 * when memory is allocated, and at the second call; other programs on the GPU disturb it, and CUDA
 * hands out 2 MiB at a time.  One context of a thread at a time, which has to last until the second
 * call. Errors: NO_DEVICE (the context is a CPU), CUDA_MALLOC. */
spmv_status spmv_context_memory_start(spmv_context *ctx, spmv_error *err);
spmv_status spmv_context_memory_stop(spmv_context *ctx, int64_t *bytes, spmv_error *err);

/* Drive what was used before out of the last-level cache of the device, so that what comes next
 * starts cold.  Writes four times the size of that cache on a GPU and twice on a CPU, which the
 * context keeps until it goes.
 * Errors: OUT_OF_MEMORY, CUDA_*. */
spmv_status spmv_context_flush_cache(spmv_context *ctx, spmv_error *err);

/* Measured rates that no multiplication can beat. */
typedef struct spmv_peak_rates {
    double stream; /* bytes per second, read one after the other from memory */
    double gather; /* numbers per second, read from random places of one vector */
} spmv_peak_rates;

/* Measure them for vectors of `rows` numbers of a type, of which a CPU counts 2^31 - 1 at most.
 * Memory: the vector, or on a GPU 16 times its cache where that is more.  Errors: INVALID_ARGUMENT
 * (a pattern, negative rows), OUT_OF_MEMORY, CUDA_*. */
spmv_status spmv_context_ceilings(spmv_context *ctx, spmv_type type, int64_t rows,
                                  spmv_peak_rates *out, spmv_error *err);

/* A matrix in GPU memory.  from_gpu(to_gpu(A)) is A, bit for bit.
 * Errors: NO_DEVICE (the context is a CPU), INVALID_ARGUMENT (an array of A is missing),
 * OUT_OF_MEMORY (on the GPU, too, before anything is copied), CUDA_*.
 * Time: that of the copy.  Memory on the GPU: that of A, with 4 bytes for a row offset where these
 * are enough. */
typedef struct spmv_gpu_matrix spmv_gpu_matrix;
spmv_status spmv_to_gpu(spmv_gpu_matrix **out, spmv_context *ctx, const spmv_matrix *A,
                        spmv_error *err);
spmv_status spmv_from_gpu(spmv_matrix *out, spmv_context *ctx, const spmv_gpu_matrix *A,
                          spmv_error *err);
void spmv_gpu_matrix_destroy(spmv_gpu_matrix *A);

/* Convert a matrix on the GPU there: in some multiplications' time, where the host takes hundreds.
 * The result is what spmv_convert makes without options, bit for bit.  Today CSR becomes CSELL.
 * Memory, besides A and the result: 12 bytes for each nonzero at most, and 17 for each row.
 * Errors: UNSUPPORTED (other formats, arrays of the caller's, too much padding), INVALID_DIMENSION
 * (the result can not have that shape), INVALID_ARGUMENT, NO_DEVICE, OUT_OF_MEMORY, CUDA_*. */
bool spmv_gpu_converts(spmv_format from, spmv_format to);
spmv_status spmv_gpu_convert(spmv_gpu_matrix **out, spmv_context *ctx, const spmv_gpu_matrix *A,
                             spmv_format format, spmv_error *err);

/* Overwrite the values of a matrix on the GPU with those of one on the host that has its entries in
 * the same places: that format, shape, type and number of entries are the same is checked, the
 * places are not.  Operators and what was recorded find the new numbers, but for operators of
 * csr-groups, csr-staged, csr-split and csr-sweep and those of csell over a matrix in CSR, which
 * keep a copy of the values and are to be made anew. Errors: INVALID_DIMENSION and INVALID_ARGUMENT
 * (not of the same shape, format and type; arrays of the caller's), CUDA_MEMCPY. */
spmv_status spmv_gpu_matrix_set(spmv_gpu_matrix *to, spmv_context *ctx, const spmv_matrix *from,
                                spmv_error *err);

/* The values of a matrix in CSR, CSC or COO, [nnz] in the memory of its GPU, for a caller's own
 * kernels to overwrite, which the same operators do not find; NULL for a pattern and for other
 * formats. */
void *spmv_gpu_matrix_values(spmv_gpu_matrix *A);

/* Vectors to the GPU and back.  Errors: UNSUPPORTED (they are not packed), INVALID_ARGUMENT (they
 * are there already), NO_DEVICE, OUT_OF_MEMORY, CUDA_*. */
spmv_status spmv_dense_to_gpu(spmv_dense *out, spmv_context *ctx, const spmv_dense *x,
                              spmv_error *err);
spmv_status spmv_dense_from_gpu(spmv_dense *out, spmv_context *ctx, const spmv_dense *x,
                                spmv_error *err);

/* Overwrite vectors, wherever they live, with others on the host; what was recorded finds the new
 * numbers.  Errors: INVALID_DIMENSION and INVALID_ARGUMENT (not of the same shape, type and order,
 * or not packed), CUDA_MEMCPY. */
spmv_status spmv_dense_set(spmv_dense *to, spmv_context *ctx, const spmv_dense *from,
                           spmv_error *err);

/* Finite numbers that single precision turns into something else altogether. */
typedef struct spmv_losses {
    int64_t infinite; /* too large: they become infinite */
    int64_t vanished; /* too small: they become 0 */
    int64_t row, col; /* of the first of either kind, in the order in which they are stored */
    double value;     /* there; of a complex number the part that is lost */
} spmv_losses;

/* Count the values of a matrix, or the elements of a vector on the host, that rounding to single
 * precision would lose, of complex ones each part.  Errors: INVALID_ARGUMENT.  Time O(nnz). */
spmv_status spmv_single_losses(const spmv_matrix *A, spmv_losses *out, spmv_error *err);
spmv_status spmv_dense_single_losses(const spmv_dense *v, spmv_losses *out, spmv_error *err);

/* The time that one multiplication took, and its rates. */
typedef struct spmv_result {
    spmv_status status;
    double seconds; /* the multiplication itself: no transfer, no set-up */
    double flops_per_second, bytes_per_second; /* of useful bytes */
    const char *kernel;                        /* as spmv_operator_kernel says */
} spmv_result;

/* A matrix made ready for many multiplications with one kernel on one device: uploaded when that
 * is a GPU, partitioned where the kernel wants it.
 *
 *   A        borrowed when the context is a CPU: it must outlive the operator
 *   options  kernel and block size; NULL: spmv_kernel_options_auto.  The kernel's format must be
 *            A's, or one that spmv_gpu_converts A's to, where the operator then has a matrix of
 *            its own; the host converts it where the GPU has no room for both
 *
 * Errors: INVALID_ARGUMENT (unknown kernel, format or device do not fit, block size),
 * UNSUPPORTED (symmetry not expanded), NO_DEVICE, OUT_OF_MEMORY, CUDA_*. */
typedef struct spmv_operator spmv_operator;
spmv_status spmv_operator_create(spmv_operator **out, spmv_context *ctx, const spmv_matrix *A,
                                 const spmv_kernel_options *options, spmv_error *err);

/* Create an operator for a matrix that is on the GPU of the context already, so that several
 * operators share one copy.  A is borrowed: it must outlive the operator.  options is not NULL,
 * since the automatic choice looks at the rows, on the host.
 * Errors: those of spmv_operator_create; INVALID_ARGUMENT (A is on another GPU). */
spmv_status spmv_operator_create_on_gpu(spmv_operator **out, spmv_context *ctx,
                                        const spmv_gpu_matrix *A,
                                        const spmv_kernel_options *options, spmv_error *err);
void spmv_operator_destroy(spmv_operator *op);
const spmv_kernel_options *spmv_operator_options(const spmv_operator *op);
int64_t spmv_operator_bytes(const spmv_operator *op); /* of its matrix, in the kernel's format */

/* The kernel that multiplies vectors of this type: the one that was asked for, but csr-merge where
 * csr-panels, csr-groups, csr-staged, csr-split or csr-sweep find nothing that they could do
 * better, or were planned for smaller numbers. */
const char *spmv_operator_kernel(const spmv_operator *op, spmv_type vector_type);

/* y = alpha A x + beta y
 *
 *   x       [A.cols x k] of the precision of A (either for a pattern; also f64 where A is f32), on
 *           the host or on the operator's GPU; complex when A is, and real or complex when A is not
 *   y       [A.rows x k], same type, place and order as x; no element in the place of one of x, and
 *           between its elements only where both have one ld; read only when beta != 0
 *   result  may be NULL: then a GPU multiplication on device vectors is only enqueued
 *
 * Vectors stored by columns are multiplied one after the other.  Stored by rows, k > 1 of them
 * share one pass over the matrix (SpMM), which a kernel must offer (spmm): cpu-csr, csr-merge and
 * csr-groups.  A single one whose elements are apart (ld > 1) takes the same way.  On a GPU rows
 * have no gaps.  The first such call with k or more of them allocates workspace: k times 8 KB, on a
 * GPU 16 bytes, or 64, for each of the pieces that rows of 250 nonzeros and more are cut into.
 * csr-groups stores 4 and more vectors by columns by rows for itself, and y back: its workspace is
 * that, and as much as x and y.
 *
 * A and x are read whatever alpha is: where alpha is 0, infinity and NaN in them make NaN (the BLAS
 * would not read them).  y is not read where beta is 0, as in the BLAS.
 *
 * Sums are kept in double precision.  Deterministic unless the kernel says otherwise; on the CPU
 * the result does not depend on the number of threads either.
 * Errors: INVALID_DIMENSION (nothing is computed), INVALID_ARGUMENT (types, places or orders
 * differ), UNSUPPORTED (vectors by rows with a kernel that does not take them), OUT_OF_MEMORY and
 * CUDA_MALLOC (workspace), CUDA_MEMCPY, KERNEL_LAUNCH. */
spmv_status spmv_apply(spmv_operator *op, double alpha, const spmv_dense *x, double beta,
                       spmv_dense *y, spmv_result *result, spmv_error *err);

/* Multiply with complex factors, which complex vectors may have: INVALID_ARGUMENT for a factor with
 * an imaginary part and real vectors.  A factor without one scales both parts of a number, so that
 * spmv_apply is this function with imaginary parts of 0. */
spmv_status spmv_apply_complex(spmv_operator *op, spmv_scalar alpha, const spmv_dense *x,
                               spmv_scalar beta, spmv_dense *y, spmv_result *result,
                               spmv_error *err);

/* Work that is enqueued between the first two calls is recorded as one graph and not carried out;
 * each replay enqueues all of it, for little more than the cost of one launch.  Vectors must be on
 * the GPU, where a replay finds what they hold then, and result NULL; operators and vectors outlive
 * the recording.
 *
 * spmv_apply with such vectors and result NULL only enqueues: it allocates nothing, copies nothing
 * and waits for nothing, but for the workspace that SpMM takes in its first call with so many
 * vectors, which therefore comes before it is recorded.  (With more vectors it takes another one:
 * what was recorded of that operator before is of no use then.)  So callers may as well capture or
 * order it themselves, in the stream of the context (a cudaStream_t; NULL on a CPU), which is
 * another one between the first two calls.
 *
 * Errors: NO_DEVICE (the context is a CPU), INVALID_ARGUMENT (begun twice, not begun, a recording
 * of NULL), KERNEL_LAUNCH (what was called in between cannot be recorded). */
typedef struct spmv_recording spmv_recording;
spmv_status spmv_context_record(spmv_context *ctx, spmv_error *err);
spmv_status spmv_context_record_end(spmv_context *ctx, spmv_recording **out, spmv_error *err);
spmv_status spmv_context_replay(spmv_context *ctx, const spmv_recording *recording,
                                spmv_error *err);
void spmv_recording_destroy(spmv_recording *recording);
void *spmv_context_stream(const spmv_context *ctx);

/* Multiply in one call, without an operator: ctx NULL means the CPU with all threads, options NULL
 * means automatic.  Errors: those of spmv_operator_create and of spmv_apply. */
spmv_status spmv_multiply(const spmv_matrix *A, double alpha, const spmv_dense *x, double beta,
                          spmv_dense *y, const spmv_kernel_options *options, spmv_context *ctx,
                          spmv_result *result, spmv_error *err);

/* How far y is from alpha A x + beta y0, computed here one entry after the other with compensated
 * double-precision sums.  |z| is the absolute value, of complex numbers too.
 *
 * A row of n entries may be off by (n + 8) 2^-52 times its sum of absolute products, which is what
 * sums in double precision can lose in any order, and by one rounding to the type of y.  Errors are
 * measured where the exact result is finite; places where exactly one of the two is NaN or Inf (or
 * they differ in kind, in either part) count as mismatches.  Where the sum of absolute products is
 * beyond the range of a double, a result that is not finite is no mismatch: an intermediate sum may
 * have overflowed. */
typedef struct spmv_verification {
    double max_abs_error;
    double max_rel_error; /* |y - ref| / |ref|, where ref != 0 */
    double excess;        /* the largest |y - ref| as a multiple of what its row allows */
    int64_t wrong;        /* elements of y that are off by more than that, and mismatches */
    int64_t mismatches;
    int64_t worst_row;   /* the first mismatch, else that of `excess`; -1: no rows */
    double scaled_error; /* there: |y - ref| / (sum of absolute products), */
    double tolerance;    /* and what it may be */
    spmv_scalar worst_found, worst_expected;
    bool pass; /* wrong == 0 */
} spmv_verification;

/* How the result was made, if not as the kernels of this library do.  All zero: as they do. */
typedef struct spmv_rounding {
    bool single_sums;   /* sums are kept in single precision, as other libraries do */
    bool single_values; /* the values of A were rounded to single precision before */
} spmv_rounding;

/* y0 may be NULL when beta == 0, rounding NULL.  All on the host; A as it was read, before it was
 * converted or rounded, so that these are verified too.
 * Errors: INVALID_DIMENSION (also: no vectors at all), INVALID_ARGUMENT (no y0, a vector on a GPU,
 * a real y where A, alpha, x, beta or y0 is complex), UNSUPPORTED (symmetry not expanded),
 * OUT_OF_MEMORY.  Time O(rows + nnz) for each column, on all threads; a format other than CSR, on
 * one.  Scratch: 4.2 MB a thread; such a format: 64 bytes per row for each of up to 8 columns that
 * threads verify at once. */
spmv_status spmv_verify(const spmv_matrix *A, double alpha, const spmv_dense *x, double beta,
                        const spmv_dense *y0, const spmv_dense *y, spmv_verification *out,
                        spmv_error *err);
spmv_status spmv_verify_complex(const spmv_matrix *A, spmv_scalar alpha, const spmv_dense *x,
                                spmv_scalar beta, const spmv_dense *y0, const spmv_dense *y,
                                const spmv_rounding *rounding, spmv_verification *out,
                                spmv_error *err);

#ifdef __cplusplus
}
#endif
#endif
