/* edge_dialect.c -- which dialect an edge list is in, as its first lines show it: what separates
 * fields, whether there are headings, which columns count, and whether names are words. */
#include "formats/graphs/edge_list.h"

#include <ctype.h>
#include <string.h>

enum { MIN_COLUMNS = 2, MAX_COLUMNS = 4, MOST_COLUMNS = 1 << 16 };

/* ---- Fields of the first lines -------------------------------------------------------------- */

/* Field number `index` of the line at text->p; false where it has fewer, or is wrong. */
static bool find_field(const spmv__text *text, const spmv__source *src, char delimiter, int index,
                       spmv__field *out)
{
    spmv__text line = *text;
    spmv__fields_begin(&line, delimiter, src->data);
    for (int f = 0; spmv__field_take(&line, delimiter, out); f++) {
        if (f == index) return true;
        if (!spmv__field_next(&line, delimiter)) return false;
    }
    return false;
}

/* How many fields the line at text->p has, before one that is a dictionary. */
static int count_fields(const spmv__text *text, const spmv__source *src, char delimiter,
                        bool *dictionary)
{
    spmv__text line = *text;
    spmv__field field;
    int n = 0;
    *dictionary = false;
    spmv__fields_begin(&line, delimiter, src->data);
    while (spmv__field_take(&line, delimiter, &field)) {
        *dictionary = !field.quoted && n <= 2 && spmv__fields_are_closed_by(field.p, text->end, n);
        if (*dictionary || n++ == MOST_COLUMNS || !spmv__field_next(&line, delimiter)) break;
    }
    return n;
}

static bool is_integer(const spmv__field *field)
{
    const unsigned char *end;
    return spmv__field_is_integer(field, &end);
}

/* Whether a field of the line at text->p is there and looks like that. */
static bool field_is(const spmv__edges_reader *reader, const spmv__text *text, int which,
                     bool (*like)(const spmv__field *field))
{
    const spmv__edges_header *header = &reader->header;
    spmv__field field;
    return header->field[which] >= 0 &&
           find_field(text, reader->src, header->delimiter, header->field[which], &field) &&
           like(&field);
}

/* ---- Headings ------------------------------------------------------------------------------- */

/* Returns how many columns of the line at text->p are called exactly so, or, where none is, so in
 * another case; *out is the first of them. */
static int find_heading(const spmv__edges_reader *reader, const char *word, size_t length, int *out)
{
    const char delimiter = reader->header.delimiter;
    spmv__text line = reader->text;
    spmv__field heading;
    int exact = 0, alike = 0;
    spmv__fields_begin(&line, delimiter, reader->src->data);
    for (int f = 0; f < MOST_COLUMNS && spmv__field_take(&line, delimiter, &heading); f++) {
        if (spmv__field_equals(&heading, word, length)) {
            const bool same = memcmp(heading.p, word, length) == 0;
            if (same ? exact == 0 : exact + alike == 0) *out = f;
            exact += same;
            alike += !same;
        }
        if (!spmv__field_next(&line, delimiter)) break;
    }
    return exact > 0 ? exact : alike;
}

