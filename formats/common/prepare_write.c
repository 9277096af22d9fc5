/* prepare_write.c -- a matrix that is to be written becomes one that its file format can hold. */
#include "core/matrix/format.h"
#include "formats/common/file_format.h"

static bool takes(unsigned formats, spmv_format format)
{
    return ((formats >> format) & 1) != 0;
}

/* CSR, unless rows would take too much memory or there is only CSC. */
static spmv_format best_of(unsigned formats, const spmv_matrix *A)
{
    if (takes(formats, SPMV_COO) && spmv__has_too_many_rows(A->head.rows, A->head.nnz))
        return SPMV_COO;
    return takes(formats, SPMV_CSR) ? SPMV_CSR : SPMV_CSC;
}

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
    if (!takes(formats, A->format)) {
        SPMV__TRY(spmv_convert(made, *out, best_of(formats, *out), &build, err));
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
