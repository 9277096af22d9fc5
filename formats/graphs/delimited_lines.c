/* delimited_lines.c -- the lines of an edge list with words, quotes, headings or further columns.
 */
#include "formats/common/name.h"
#include "formats/graphs/word_lines.h"
#include "formats/text/number.h"

#include <limits.h>

/* ---- Nodes ---------------------------------------------------------------------------------- */

static bool report(spmv__text *text, const unsigned char *place, spmv_status st,
                   const spmv_error *err)
{
    if (st == SPMV_SUCCESS) return true;
    spmv__text_fault(text, place, "%s", err->message);
    text->status = st;
    return false;
}

/* Ask for the number of a word; one whose quotes stand twice, or at the end of the text, is
 * answered at once. */
static bool number_word(spmv__edges_reader *reader, spmv__name_queue *queue,
                        const spmv__field *field, int64_t *out)
{
    char plain[SPMV_NAME_LENGTH];
    const char *name = field->escaped ? plain : (const char *)field->p;
    const int64_t length = field->escaped ? spmv__field_copy(field, plain) : field->end - field->p;
    const bool now = field->escaped || reader->text.end - field->p < SPMV__SHORT_NAME;
    spmv_error err = {0};
    const spmv_status st =
        now ? spmv__node_names_number(reader->names, name, (size_t)length, out, &err)
            : spmv__name_queue_ask(queue, name, (size_t)length, out, &err);
    return report(&reader->text, field->p, st, &err);
}

static bool take_node(spmv__edges_reader *reader, spmv__name_queue *queue, const spmv__field *field,
                      int64_t limit, int64_t *out, bool *outside)
{
    char quote[SPMV__TEXT_QUOTE];
    if (!reader->header.words) return spmv__edges_node(reader, field, limit, out, outside);
    reader->quoted = reader->quoted || (field->quoted && !spmv__field_may_be_id(field));
    const char *fault = spmv__field_fault(field);
    if (fault == NULL) return number_word(reader, queue, field, out);
    if (field->p == field->end)
        return spmv__text_fault(&reader->text, field->p, "the name of a node is missing");
    return spmv__text_fault(&reader->text, field->p, "the name '%s' %s",
                            spmv__text_quote(quote, field->p, field->end), fault);
}

/* ---- Lines ---------------------------------------------------------------------------------- */

static int last_field(const spmv__edges_header *header)
{
    int last = 0;
    for (int i = 0; i < SPMV__EDGE_FIELDS; i++)
        last = header->field[i] > last ? header->field[i] : last;
    return last;
}

/* Whether the line at p, which was taken for the first edge, may be headings all the same. */
static bool may_be_headings(const spmv__edges_reader *reader, const unsigned char *p)
{
    const spmv__text *first = &reader->body;
    return reader->header.headings == 0 && p >= first->p &&
           p < spmv__text_line_end(first, first->p);
}

/* Whether it is made of digits and commas, perhaps with points and a sign. */
static bool has_decimal_comma(const spmv__field *field)
{
    bool comma = false;
    for (const unsigned char *p = field->p; p < field->end; p++) {
        if (*p == '\0' || strchr("+-.,0123456789", *p) == NULL) return false;
        comma = comma || *p == ',';
    }
    return comma;
}

static bool take_weight(spmv__edges_reader *reader, const spmv__field *field, double *out)
{
    spmv__text *text = &reader->text;
    const char *p = (const char *)field->p, *end = (const char *)field->end;
    char quote[SPMV__TEXT_QUOTE];
    if (p == end) return spmv__text_fault(text, field->p, "a weight is missing");
    if (spmv__parse_number(p, end, out) == end)
        return spmv__text_parse_weight(text, field->p, field->end, out);
    const char *hint = "; `columns` says which columns count";
    if (has_decimal_comma(field))
        hint = "; decimals have a point";
    else if (reader->options->delimiter == '\0' && memchr(p, ',', (size_t)(end - p)) != NULL)
        hint = "; `delimiter` says what separates fields";
    else if (may_be_headings(reader, field->p))
        hint = "; `columns` says which columns count, and `headings` that this line names them";
    return spmv__text_fault(text, field->p, "'%s' is not a weight%s",
                            spmv__text_quote(quote, field->p, field->end), hint);
}