static bool has_heading(const spmv__edges_reader *reader, const char *word, int *out)
{
    return find_heading(reader, word, strlen(word), out) == 1;
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
        {"source_id", "target_id"},
        {"from_id", "to_id"},
        {"from_node", "to_node"},
        {"fromnodeid", "tonodeid"},
        {"node1", "node2"},
        {"node_1", "node_2"},
        {"id1", "id2"},
        {"id_1", "id_2"},
        {"follower", "followee"},
        {"source", "destination"},
        {"head", "tail"}, /* of knowledge graphs; */
        {"tail", "head"}, /* of arcs */
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

/* Whether the first line is unlike the second as only headings are: words over integers, or a word
 * over the weight; or names its columns as one does, without a number for the weight. */
static bool are_headings(const spmv__edges_reader *reader, const spmv__text *first,
                         const spmv__text *second)
{
    const spmv__edges_header *header = &reader->header;
    spmv__field source, target;
    int from, to;
    if (!find_field(first, reader->src, header->delimiter, header->field[SPMV__SOURCE], &source) ||
        !find_field(first, reader->src, header->delimiter, header->field[SPMV__TARGET], &target))
        return false;
    if (is_integer(&source) || is_integer(&target)) return false;
    if (field_is(reader, first, SPMV__WEIGHT, is_dictionary)) return false;
    if (spmv__field_is_decimal(&source) || spmv__field_is_decimal(&target)) return false;
    if (field_is(reader, second, SPMV__SOURCE, is_integer) &&
        field_is(reader, second, SPMV__TARGET, is_integer))
        return true;
    if (field_is(reader, first, SPMV__WEIGHT, spmv__field_is_number)) return false;
    return find_known(reader, &from, &to) ||
           (field_is(reader, second, SPMV__WEIGHT, spmv__field_is_number) &&
            field_is(reader, first, SPMV__WEIGHT, is_weight_heading));
}

/* Take the columns of nodes that the headings at text->p name, where they are not the first two;
 * one that is left must be called a weight. */
static bool follow_headings(spmv__edges_reader *reader)
{
    spmv__edges_header *header = &reader->header;
    bool dictionary;
    int source, target, weight;
    const int n = count_fields(&reader->text, reader->src, header->delimiter, &dictionary);
    if (n > SPMV__EDGE_FIELDS || !find_known(reader, &source, &target)) return true;
    if (source > 1 || target > 1)
        if (!has_heading(reader, "weight", &weight))
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
static bool take_column(spmv__edges_reader *reader, const spmv__field *word, int which,
                        bool *headings)
{
    spmv__text *text = &reader->text;
    char quote[SPMV__TEXT_QUOTE];
    bool negative;
    uint64_t number;
    spmv__text_quote(quote, word->p, word->end);
    if (spmv__text_parse_integer(word->p, word->end, &negative, &number)) {
        if (negative || number < 1 || number > MOST_COLUMNS) {
            spmv__text_fault(text, NULL, "`columns` are 1 to %d or headings, not %s", MOST_COLUMNS,
                             quote);
            return blame_list(text);
        }
        reader->header.field[which] = (int)number - 1;
        return true;
    }
    *headings = true;
    const int found = find_heading(reader, (const char *)word->p, (size_t)(word->end - word->p),
                                   &reader->header.field[which]);
    if (found == 1) return true;
    if (found == 0) return spmv__text_fault(text, text->p, "no column is called '%s'", quote);
    return spmv__text_fault(text, text->p,
                            "%d columns are called '%s'; `columns` takes their numbers, too", found,
                            quote);
}

static bool take_columns(spmv__edges_reader *reader, bool *headings)
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
        if (!take_column(reader, &word, n, headings)) return false;
        n++;
    } while (spmv__field_next(&words, ','));
    if (n < MIN_COLUMNS) {
        spmv__text_fault(&reader->text, NULL,
                         "`columns` are SOURCE,TARGET or SOURCE,TARGET,WEIGHT");
        return blame_list(&reader->text);
    }
    if (n < SPMV__EDGE_FIELDS) reader->header.field[SPMV__WEIGHT] = -1;
    return true;
}

/* ---- Plain lines ---------------------------------------------------------------------------- */

/* Count the words of the line at text->p; *numeric tells whether it has two nodes that may be
 * integers, and then numbers only. */
static int count_words(const spmv__text *text, bool *numeric)
{
    spmv__text line = *text;
    int n = 0;
    *numeric = true;
    while (!spmv__text_line_is_over(&line)) {
        const spmv__field word =
            n < 2 ? spmv__edges_name(&line)
                  : (spmv__field){.p = line.p, .end = spmv__text_word_end(&line, line.p)};
        if (word.end > word.p)
            *numeric =
                *numeric && (n < 2 ? spmv__field_may_be_id(&word) : spmv__field_is_number(&word));
        n += word.end > word.p;
        line.p = word.end + (word.end < line.end && *word.end == line.separator);
        spmv__text_skip_blanks(&line);
    }
    return n;
}

/* Take the line at text->p, of nothing but numbers, for what all others look like. */
static bool take_plain(spmv__edges_reader *reader, int numbers)
{
    spmv__edges_header *header = &reader->header;
    const int most = header->konect ? MAX_COLUMNS : MAX_COLUMNS - 1;
    header->delimiter = '\0';
    header->columns = numbers;
    if (numbers >= MIN_COLUMNS && numbers <= most) return true;
    return spmv__text_fault(&reader->text, reader->text.p,
                            "a line of an edge list holds two nodes and perhaps a weight; this "
                            "one holds %d number%s%s",
                            numbers, numbers == 1 ? "" : "s",
                            numbers > most ? "; `columns` says which of them count" : "");
}

