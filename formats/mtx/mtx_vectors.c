/* mtx_vectors.c -- Matrix Market arrays as vectors, coordinates of one column too, and dense
 * vectors as such files. */
#include "core/matrix/value.h"
#include "formats/common/file_format.h"
#include "formats/mtx/mtx.h"

#include <stdlib.h>
#include <string.h>

static spmv_status not_one_column(const spmv__source *src, const spmv__mtx_header *header,
                                  spmv_error *err)
{
    if (header->array)
        return spmv__source_fail(src, err, SPMV_ERROR_INVALID_DIMENSION, 0, 0,
                                 "an array of several vectors is general; this one, of %lld x "
                                 "%lld, is not",
                                 (long long)header->rows, (long long)header->cols);
    return spmv__source_fail(src, err, SPMV_ERROR_INVALID_DIMENSION, 0, 0,
                             "a vector has one column; this is %lld x %lld",
                             (long long)header->rows, (long long)header->cols);
}

/* An array keeps its zeros with their signs. */
static spmv_status read_array(spmv_dense *out, spmv__mtx_reader *reader, spmv_error *err)
{
    const spmv_type type = spmv__mtx_type(&reader->header);
    void *val;
    spmv_status st = spmv__mtx_load_values(reader, &val, err);
    if (st != SPMV_SUCCESS) return st;
    st = spmv_dense_create(out, type, reader->header.rows, reader->header.cols, err);
    if (st == SPMV_SUCCESS && reader->header.entries > 0)
        memcpy(out->data, val, (size_t)reader->header.entries * spmv_type_size(type));
    free(val);
    return st;
}

static spmv_status read_coordinates(spmv_dense *out, spmv__mtx_reader *reader, spmv_error *err)
{
    spmv_coo A = {0};
    int64_t skipped, merged;
    spmv_status st;
    SPMV__TRY(spmv__mtx_load_entries(reader, &A, &skipped, err));
    SPMV__TRY(spmv__mtx_order(reader, &A, &merged, err));
    SPMV__TRY(spmv_dense_create(out, spmv__double_type(A.type), A.rows, 1, err));
    for (int64_t p = 0; p < A.nnz; p++)
        spmv__set_scalar(out->type, out->data, A.row_idx[p], spmv__scalar(A.type, A.val, p));
done:
    spmv_coo_destroy(&A);
    return st;
}

spmv_status spmv__mtx_read_vector(spmv_dense *out, const spmv__source *src,
                                  const spmv_read_options *options, spmv_error *err)
{
    spmv__mtx_reader reader;
    spmv_dense x = {0};
    spmv_status st;
    SPMV__TRY(spmv__mtx_open(&reader, src, options, err));
    /* Coordinates of several columns are no vectors but a matrix, perhaps a huge one. */
    const bool dense = reader.header.array && reader.header.symmetry == SPMV_GENERAL;
    if (reader.header.cols != 1 && !dense) return not_one_column(src, &reader.header, err);
    SPMV__TRY(reader.header.array ? read_array(&x, &reader, err)
                                  : read_coordinates(&x, &reader, err));
    SPMV__TRY(spmv__text_report_oddities(src, &reader.text, options, err));
    *out = x;
    x = (spmv_dense){0};
done:
    spmv_dense_destroy(&x);
    return st;
}

spmv_status spmv__mtx_write_vector(const spmv_dense *x, spmv__sink *sink, spmv_error *err)
{
    const spmv_status st = spmv__mtx_write_banner(sink, true, x->type, SPMV_GENERAL, err);
    if (st != SPMV_SUCCESS) return st;
    spmv__sink_printf(sink, "%lld %lld\n", (long long)x->rows, (long long)x->cols);
    return spmv__write_numbers(x, sink, err);
}
