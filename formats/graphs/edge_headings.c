/* edge_headings.c -- whether the first line of an edge list is a row of headings, and which columns
 * count, as it says or the options do. */
#include "core/base/ascii.h"
#include "formats/graphs/edge_headings.h"

#include <ctype.h>
#include <string.h>

/* ---- Fields of the first lines -------------------------------------------------------------- */

bool spmv__edges_field(const spmv__edges_reader *reader, const spmv__text *text, int index,
                       spmv__field *out)
{
    return spmv__fields_find(text, reader->header.delimiter, reader->src->data, index, out);
}

int spmv__edges_count_fields(const spmv__edges_reader *reader, const spmv__text *text,
                             bool *dictionary)
{
    return spmv__fields_count(text, reader->header.delimiter, reader->src->data, dictionary);
}

/* The fields of a line, one after the other, as many as columns may be named of. */
typedef struct line_fields {
    spmv__text line;
    char delimiter;
    int index; /* of `field`, from 0; -1: before the first */
    spmv__field field;
} line_fields;

static line_fields fields_of(const spmv__edges_reader *reader, const spmv__text *text)
{
    line_fields f = {.line = *text, .delimiter = reader->header.delimiter, .index = -1};
    spmv__fields_begin(&f.line, f.delimiter, reader->src->data);
    return f;
}

static bool next_field(line_fields *f)
{
    if (f->index >= 0 && !spmv__field_next(&f->line, f->delimiter)) return false;
    return ++f->index < SPMV__FIELDS_MOST && spmv__field_take(&f->line, f->delimiter, &f->field);
}

static bool is_integer(const spmv__field *field)
{
    const unsigned char *end;
    return spmv__field_is_integer(field, &end);
}

bool spmv__edges_field_is(const spmv__edges_reader *reader, const spmv__text *text, int which,
                          bool (*like)(const spmv__field *field))
{
    const int index = reader->header.field[which];
    spmv__field field;
    return index >= 0 && spmv__edges_field(reader, text, index, &field) && like(&field);
}

/* ---- Headings ------------------------------------------------------------------------------- */

/* Whether the letters and digits of a heading are those of `word`, which has small ones. */
static bool is_called(const spmv__field *heading, const char *word)
{
    for (const unsigned char *p = heading->p; p < heading->end; p++) {
        if (*p < 0x80 && !isalnum(*p)) continue;
        if (spmv__small_letter(*p) != *word++) return false;
    }
    return *word == '\0';
}

/* Returns how many columns of the line at text->p are called exactly so, or, where none is, so in
 * another case; *out is the first of them. */
static int find_heading(const spmv__edges_reader *reader, const char *word, size_t length, int *out)
{
    int exact = 0, alike = 0;
    for (line_fields f = fields_of(reader, &reader->text); next_field(&f);) {
        if (!spmv__field_equals(&f.field, word, length)) continue;
        const bool same = memcmp(f.field.p, word, length) == 0;
        if (same ? exact == 0 : exact + alike == 0) *out = f.index;
        exact += same;
        alike += !same;
    }
    return exact > 0 ? exact : alike;
}

/* Whether one column is called so, in any case and whatever stands between its letters and digits:
 * "Source Node", ":START_ID"; *out is that column. */
static bool has_heading(const spmv__edges_reader *reader, const char *word, int *out)
{
    int found = 0;
    for (line_fields f = fields_of(reader, &reader->text); next_field(&f);)
        if (is_called(&f.field, word) && found++ == 0) *out = f.index;
    return found == 1;
}

/* Whether the line at text->p has names of columns for the two nodes of an edge, which no graph is
 * likely to have for two nodes: the first two columns, or others that only one such pair calls so.
 */
static bool find_known(const spmv__edges_reader *reader, int *source, int *target)
{
    static const char *const known[][2] = {
        {"source", "target"},
        {"src", "dst"},
        {"src", "dest"},
        {"from", "to"},
        {"source", "destination"},
        {"origin", "destination"},
        {"sourceid", "targetid"},
        {"sourcenode", "targetnode"},
        {"srcid", "dstid"},
        {"fromid", "toid"},
        {"fromnode", "tonode"},
        {"fromnodeid", "tonodeid"},
        {"startid", "endid"}, /* of Neo4j */
        {"node1", "node2"},
        {"nodea", "nodeb"},
        {"id1", "id2"},
        {"protein1", "protein2"}, /* of STRING */
        {"follower", "followee"},
        {"citing", "cited"},
        {"head", "tail"}, /* of knowledge graphs; */
        {"tail", "head"}, /* of arcs */
        {"parent", "child"},
        {"child", "parent"},
    };
    int pairs = 0;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        int from, to;
        if (!has_heading(reader, known[i][0], &from) || !has_heading(reader, known[i][1], &to))
            continue;
        if (pairs++ == 0 || (from == 0 && to == 1)) {
            *source = from;
            *target = to;
        }
    }
    return pairs == 1 || (pairs > 1 && *source == 0 && *target == 1);
}

