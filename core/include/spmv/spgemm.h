/* spmv/spgemm.h -- the product of two sparse matrices; a chapter of spmv.h, which has the
 * conventions. */
#ifndef SPMV_SPGEMM_H
#define SPMV_SPGEMM_H

#include "spmv/multiply.h"
#include "spmv/parts.h"
#include "spmv/rows.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How to multiply.  All zero is the default. */
typedef struct spmv_spgemm_options {
    bool transpose_a, transpose_b; /* A^T, B^T in their places (not conjugated) */
    bool boolean;                  /* only where C has entries: a pattern */
    bool drop_zeros;               /* leave out entries that are 0 in the type of C, as where
                                      products cancel */
    bool serial; /* one thread and the plainest way, which the other ways are tested against */
    /* C has entries only where this matrix has some, whatever they are; it has the shape of C.
     * NULL: anywhere. */
    const spmv_matrix *mask;
    int64_t top; /* of each row only the K entries of largest absolute value, NaN before all, and
                    the first ones of equal size, as those of a pattern are; 0: all */
    int threads; /* 0: all; the result is the same for every number */
    spmv_progress_callback *progress; /* in bytes; may be NULL */
    void *user;                       /* for progress */
} spmv_spgemm_options;

typedef struct spmv_spgemm_result {
    int64_t products; /* pairs of entries that were multiplied: on a CPU none in rows of C in which
                         the mask has no entry */
    double seconds;   /* of the multiplication; conversions and transposes are not in it */
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
 * 0, so that the result has the same bits for every number of threads, and serially, but for those
 * of a NaN.  A complex product is that of the parts: what is infinite may make the other part NaN;
 * where A or B is of a real type, its values scale both parts.
 * Errors: INVALID_DIMENSION (A.cols and B.rows, or the shape of the mask), UNSUPPORTED (symmetry
 * not expanded), INVALID_ARGUMENT (top < 0), OUT_OF_MEMORY, those of spmv_convert to CSR.
 * Time O(products * log(entries of a row of A)) at most.  Memory beside A, B and C: 8 bytes for a
 * row of A, and for each thread 9 bytes for a column of B (18 MB at most; complex sums 8 bytes
 * more for each), eight pieces of C of about 400 KB or two rows of C that are longer, and 24 bytes
 * for each product of a row that has far fewer products than columns. */
spmv_status spmv_spgemm(spmv_matrix *out, const spmv_matrix *A, const spmv_matrix *B,
                        const spmv_spgemm_options *options, spmv_spgemm_result *result,
                        spmv_error *err);

/* Multiply on the GPU of a context: the same bits.
 *
 * A and B travel to the GPU, and C back, in pieces of rows where it does not fit beside them.  With
 * a mask, `top` or `drop_zeros` entries are selected on the host as they come.
 * Errors: those of spmv_spgemm; NO_DEVICE (the context is a CPU), UNSUPPORTED (serial; more than
 * 2^31 - 2 rows), OUT_OF_MEMORY and CUDA_MALLOC (A, B and the longest row of C do not fit on the
 * GPU), CUDA_MEMCPY and KERNEL_LAUNCH.  Memory of the GPU beside A, B and C: 31 bytes for each row
 * of C, 1 for a row of B, and where B has 12 entries and more in a row, 4 for each of them. */
spmv_status spmv_spgemm_gpu(spmv_matrix *out, const spmv_matrix *A, const spmv_matrix *B,
                            const spmv_spgemm_options *options, spmv_context *ctx,
                            spmv_spgemm_result *result, spmv_error *err);

/* What one of several GPUs did for a product. */
typedef struct spmv_spgemm_gpu_share {
    int64_t rows, products; /* of C that it made, and of how many products */
    int64_t entries_of_b;   /* that it got */
    double upload_s;        /* seconds to bring A and B there, */
    double multiply_s;      /* to multiply, as in seconds, */
    double download_s;      /* and to bring C back, with waiting for its memory */
} spmv_spgemm_gpu_share;

/* Multiply on several GPUs of one host at once: the same bits.  Each GPU makes neighbouring rows of
 * C, about as many products as the others, and gets these rows of A and the rows of B from the
 * first to the last that they meet: of a banded matrix its share, of a random one all.  A thread of
 * the host drives each, so that they copy and multiply side by side.
 *
 *   ctx     [count] different contexts on GPUs; a GPU may have several, which share its memory
 *   result  may be NULL; its time is that of the GPU that multiplied longest
 *   share   [count] may be NULL
 *
 * Errors: those of spmv_spgemm_gpu, of the first GPU that has one; INVALID_ARGUMENT (a context is
 * there twice).  Memory: that of spmv_spgemm_gpu, and of the host 8 bytes for a row of A, twice,
 * and for each GPU 8 for a row of B while that travels. */
spmv_status spmv_spgemm_gpus(spmv_matrix *out, const spmv_matrix *A, const spmv_matrix *B,
                             const spmv_spgemm_options *options, spmv_context *const *ctx,
                             int count, spmv_spgemm_result *result, spmv_spgemm_gpu_share *share,
                             spmv_error *err);

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
    double seconds; /* for the multiplication on the CPU, as the sample went on these threads */
} spmv_spgemm_estimate;