/* Take the fields of a line that an edge needs; `last` is the last of them. */
static bool take_fields(spmv__edges_reader *reader, int last, spmv__field out[SPMV__EDGE_FIELDS])
{
    const spmv__edges_header *header = &reader->header;
    spmv__text *text = &reader->text;
    for (int f = 0;; f++) {
        spmv__field field;
        if (!spmv__field_take(text, header->delimiter, &field)) return false;
        for (int i = 0; i < SPMV__EDGE_FIELDS; i++)
            if (header->field[i] == f) out[i] = field;
        if (f == last) return true;
        if (!spmv__field_next(text, header->delimiter))
            return spmv__text_fault(
                text, text->p, "the line ends after %d field%s of at least %d%s", f + 1,
                f == 0 ? "" : "s", last + 1,
                reader->options->delimiter == '\0' ? "; `delimiter` says what separates them" : "");
    }
}

static bool refuse_more(spmv__edges_reader *reader)
{
    const spmv__edges_header *header = &reader->header;
    return spmv__text_fault(
        &reader->text, reader->text.p, "the line goes on, where the first has %d fields%s",
        header->fields,
        spmv__edges_are_chosen(reader) ? "" : "; `columns` says which of them count");
}

/* Over the fields after the `last` that was asked for. */
static bool pass_others(spmv__edges_reader *reader, int last)
{
    const int fields = reader->header.fields;
    spmv__text *text = &reader->text;
    int n = last + 1;
    if (!spmv__fields_pass(text, reader->header.delimiter, fields > 0 ? fields : INT_MAX, &n))
        return false;
    if (fields == 0 || n == fields) return true;
    if (n > fields) return refuse_more(reader);
    return spmv__text_fault(text, text->p, "the line ends after %d field%s, where the first has %d",
                            n, n == 1 ? "" : "s", fields);
}

static bool finish(spmv__edges_reader *reader, int last)
{
    const spmv__edges_header *header = &reader->header;
    spmv__text *text = &reader->text;
    if (spmv__edges_are_chosen(reader)) {
        if (!pass_others(reader, last)) return false;
    } else if (!header->attributes && spmv__field_next(text, header->delimiter)) {
        return refuse_more(reader);
    }
    if (spmv__text_finish_line(text)) return true;
    return spmv__text_fault(text, text->p, "the line goes on after its attributes");
}

static bool read_line(spmv__edges_reader *reader, int last, spmv__name_queue *queue,
                      spmv__edges *edges)
{
    const spmv__edges_header *header = &reader->header;
    spmv__text *text = &reader->text;
    spmv__field field[SPMV__EDGE_FIELDS];
    int64_t *row = &edges->row[edges->n], *col = &edges->col[edges->n];
    double weight = 1;
    bool outside = false;

    spmv__fields_begin(text, header->delimiter, reader->src->data);
    if (!take_fields(reader, last, field)) return false;
    if (!take_node(reader, queue, &field[SPMV__SOURCE], header->sources, row, &outside) ||
        !take_node(reader, queue, &field[SPMV__TARGET], header->targets, col, &outside))
        return false;
    if (header->field[SPMV__WEIGHT] >= 0 && !take_weight(reader, &field[SPMV__WEIGHT], &weight))
        return false;
    if (header->attributes && spmv__field_next(text, header->delimiter) && text->p < text->end &&
        *text->p == '{' && !spmv__edges_attributes(text, &weight, &edges->weighted))
        return false;
    if (!finish(reader, last)) return false;
    if (outside) {
        edges->skipped++;
        return true;
    }
    if (edges->val != NULL) edges->val[edges->n] = weight;
    edges->n++;
    return true;
}

/* ---- All lines ------------------------------------------------------------------------------ */

bool spmv__edges_read_delimited(spmv__edges_reader *reader, spmv__edges *edges)
{
    const int last = last_field(&reader->header);
    const bool plain = spmv__words_are_plain(&reader->header);
    spmv__text *text = &reader->text;
    spmv__name_queue queue;
    spmv__stops stops;
    spmv_error err = {0};
    spmv_status st = SPMV_SUCCESS;
    if (reader->header.words && reader->names == NULL)
        st = spmv__node_names_create(&reader->names, 1, &err);
    if (!report(text, text->p, st, &err)) return false;
    queue.names = reader->names;
    queue.n = 0;
    stops.base = NULL;
    while (edges->n + edges->skipped < edges->room) {
        if (plain)
            text->p = spmv__words_read(text->p, text->end, &reader->header, &stops, &queue, edges);
        const unsigned char *behind = text->p;
        if (edges->n + edges->skipped == edges->room) break;
        const bool any = spmv__edges_next(text);
        if (text->p > behind) spmv__edges_note_rows(reader, behind);
        if (!any) break;
        if (!read_line(reader, last, &queue, edges)) return false;
    }
    if (reader->names == NULL) return true;
    return report(text, text->p, spmv__name_queue_answer(&queue, &err), &err);
}
