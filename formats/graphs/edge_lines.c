/* edge_lines.c -- the plain lines of an edge list: source, target, and perhaps a weight and a time,
 * all numbers. */
#include "formats/graphs/edge_list.h"
#include "formats/text/plain_number.h"

/* Over blanks with at most one separator among them; NULL where there is neither. */
static inline const unsigned char *
plain_separator(const unsigned char *p, const unsigned char *safe, unsigned char separator)
{
    const unsigned char *start = p;
    p = spmv__plain_blanks(p, safe);
    if (p < safe && *p == separator) p = spmv__plain_blanks(p + 1, safe);
    return p > start && p < safe ? p : NULL;
}

/* A plain line at p, stored as edge edges->n; returns its end, or NULL. */
static inline const unsigned char *plain_edge(const unsigned char *p, const unsigned char *end,
                                              const spmv__edges_header *header,
                                              unsigned char separator, spmv__edges *edges)
{
    const unsigned char *safe = end - SPMV__PLAIN;
    uint64_t base = (uint64_t)header->base, row, col, time;

    p = spmv__plain_blanks(p, safe);
    if (p >= safe || (p = spmv__plain_index(p, &row)) == NULL) return NULL;
    if ((p = plain_separator(p, safe, separator)) == NULL) return NULL;
    if ((p = spmv__plain_index(p, &col)) == NULL) return NULL;
    row -= base; /* 0 - 1 is as large as can be */
    col -= base;
    if (row > INT64_MAX || col > INT64_MAX) return NULL;
    if (header->konect && (row >= (uint64_t)header->sources || col >= (uint64_t)header->targets))
        return NULL; /* a size that is not declared is -1: no limit */

    if (header->columns > 2) {
        if ((p = plain_separator(p, safe, separator)) == NULL) return NULL;
        if ((p = spmv__plain_real(p, end, &edges->val[edges->n])) == NULL) return NULL;
    }
    if (header->columns > 3) {
        if ((p = plain_separator(p, safe, separator)) == NULL) return NULL;
        if ((p = spmv__plain_index(p, &time)) == NULL) return NULL;
    }
    edges->row[edges->n] = (int64_t)row;
    edges->col[edges->n] = (int64_t)col;
    return spmv__plain_line_end(p, end);
}

/* Go to the next number of a line, which must have one. */
static bool next_word(spmv__text *text, int column, int columns)
{
    spmv__text_skip_blanks(text);
    if (column > 0 && text->p < text->end && *text->p == text->separator) {
        text->p++;
        spmv__text_skip_blanks(text);
    }
    if (spmv__text_line_is_over(text))
        return spmv__text_fault(text, text->p,
                                "the line ends after %d number%s, where the first has %d", column,
                                column == 1 ? "" : "s", columns);
    if (*text->p != text->separator) return true;
    return spmv__text_fault(text, text->p, "a number is missing before this %s",
                            text->separator == ',' ? "comma" : "separator");
}

static bool read_id(spmv__edges_reader *reader, int64_t limit, int64_t *out, bool *outside)
{
    spmv__text *text = &reader->text;
    const spmv__field field = spmv__edges_name(text);
    text->p = field.end;
    return spmv__edges_node(reader, &field, limit, out, outside);
}

/* A line that is not plain, or that is wrong; text->p stands on its first word. */
static bool careful_edge(spmv__edges_reader *reader, spmv__edges *edges)
{
    const spmv__edges_header *header = &reader->header;
    spmv__text *text = &reader->text;
    int64_t row, col;
    double value = 1, time;
    bool outside = false;
    int columns = header->columns;

    if (!next_word(text, 0, columns) || !read_id(reader, header->sources, &row, &outside))
        return false;
    if (!next_word(text, 1, columns) || !read_id(reader, header->targets, &col, &outside))
        return false;
    if (columns > 2 &&
        (!next_word(text, 2, columns) || !spmv__text_read_real(text, "a weight", &value)))
        return false;
    if (columns > 3 &&
        (!next_word(text, 3, columns) || !spmv__text_read_real(text, "a time", &time)))
        return false;
    if (!spmv__text_finish_line(text)) {
        spmv__edges_meet_word(reader, text->p, true); /* the rest of a name, between commas */
        return spmv__text_fault(text, text->p, "the line goes on, where the first has %d numbers",
                                columns);
    }
    if (outside) {
        edges->skipped++;
        return true;
    }
    edges->row[edges->n] = row;
    edges->col[edges->n] = col;
    if (edges->val != NULL) edges->val[edges->n] = value;
    edges->n++;
    return true;
}

bool spmv__edges_read(spmv__edges_reader *reader, spmv__edges *edges)
{
    spmv__text *text = &reader->text;
    const unsigned char separator = text->separator;
    if (reader->header.delimiter != '\0') return spmv__edges_read_delimited(reader, edges);
    while (edges->n + edges->skipped < edges->room) {
        const unsigned char *next = NULL;
        if (text->end - text->p > SPMV__PLAIN)
            next = plain_edge(text->p, text->end, &reader->header, separator, edges);
        if (next != NULL) {
            text->p = next;
            edges->n++;
            continue;
        }
        if (!spmv__edges_next(text)) break;
        if (!careful_edge(reader, edges)) return false;
    }
    return true;
}

int64_t spmv__edges_count_lines(const unsigned char *p, const unsigned char *end)
{
    int64_t n = 1;
    for (; p + 1 < end; p++) n += (*p == '\n') | ((*p == '\r') & (p[1] != '\n'));
    return n;
}
