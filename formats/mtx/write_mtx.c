/* write_mtx.c -- matrices as Matrix Market coordinate files.
 *
 * A matrix with a symmetry is written as the triangle that it stores; one whose rows come in pieces
 * has none. */
#include "core/matrix/format.h"
#include "formats/common/file_format.h"
#include "formats/mtx/mtx.h"

const spmv_labels spmv__mtx_numbers = {.first = 1};

spmv_status spmv__mtx_write_front(spmv__sink *sink, const spmv_head *A, spmv_error *err)
{
    const spmv_status st = spmv__mtx_write_banner(sink, false, A->type, A->symmetry, err);
    if (st == SPMV_SUCCESS)
        spmv__sink_printf(sink, "%lld %lld %lld\n", (long long)A->rows, (long long)A->cols,
                          (long long)A->nnz);
    return st;
}

spmv_status spmv_write_mtx(const spmv_matrix *A, const char *path,
                           const spmv_write_options *options, spmv_error *err)
{
    SPMV__REQUIRE(path != NULL, err);
    SPMV__REQUIRE_MATRIX(A, err);
    spmv_status st;
    const spmv_matrix *listed;
    spmv_matrix made = {0};
    spmv__sink *sink = NULL;

    if (A->head.type == SPMV_PATTERN && A->head.symmetry == SPMV_SKEW)
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                          "Matrix Market has no skew-symmetric matrices without values");
    SPMV__TRY(spmv__prepare_write(&listed, &made, A, true, SPMV__LISTED, options, err));
    SPMV__TRY(spmv__sink_open(&sink, path, options, err));
    SPMV__TRY(spmv__mtx_write_front(sink, &A->head, err));
    SPMV__TRY(spmv__write_entries(sink, listed, &spmv__mtx_numbers, ' ', err));
    st = spmv__sink_commit(&sink, err);
done:
    spmv__sink_discard(sink);
    spmv_destroy(&made);
    return st;
}

/* ---- In pieces of rows ----------------------------------------------------------------------- */

static spmv_status begin_rows(spmv__row_file *file, spmv_error *err)
{
    const spmv_matrix C = spmv__wrap_csr(file->C);
    return spmv__mtx_write_front(file->sink, &C.head, err);
}

static spmv_status prepare_rows(const spmv__row_file *file, const spmv_row_piece *piece,
                                spmv_piece_memory *memory, spmv_error *err)
{
    return spmv__prepare_entries(file->C, piece, &spmv__mtx_numbers, memory, err);
}

static spmv_status take_rows(spmv__row_file *file, const spmv_row_piece *piece,
                             const spmv_piece_memory *memory, spmv_error *err)
{
    return spmv__write_piece(file->sink, file->C, piece, &spmv__mtx_numbers, memory, err);
}

const spmv__row_format spmv__mtx_rows = {
    .begin = begin_rows,
    .prepare = prepare_rows,
    .take = take_rows,
};
