/* spmv/spgemm.h -- the product of two sparse matrices; a chapter of spmv.h, which has the
 * conventions. */
#ifndef SPMV_SPGEMM_H
#define SPMV_SPGEMM_H

#include "spmv/multiply.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How to multiply.  All zero is the default. */
typedef struct spmv_spgemm_options {
    bool transpose_a, transpose_b; /* A^T, B^T in their places (not conjugated) */
    bool boolean;                  /* only where C has entries: a pattern */
    bool drop_zeros;               /* leave out entries that are 0, as where products cancel */
    bool serial; /* one thread and the plainest way, which the other ways are tested against */
    /* C has entries only where this matrix has some, whatever they are; it has the shape of C.
     * NULL: anywhere. */
    const spmv_matrix *mask;
    int64_t top; /* of each row only the K entries of largest absolute value, NaN before all, and
                    the first ones of equal size; 0: all */
    int threads; /* 0: all; the result is the same for every number */
    spmv_progress_callback *progress; /* in bytes; NULL: nobody is told */
    void *user;                       /* for progress */
} spmv_spgemm_options;

typedef struct spmv_spgemm_result {
    int64_t products;  /* pairs of entries that were multiplied */
    double elapsed_ms; /* of the multiplication; conversions and transposes are not in it */
} spmv_spgemm_result;

/* C = A B
 *
 *   out      CSR, GENERAL, columns ascending.  Its values are of double precision where those of A
 *            or B are, and complex where one of them is; a product of two patterns counts the ways
 *            (f64).  It has an entry wherever a stored entry of A meets one of B
 *   A, B     in any format, A.cols == B.rows; they may be one matrix, which is then converted and
 *            transposed once
 *   options  NULL: defaults
 *   result   may be NULL
 *
 * Row by row (F. G. Gustavson, ACM TOMS 4, 1978): each entry of a row of A multiplies a row of B.
 * The sums are kept in double precision and add up in the order of the entries of A, starting from
 * 0, so that the result has the same bits for every number of threads, and serially.
 * Errors: INVALID_DIMENSION (A.cols and B.rows, or the shape of the mask), UNSUPPORTED (symmetry
 * not expanded), INVALID_ARGUMENT (top < 0), OUT_OF_MEMORY, those of spmv_convert to CSR.
 * Time O(products * log(entries of a row of A)) at most.  Memory beside A, B and C: 8 bytes for a
 * row of A, and for each thread 9 bytes for a column of B (18 MB at most; complex sums 8 bytes
 * more for each), eight pieces of C of about 400 KB, and 24 bytes for each product of a row that has
 * far fewer products than columns. */
spmv_status spmv_spgemm(spmv_matrix *out, const spmv_matrix *A, const spmv_matrix *B,
                        const spmv_spgemm_options *options, spmv_spgemm_result *result,
                        spmv_error *err);

/* Multiply on the GPU of a context: the same bits.
 *
 * A and B travel to the GPU, and C back, in pieces of rows where it does not fit beside them.  With
 * a mask, `top` or `drop_zeros` entries are selected on the host as they come.
 * Errors: those of spmv_spgemm; NO_DEVICE (the context is a CPU), UNSUPPORTED (serial),
 * OUT_OF_MEMORY and CUDA_MALLOC (A, B and the longest row of C do not fit on the GPU), CUDA_MEMCPY
 * and KERNEL_LAUNCH.  Memory of the GPU beside A, B and C: 24 bytes for each row of C. */
spmv_status spmv_spgemm_gpu(spmv_matrix *out, const spmv_matrix *A, const spmv_matrix *B,
                            const spmv_spgemm_options *options, spmv_context *ctx,
                            spmv_spgemm_result *result, spmv_error *err);

/* Multiply matrices that are on the GPU of the context, in CSR, into one that stays there; of the
 * options only `boolean` may be set.
 * Errors: INVALID_DIMENSION, INVALID_FORMAT (not CSR), UNSUPPORTED (symmetry, other options),
 * NO_DEVICE, CUDA_MALLOC, KERNEL_LAUNCH. */
spmv_status spmv_spgemm_on_gpu(spmv_gpu_matrix **out, spmv_context *ctx, const spmv_gpu_matrix *A,
                               const spmv_gpu_matrix *B, const spmv_spgemm_options *options,
                               spmv_spgemm_result *result, spmv_error *err);

/* The type of the values of C. */
spmv_type spmv_spgemm_type(spmv_type a, spmv_type b);

typedef struct spmv_spgemm_estimate {
    int64_t products; /* exact */
    int64_t nnz;      /* of C, from a sample of rows; exact where `exact` says so */
    bool exact;
    int64_t bytes;  /* of C */
    double seconds; /* for the multiplication, as the sample went on these threads */
} spmv_spgemm_estimate;

/* What spmv_spgemm with these options would make.  Rows are drawn with a chance proportional to
 * their products, and the mean of their entries per product is that of all products (an unbiased
 * estimate); 32 rows to 1,024, fewer where they are long.  A product of up to 2^20 products is made
 * to know.  Errors: those of spmv_spgemm.  Time: that of the drawn rows, and O(nnz). */
