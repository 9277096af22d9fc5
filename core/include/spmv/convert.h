/* spmv/convert.h -- building and converting matrices; a chapter of spmv.h, which has the
 * conventions. */
#ifndef SPMV_CONVERT_H
#define SPMV_CONVERT_H

#include "spmv/matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Allocate arrays of the given sizes, all zero (ELL and SELL columns: -1).  Fill them, then
 * spmv_check.  ELL, SELL, CSELL, BSR and the ELL part of HYB begin without entries: add to `nnz`,
 * and to `ell.nnz` of HYB, what is put there.
 * Errors: INVALID_DIMENSION (negative, or more than the format's indices address: 2^31 - 1 columns,
 * for CSC, JDS, SELL, CSELL 2^31 - 1 rows), INVALID_FORMAT (type, slice, window, block),
 * OUT_OF_MEMORY. */
spmv_status spmv_coo_create(spmv_coo *out, spmv_type type, int64_t rows, int64_t cols, int64_t nnz,
                            spmv_error *err);
spmv_status spmv_csr_create(spmv_csr *out, spmv_type type, int64_t rows, int64_t cols, int64_t nnz,
                            spmv_error *err);
spmv_status spmv_csc_create(spmv_csc *out, spmv_type type, int64_t rows, int64_t cols, int64_t nnz,
                            spmv_error *err);
spmv_status spmv_ell_create(spmv_ell *out, spmv_type type, int64_t rows, int64_t cols,
                            int64_t width, spmv_error *err);
spmv_status spmv_hyb_create(spmv_hyb *out, spmv_type type, int64_t rows, int64_t cols,
                            int64_t ell_width, int64_t coo_nnz, spmv_error *err);
spmv_status spmv_jds_create(spmv_jds *out, spmv_type type, int64_t rows, int64_t cols,
                            int64_t diags, int64_t nnz, spmv_error *err);
spmv_status spmv_sell_create(spmv_sell *out, spmv_type type, int64_t rows, int64_t cols,
                             int64_t slice, int64_t window, int64_t slots, spmv_error *err);
spmv_status spmv_csell_create(spmv_csell *out, spmv_type type, int64_t rows, int64_t cols,
                              int64_t slice, int64_t window, int64_t slots, int64_t words,
                              spmv_error *err);
spmv_status spmv_bsr_create(spmv_bsr *out, spmv_type type, int64_t rows, int64_t cols,
                            int64_t block, int64_t blocks, spmv_error *err);

void spmv_destroy(spmv_matrix *A); /* releases the arrays and clears *A */

/* How entries that are given for one coordinate become one. */
typedef enum spmv_duplicates {
    SPMV_DUPLICATES_SUM = 0,
    SPMV_DUPLICATES_FIRST,
    SPMV_DUPLICATES_LAST,
    SPMV_DUPLICATES_ERROR,
    SPMV_DUPLICATES_COUNT /* the sum; a pattern that has any becomes f64, each entry being 1 */
} spmv_duplicates;

/* Bring unordered coordinates into the order that COO promises, in place.
 *
 *   A          its indices may be in any order, but must lie inside rows x cols; its arrays must
 *              be writable, and keep their size when entries go away
 *   duplicates what becomes of equal coordinates (sums in double precision, in the order given;
 *              in a pattern they simply merge)
 *   merged     how many entries went away; may be NULL
 *
 * Errors: INVALID_DIMENSION (an index is outside; err->line is the 1-based entry),
 * INVALID_FORMAT (a duplicate under SPMV_DUPLICATES_ERROR), INVALID_ARGUMENT (among others
 * SPMV_DUPLICATES_COUNT where A->storage owns the arrays), OUT_OF_MEMORY.  On failure A holds the
 * same entries in some order; with INVALID_FORMAT it is the promised one but for the duplicates.
 * Time O(nnz) (radix sort), scratch 16 bytes and a value per entry. */
spmv_status spmv_coo_sort(spmv_coo *A, spmv_duplicates duplicates, int64_t *merged,
                          spmv_error *err);

/* How far long work has come. */
typedef struct spmv_progress {
    const char *stage;   /* "reading", "unpacking", "parsing", "sorting", "checking", "converting",
                            "transposing", "expanding", "dropping", "counting", "multiplying",
                            "writing", "ranking" */
    int64_t done, total; /* bytes, iterations; total 0: not known, else an estimate or exact */
} spmv_progress;

/* Called now and then, some megabytes or an iteration apart; by any thread, but never by two at
 * once.  It must be quick, and must not call the library. */
typedef void spmv_progress_callback(void *user, const spmv_progress *progress);

/* How to build the formats that leave a choice.  All zero is the default. */
typedef struct spmv_convert_options {
    int64_t ell_width; /* at least this wide (0: the longest row) */
    int64_t hyb_width; /* ELL part of HYB (0: the largest k such that a third of the rows have k
                          entries or more; -1: none) */
    /* Rows in a slice of SELL (0: 32) and of CSELL, which takes the next multiple of
     * SPMV_CSELL_LANES, at most SPMV_CSELL_SLICE (0: 128, or 32 where rows are sorted). */
    int64_t sell_slice;
    /* Rows of SELL and CSELL that are sorted among themselves, rounded up to whole slices, at most
     * all; 1: none are, and more than 2^31 - 1 is refused.  0: rows stay in their order where at
     * most a tenth of the slots would be padding, or where CSELL is smaller that way; otherwise
     * they are sorted within 128 slices. */
    int64_t sell_window;
    /* Rows of a block of BSR, 2 to SPMV_BSR_BLOCK (0: what takes least memory). */
    int64_t bsr_block;
    /* ELL, SELL, CSELL, BSR and an ELL part of HYB with more slots per nonzero are refused (0: 10,
     * where more than 2^20 slots are needed). */
    double max_fill;
    spmv_progress_callback *progress; /* in bytes; may be NULL */
    void *user;                       /* for progress */
} spmv_convert_options;

