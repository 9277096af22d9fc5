/* spmv/view.h -- matrices in arrays of the caller; a chapter of spmv.h, which has the
 * conventions. */
#ifndef SPMV_VIEW_H
#define SPMV_VIEW_H

#include "spmv/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Compressed rows as any library may hold them: SciPy, PETSc, Eigen, Fortran programs.  A view owns
 * nothing and writes nothing: the arrays must outlive it, and whatever is made of it.  Where they
 * are those of compressed columns, it is a view of the transpose. */
typedef struct spmv_csr_view {
    spmv_type type;         /* of the values */
    spmv_symmetry symmetry; /* of the stored entries */
    int64_t rows, cols;     /* >= 0 */
    int64_t nnz;            /* stored entries */
    int row_ptr_bits;       /* 32 or 64: row_ptr is int32_t or int64_t, */
    int col_idx_bits;       /* and so is col_idx */
    int index_base;         /* 0 or 1, what both count from */
    const void *row_ptr;    /* [rows + 1] */
    const void *col_idx;    /* [nnz] */
    const void *val;        /* [nnz], NULL for a pattern */
} spmv_csr_view;

/* Check that row_ptr begins at the base, never falls and ends after the last entry, and that all
 * columns are inside.  They may be in any order, and stand twice.
 * Errors: INVALID_ARGUMENT (bits, base, no such type or symmetry, an array that is missing),
 * INVALID_DIMENSION (negative), INVALID_FORMAT (row_ptr or a column; the message says where).
 * Time O(rows + nnz). */
spmv_status spmv_csr_view_check(const spmv_csr_view *A, spmv_error *err);

/* y = alpha A x + beta y on the CPU, from the arrays as they are: nothing is copied or converted.
 *
 *   A        GENERAL; columns in any order, entries that stand twice add up.  Its arrays are
 *            trusted: see spmv_csr_view_check
 *   x        [A->cols x k] on the host, of the types that spmv_apply takes
 *   y        [A->rows x k], same type and order as x; no element in the place of one of x, and
 *            between its elements only where both have one ld; read only when beta != 0
 *   threads  0: all
 *
 * The result has the bits of spmv_apply with the kernel cpu-csr.  Nothing is allocated for vectors
 * by columns; for others k times 8 KB.
 * Errors: INVALID_ARGUMENT (as above; types or orders differ, x and y overlap), INVALID_DIMENSION
 * (nothing is computed), UNSUPPORTED (symmetry not expanded), OUT_OF_MEMORY. */
spmv_status spmv_csr_view_multiply(const spmv_csr_view *A, double alpha, const spmv_dense *x,
                                   double beta, spmv_dense *y, int threads, spmv_error *err);

/* Make a matrix of it that all functions take.  Arrays that are what spmv_csr has, which are the
 * values, 64-bit row_ptr and 32-bit col_idx that count from 0, are borrowed; of others there is a
 * copy, which spmv_csr_destroy releases.  All is checked.
 * Errors: those of spmv_csr_view_check and spmv_check (columns must ascend within a row),
 * INVALID_DIMENSION (more columns than spmv_csr addresses), OUT_OF_MEMORY.  Time O(rows + nnz). */
spmv_status spmv_csr_from_view(spmv_csr *out, const spmv_csr_view *view, spmv_error *err);

#ifdef __cplusplus
}
#endif
#endif
