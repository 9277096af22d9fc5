/* prepare_write.c -- a matrix that is to be written becomes one that its file format can hold. */
#include "core/matrix/format.h"
#include "formats/common/file_format.h"

spmv_status spmv__prepare_write(const spmv_matrix **out, spmv_matrix *made, const spmv_matrix *A,
                                bool symmetries, unsigned formats,
                                const spmv_write_options *options, spmv_error *err)
{
    spmv_status st;
    spmv_matrix whole = {0};
    spmv_convert_options build = {0};

    *out = A;
    if (options != NULL)
        build = (spmv_convert_options){.progress = options->progress, .user = options->user};
    SPMV__TRY(spmv__check_head(A, err));
    if (A->head.symmetry != SPMV_GENERAL && !symmetries) {
        SPMV__TRY(spmv_expand(&whole, A, &build, err));
        *out = &whole;
    }
    if (((formats >> A->format) & 1) == 0) {
        const bool listed = ((formats >> SPMV_COO) & 1) != 0 &&
                            spmv__has_too_many_rows((*out)->head.rows, (*out)->head.nnz);
        SPMV__TRY(spmv_convert(made, *out, listed ? SPMV_COO : SPMV_CSR, &build, err));
        *out = made;
    } else if (*out == &whole) {
        *made = whole;
        whole = (spmv_matrix){0};
        *out = made;
    }
done:
    spmv_destroy(&whole);
    return st;
}
