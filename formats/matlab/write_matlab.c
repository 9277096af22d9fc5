/* write_matlab.c -- a matrix as the variable A of a MATLAB file of version 5.
 *
 * MATLAB's sparse matrices are double, complex double or logical, which a pattern becomes, and know
 * no symmetry.  Indices have 32 bits. */
#include "formats/common/file_format.h"
#include "formats/matlab/matlab.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD = 256 }; /* bytes of tags, name and sizes of a variable, at most */

static const char what[] = "a matrix for MATLAB";

/* What a file holds of A, and memory for all that A does not hold in the same way. */
typedef struct matlab_arrays {
    spmv__matlab_sparse sparse;
    uint32_t *col_ptr; /* [cols + 1] */
    double *re, *im;   /* [nnz] of a complex matrix */
    char *ones;        /* [nnz] of a pattern */
} matlab_arrays;

static spmv_status fill_values(matlab_arrays *out, const spmv_csc *A, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    out->sparse.kind = 'f';
    out->sparse.size = 8;
    out->sparse.re = A->val;
    if (A->type == SPMV_PATTERN) {
        SPMV__TRY(spmv__alloc(&out->ones, A->nnz, 1, what, err));
        if (A->nnz > 0) memset(out->ones, 1, (size_t)A->nnz);
        out->sparse.kind = 'u';
        out->sparse.size = 1;
        out->sparse.re = out->ones;
        out->sparse.logical = true;
    } else if (A->type == SPMV_C128) {
        const double *val = A->val;
        SPMV__TRY(spmv__alloc(&out->re, A->nnz, sizeof *out->re, what, err));
        SPMV__TRY(spmv__alloc(&out->im, A->nnz, sizeof *out->im, what, err));
        for (int64_t p = 0; p < A->nnz; p++) {
            out->re[p] = val[2 * p];
            out->im[p] = val[2 * p + 1];
        }
        out->sparse.re = out->re;
        out->sparse.im = out->im;
    }
done:
    return st;
}

static spmv_status fill_arrays(matlab_arrays *out, const spmv_csc *A, spmv_error *err)
{
    spmv_status st;
    /* More than this MATLAB does not read from such files. */
    const int64_t values = A->type == SPMV_PATTERN ? 1 : spmv_type_is_complex(A->type) ? 16 : 8;
    const int64_t most = INT32_MAX - HEAD;
    if (A->cols > most / 4 || A->nnz > (most - 4 * A->cols) / (values + 4))
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                          "a variable in MATLAB files of version 5 has less than 2 GiB: %" PRId64
                          " entries in %" PRId64 " columns take more",
                          A->nnz, A->cols);
    out->sparse = (spmv__matlab_sparse){.rows = (uint64_t)A->rows,
                                        .cols = (uint64_t)A->cols,
                                        .row_count = A->nnz,
                                        .col_count = A->cols + 1,
                                        .value_count = A->nnz,
                                        .row_idx = (const uint32_t *)A->row_idx};
    SPMV__TRY(spmv__alloc(&out->col_ptr, A->cols + 1, sizeof *out->col_ptr, what, err));
    for (int64_t c = 0; c <= A->cols; c++) out->col_ptr[c] = (uint32_t)A->col_ptr[c];
    out->sparse.col_ptr = out->col_ptr;
    st = fill_values(out, A, err);
done:
    return st;
}

/* A in CSC and with values that MATLAB has; what is made on the way is the caller's to destroy. */
static spmv_status prepare(const spmv_matrix **out, spmv_matrix made[2], const spmv_matrix *A,
                           const spmv_write_options *options, spmv_error *err)
{
    spmv_status st;
    SPMV__TRY(spmv__prepare_write(out, &made[0], A, false, 1 << SPMV_CSC, options, err));
    const spmv_type type = (*out)->head.type;
    if (type == SPMV_F32 || type == SPMV_C64) {
        SPMV__TRY(
            spmv_convert_values(&made[1], *out, type == SPMV_F32 ? SPMV_F64 : SPMV_C128, err));
        *out = &made[1];
    }
done:
    return st;
}

spmv_status spmv__matlab_write(const spmv_matrix *A, const char *path,
                               const spmv_write_options *options, spmv_error *err)
{
    const spmv_matrix *whole;
    spmv_matrix made[2] = {{0}, {0}};
    matlab_arrays arrays = {0};
    spmv__sink *sink = NULL;
    spmv_status st;

    SPMV__TRY(prepare(&whole, made, A, options, err));
    SPMV__TRY(fill_arrays(&arrays, &whole->csc, err));
    SPMV__TRY(spmv__sink_open(&sink, path, options, err));
    SPMV__TRY(spmv__matlab_put("A", &arrays.sparse, sink, err));
    st = spmv__sink_commit(&sink, err);
done:
    spmv__sink_discard(sink);
    free(arrays.col_ptr);
    free(arrays.re);
    free(arrays.im);
    free(arrays.ones);
    for (int i = 0; i < 2; i++) spmv_destroy(&made[i]);
    return st;
}