spmv_status spmv_spgemm_estimate_product(spmv_spgemm_estimate *out, const spmv_matrix *A,
                                         const spmv_matrix *B, const spmv_spgemm_options *options,
                                         spmv_error *err);

/* ---- Many products of one pattern ------------------------------------------------------------ */

/* A product made ready for many values: where C has entries is found once, and a repeated product
 * computes its values alone, with the bits of spmv_spgemm.  One thread at a time may use a plan.
 *
 *     spmv_spgemm_plan_create(&plan, ctx, A, B, NULL, err);
 *     spmv_spgemm_plan_product(plan, &C, err);                         the first C
 *     spmv_spgemm_plan_multiply(plan, A, B, &C, NULL, err);            A, B hold new values
 *
 * A product of three, as R A P on a coarser grid, is two plans, the C of the first of which is an
 * operand of the second. */
typedef struct spmv_spgemm_plan spmv_spgemm_plan;

/* Make a plan for matrices on the host.
 *
 *   ctx      where to multiply; it outlives the plan.  NULL: the CPU, with options->threads
 *   A, B     in CSR or CSC; they may be one matrix, which is then transposed and uploaded once.
 *            Where the context is a CPU they are borrowed: their arrays of rows and columns outlive
 *            the plan and do not change
 *   options  NULL: defaults.  With a mask C has its entries; the mask is not looked at later
 *
 * Errors: those of spmv_spgemm and spmv_spgemm_gpu; INVALID_FORMAT (neither CSR nor CSC),
 * UNSUPPORTED (boolean and serial; top and drop_zeros, since what they keep depends on values).
 * Time: up to three products.
 * Memory: 4 bytes for an entry of C and 8 for a row; for a matrix whose transpose is taken in CSR,
 * or that is taken as it is in CSC, 28 bytes for an entry.  On the CPU 9 bytes for a row of A, 2
 * for a row of B, 1 for each product of rows with few, up to 4 for an entry of C, and for each
 * thread 8 bytes for a column in the widest row (16 MB at most; complex sums twice that).  On a GPU
 * A, B, C and 32 bytes for a row of each stay there: nothing is made in pieces. */
spmv_status spmv_spgemm_plan_create(spmv_spgemm_plan **out, spmv_context *ctx, const spmv_matrix *A,
                                    const spmv_matrix *B, const spmv_spgemm_options *options,
                                    spmv_error *err);
void spmv_spgemm_plan_destroy(spmv_spgemm_plan *plan); /* NULL is fine */

/* Make C, the caller's, from the values that were given last: at first those of the matrices that
 * the plan was made of.  Errors: OUT_OF_MEMORY, INVALID_ARGUMENT (a plan of matrices on the GPU),
 * CUDA_MEMCPY, KERNEL_LAUNCH. */
spmv_status spmv_spgemm_plan_product(spmv_spgemm_plan *plan, spmv_matrix *C, spmv_error *err);

/* Compute the values of C anew.
 *
 *   A, B    like the matrices that the plan was made of: their format, type, shape and number of
 *           entries are checked, that these are in the same places is not.  Only their values are
 *           read.  NULL: as they were given last, on the CPU from where they were; B is NULL or A
 *           where the plan was made of one matrix
 *   C       what spmv_spgemm_plan_product made, or a copy: only its values are written
 *   result  may be NULL
 *
 * Errors: INVALID_DIMENSION and INVALID_ARGUMENT (not like those of the plan; nothing is written),
 * OUT_OF_MEMORY (rows that are neither short nor narrow, see spmv_spgemm), CUDA_MEMCPY,
 * KERNEL_LAUNCH.  On a GPU the values of A and B travel there, and those of C back. */
spmv_status spmv_spgemm_plan_multiply(spmv_spgemm_plan *plan, const spmv_matrix *A,
                                      const spmv_matrix *B, spmv_matrix *C,
                                      spmv_spgemm_result *result, spmv_error *err);

/* The same for matrices that are on the GPU of the context, in CSR, of whose options none may be
 * set.  A and B are borrowed: they outlive the plan, and their values are read where they are, at
 * the time of each product (see spmv_gpu_matrix_set).  C stays on the GPU.
 *
 * With result NULL a product is only enqueued: nothing is allocated, copied or waited for, so that
 * it can be recorded (spmv_context_record).
 * Errors: those of the functions above and of spmv_spgemm_on_gpu; INVALID_ARGUMENT (a plan of
 * matrices on the host, a result of what is recorded). */
spmv_status spmv_spgemm_plan_create_on_gpu(spmv_spgemm_plan **out, spmv_context *ctx,
                                           const spmv_gpu_matrix *A, const spmv_gpu_matrix *B,
                                           const spmv_spgemm_options *options, spmv_error *err);
spmv_status spmv_spgemm_plan_product_on_gpu(spmv_spgemm_plan *plan, spmv_gpu_matrix **C,
                                            spmv_error *err);
spmv_status spmv_spgemm_plan_multiply_on_gpu(spmv_spgemm_plan *plan, spmv_gpu_matrix *C,
                                             spmv_spgemm_result *result, spmv_error *err);

#ifdef __cplusplus
}
#endif
#endif