static bool is_dictionary(const spmv__field *field)
{
    return field->end > field->p && *field->p == '{' && !field->quoted;
}

/* A heading above weights begins with a letter.  What stands for no value, and an empty field, are
 * of an edge without a weight. */
static bool is_weight_heading(const spmv__field *field)
{
    static const char *const missing[] = {"na",  "n/a",     "null",     "none",
                                          "nil", "missing", "undefined"};
    if (field->end == field->p || spmv__field_is_number(field)) return false;
    for (size_t i = 0; i < sizeof missing / sizeof missing[0]; i++)
        if (spmv__field_equals(field, missing[i], strlen(missing[i]))) return false;
    return *field->p >= 0x80 || *field->p == '_' || isalpha(*field->p);
}

/* Whether there is a word above a number in a column that is none of nodes, and no number in the
 * first of both lines: of columns that were not asked for that is no proof. */
static bool are_above_numbers(const spmv__edges_reader *reader, const spmv__text *first,
                              const spmv__text *second)
{
    const int *nodes = reader->header.field;
    line_fields above = fields_of(reader, first), below = fields_of(reader, second);
    bool found = false, both = true;
    while (next_field(&above)) {
        both = both && next_field(&below);
        if (above.index == nodes[SPMV__SOURCE] || above.index == nodes[SPMV__TARGET]) continue;
        if (spmv__field_is_number(&above.field)) return false;
        found = found ||
                (both && is_weight_heading(&above.field) && spmv__field_is_number(&below.field));
    }
    return found;
}

/* Whether the first line is unlike the second as only headings are: words over integers, or a word
 * over the weight; or names its columns as one does, without a number for the weight. */
static bool are_headings(const spmv__edges_reader *reader, const spmv__text *first,
                         const spmv__text *second)
{
    const spmv__edges_header *header = &reader->header;
    spmv__field source, target;
    int from, to;
    if (!spmv__edges_field(reader, first, header->field[SPMV__SOURCE], &source) ||
        !spmv__edges_field(reader, first, header->field[SPMV__TARGET], &target))
        return find_known(reader, &from, &to); /* above lines that have names, too */
    if (is_integer(&source) || is_integer(&target)) return false;
    if (spmv__edges_field_is(reader, first, SPMV__WEIGHT, is_dictionary)) return false;
    if (spmv__field_is_decimal(&source) || spmv__field_is_decimal(&target)) return false;
    if (spmv__edges_field_is(reader, second, SPMV__SOURCE, is_integer) &&
        spmv__edges_field_is(reader, second, SPMV__TARGET, is_integer))
        return true;
    if (spmv__edges_field_is(reader, first, SPMV__WEIGHT, spmv__field_is_number)) return false;
    return find_known(reader, &from, &to) ||
           (spmv__edges_field_is(reader, second, SPMV__WEIGHT, spmv__field_is_number) &&
            spmv__edges_field_is(reader, first, SPMV__WEIGHT, is_weight_heading));
}

/* Take these columns, called so by their headings, and no others; weight -1: there is none. */
static void choose_columns(spmv__edges_header *header, int source, int target, int weight)
{
    header->field[SPMV__SOURCE] = source;
    header->field[SPMV__TARGET] = target;
    header->field[SPMV__WEIGHT] = weight;
    header->by_heading = 1u << SPMV__SOURCE | 1u << SPMV__TARGET;
    if (weight >= 0) header->by_heading |= 1u << SPMV__WEIGHT;
}

/* Whether the first field of the line at text->p is empty, and n behind it are not. */
static bool has_unnamed_rows(const spmv__edges_reader *reader, int n)
{
    for (line_fields f = fields_of(reader, &reader->text); next_field(&f);)
        if ((f.field.end == f.field.p) != (f.index == 0) || f.index > n) return false;
    return true;
}

/* Take the columns of nodes that the headings at text->p name, where they are not the first two;
 * one that is left must be called a weight.  A first one without a heading holds names of rows, as
 * pandas and R write them, and counts for nothing; where no heading names a node it may hold nodes,
 * or those of a table of weights, and nobody guesses. */
