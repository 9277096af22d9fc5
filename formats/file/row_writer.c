/* row_writer.c -- a file that takes a matrix in pieces of rows. */
#include "core/matrix/format.h"
#include "formats/file/any_file.h"

#include <stdlib.h>

struct spmv_row_writer {
    const spmv__row_format *format;
    spmv_write_options options;
    spmv__row_file file;
    int64_t rows;  /* of C; -1 before it begins */
    int64_t taken; /* of them; C may be gone once all are */
};

spmv_status spmv_row_writer_create(spmv_row_writer **out, const char *path,
                                   const spmv_write_options *options, spmv_error *err)
{
    const spmv__file_format *format;
    spmv_row_writer *w = NULL;
    spmv_status st;
    SPMV__REQUIRE(out != NULL, err);
    *out = NULL;
    SPMV__REQUIRE(path != NULL, err);
    SPMV__TRY(spmv__file_format_for_output(&format, path, options, err));
    if (format->rows == NULL)
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                          "files of the format %s are written only as a whole, not in pieces of "
                          "rows",
                          format->info.name);
    SPMV__TRY(spmv__alloc(&w, 1, sizeof *w, "an output", err));
    w->format = format->rows;
    w->rows = -1;
    if (options != NULL) w->options = *options;
    SPMV__TRY(spmv__sink_open(&w->file.sink, path, options, err));
    if (w->format->needs_places && !spmv__sink_has_places(w->file.sink)) {
        st = spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                        "a matrix in pieces of rows becomes a binary file only as a regular file "
                        "that is not compressed; Matrix Market can go anywhere");
        goto done;
    }
    *out = w;
    w = NULL;
done:
    spmv_row_writer_discard(w);
    return st;
}

/* ---- As a consumer --------------------------------------------------------------------------- */

static spmv_status begin(void *user, const spmv_csr *C, spmv_error *err)
{
    spmv_row_writer *w = user;
    const spmv_matrix shape = spmv__wrap_csr(C);
    if (w->file.C != NULL)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                          "a writer of rows takes one matrix, and has one already");
    w->file.C = C;
    w->file.labels = spmv__labels_to_write(&shape, &w->options);
    const spmv_status st = w->format->begin(&w->file, err);
    if (st == SPMV_SUCCESS) w->rows = C->rows;
    return st;
}

static spmv_status prepare(void *user, const spmv_row_piece *piece, spmv_piece_memory *memory,
                           spmv_error *err)
{
    const spmv_row_writer *w = user;
    if (w->rows < 0) return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "no rows have been begun");
    return w->format->prepare(&w->file, piece, memory, err);
}

static spmv_status take(void *user, const spmv_row_piece *piece, const spmv_piece_memory *memory,
                        spmv_error *err)
{
    spmv_row_writer *w = user;
    spmv_status st;
    if (piece->begin != w->taken || piece->end < piece->begin || piece->end > w->rows ||
        piece->n != w->file.C->row_ptr[piece->end] - w->file.C->row_ptr[piece->begin])
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                          "rows %lld to %lld with %lld entries are not what follows %lld of %lld "
                          "rows",
                          (long long)piece->begin, (long long)piece->end, (long long)piece->n,
                          (long long)w->taken, (long long)w->rows);
    SPMV__TRY(w->format->take(&w->file, piece, memory, err));
    SPMV__TRY(spmv__sink_status(w->file.sink, err));
    w->taken = piece->end;
done:
    return st;
}

spmv_row_consumer spmv_row_writer_consumer(spmv_row_writer *writer)
{
    return (spmv_row_consumer){begin, writer->format->prepare != NULL ? prepare : NULL, take,
                               writer};
}

/* ---- Its end --------------------------------------------------------------------------------- */

spmv_status spmv_row_writer_commit(spmv_row_writer **out, spmv_error *err)
{
    spmv_row_writer *w = out != NULL ? *out : NULL;
    spmv_status st;
    SPMV__REQUIRE(w != NULL, err);
    *out = NULL;
    if (w->rows < 0)
        SPMV__TRY(spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "no rows have been handed out"));
    if (w->taken < w->rows)
        SPMV__TRY(spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                             "only %lld of %lld rows have been handed out", (long long)w->taken,
                             (long long)w->rows));
    if (w->format->finish != NULL) w->format->finish(&w->file);
    st = spmv__sink_commit(&w->file.sink, err);
done:
    spmv_row_writer_discard(w);
    return st;
}

void spmv_row_writer_discard(spmv_row_writer *writer)
{
    if (writer == NULL) return;
    if (writer->format->release != NULL) writer->format->release(&writer->file);
    spmv__sink_discard(writer->file.sink);
    free(writer);
}
