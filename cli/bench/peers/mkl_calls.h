/* mkl_calls.h -- what the peers of Intel oneMKL share: no other file includes it. */
#pragma once

#include "spmv.h"

#include <mkl_spblas.h>

/* Turns the result of a call into one of ours. */
spmv_status mkl_check(sparse_status_t status, const char *what, spmv_error *err);

/* A matrix as MKL has it, with 32-bit indices. */
typedef struct mkl_matrix {
    sparse_matrix_t handle; /* NULL: none */
    MKL_INT *row_ptr;       /* [rows + 1] owned; columns and values are the caller's */
} mkl_matrix;

/* Errors: UNSUPPORTED (complex values, or more than 32 bits can count), OUT_OF_MEMORY; *out is then
 * to be released, too. */
spmv_status mkl_import(mkl_matrix *out, const spmv_csr *A, spmv_error *err);
void mkl_release(mkl_matrix *A); /* all 0 is fine */
