/* finish.c -- what is done to every matrix that was read, as the options ask. */
#include "io.h"

/* *A = change(*A) */
static spmv_status replace(spmv_matrix *A,
                           spmv_status (*change)(spmv_matrix *, const spmv_matrix *, spmv_error *),
                           spmv_error *err)
{
    spmv_matrix B;
    spmv_status st = change(&B, A, err);
    if (st != SPMV_SUCCESS) return st;
    spmv_destroy(A);
    *A = B;
    return SPMV_SUCCESS;
}

spmv_status spmv__finish_read(spmv_matrix *A, const spmv_read_options *options, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    if (A->head.symmetry != SPMV_GENERAL && !options->keep_symmetry)
        SPMV__TRY(replace(A, spmv_expand, err));
    if (options->drop_zeros) SPMV__TRY(replace(A, spmv_drop_zeros, err));
done:
    return st;
}
