/* body.c -- memory for the body of a file, and its end.
 *
 * What a header declares is believed only as far as the bytes that follow can bear it out: a file
 * of 70 bytes that announces 10^15 entries costs 70 bytes' worth of memory and ends with the count
 * of those that were there. */
#include "formats/mtx/mtx.h"

#include <stdlib.h>

int64_t spmv__mtx_room(const spmv__mtx_header *header, int64_t bytes)
{
    /* A word of one byte and a blank or line end each; the last line end may be missing. */
    int words = header->array ? 0 : header->vector ? 1 : 2;
    words += header->field == SPMV__MTX_PATTERN ? 0 : header->field == SPMV__MTX_COMPLEX ? 2 : 1;
    int64_t most = (bytes + 1) / (2 * words) + 1;
    return header->entries < most ? header->entries : most;
}

/* After n entries: are they as many as declared, and is nothing left? */
static bool finish(spmv__text *text, const spmv__mtx_header *header, int64_t n)
{
    char quote[SPMV__TEXT_QUOTE];
    const char *what = header->array ? "values" : "entries";
    if (n < header->entries)
        return spmv__text_fault(text, text->end, "the file ends after %lld of %lld %s",
                                (long long)n, (long long)header->entries, what);
    if (!spmv__text_next_content(text, true)) return true;
    return spmv__text_fault(text, text->p, "'%s' after the last of %lld %s",
                            spmv__text_quote_word(quote, text), (long long)header->entries, what);
}

/* Read as many entries as there is room for, with a report now and then. */
static bool read_in_portions(spmv__mtx_reader *reader, spmv__mtx_entries *entries)
{
    enum { PORTION = 1 << 16 };
    const spmv_read_options *options = reader->options;
    const unsigned char *begin = reader->text.p, *end = reader->text.end;
    const int64_t room = entries->room;
    int64_t given;
    do {
        given = entries->n + entries->skipped + entries->dropped;
        entries->room = room - given < PORTION ? room : given + PORTION;
        if (!spmv__mtx_read_entries(&reader->text, entries)) return false;
        spmv__report(options->progress, options->user, "parsing", reader->text.p - begin,
                     end - begin);
        given = entries->n + entries->skipped + entries->dropped;
    } while (given == entries->room && given < room);
    return true;
}

spmv_status spmv__mtx_load_entries(spmv__mtx_reader *reader, spmv_coo *A, int64_t *skipped,
                                   spmv_error *err)
{
    const spmv__mtx_header *header = &reader->header;
    spmv__text *text = &reader->text;
    int64_t room = spmv__mtx_room(header, text->end - text->p);
    spmv_status st =
        spmv_coo_create(A, spmv__mtx_type(header), header->rows, header->cols, room, err);
    if (st != SPMV_SUCCESS) return st;

    spmv__mtx_entries entries = {
        header, reader->options, A->row_idx, A->col_idx, A->val, room, 0, 0, 0};
    bool read = read_in_portions(reader, &entries);
    int64_t given = entries.n + entries.skipped + entries.dropped;
    if (!read || !finish(text, header, given)) {
        spmv_coo_destroy(A);
        return spmv__text_report_fault(reader->src, text, err);
    }
    A->nnz = entries.n;
    *skipped = entries.skipped;
    return SPMV_SUCCESS;
}

spmv_status spmv__mtx_find_fault(const spmv__mtx_reader *reader, spmv_error *err)
{
    enum { ROOM = 256 };
    int64_t row[ROOM], col[ROOM], given = 0, n = -1;
    spmv_scalar val[ROOM];
    const spmv__mtx_header *header = &reader->header;
    const bool pattern = header->field == SPMV__MTX_PATTERN;
    spmv__text text = reader->text;
    bool read = true;
    while (read && n != 0 && given < header->entries) {
        const int64_t left = header->entries - given;
        spmv__mtx_entries some = {header,
                                  reader->options,
                                  row,
                                  col,
                                  pattern ? NULL : val,
                                  left < ROOM ? left : ROOM,
                                  0,
                                  0,
                                  0};
        read = spmv__mtx_read_entries(&text, &some);
        n = some.n + some.skipped + some.dropped;
        given += n;
    }
    if (read && finish(&text, header, given)) return SPMV_SUCCESS;
    return spmv__text_report_fault(reader->src, &text, err);
}

spmv_status spmv__mtx_load_values(spmv__mtx_reader *reader, void **val, spmv_error *err)
{
    const spmv__mtx_header *header = &reader->header;
    spmv__text *text = &reader->text;
    spmv__mtx_values values = {.header = header};
    values.room = spmv__mtx_room(header, text->end - text->p);
    spmv_status st = spmv__alloc(&values.val, values.room, spmv_type_size(spmv__mtx_type(header)),
                                 "an array", err);
    if (st != SPMV_SUCCESS) return st;

    if (!spmv__mtx_read_values(text, &values) || !finish(text, header, values.n)) {
        free(values.val);
        return spmv__text_report_fault(reader->src, text, err);
    }
    *val = values.val;
    return SPMV_SUCCESS;
}
