/* bare_mtx.c -- first edges that are none, but say how much follows.
 *
 * Matrix Market text that has lost its banner has the form of an edge list whose first edge has the
 * dimensions for nodes and the number of entries for a weight.  As many entries follow as that
 * says, and all lie inside the matrix: edges hardly ever do so by chance, nor does a size line
 * follow headings.  Comments and blank lines are no entries: an edge list that says after its only
 * edge how many nodes there are is none of it.
 *
 * Other graphs begin with the numbers of their nodes and edges, which may be an edge. */
#include "formats/graphs/edge_list.h"

enum {
    FEW = 10, /* edges, of which the first looks like that by chance */
    LOOKED_AT = 1 << 16,
    TOLERATED = 100 /* one entry in so many may be missing, or no entry where not looked at */
};

/* The next `n` integers of a line, all above 0. */
static bool read_integers(spmv__text *text, int64_t *out, int n)
{
    for (int i = 0; i < n; i++) {
        const unsigned char *end = spmv__text_word_end(text, text->p);
        bool negative;
        uint64_t magnitude;
        if (!spmv__text_parse_integer(text->p, end, &negative, &magnitude)) return false;
        if (negative || magnitude == 0 || magnitude > INT64_MAX) return false;
        out[i] = (int64_t)magnitude;
        text->p = end;
        spmv__text_skip_blanks(text);
    }
    return true;
}

static void skip_line(spmv__text *text)
{
    const unsigned char *end = memchr(text->p, '\n', (size_t)(text->end - text->p));
    text->p = end != NULL ? end + 1 : text->end;
}

/* The integers of the first line, where there are so many and nothing else. */
static bool read_first_line(const spmv__edges_reader *reader, spmv__text *text, int64_t *size,
                            int n)
{
    *text = reader->body;
    text->comment = NULL;
    if (reader->header.konect || reader->header.headings > 0 || reader->header.columns != n)
        return false;
    return read_integers(text, size, n) && spmv__text_line_is_over(text);
}

bool spmv__edges_are_bare(const spmv__edges_reader *reader, int64_t size[3])
{
    spmv__text text;
    int64_t place[2];
    if (!read_first_line(reader, &text, size, 3)) return false;
    skip_line(&text);
    int64_t entries = 0;
    for (; entries < LOOKED_AT && spmv__text_next_content(&text, false); entries++) {
        if (!read_integers(&text, place, 2)) return false;
        if (place[0] > size[0] || place[1] > size[1]) return false;
        skip_line(&text);
    }
    if (text.p < text.end) entries += spmv__edges_count_lines(text.p, text.end);
    return (entries > size[2] ? entries - size[2] : size[2] - entries) <= size[2] / TOLERATED;
}

bool spmv__edges_are_announced(const spmv__edges_reader *reader, int64_t nodes, int64_t edges)
{
    spmv__text text;
    int64_t size[2];
    if (edges <= FEW || reader->header.edges >= 0 || !read_first_line(reader, &text, size, 2))
        return false;
    return edges - 1 == size[1] && nodes - 2 <= size[0];
}