/* ---- The first line ------------------------------------------------------------------------- */

/* The line at text->p has a dictionary for field n, one of a node: it may be JSON. */
static bool refuse_dictionary(spmv__edges_reader *reader, int n)
{
    spmv__text *text = &reader->text;
    spmv__field field;
    find_field(text, reader->src, reader->header.delimiter, n, &field);
    return spmv__text_fault(text, field.p,
                            "a dictionary stands where a node is expected; put a name that begins "
                            "with { in quotes");
}

/* Faults where a field of the line at text->p is wrong in itself. */
static bool check_fields(spmv__edges_reader *reader)
{
    const char delimiter = reader->header.delimiter;
    spmv__text line = reader->text;
    spmv__field field;
    spmv__fields_begin(&line, delimiter, reader->src->data);
    while (spmv__field_take(&line, delimiter, &field) && spmv__field_next(&line, delimiter)) {
    }
    return line.status == SPMV_SUCCESS ||
           spmv__text_fault(&reader->text, line.place, "%s", line.message);
}

/* The line behind that at text->p; at the end of the text where there is none. */
static spmv__text line_behind(const spmv__text *text)
{
    spmv__text after = *text;
    after.comment = NULL;
    after.p = spmv__text_line_end(&after, after.p);
    spmv__edges_next(&after);
    return after;
}

/* Whether both nodes of a line may be integers. */
static bool names_ids(const spmv__edges_reader *reader, const spmv__text *line)
{
    return field_is(reader, line, SPMV__SOURCE, spmv__field_may_be_id) &&
           field_is(reader, line, SPMV__TARGET, spmv__field_may_be_id);
}

/* Note that a node of the line at text->p is a word, where the other and those behind are integers.
 */
static void note_odd_word(spmv__edges_reader *reader)
{
    const spmv__edges_header *header = &reader->header;
    const spmv__text after = line_behind(&reader->text);
    const bool source = field_is(reader, &reader->text, SPMV__SOURCE, spmv__field_may_be_id);
    const bool target = field_is(reader, &reader->text, SPMV__TARGET, spmv__field_may_be_id);
    spmv__field word;
    if (source != target && names_ids(reader, &after) &&
        find_field(&reader->text, reader->src, header->delimiter,
                   header->field[source ? SPMV__TARGET : SPMV__SOURCE], &word))
        spmv__text_note(&reader->text, SPMV__ODD_WORD_NAME, word.p);
}

/* Take the fields of the line at text->p for those of all others. */
static bool take_delimited(spmv__edges_reader *reader)
{
    spmv__edges_header *header = &reader->header;
    spmv__text *text = &reader->text;
    const bool named = reader->options->columns != NULL;
    bool dictionary;
    const int n = count_fields(text, reader->src, header->delimiter, &dictionary);
    header->attributes = !named && n == 2 && dictionary;
    header->fields = named ? 0 : n;
    if (!named) /* the third of columns 0, 1 and 2 */
        header->field[SPMV__WEIGHT] =
            n > 2 ? 3 - header->field[SPMV__SOURCE] - header->field[SPMV__TARGET] : -1;
    header->columns = header->field[SPMV__WEIGHT] >= 0 || header->attributes ? 3 : 2;
    const bool ids = names_ids(reader, text);
    /* Ids that a header counts, or that stand for all numbers up to them, are integers. */
    header->words = (header->words || !ids) && !header->konect && !reader->options->all_ids;
    if (header->words && !header->words_declared && !ids) note_odd_word(reader);
    if (named || (n >= MIN_COLUMNS && n <= SPMV__EDGE_FIELDS)) return true;
    if (dictionary && n < MIN_COLUMNS) return refuse_dictionary(reader, n);
    if (!check_fields(reader)) return false;
    return spmv__text_fault(text, text->p,
                            "a line of an edge list holds two nodes and perhaps a weight; this "
                            "one holds %d field%s%s",
                            n, n == 1 ? "" : "s",
                            n > SPMV__EDGE_FIELDS ? "; `columns` says which of them count" : "");
}

/* Over the row of headings at text->p, if it is one; `any` tells whether a line follows.  What is
 * between headings is between fields, whatever else a field holds. */
