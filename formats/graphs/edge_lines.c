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

/* Note what is no id, where names may be words. */
static void meet_word(spmv__edges_reader *reader, const unsigned char *place, bool doubtful)
{
    if (reader->header.konect || reader->options->all_ids) return;
    reader->word = place;
    reader->doubtful = doubtful;
}

/* An integer that cannot be an id. */
static bool refuse_id(spmv__edges_reader *reader, const spmv__field *field, int64_t limit,
                      bool negative, bool large)
{
    const int64_t base = reader->header.base;
    spmv__text *text = &reader->text;
    char quote[SPMV__TEXT_QUOTE];
    spmv__text_quote(quote, field->p, field->end);
    meet_word(reader, field->p, true);
    if (negative || (!large && limit < 0))
        return spmv__text_fault(
            text, field->p, "the node %s is less than %lld%s", quote, (long long)base,
            negative ? ", from which ids count" : "; `index_base` 0 reads files that count from 0");
    if (large) return spmv__text_fault(text, field->p, "the id %s is too large", quote);
    return spmv__text_fault(text, field->p,
                            "the node %s is outside %lld..%lld, which the header declares", quote,
                            (long long)base, (long long)(limit - 1 + base));
}

/* A name that is no integer: a word, where words can be. */
static bool refuse_name(spmv__edges_reader *reader, const spmv__field *field)
{
    spmv__text *text = &reader->text;
    char quote[SPMV__TEXT_QUOTE];
    if (field->p == field->end)
        return spmv__text_fault(text, field->p, "the name of a node is missing");
    meet_word(reader, field->p, spmv__field_is_numeral(field));
    return spmv__text_fault(text, field->p, "'%s' is no node: ids are integers%s",
                            spmv__text_quote(quote, field->p, field->end),
                            reader->options->all_ids ? " with `all_ids`" : "");
}

bool spmv__edges_node(spmv__edges_reader *reader, const spmv__field *field, int64_t limit,
                      int64_t *out, bool *outside)
{
    const unsigned char *end;
    const int64_t base = reader->header.base;
    bool negative;
    uint64_t magnitude;

    if (!spmv__field_is_integer(field, &end)) return refuse_name(reader, field);
    spmv__text_parse_integer(field->p, end, &negative, &magnitude);
    if (end < field->end) spmv__text_note(&reader->text, SPMV__ODD_DECIMAL_INTEGER, field->p);
    negative = negative && magnitude > 0;
    const bool large = magnitude >= INT64_MAX - 1; /* so that nodes can be counted */
    *out = (int64_t)(magnitude - (uint64_t)base);
    const bool beyond = large || (reader->header.konect && limit >= 0 && *out >= limit);
    if (!negative && !beyond && *out >= 0) return true;
    *outside = true;
    return reader->options->skip_invalid ||
           refuse_id(reader, field, beyond ? limit : -1, negative, large);
}

spmv__field spmv__edges_name(const spmv__text *text)
{
    const unsigned char *end = spmv__text_word_end(text, text->p);
    while (end > text->p && end < text->end && (*end == '#' || *end == '%'))
        end = spmv__text_word_end(text, end + 1);
    return (spmv__field){.p = text->p, .end = end};
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
        meet_word(reader, text->p, true); /* the rest of a name, between commas */
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
