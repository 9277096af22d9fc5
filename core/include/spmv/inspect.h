/* spmv/inspect.h -- looking inside matrices; a chapter of spmv.h, which has the conventions. */
#ifndef SPMV_INSPECT_H
#define SPMV_INSPECT_H

#include "spmv/convert.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Value at (row, col): what is stored, or 0 where nothing is.  Where one triangle stands for the
 * whole matrix, the other half is answered from it (negated when SKEW, conjugated when HERMITIAN).
 * Errors: INVALID_DIMENSION when out of range (*value is 0).  Time O(log row length) for CSR,
 * O(log column length) for CSC, O(log nnz) for COO, O(width) for ELL, O(width + log overflow) for
 * HYB, O(log blocks of its rows) for BSR, O(rows) for JDS, O(window + row length) for SELL,
 * O(window + steps of its slice) for CSELL. */
spmv_status spmv_get_element(const spmv_matrix *A, int64_t row, int64_t col, spmv_scalar *value,
                             spmv_error *err);

/* Check every promise that the structs above make: sizes, offsets, indices in range and ascending,
 * stored triangle, real diagonal, permutation, padding.  Safe whatever the arrays hold, as long as
 * they have the lengths that head and parameters promise. Errors: INVALID_DIMENSION (the head),
 * INVALID_FORMAT with the place of the first violation, OUT_OF_MEMORY.  Time O(nnz + rows + cols),
 * for ELL O(width * rows). */
spmv_status spmv_check(const spmv_matrix *A, spmv_error *err);

/* Same format, shape and arrays, values compared bit by bit. */
bool spmv_identical(const spmv_matrix *A, const spmv_matrix *B);

size_t spmv_memory_bytes(const spmv_matrix *A); /* of all arrays together, padding included */

/* OUT_OF_MEMORY, with `what` in the message, where `bytes` is more than the system has free: by
 * MemAvailable, the limits of the control groups and that of address space on Linux.  Less than 256
 * MiB always pass.  All functions ask this before they take memory; a caller asks it for the sum of
 * what comes. */
spmv_status spmv_check_memory(double bytes, const char *what, spmv_error *err);

/* The memory that a matrix would take in a format. */
typedef struct spmv_size {
    double bytes; /* as spmv_memory_bytes counts them */
    double fill;  /* slots per nonzero; infinite where there is none of these but padding */
    double limit; /* of the fill, */
    bool refused; /* over which spmv_convert refuses the format */
} spmv_size;

/* The size of spmv_convert's result for the same arguments, by arithmetic from the row lengths (of
 * CSELL also from the columns): no format is built.
 * Errors: INVALID_DIMENSION (too many rows or columns for the format), INVALID_ARGUMENT,
 * OUT_OF_MEMORY, UNSUPPORTED (SELL, CSELL or BSR of a matrix with far more rows than entries).
 * Time O(nnz + rows), memory O(rows) beside A where that is CSR; O(nnz) of both where rows are far
 * more than entries. */
spmv_status spmv_size_of(const spmv_matrix *A, spmv_format format,
                         const spmv_convert_options *build, spmv_size *out, spmv_error *err);

/* Lengths of the rows. */
enum { SPMV_HISTOGRAM_BINS = 64 };
typedef struct spmv_row_stats {
    int64_t rows, cols, nnz;
    int64_t min, max;    /* shortest and longest row; 0 when there are no rows */
    int64_t empty;       /* rows without an entry */
    double mean, stddev; /* entries per row */
    /* The share of the sampled entries that have no entry near them in the row above. */
    double share_without_neighbour;
    int64_t histogram[SPMV_HISTOGRAM_BINS]; /* [0] empty rows, [b] lengths in [2^(b-1), 2^b) */
    int64_t entries[SPMV_HISTOGRAM_BINS];   /* of the rows in each bin */
} spmv_row_stats;

/* Count the stored entries of the rows: those that a kept triangle leaves out do not count.
 * Errors: OUT_OF_MEMORY.  Time O(rows) for CSR, O(nnz) for COO, O(nnz + rows + cols) otherwise. */
spmv_status spmv_row_stats_compute(const spmv_matrix *A, spmv_row_stats *out, spmv_error *err);

/* XXH3 of shape, type and arrays: matrices that are identical have the same one, whatever files
 * they come from, and others another one but for chance.  Time O(nnz + rows). */
uint64_t spmv_csr_checksum(const spmv_csr *A);

/* The places of the entries, and their values. */
enum { SPMV_DISTINCT_VALUES = 256 };
typedef struct spmv_structure {
    int64_t empty_rows, empty_cols;
    int64_t lower_bandwidth, upper_bandwidth; /* the largest r - c, c - r of an entry, or 0 */
    int64_t profile;  /* sum over the rows of r - c of the first entry, where it is positive */
    int64_t diagonal; /* entries (r, r) */
    int64_t diagonal_zeros;     /* of them with value 0 */
    int64_t diagonal_imaginary; /* of them with an imaginary part */
    /* In a square matrix, the number of entries off the diagonal whose mirror image is stored too,
     * holds the same value, the negated value, the conjugate; 0 in any other. */
    int64_t mirrored, equal, opposite, conjugate;
    int64_t zeros, nan, inf; /* entries of this value, nan and inf in either part */
    double min_abs, max_abs; /* of the finite values that are not 0; 0 where there is none */
    int distinct;            /* different values; SPMV_DISTINCT_VALUES + 1 stands for more */
    bool integers, ones;     /* all values are, or there is none; integers: in both parts */
} spmv_structure;

/* Describe a whole matrix, in any format.
 *
 * The pattern is symmetric when all nnz - diagonal entries off the diagonal are mirrored, the
 * matrix when they are all equal; it is skew when they are all opposite and the diagonal, if any,
 * holds zeros; hermitian when they are all conjugate and the diagonal, if any, is real.  A profile
 * beyond int64_t is INT64_MAX; an entry of a pattern counts as 1. Errors: UNSUPPORTED (symmetry not
 * expanded), OUT_OF_MEMORY.  Time O(nnz), also for more rows or columns than there is memory;
 * memory: the transpose and, unless A is CSR, CSR.  Where rows or columns are more than 8 nnz:
 * the matrix as coordinates, twice (COO: once more), and the scratch of spmv_coo_sort. */
spmv_status spmv_structure_compute(const spmv_matrix *A, spmv_structure *out, spmv_error *err);

/* How many entries lie in each block of a grid over the matrix, for a picture of it.
 *
 *   row_step, col_step  rows and columns of a block, > 0
 *   count               [rows / row_step x cols / col_step, both rounded up], row-major: the
 *                       stored entries of a block are added to its number
 *
 * Errors: INVALID_ARGUMENT.  Time O(nnz), for ELL O(width * rows). */
spmv_status spmv_block_counts(const spmv_matrix *A, int64_t row_step, int64_t col_step,
                              int64_t *count, spmv_error *err);

#ifdef __cplusplus
}
#endif
#endif
