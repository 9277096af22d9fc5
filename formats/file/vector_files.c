/* vector_files.c -- one-column vectors in whatever file format has them, and as plain text.
 *
 * Plain text has one number a line; it may hold blank lines and comments, which begin with % or #.
 * It is no file format of the table, as there is nothing to recognise it by. */
#include "core/matrix/value.h"
#include "core/matrix/vectors.h"
#include "core/convert/convert.h"
#include "formats/file/any_file.h"
#include "formats/text/text.h"

#include <string.h>

/* ---- Reading -------------------------------------------------------------------------------- */

/* Plain text is asked for by name, or by suffix. */
static bool is_text(const char *path, const char *file_format)
{
    char suffix[SPMV_SUFFIX_SIZE];
    if (file_format != NULL) return strcmp(file_format, "text") == 0;
    return strcmp(spmv_path_suffix(path, suffix), ".txt") == 0;
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

static spmv_status read_text(spmv_dense *out, const spmv__source *src,
                             const spmv_read_options *options, spmv_error *err)
{
    spmv__text text = {.p = src->data, .end = src->data + src->size, .comments = "%#"};
    spmv_dense x = {0};
    spmv_status st;
    int64_t n = 0;
    double value;

    spmv__text_skip_byte_order_mark(&text);
    const unsigned char *begin = text.p;
    while (next_number(&text, &value)) n++;
    if (text.status != SPMV_SUCCESS) return spmv__text_report_fault(src, &text, err);
    SPMV__TRY(spmv__text_report_oddities(src, &text, options, err));
    SPMV__TRY(spmv_dense_create(&x, SPMV_F64, n, 1, err));
    text.p = begin;
    /* Another program may have put more numbers into the file by now. */
    for (n = 0; n < x.rows && next_number(&text, &value); n++) ((double *)x.data)[n] = value;
    *out = x;
done:
    return st;
}

/* *x = the part of it that is asked for. */
static spmv_status take_part(spmv_dense *x, spmv_complex_part part, spmv_error *err)
{
    spmv_dense y;
    const spmv_status st = spmv_dense_create(&y, SPMV_F64, x->rows, x->cols, err);
    if (st != SPMV_SUCCESS) return st;
    for (int64_t i = 0; i < x->rows * x->cols; i++)
        spmv__set_value(y.type, y.data, i,
                        spmv__complex_part(part, spmv__scalar(x->type, x->data, i)));
    spmv_dense_destroy(x);
    *x = y;
    return SPMV_SUCCESS;
}

spmv_status spmv_read_vector(spmv_dense *out, const char *path, const spmv_read_options *options,
                             spmv_error *err)
{
    SPMV__REQUIRE(out != NULL, err);
    memset(out, 0, sizeof *out);
    SPMV__REQUIRE(path != NULL, err);
    const spmv__file_format *format;
    spmv__source src = {0};
    spmv_dense x = {0};
    spmv_status st = SPMV_SUCCESS;

    if (options == NULL) options = &spmv__read_defaults;
    SPMV__TRY(spmv__source_read(&src, path, &spmv__known_files, options, err));
    /* A vector without numbers is a text without lines, where it is meant to be a text. */
    SPMV__TRY(
        src.size > 0 || is_text(path, options->file_format)
            ? SPMV_SUCCESS
            : spmv__source_fail(&src, err, SPMV_ERROR_INVALID_FORMAT, 0, 0, "the file is empty"));
    SPMV__TRY(spmv__vector_format(&format, &src, options, err));
    SPMV__TRY(format != NULL ? format->read_vector(&x, &src, options, err)
                             : read_text(&x, &src, options, err));
    SPMV__TRY(spmv__source_remark(&src, options, err));
    if (spmv_type_is_complex(x.type) && options->complex_values != SPMV_COMPLEX_KEEP)
        SPMV__TRY(take_part(&x, options->complex_values, err));
    *out = x;
    x = (spmv_dense){0};
done:
    spmv_dense_destroy(&x);
    spmv__source_close(&src);
    return st;
}

/* ---- Writing -------------------------------------------------------------------------------- */

static spmv_status write_text(const spmv_dense *x, spmv__sink *sink, spmv_error *err)
{
    if (x->cols != 1)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "plain text holds one vector, not %lld",
                          (long long)x->cols);
    if (spmv_type_is_complex(x->type))
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                          "plain text has one number a line, a complex vector two; Matrix Market "
                          "(.mtx) holds it");
    return spmv__write_numbers(x, sink, err);
}

spmv_status spmv_write_vector(const spmv_dense *x, const char *path,
                              const spmv_write_options *options, spmv_error *err)
{
    SPMV__REQUIRE(x != NULL && path != NULL && !x->on_gpu, err);
    SPMV__REQUIRE(x->type > SPMV_PATTERN && x->type < SPMV_TYPES, err);
    SPMV__REQUIRE(x->rows >= 0 && x->cols >= 0, err);
    spmv_status (*write)(const spmv_dense *, spmv__sink *, spmv_error *) = write_text;
    const spmv__file_format *format;
    spmv__sink *sink = NULL;
    spmv_dense packed = {0};
    spmv_status st;

    SPMV__TRY(spmv__check_vectors(x, "the vector", err));
    if (spmv__by_rows(x) || !spmv__is_packed(x)) {
        SPMV__TRY(spmv_dense_reorder(&packed, x, false, err));
        x = &packed;
    }
    if (!is_text(path, options != NULL ? options->file_format : NULL)) {
        SPMV__TRY(spmv__file_format_for_output(&format, path, options, err));
        write = format->write_vector;
    }
    if (write == NULL)
        SPMV__TRY(spmv__fail(err, SPMV_ERROR_UNSUPPORTED, "files of the format %s hold no vectors",
                             format->info.name));
    SPMV__TRY(spmv__sink_open(&sink, path, options, err));
    SPMV__TRY(write(x, sink, err));
    st = spmv__sink_commit(&sink, err);
done:
    spmv__sink_discard(sink);
    spmv_dense_destroy(&packed);
    return st;
}