/* What spmv_spgemm with these options would make.  Rows are drawn with a chance proportional to the
 * most entries that they can have (by their products, the columns, the mask and `top`), and the
 * mean part of these that a row has is that of all: from rows of each length, 64 to 2,048, fewer
 * where they are long.  A product of up to 2^22 products is made to know.  Errors: those of
 * spmv_spgemm. Time: that of the drawn rows, and O(nnz); memory 24 bytes for a row of A. */
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
 *            the plan and do not change, and their values until others are given; these may change
 *   options  NULL: defaults.  With a mask C has its entries; the mask is not looked at later
 *
 * Errors: those of spmv_spgemm and spmv_spgemm_gpu; INVALID_FORMAT (neither CSR nor CSC),
 * UNSUPPORTED (boolean and serial; top and drop_zeros, since what they keep depends on values).
 * Time: up to three products; on a GPU up to fifteen where it lists them, as it does where rows are
 * long, or share their columns, or all is small: a repeated product takes two thirds to a sixth of
 * the time of spmv_spgemm then.
 * Memory: 4 bytes for an entry of C and 8 for a row; for a matrix whose transpose is taken in CSR,
 * or that is taken as it is in CSC, 28 bytes for an entry.  On the CPU 9 bytes for a row of A, 2
 * for a row of B, 1 for each product of rows with few, up to 4 for an entry of C, and for each
 * thread 8 bytes for a column in the widest row (16 MB at most; complex sums twice that).  On a GPU
 * A, B, C and 32 bytes for a row of each stay there: nothing is made in pieces.  So do lists, where
 * that is no more than half of what is free: 8 bytes for a product (once for up to four rows of A
 * with the same columns) and 4 or 12 for an entry of C. */
spmv_status spmv_spgemm_plan_create(spmv_spgemm_plan **out, spmv_context *ctx, const spmv_matrix *A,
                                    const spmv_matrix *B, const spmv_spgemm_options *options,
                                    spmv_error *err);
void spmv_spgemm_plan_destroy(spmv_spgemm_plan *plan); /* NULL is fine */

/* Make C, the caller's, from the values that were given last, as with NULL below: at first those of
 * the matrices that the plan was made of.  Errors: OUT_OF_MEMORY, INVALID_ARGUMENT (a plan of
 * matrices on the GPU), CUDA_MEMCPY, KERNEL_LAUNCH. */
spmv_status spmv_spgemm_plan_product(spmv_spgemm_plan *plan, spmv_matrix *C, spmv_error *err);

/* Compute the values of C anew.
 *
 *   A, B    like the matrices that the plan was made of: their format, type, shape and number of
 *           entries are checked, that these are in the same places is not.  Only their values are
 *           read.  NULL: those that were given last, on the CPU as they are now where they were;
 *           B is NULL or A where the plan was made of one matrix
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
 * the time of each product (see spmv_gpu_matrix_set).  C stays on the GPU, in arrays of its own.
 *
 * With result NULL a product is only enqueued: nothing is allocated, copied or waited for, so that
 * it can be recorded (spmv_context_record).
 * Errors: those of the functions above and of spmv_spgemm_on_gpu; INVALID_ARGUMENT (a plan of
 * matrices on the host, C of spmv_gpu_matrix_from_view, a result of what is recorded). */
spmv_status spmv_spgemm_plan_create_on_gpu(spmv_spgemm_plan **out, spmv_context *ctx,
                                           const spmv_gpu_matrix *A, const spmv_gpu_matrix *B,
                                           const spmv_spgemm_options *options, spmv_error *err);
spmv_status spmv_spgemm_plan_product_on_gpu(spmv_spgemm_plan *plan, spmv_gpu_matrix **C,
                                            spmv_error *err);
spmv_status spmv_spgemm_plan_multiply_on_gpu(spmv_spgemm_plan *plan, spmv_gpu_matrix *C,
                                             spmv_spgemm_result *result, spmv_error *err);
/* ---- A product that does not fit into memory ------------------------------------------------- */

/* C = A B for a consumer that takes it in pieces of rows: the same bits, and C is never in memory
 * as a whole.
 *
 *   A, B, options   as for spmv_spgemm
 *   to              takes C; while it takes one piece, other threads make the next ones
 *   result          may be NULL; its time holds that of the consumer, as far as that was waited for
 *
 * Every row is made twice, the first time only to count its entries (with their values where
 * drop_zeros asks for these): about one and a half times the time of spmv_spgemm.
 * Errors: those of spmv_spgemm, also where a mapped file under A or B was changed meanwhile
 * (INVALID_ARGUMENT), and those of the consumer.  Memory beside A and B: 16 bytes for a row of
 * A, for each thread two pieces of C of up to 32,768 products each, but at least one
 * row, with what the consumer prepares of them, and what spmv_spgemm has for a thread. */
spmv_status spmv_spgemm_rows(const spmv_matrix *A, const spmv_matrix *B,
                             const spmv_spgemm_options *options, const spmv_row_consumer *to,
                             spmv_spgemm_result *result, spmv_error *err);

