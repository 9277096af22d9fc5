/* symmetrize.c -- each edge of a graph both ways. */
#include "core/matrix/format.h"
#include "core/convert/image.h"

spmv_status spmv_symmetrize(spmv_matrix *out, const spmv_matrix *A,
                            const spmv_convert_options *build, spmv_error *err)
{
    SPMV__REQUIRE(out != NULL && out != A, err);
    memset(out, 0, sizeof *out);
    SPMV__REQUIRE_MATRIX(A, err);
    spmv_status st;

    SPMV__TRY(spmv__check_square(A->head.rows, A->head.cols, err));
    SPMV__TRY(spmv__check_whole(A->head.symmetry, err));
    SPMV__TRY(spmv__add_image(out, A, build, err));
done:
    return st;
}