/* Convert to another format, or copy: where it is the same, and leaves no choice or none is made.
 *
 *   out    must not be A
 *   build  may be NULL: the defaults
 *
 * Values keep their bits, explicit zeros and symmetry stay.  The result is the same for every
 * number of threads.
 * Errors: INVALID_DIMENSION (too many rows or columns for the format), OUT_OF_MEMORY,
 * UNSUPPORTED (padding beyond the limit; the message says what to use instead), INVALID_ARGUMENT
 * (a width, slice, window or limit that is not possible).  Time O(nnz + rows + cols). */
spmv_status spmv_convert(spmv_matrix *out, const spmv_matrix *A, spmv_format format,
                         const spmv_convert_options *build, spmv_error *err);

/* Convert the values.  Double to single precision rounds to nearest; real -> complex adds imaginary
 * parts of 0; anything -> pattern drops the values (and what was SKEW or HERMITIAN becomes
 * SYMMETRIC, a pattern having no signs); pattern -> anything stores 1.
 * Errors: INVALID_FORMAT (no such type), UNSUPPORTED (complex -> real: see spmv_take_complex_part),
 * OUT_OF_MEMORY.  What single precision cannot hold: see spmv_single_losses. */
spmv_status spmv_convert_values(spmv_matrix *out, const spmv_matrix *A, spmv_type type,
                                spmv_error *err);

/* The type of fewest bytes in which A multiplies vectors of a type and loses nothing: SPMV_PATTERN
 * where A is real and all its values are 1, SPMV_F32 where single precision holds each of them and
 * the vectors are f32 or f64.  What is complex stays so: 1+0i times an infinite x has a part that
 * is NaN, and 1 has none.  Where nothing is without loss, the one that loses least.  Products are
 * the same, bit for bit, as with the values that A has.  Time O(nnz) at most: it ends at the first
 * value that does not fit. */
spmv_type spmv_smallest_type(const spmv_matrix *A, spmv_type vector_type);

/* What to make of complex values. */
typedef enum spmv_complex_part {
    SPMV_COMPLEX_KEEP = 0,
    SPMV_COMPLEX_REAL,
    SPMV_COMPLEX_IMAG,
    SPMV_COMPLEX_ABS
} spmv_complex_part;

/* Make complex values real ones of the same precision: their real parts, their imaginary parts, or
 * their absolute values.  out is in the format of A, ELL and HYB take their default widths; a
 * matrix that is not complex is copied, and so is any under KEEP.  Parts that are 0 stay stored.
 * The real part and the absolute value of a HERMITIAN matrix are SYMMETRIC, and its imaginary part
 * is SKEW, without the diagonal; the absolute value of a SKEW matrix is SYMMETRIC. Errors:
 * INVALID_ARGUMENT (no such part), those of spmv_convert.  Time as there. */
spmv_status spmv_take_complex_part(spmv_matrix *out, const spmv_matrix *A, spmv_complex_part part,
                                   spmv_error *err);

/* The following make a matrix in the format of A, built as `build` says, which may be NULL: the
 * defaults.  What is only copied is built as A is. */

/* out = A^T.  A stored triangle stays the lower one: SYMMETRIC is copied, SKEW negated, HERMITIAN
 * conjugated, but parts that are 0 keep their sign.
 * Errors: those of spmv_convert to CSC and back.  Time O(nnz + rows + cols), COO O(nnz). */
spmv_status spmv_transpose(spmv_matrix *out, const spmv_matrix *A,
                           const spmv_convert_options *build, spmv_error *err);

/* Fill in the missing triangle, negated when SKEW and conjugated when HERMITIAN: out is GENERAL.
 * GENERAL is copied.  Errors: those of spmv_convert.  Time as there. */
spmv_status spmv_expand(spmv_matrix *out, const spmv_matrix *A, const spmv_convert_options *build,
                        spmv_error *err);

/* Remove entries whose value is 0 (none in a pattern), or those on the diagonal.
 * Errors: those of spmv_convert.  Time as there. */
spmv_status spmv_drop_zeros(spmv_matrix *out, const spmv_matrix *A,
                            const spmv_convert_options *build, spmv_error *err);
spmv_status spmv_drop_diagonal(spmv_matrix *out, const spmv_matrix *A,
                               const spmv_convert_options *build, spmv_error *err);

/* Take each edge of a graph both ways: out has at (i, j) and (j, i) the sum of what A has there, in
 * a pattern one entry, and the diagonal as it is; a matrix that is symmetric has them so, and is
 * copied.  Errors: those of spmv_convert, INVALID_DIMENSION (not square), UNSUPPORTED (symmetry not
 * expanded).  Time as there. */
spmv_status spmv_symmetrize(spmv_matrix *out, const spmv_matrix *A,
                            const spmv_convert_options *build, spmv_error *err);

/* Convert to and from a dense row-major array of doubles: [rows * cols], and [rows * cols * 2] when
 * the type is complex, each imaginary part behind its real part.  From dense, zeros are left out
 * and NaN is kept; values of single precision are rounded.  To dense, a stored triangle is
 * mirrored: the array holds the whole matrix.
 * Errors: those of spmv_convert.  Time O(rows * cols). */
spmv_status spmv_from_dense(spmv_matrix *out, spmv_format format, spmv_type type, int64_t rows,
                            int64_t cols, const double *dense, spmv_error *err);
void spmv_to_dense(const spmv_matrix *A, double *dense);

#ifdef __cplusplus
}
#endif
#endif