static bool pass_headings(spmv__edges_reader *reader, bool *any)
{
    const spmv_read_options *options = reader->options;
    spmv__edges_header *header = &reader->header;
    spmv__text *text = &reader->text;
    const spmv__text after = line_behind(text);
    bool headings = options->headings == SPMV_HEADINGS_YES;
    if (options->columns != NULL && !take_columns(reader, &headings)) return false;
    if (options->headings == SPMV_HEADINGS_FOUND && !header->konect && !header->words_declared)
        headings = headings || are_headings(reader, text, &after);
    if (!headings) return true;
    if (options->headings == SPMV_HEADINGS_NONE)
        return spmv__text_fault(text, text->p,
                                "`columns` are named, but `headings` says that there are none");
    if (options->columns == NULL && !follow_headings(reader)) return false;
    if (header->delimiter != ' ') text->separator = (unsigned char)header->delimiter;
    text->p = spmv__text_line_end(text, text->p);
    header->headed = true;
    *any = spmv__edges_next(text);
    return true;
}

static bool take_first_line(spmv__edges_reader *reader)
{
    const spmv_read_options *options = reader->options;
    spmv__edges_header *header = &reader->header;
    spmv__text *text = &reader->text;
    const unsigned char *top = text->p;
    bool any = true, numeric, dictionary;
    header->delimiter =
        options->delimiter != '\0' ? options->delimiter : spmv__fields_delimiter(text);
    if (header->delimiter == ';' || header->delimiter == '|')
        text->separator = (unsigned char)header->delimiter;
    if (!pass_headings(reader, &any)) return false;
    if (!any) return true;
    const int numbers = count_words(text, &numeric);
    /* "1 2,3" below headings is no three numbers. */
    const bool split = text->p > top && header->delimiter != ' ' &&
                       numbers > count_fields(text, reader->src, header->delimiter, &dictionary);
    const bool plain = options->columns == NULL && options->delimiter == '\0' &&
                       spmv__edges_in_order(header) && !header->words_declared &&
                       ((numeric && !split) || header->konect);
    return plain ? take_plain(reader, numbers) : take_delimited(reader);
}

/* ---- The reader ----------------------------------------------------------------------------- */

/* Numbers of nodes are declared in the order of the columns. */
static void swap_sizes(spmv__edges_header *header)
{
    const int64_t sources = header->sources;
    header->sources = header->targets;
    header->targets = sources;
}

bool spmv__edges_open(spmv__edges_reader *reader, const spmv__source *src,
                      const spmv_read_options *options)
{
    spmv__edges_header *header = &reader->header;
    spmv__text *text = &reader->text;
    *reader = (spmv__edges_reader){.src = src, .options = options};
    *header = (spmv__edges_header){.columns = MIN_COLUMNS,
                                   .edges = -1,
                                   .sources = -1,
                                   .targets = -1,
                                   .first = -1,
                                   .last = -1,
                                   .field = {0, 1, 2}};
    *text = (spmv__text){.p = src->data,
                         .end = src->data + src->size,
                         .comments = "#%",
                         .separator = ',',
                         .comment = spmv__edges_take_comment,
                         .user = header};
    spmv__text_skip_byte_order_mark(text);
    const bool any = spmv__edges_next(text);
    header->base = options->index_base == SPMV_BASE_DEFAULT ? header->konect
                                                            : options->index_base == SPMV_BASE_1;
    const bool known = !any || take_first_line(reader);
    if (header->field[SPMV__SOURCE] > header->field[SPMV__TARGET]) swap_sizes(header);
    text->comment = spmv__edges_take_late_comment;
    reader->body = *text;
    return known;
}

void spmv__edges_rewind(spmv__edges_reader *reader)
{
    reader->text = reader->body;
}

void spmv__edges_expect_more(spmv__edges_reader *reader)
{
    spmv__edges_header *header = &reader->header;
    const unsigned char *word = reader->word;
    const bool plain = header->delimiter == '\0';
    if (reader->doubtful) reader->doubt = reader->text;
    spmv__edges_rewind(reader);
    reader->word = NULL;
    if (plain) {
        header->delimiter = spmv__fields_delimiter(&reader->text);
        header->fields = header->columns;
        if (header->columns < SPMV__EDGE_FIELDS) header->field[SPMV__WEIGHT] = -1;
    }
    if (plain && *word == '"') return; /* it may still be an integer */
    header->words = true;
    spmv__text_note(&reader->text, SPMV__ODD_WORD_NAME, word);
}

void spmv__edges_close(spmv__edges_reader *reader)
{
    spmv__node_names_destroy(reader->names);
    reader->names = NULL;
}
