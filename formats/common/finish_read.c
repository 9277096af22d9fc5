/* finish_read.c -- what is done to every matrix that was read, as the options ask. */
#include "formats/common/file_format.h"

/* *A = *B, unless making *B has failed. */
static spmv_status replace(spmv_matrix *A, const spmv_matrix *B, spmv_status st)
{
    if (st != SPMV_SUCCESS) return st;
    spmv_destroy(A);
    *A = *B;
    return SPMV_SUCCESS;
}

spmv_status spmv__finish_read(spmv_matrix *A, const spmv_read_options *options, spmv_error *err)
{
    const spmv_complex_part part = options->complex_values;
    const spmv_convert_options build = {.progress = options->progress, .user = options->user};
    spmv_status st = SPMV_SUCCESS;
    spmv_matrix B;
    if (A->head.symmetry != SPMV_GENERAL && !options->keep_symmetry)
        SPMV__TRY(replace(A, &B, spmv_expand(&B, A, &build, err)));
    /* Behind that, since the part of a triangle may have no room for its diagonal. */
    if (spmv_type_is_complex(A->head.type) && part != SPMV_COMPLEX_KEEP)
        SPMV__TRY(replace(A, &B, spmv_take_complex_part(&B, A, part, err)));
    if (options->drop_zeros) SPMV__TRY(replace(A, &B, spmv_drop_zeros(&B, A, &build, err)));
done:
    return st;
}
