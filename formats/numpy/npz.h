/* npz.h -- SciPy's sparse matrices: a zip archive of NumPy arrays.
 *
 * Specification: scipy.sparse.save_npz.  `format` names the storage format, `shape` holds rows and
 * columns; `data` and, by format, `indices` and `indptr` or `row` and `col` are the arrays. */
#pragma once

#include "formats/numpy/npy.h"

/* A member of the archive. */
typedef enum spmv__npz_member {
    SPMV__NPZ_FORMAT,
    SPMV__NPZ_SHAPE,
    SPMV__NPZ_DATA,
    SPMV__NPZ_INDICES,
    SPMV__NPZ_INDPTR,
    SPMV__NPZ_ROW,
    SPMV__NPZ_COL,
    SPMV__NPZ_MEMBERS
} spmv__npz_member;

extern const char *const spmv__npz_names[SPMV__NPZ_MEMBERS]; /* "format.npy", ... */

/* The arrays that a storage format consists of, beside data. */
typedef struct spmv__npz_layout {
    char name[4]; /* "csr" */
    spmv_format format;
    spmv__npz_member indices, offsets; /* col and row in coo */
} spmv__npz_layout;

enum { SPMV__NPZ_LAYOUTS = 3 };
extern const spmv__npz_layout spmv__npz_layouts[SPMV__NPZ_LAYOUTS];

spmv_status spmv__npz_write(const spmv_matrix *A, const char *path,
                            const spmv_write_options *options, spmv_error *err);

/* Returns whether this is a zip archive, or the beginning of one, that may be of SciPy. */
bool spmv__npz_recognise(const unsigned char *data, int64_t size);
