/* vector.c -- one-column vectors: Matrix Market, or plain text with one number a line.
 *
 * Plain text may hold blank lines and comments, which begin with % or #. */
#include "mtx.h"

#include <stdlib.h>
#include <string.h>

/* ---- Reading -------------------------------------------------------------------------------- */

static spmv_status not_one_column(const spmv__source *src, const spmv__mtx_header *header,
                                  spmv_error *err)
{
    return spmv__source_fail(src, err, SPMV_ERROR_INVALID_DIMENSION, 0, 0,
                             "a vector has one column; this is %lld x %lld",
                             (long long)header->rows, (long long)header->cols);
}

/* An array keeps its zeros with their signs. */
static spmv_status read_array(spmv_dense *out, spmv__mtx_reader *reader, spmv_error *err)
{
    double *val;
    spmv_status st = spmv__mtx_load_values(reader, &val, err);
    if (st != SPMV_SUCCESS) return st;
    st = spmv_dense_create(out, SPMV_F64, reader->header.rows, 1, err);
    if (st == SPMV_SUCCESS && reader->header.entries > 0)
        memcpy(out->data, val, (size_t)reader->header.entries * sizeof *val);
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
    SPMV__TRY(spmv_dense_create(out, SPMV_F64, A.rows, 1, err));
    for (int64_t p = 0; p < A.nnz; p++)
        ((double *)out->data)[A.row_idx[p]] = spmv__value(A.type, A.val, p);
done:
    spmv_coo_destroy(&A);
    return st;
}

static spmv_status read_mtx(spmv_dense *out, const spmv__source *src,
                            const spmv_read_options *options, spmv_error *err)
{
    spmv__mtx_reader reader;
    spmv_dense x = {0};
    spmv_status st;
    SPMV__TRY(spmv__mtx_open(&reader, src, options, err));
    if (reader.header.cols != 1) return not_one_column(src, &reader.header, err);
    SPMV__TRY(reader.header.array ? read_array(&x, &reader, err)
                                  : read_coordinates(&x, &reader, err));
    SPMV__TRY(spmv__text_report_oddities(src, &reader.text, options, err));
    *out = x;
    x = (spmv_dense){0};
done:
    spmv_dense_destroy(&x);
    return st;
}

/* The next number of a plain text; false at its end, or with a fault. */
static bool next_number(spmv__text *text, double *out)
{
    if (!spmv__text_next_content(text, false)) return false;
    if (!spmv__text_read_real(text, "a value", out)) return false;
    if (!spmv__text_finish_line(text))
        return spmv__text_fault(text, text->p, "a line of a vector holds one number");
    return true;
}

static spmv_status read_plain(spmv_dense *out, const spmv__source *src,
                              const spmv_read_options *options, spmv_error *err)
{
    spmv__text text = {.p = src->data, .end = src->data + src->size, .comments = "%#"};
    spmv_dense x = {0};
    spmv_status st;
    int64_t n = 0;
    double value;

    while (next_number(&text, &value)) n++;
    if (text.status != SPMV_SUCCESS) return spmv__text_report_fault(src, &text, err);
    SPMV__TRY(spmv__text_report_oddities(src, &text, options, err));
    SPMV__TRY(spmv_dense_create(&x, SPMV_F64, n, 1, err));
    text.p = src->data;
    for (n = 0; next_number(&text, &value); n++) ((double *)x.data)[n] = value;
    *out = x;
done:
    return st;
}

spmv_status spmv_read_vector(spmv_dense *out, const char *path, const spmv_read_options *options,
                             spmv_error *err)
{
    static const spmv_read_options defaults = {0};
    SPMV__REQUIRE(out != NULL && path != NULL, err);
    spmv__source src = {0};
    spmv_dense x = {0};
    spmv_status st = SPMV_SUCCESS;

    if (options == NULL) options = &defaults;
    memset(out, 0, sizeof *out);
    SPMV__TRY(spmv__source_open(&src, path, err));
    SPMV__TRY(spmv__source_unpack(&src, err));
    SPMV__TRY(spmv__source_whole(&src, err));
    if (src.size == 0)
        st = spmv__source_fail(&src, err, SPMV_ERROR_INVALID_FORMAT, 0, 0, "the file is empty");
    else if (spmv__mtx_file.recognise(src.data, src.size))
        st = read_mtx(&x, &src, options, err);
    else
        st = read_plain(&x, &src, options, err);
    if (st == SPMV_SUCCESS) SPMV__TRY(spmv__source_remark(&src, options, err));
    if (st == SPMV_SUCCESS) {
        *out = x;
        x = (spmv_dense){0};
    }
done:
    spmv_dense_destroy(&x);
    spmv__source_close(&src);
    return st;
}

/* ---- Writing -------------------------------------------------------------------------------- */

spmv_status spmv_write_vector(const spmv_dense *x, const char *path, bool plain_text,
                              const spmv_write_options *options, spmv_error *err)
{
    SPMV__REQUIRE(x != NULL && path != NULL && !x->on_gpu, err);
    SPMV__REQUIRE(!plain_text || x->cols == 1, err);
    spmv__sink *sink;
    spmv_status st = spmv__sink_open(&sink, path, options != NULL && options->overwrite, err);
    if (st != SPMV_SUCCESS) return st;
    if (!plain_text) {
        SPMV__TRY(spmv__mtx_write_banner(sink, true, false, SPMV_GENERAL, err));
        spmv__sink_printf(sink, "%lld %lld\n", (long long)x->rows, (long long)x->cols);
    }
    for (int64_t i = 0; i < x->rows * x->cols; i++) {
        char line[SPMV__NUMBER_SIZE + 1];
        int length = spmv__format_number(line, spmv__value(x->type, x->data, i), x->type);
        line[length++] = '\n';
        spmv__sink_write(sink, line, (size_t)length);
    }
    st = spmv__sink_commit(sink, err);
    sink = NULL;
done:
    spmv__sink_discard(sink);
    return st;
}
