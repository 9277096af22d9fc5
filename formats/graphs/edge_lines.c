/* edge_lines.c -- the plain lines of an edge list: source, target, and perhaps a weight and a time,
 * all numbers. */
#include "formats/graphs/edge_list.h"
#include "formats/graphs/plain_edge.h"

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
        (!next_word(text, 2, columns) || !spmv__text_read_weight(text, "a weight", &value)))
        return false;
    if (columns > 3 &&
        (!next_word(text, 3, columns) || !spmv__text_read_real(text, "a time", &time)))
        return false;
    if (!spmv__text_finish_line(text)) {
        spmv__edges_meet_word(reader, text->p, true); /* the rest of a name, between commas */
        return spmv__text_fault(
            text, text->p,
            "the line goes on, where the first has %d numbers; `columns` says which of "
            "them count",
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
    spmv__plain_edge edge;
    if (reader->header.delimiter != '\0') return spmv__edges_read_delimited(reader, edges);
    while (edges->n + edges->skipped < edges->room) {
        const unsigned char *next = NULL;
        if (text->end - text->p > SPMV__PLAIN)
            next = spmv__plain_edge_at(text->p, text->end, &reader->header, text->separator, &edge);
        if (next != NULL) {
            text->p = next;
            edges->row[edges->n] = (int64_t)edge.row;
            edges->col[edges->n] = (int64_t)edge.col;
            if (edges->val != NULL) edges->val[edges->n] = edge.weight;
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
    return p == end ? 1 : 1 + spmv__text_count_ends(p, end - 1, end);
}
