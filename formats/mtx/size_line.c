/* size_line.c -- what stands before the first entry: banner, comments, size line. */
#include "formats/mtx/mtx.h"

/* The sizes that a header declares, by format and object. */
static int expected_sizes(const spmv__mtx_header *header, const char *names[3])
{
    int n = 0;
    names[n++] = header->vector ? "length" : "number of rows";
    if (!header->vector) names[n++] = "number of columns";
    if (!header->array) names[n++] = "number of entries";
    return n;
}

static bool read_sizes(spmv__text *text, int n, const char *const names[3], int64_t sizes[3])
{
    char quote[SPMV__TEXT_QUOTE];
    for (int i = 0; i < n; i++) {
        spmv__text_skip_blanks(text);
        const unsigned char *place = text->p;
        if (spmv__text_line_is_over(text))
            return spmv__text_fault(
                text, place,
                "the size line ends where the %s is expected: %d numbers belong "
                "there",
                names[i], n);
        if (!spmv__text_read_integer(text, names[i], &sizes[i])) return false;
        spmv__text_quote(quote, place, text->p);
        if (sizes[i] < 0)
            return spmv__text_fault(text, place, "the %s is negative: %s", names[i], quote);
        if (sizes[i] == INT64_MAX)
            return spmv__text_fault(text, place, "the %s is too large: %s", names[i], quote);
    }
    if (spmv__text_finish_line(text)) return true;
    return spmv__text_fault(text, text->p, "'%s' on the size line, where only %d numbers belong",
                            spmv__text_quote_word(quote, text), n);
}

/* The number of values that an array of this shape lists; false when no int64_t holds it. */
static bool count_values(const spmv__mtx_header *header, int64_t *out)
{
    int64_t rows = header->rows;
    if (header->symmetry == SPMV_GENERAL) return spmv__product(rows, header->cols, out);
    int64_t other = header->symmetry == SPMV_SKEW ? rows - 1 : rows + 1;
    if (rows == 0) {
        *out = 0;
        return true;
    }
    return rows % 2 == 0 ? spmv__product(rows / 2, other, out)
                         : spmv__product(rows, other / 2, out);
}

/* Read comments and the size line: rows, cols and entries. */
static bool read_size(spmv__text *text, spmv__mtx_header *header)
{
    const char *names[3];
    int64_t sizes[3];
    int n = expected_sizes(header, names);

    if (!spmv__text_next_content(text, false))
        return spmv__text_fault(text, text->end, "the file ends before its size line");
    const unsigned char *place = text->p;
    if (*place == '#')
        return spmv__text_fault(text, place,
                                "comments begin with %%; a file with # is perhaps an edge list");
    if (!read_sizes(text, n, names, sizes)) return false;

    header->rows = sizes[0];
    header->cols = header->vector ? 1 : sizes[1];
    if (header->symmetry != SPMV_GENERAL && header->rows != header->cols)
        return spmv__text_fault(text, place,
                                "only a square matrix has a symmetry; this is %lld x %lld",
                                (long long)header->rows, (long long)header->cols);
    if (!header->array)
        header->entries = sizes[n - 1];
    else if (!count_values(header, &header->entries))
        return spmv__text_fault(text, place, "an array of %lld x %lld values is too large",
                                (long long)header->rows, (long long)header->cols);
    return true;
}

spmv_status spmv__mtx_open(spmv__mtx_reader *reader, const spmv__source *src,
                           const spmv_read_options *options, spmv_error *err)
{
    *reader = (spmv__mtx_reader){.src = src, .options = options};
    reader->text = (spmv__text){.p = src->data, .end = src->data + src->size, .comments = "%"};
    if (!spmv__mtx_read_banner(&reader->text, &reader->header) ||
        !read_size(&reader->text, &reader->header))
        return spmv__text_report_fault(src, &reader->text, err);
    reader->body = reader->text.p;
    return SPMV_SUCCESS;
}
