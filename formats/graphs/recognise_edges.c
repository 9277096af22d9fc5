/* recognise_edges.c -- telling edge lists from other text, by their first lines. */
#include "formats/graphs/edge_list.h"

enum { LINES = 8 };

/* Read the first edge, or of words, which any text has, those of several lines; *n is how many came
 * before one that is wrong. */
static bool read_some(spmv__edges_reader *reader, const spmv__source *src,
                      const spmv_read_options *options, int64_t *n)
{
    int64_t row[LINES], col[LINES];
    double val[LINES];
    spmv__edges some = {row, col, val, LINES, 0, 0, false};
    *n = 0;
    if (!spmv__edges_open(reader, src, options)) return false;
    if (!reader->header.words) some.room = 1;
    const bool right = spmv__edges_read(reader, &some);
    *n = some.n;
    return right;
}

/* Headings that name nodes are a sign, too, whatever is wrong below them. */
bool spmv__edges_resemble(const unsigned char *data, int64_t size, const spmv_read_options *options)
{
    const spmv__source src = {.data = data, .size = size};
    spmv__edges_reader reader;
    int64_t n;
    const bool right = read_some(&reader, &src, options, &n);
    const bool like = (right && (n > 0 || reader.header.last >= 0)) || reader.header.known;
    spmv__edges_close(&reader);
    return like;
}

/* One line of words is no sign of a graph.  Two numbers are, also where more than that is wrong
 * with the line: reading it says what. */
bool spmv__edges_are_likely(const unsigned char *data, int64_t size,
                            const spmv_read_options *options)
{
    const spmv__source src = {.data = data, .size = size};
    spmv__edges_reader reader;
    const spmv__edges_header *header = &reader.header;
    int64_t n;
    const bool right = read_some(&reader, &src, options, &n);
    const int fields = header->delimiter == '\0' ? header->columns : header->fields;
    const bool likely = header->known || (right ? n > header->words : !header->words && fields > 1);
    spmv__edges_close(&reader);
    return likely;
}
