/* expand.c -- from one stored triangle to the whole matrix. */
#include "core/matrix/format.h"
#include "core/convert/image.h"

spmv_status spmv_expand(spmv_matrix *out, const spmv_matrix *A, const spmv_convert_options *build,
                        spmv_error *err)
{
    SPMV__REQUIRE(out != NULL && out != A, err);
    memset(out, 0, sizeof *out);
    SPMV__REQUIRE_MATRIX(A, err);
    if (A->head.symmetry == SPMV_GENERAL) return spmv__copy(out, A, err);
    return spmv__add_image(out, A, build, err);
}
