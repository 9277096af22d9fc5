/* write_mtx.c -- matrices as Matrix Market coordinate files.
 *
 * A matrix with a symmetry is written as the triangle that it stores. */
#include "core/matrix/format.h"
#include "formats/common/file_format.h"
#include "formats/mtx/mtx.h"

spmv_status spmv_write_mtx(const spmv_matrix *A, const char *path,
                           const spmv_write_options *options, spmv_error *err)
{
    SPMV__REQUIRE(A != NULL && path != NULL && spmv__format_of(A->format) != NULL, err);
    spmv_status st;
    const spmv_matrix *listed;
    spmv_matrix made = {0};
    spmv__sink *sink = NULL;

    if (A->head.type == SPMV_PATTERN && A->head.symmetry == SPMV_SKEW)
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                          "Matrix Market has no skew-symmetric matrices without values");
    SPMV__TRY(spmv__prepare_write(&listed, &made, A, true, SPMV__LISTED, options, err));
    SPMV__TRY(spmv__sink_open(&sink, path, options, err));
    SPMV__TRY(spmv__mtx_write_banner(sink, false, A->head.type, A->head.symmetry, err));
    spmv__sink_printf(sink, "%lld %lld %lld\n", (long long)A->head.rows, (long long)A->head.cols,
                      (long long)A->head.nnz);
    SPMV__TRY(spmv__write_entries(sink, listed, &(spmv_labels){.first = 1}, err));
    st = spmv__sink_commit(&sink, err);
done:
    spmv__sink_discard(sink);
    spmv_destroy(&made);
    return st;
}
