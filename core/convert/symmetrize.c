/* symmetrize.c -- each edge of a graph both ways: all entries below the diagonal, then expanded. */
#include "core/convert/convert.h"
#include "core/convert/coo_sort.h"
#include "core/matrix/format.h"

spmv_status spmv_symmetrize(spmv_matrix *out, const spmv_matrix *A,
                            const spmv_convert_options *build, spmv_error *err)
{
    SPMV__REQUIRE(out != NULL && out != A, err);
    memset(out, 0, sizeof *out);
    SPMV__REQUIRE_MATRIX(A, err);
    spmv_matrix half = {.format = SPMV_COO}, whole = {.format = SPMV_COO};
    spmv__meter meter = spmv__meter_of(build);
    spmv_status st;

    SPMV__TRY(spmv__check_square(A->head.rows, A->head.cols, err));
    SPMV__TRY(spmv__check_whole(A->head.symmetry, err));
    SPMV__TRY(spmv_convert(&half, A, SPMV_COO, build, err));
    for (int64_t p = 0; p < half.coo.nnz; p++) {
        const int64_t r = half.coo.row_idx[p], c = half.coo.col_idx[p];
        half.coo.row_idx[p] = r > c ? r : c;
        half.coo.col_idx[p] = r > c ? c : r;
    }
    SPMV__TRY(spmv__coo_sort(&half.coo, SPMV_DUPLICATES_SUM, NULL, &meter, err));
    half.head.symmetry = SPMV_SYMMETRIC;
    SPMV__TRY(spmv_expand(&whole, &half, build, err));
    SPMV__TRY(spmv__convert_move(out, &whole, A->format, build, err));
done:
    spmv_destroy(&half);
    spmv_destroy(&whole);
    return st;
}