/* The same on the GPU of a context: while the consumer takes what is in one of two buffers, the GPU
 * fills the other.
 *
 * The result's time is that of the GPU alone.  With a mask, `top` or `drop_zeros` all is made
 * twice. Errors: those of spmv_spgemm_gpu, and those of the consumer.  Memory beside A and B: 24
 * bytes for a row of C, twice 2 million entries of C but at least its longest row (where some are
 * selected another 20 bytes, or 28, for each of these), and what the consumer prepares; on the GPU
 * the same number of entries once, or as many as fit. */
spmv_status spmv_spgemm_rows_gpu(const spmv_matrix *A, const spmv_matrix *B,
                                 const spmv_spgemm_options *options, const spmv_row_consumer *to,
                                 spmv_context *ctx, spmv_spgemm_result *result, spmv_error *err);

/* ---- A product of several processes ---------------------------------------------------------- */

/* What one rank did for a product. */
typedef struct spmv_spgemm_share {
    int64_t rows, products;             /* of C that it made, and of how many products */
    int64_t received, received_entries; /* rows of B that others have, and their entries */
    double multiply_s, exchange_s; /* seconds for its rows, and for all the rest, with waiting */
} spmv_spgemm_share;

/* C = A B on all ranks of a communicator: the bits of spmv_spgemm, whatever the ranks and threads
 * are.
 *
 *   out      the rows of C that this rank made: those that it has of A where these make even
 *            numbers of products, within a sixteenth; else rows are cut anew so that they do
 *   A, B     by NNZ or ROWS; they may be one part
 *   mask     by NNZ or ROWS; NULL: C may have entries anywhere
 *   options  as for spmv_spgemm, the same on all ranks, with the mask NULL; threads are those of
 *            each rank
 *   result   of all ranks: the time is that of the last one, with what was exchanged and, where
 *            that was asked for, transposed.  May be NULL
 *   share    of this rank; may be NULL
 *
 * A rank gets each row of B that it needs once, and none that it does not need.
 * Errors, on all ranks: INVALID_DIMENSION (the shapes of A, B and mask; 2^31 rows and more cannot
 * be transposed), INVALID_ARGUMENT (other parts, top < 0, options->mask), OUT_OF_MEMORY.
 * Time beside the product: O(nnz) of what a rank has and gets.  Memory beside what spmv_spgemm
 * takes for these rows: the rows of B that they need; 4 bytes for an entry of A, and a copy where
 * it is cut anew; for sending, as many entries of B as one other rank needs of this one; 3 bits for
 * a column of A; on rank 0 8 bytes for each row of C, and where something is transposed, on all
 * ranks for each of its rows. */
spmv_status spmv_spgemm_on_ranks(spmv_part *out, spmv_comm *comm, const spmv_part *A,
                                 const spmv_part *B, const spmv_part *mask,
                                 const spmv_spgemm_options *options, spmv_spgemm_result *result,
                                 spmv_spgemm_share *share, spmv_error *err);

/* The same with a GPU for each rank, which makes its rows: multiply_s is what seconds of
 * spmv_spgemm_gpu is, and exchange_s holds the copies to the GPU and back, too.
 *
 *   ctx  on the GPU of this rank; ranks may share one, and its memory
 *
 * Errors, on all ranks: those of spmv_spgemm_on_ranks and of spmv_spgemm_gpu. */
spmv_status spmv_spgemm_gpu_on_ranks(spmv_part *out, spmv_comm *comm, const spmv_part *A,
                                     const spmv_part *B, const spmv_part *mask,
                                     const spmv_spgemm_options *options, spmv_context *ctx,
                                     spmv_spgemm_result *result, spmv_spgemm_share *share,
                                     spmv_error *err);

/* ---- Sums of integers ------------------------------------------------------------------------ */

/* Whether A and B hold only integers (patterns do) up to 2^64, of which some sum of C may be too
 * large to be exact: 2^53 or more, in single precision 2^24.  False wherever the largest values and
 * the number of columns of A rule that out.  Time O(nnz) at most: it ends at the first value that
 * is no integer. */
bool spmv_spgemm_may_round(const spmv_matrix *A, const spmv_matrix *B,
                           const spmv_spgemm_options *options);

/* The same of matrices of which each rank has some rows; all ranks get the same answer. */
bool spmv_spgemm_may_round_on_ranks(spmv_comm *comm, const spmv_part *A, const spmv_part *B,
                                    const spmv_spgemm_options *options);

/* The sums of C that are that large.  All zero is none. */
typedef struct spmv_rounded_sums {
    int64_t count;
    int64_t row, col; /* of the first one, */
    double size;      /* and its absolute value (of complex ones that of the larger part) */
} spmv_rounded_sums;

/* Count those in rows of C, which come in their order.  C needs no entries of its own. */
void spmv_rounded_sums_add(spmv_rounded_sums *sums, const spmv_csr *C, const spmv_row_piece *piece);

#ifdef __cplusplus
}
#endif
#endif
