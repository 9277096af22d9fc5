/* delimited_lines.c -- the lines of an edge list with words, quotes, headings or further columns.
 */
#include "formats/graphs/edge_list.h"
#include "formats/common/name.h"
#include "formats/text/number.h"
#include "formats/text/plain_number.h"

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

/* Ask for the number of a word; one whose quotes stand twice is copied, and answered at once. */
static bool number_word(spmv__edges_reader *reader, const spmv__field *field, int64_t *out)
{
    char plain[SPMV_NAME_LENGTH];
    const char *name = field->escaped ? plain : (const char *)field->p;
    const int64_t length = field->escaped ? spmv__field_copy(field, plain) : field->end - field->p;
    spmv_error err = {0};
    spmv_status st = SPMV_SUCCESS;
    if (reader->names == NULL) st = spmv__node_names_create(&reader->names, &err);
    if (st == SPMV_SUCCESS)
        st = spmv__node_names_ask(reader->names, name, (size_t)length, out, &err);
    if (st == SPMV_SUCCESS && field->escaped) st = spmv__node_names_answer(reader->names, &err);
    return report(&reader->text, field->p, st, &err);
}

static bool take_node(spmv__edges_reader *reader, const spmv__field *field, int64_t limit,
                      int64_t *out, bool *outside)
{
    char quote[SPMV__TEXT_QUOTE];
    if (!reader->header.words) return spmv__edges_node(reader, field, limit, out, outside);
    const char *fault = spmv__name_fault(field->p, field->end);
    if (fault == NULL) return number_word(reader, field, out);
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

static bool take_weight(spmv__text *text, const spmv__field *field, double *out)
{
    const char *p = (const char *)field->p, *end = (const char *)field->end;
    char quote[SPMV__TEXT_QUOTE];
    if (p == end) return spmv__text_fault(text, field->p, "a weight is missing");
    if (spmv__parse_number(p, end, out) == end)
        return spmv__text_parse_real(text, field->p, field->end, out);
    return spmv__text_fault(text, field->p,
                            "'%s' is not a weight; `columns` says which columns count",
                            spmv__text_quote(quote, field->p, field->end));
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
            return spmv__text_fault(text, text->p, "the line ends after %d field%s of at least %d",
                                    f + 1, f == 0 ? "" : "s", last + 1);
    }
}

/* Over the rest of a line, which may hold what nobody asked for. */
static bool finish(spmv__edges_reader *reader)
{
    const spmv__edges_header *header = &reader->header;
    spmv__text *text = &reader->text;
    if (header->fields > 0 && !header->attributes && spmv__field_next(text, header->delimiter))
        return spmv__text_fault(text, text->p,
                                "the line goes on, where the first has %d fields; `columns` says "
                                "which of them count",
                                header->fields);
    while (header->fields == 0 && text->p < text->end && *text->p != '\n' && *text->p != '\r')
        text->p++;
    if (spmv__text_finish_line(text)) return true;
    return spmv__text_fault(text, text->p, "the line goes on after its attributes");
}

static bool read_line(spmv__edges_reader *reader, int last, spmv__edges *edges)
{
    const spmv__edges_header *header = &reader->header;
    spmv__text *text = &reader->text;
    spmv__field field[SPMV__EDGE_FIELDS];
    int64_t *row = &edges->row[edges->n], *col = &edges->col[edges->n];
    double weight = 1;
    bool outside = false;

    spmv__fields_begin(text, header->delimiter, reader->src->data);
    if (!take_fields(reader, last, field)) return false;
    if (!take_node(reader, &field[SPMV__SOURCE], header->sources, row, &outside)) return false;
    if (!take_node(reader, &field[SPMV__TARGET], header->targets, col, &outside)) return false;
    if (header->field[SPMV__WEIGHT] >= 0 && !take_weight(text, &field[SPMV__WEIGHT], &weight))
        return false;
    if (header->attributes && spmv__field_next(text, header->delimiter) && text->p < text->end &&
        *text->p == '{' && !spmv__edges_attributes(text, &weight, &edges->weighted))
        return false;
    if (!finish(reader)) return false;
    if (outside) {
        edges->skipped++;
        return true;
    }
    if (edges->val != NULL) edges->val[edges->n] = weight;
    edges->n++;
    return true;
}