static bool follow_headings(spmv__edges_reader *reader)
{
    spmv__edges_header *header = &reader->header;
    bool dictionary;
    int source, target, weight;
    const int n = spmv__edges_count_fields(reader, &reader->text, &dictionary);
    header->known = find_known(reader, &source, &target);
    if (!header->known && n == SPMV__EDGE_FIELDS && has_unnamed_rows(reader, SPMV__WEIGHT))
        return spmv__text_fault(&reader->text, reader->text.p,
                                "the first of %d columns has no heading, as names of rows have "
                                "none; `columns` says which of them count",
                                n);
    if (!header->known) return true;
    const bool weighs = has_heading(reader, "weight", &weight);
    const int named = weighs ? SPMV__EDGE_FIELDS : SPMV__WEIGHT;
    if (n == named + 1 && has_unnamed_rows(reader, named)) {
        choose_columns(header, source, target, weighs ? weight : -1);
        return true;
    }
    if (n > SPMV__EDGE_FIELDS) return true;
    if ((source > 1 || target > 1) && !weighs)
        return spmv__text_fault(&reader->text, reader->text.p,
                                "these headings name nodes and something else; `columns` says "
                                "which of them count");
    header->field[SPMV__SOURCE] = source;
    header->field[SPMV__TARGET] = target;
    return true;
}

/* ---- Columns that the options name ---------------------------------------------------------- */

/* After spmv__text_fault: it is who asks for such columns that is wrong, not the file. */
static bool blame_list(spmv__text *text)
{
    text->status = SPMV_ERROR_INVALID_ARGUMENT;
    return false;
}

/* A column by its number, from 1, or by its heading. */
static bool take_column(spmv__edges_reader *reader, const spmv__field *word, int which)
{
    spmv__text *text = &reader->text;
    char quote[SPMV__TEXT_QUOTE];
    bool negative;
    uint64_t number;
    spmv__text_quote(quote, word->p, word->end);
    if (spmv__text_parse_integer(word->p, word->end, &negative, &number)) {
        if (negative || number < 1 || number > SPMV__FIELDS_MOST) {
            spmv__text_fault(text, NULL, "`columns` are 1 to %d or headings, not %s",
                             SPMV__FIELDS_MOST, quote);
            return blame_list(text);
        }
        reader->header.field[which] = (int)number - 1;
        return true;
    }
    reader->header.by_heading |= 1u << which;
    const int found = find_heading(reader, (const char *)word->p, (size_t)(word->end - word->p),
                                   &reader->header.field[which]);
    if (found == 1) return true;
    if (found == 0) return spmv__text_fault(text, text->p, "no column is called '%s'", quote);
    return spmv__text_fault(text, text->p,
                            "%d columns are called '%s'; `columns` takes their numbers, too", found,
                            quote);
}

static bool take_columns(spmv__edges_reader *reader)
{
    const char *list = reader->options->columns;
    spmv__text words = {.p = (const unsigned char *)list,
                        .end = (const unsigned char *)list + strlen(list)};
    spmv__field word;
    int n = 0;
    do {
        if (n == SPMV__EDGE_FIELDS || !spmv__field_take(&words, ',', &word) || word.p == word.end) {
            n = 0;
            break;
        }
        if (!take_column(reader, &word, n)) return false;
        n++;
    } while (spmv__field_next(&words, ','));
    if (n < SPMV__WEIGHT) {
        spmv__text_fault(&reader->text, NULL,
                         "`columns` are SOURCE,TARGET or SOURCE,TARGET,WEIGHT");
        return blame_list(&reader->text);
    }
    if (n < SPMV__EDGE_FIELDS) reader->header.field[SPMV__WEIGHT] = -1;
    reader->header.known = reader->header.by_heading != 0;
    return true;
}

/* ---- The row -------------------------------------------------------------------------------- */

bool spmv__edges_count_all(spmv__edges_reader *reader, int *n)
{
    const char delimiter = reader->header.delimiter;
    spmv__text line = reader->text;
    spmv__field field;
    bool dictionary;
    *n = 0;
    spmv__fields_begin(&line, delimiter, reader->src->data);
    if (spmv__edges_are_chosen(reader))
        spmv__fields_pass(&line, delimiter, SPMV__FIELDS_MOST, n);
    else
        while (spmv__field_take(&line, delimiter, &field))
            if (++*n > SPMV__FIELDS_MOST || !spmv__field_next(&line, delimiter)) break;
    if (delimiter == ' ') *n = spmv__edges_count_fields(reader, &reader->text, &dictionary);
    return line.status == SPMV_SUCCESS ||
           spmv__text_fault(&reader->text, line.place, "%s", line.message);
}