/* ---- Plain words ---------------------------------------------------------------------------- */

/* What most lines of words are: two names of printable ASCII without blanks and quotes, and perhaps
 * a weight. */

enum { EIGHT = 8 };

/* The bits of bytes that are not printable ASCII, or are a blank, or equal to those of `stops`. */
static inline uint64_t find_stops(const unsigned char *p, uint64_t stops)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), high = ones << 7;
    uint64_t x;
    memcpy(&x, p, sizeof x);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    x = __builtin_bswap64(x);
#endif
    const uint64_t same = x ^ stops, low = x & ~high;
    const uint64_t equal = ~(((same & ~high) + (high - ones)) | same) & high;
    return (x & high) | equal | (~(low + ones * (0x80 - 0x21)) & high) | ((low + ones) & high);
}

/* The end of the plain name at p, before `safe`; NULL: it is none. */
static inline const unsigned char *plain_name(const unsigned char *p, const unsigned char *safe,
                                              uint64_t stops)
{
    static const bool is_special[UCHAR_MAX + 1] = {
        ['"'] = true, ['#'] = true, ['%'] = true, ['{'] = true, ['/'] = true};
    const unsigned char *begin = p;
    if (p >= safe || is_special[*p]) return NULL;
    while (p < safe) {
        const uint64_t found = find_stops(p, stops);
        if (found != 0) {
            p += __builtin_ctzll(found) / 8;
            return p > begin && p - begin <= SPMV_NAME_LENGTH ? p : NULL;
        }
        p += EIGHT;
    }
    return NULL;
}

/* A plain line at p, asked for as edge edges->n; returns the start of the next, or NULL. */
static inline const unsigned char *plain_words(const unsigned char *p, const unsigned char *end,
                                               const spmv__edges_header *header,
                                               spmv__node_names *names, spmv__edges *edges)
{
    const unsigned char delimiter = (unsigned char)header->delimiter;
    const unsigned char *safe = end - SPMV__PLAIN, *name[2], *stop[2];
    for (int i = 0; i < 2; i++) {
        name[i] = i > 0 ? stop[0] + 1 : p;
        stop[i] = plain_name(name[i], safe, UINT64_C(0x0101010101010101) * delimiter);
        if (stop[i] == NULL) return NULL;
        if ((i == 0 || header->fields > 2) && *stop[i] != delimiter) return NULL;
    }
    p = stop[1];
    if (header->fields > 2 &&
        (p + 1 > safe || (p = spmv__plain_real(p + 1, end, &edges->val[edges->n])) == NULL))
        return NULL;
    if (delimiter != ' ' && *p == delimiter) return NULL;
    p = spmv__plain_line_end(p, end);
    for (int i = 0; i < 2 && p != NULL; i++) {
        int64_t *number = i > 0 ? &edges->col[edges->n] : &edges->row[edges->n];
        if (spmv__node_names_ask(names, (const char *)name[i], (size_t)(stop[i] - name[i]), number,
                                 NULL) != SPMV_SUCCESS)
            return NULL; /* the careful way tells why */
    }
    return p;
}

/* Whether lines may be that: words in the first two columns, and no others but a weight. */
static bool are_plain(const spmv__edges_header *header)
{
    return header->words && header->fields > 0 && !header->attributes;
}

bool spmv__edges_read_delimited(spmv__edges_reader *reader, spmv__edges *edges)
{
    const int last = last_field(&reader->header);
    const bool plain = are_plain(&reader->header);
    spmv__text *text = &reader->text;
    spmv_error err = {0};
    while (edges->n + edges->skipped < edges->room) {
        const unsigned char *next = NULL;
        if (plain && reader->names != NULL && text->end - text->p > SPMV__PLAIN)
            next = plain_words(text->p, text->end, &reader->header, reader->names, edges);
        if (next != NULL) {
            text->p = next;
            edges->n++;
            continue;
        }
        if (!spmv__edges_next(text)) break;
        if (!read_line(reader, last, edges)) return false;
    }
    if (reader->names == NULL) return true;
    return report(text, text->p, spmv__node_names_answer(reader->names, &err), &err);
}