/* How many fields the line at text->p has, without empty ones at its end. */
static int count_filled(const spmv__edges_reader *reader)
{
    int n = 0;
    for (line_fields f = fields_of(reader, &reader->text); next_field(&f);)
        if (f.field.end > f.field.p) n = f.index + 1;
    return n;
}

spmv__text spmv__edges_line_behind(const spmv__text *text)
{
    spmv__text after = *text;
    after.comment = NULL;
    after.p = spmv__text_line_end(&after, after.p);
    spmv__edges_next(&after);
    return after;
}

bool spmv__edges_pass_headings(spmv__edges_reader *reader, bool *any)
{
    const spmv_read_options *options = reader->options;
    spmv__edges_header *header = &reader->header;
    spmv__text *text = &reader->text;
    const spmv__text after = spmv__edges_line_behind(text);
    if (options->columns != NULL && !take_columns(reader)) return false;
    bool headings = options->headings == SPMV_HEADINGS_YES || header->by_heading != 0;
    if (options->headings == SPMV_HEADINGS_FOUND && !header->konect && !header->words_declared) {
        headings = headings || are_headings(reader, text, &after);
        if (!headings && options->columns != NULL && are_above_numbers(reader, text, &after))
            spmv__text_note(text, SPMV__ODD_HEADINGS, text->p);
    }
    if (!headings) return true;
    if (options->headings == SPMV_HEADINGS_NONE)
        return spmv__text_fault(text, text->p,
                                "`columns` are named, but `headings` says that there are none");
    if (options->columns == NULL && !follow_headings(reader)) return false;
    if (header->delimiter != ' ') text->separator = (unsigned char)header->delimiter;
    header->headings = count_filled(reader);
    if (!spmv__edges_count_all(reader, &header->heading_fields)) return false;
    for (int i = 0; i < 2; i++)
        spmv__edges_field(reader, text, header->field[i], &reader->heading[i]);
    text->p = spmv__text_line_end(text, text->p);
    *any = spmv__edges_next(text);
    return true;
}

/* Whether the line at text->p begins with the name of a row as R writes it: in quotes, which the
 * headings have, too, and the two nodes behind it both or neither. */
static bool begins_with_row_name(const spmv__edges_reader *reader)
{
    bool quoted[SPMV__EDGE_FIELDS] = {false};
    line_fields f = fields_of(reader, &reader->text);
    for (int i = 0; i < SPMV__EDGE_FIELDS && next_field(&f); i++) quoted[i] = f.field.quoted;
    return reader->heading[0].quoted && reader->heading[1].quoted && quoted[0] &&
           quoted[1] == quoted[2];
}

/* There is no heading above the names of rows: the columns of the headings are those behind.
 * Without quotes it may be a weight that has no heading. */
static void follow_behind_names(spmv__edges_header *header, int headings)
{
    const int source = header->field[SPMV__SOURCE], target = header->field[SPMV__TARGET];
    choose_columns(header, source, target, headings > SPMV__WEIGHT ? 3 - source - target : -1);
}

bool spmv__edges_fit_headings(spmv__edges_reader *reader)
{
    spmv__edges_header *header = &reader->header;
    spmv__text *text = &reader->text;
    const int headings = header->headings;
    bool dictionary;
    int n;
    if (headings == 0 || (reader->options->columns != NULL && header->by_heading == 0)) return true;
    spmv__edges_count_fields(reader, text, &dictionary);
    if (dictionary) return true;
    if (!spmv__edges_count_all(reader, &n)) return false;
    const int filled = count_filled(reader);
    if (n == header->heading_fields || (headings <= n && filled <= headings)) return true;
    const bool rows = filled == headings + 1 && headings <= SPMV__EDGE_FIELDS;
    const bool follow =
        rows && !spmv__edges_are_chosen(reader) && header->known && begins_with_row_name(reader);
    const bool named = follow || reader->options->columns != NULL;
    if (follow) follow_behind_names(header, headings);
    if (!named || filled != headings + 1)
        return spmv__text_fault(text, text->p, "the line has %d field%s below %d heading%s%s",
                                filled, filled == 1 ? "" : "s", headings, headings == 1 ? "" : "s",
                                named ? "" : "; `columns` says which of them count");
    for (int i = 0; i < SPMV__EDGE_FIELDS; i++)
        header->field[i] += (header->by_heading >> i & 1) != 0;
    return true;
}
