/* edge_dialect.c -- which dialect an edge list is in, as its first lines show it: what separates
 * fields, whether there are headings, which columns count, and whether names are words. */
#include "core/base/ascii.h"
#include "formats/graphs/edge_headings.h"

enum { MIN_COLUMNS = 2, MAX_COLUMNS = 4 };

/* ---- Plain lines ---------------------------------------------------------------------------- */

/* Count the words of the line at text->p; *numeric tells whether it has two nodes that may be
 * integers, and then numbers only. */
static int count_words(const spmv__edges_reader *reader, bool *numeric)
{
    const bool padded = reader->options->all_ids; /* an id with zeros before it is one, too */
    spmv__text line = reader->text;
    int n = 0;
    *numeric = true;
    while (!spmv__text_line_is_over(&line)) {
        const spmv__field word =
            n < 2 ? spmv__edges_name(&line)
                  : (spmv__field){.p = line.p, .end = spmv__text_word_end(&line, line.p)};
        if (word.end > word.p)
            *numeric = *numeric && (n < 2 ? spmv__field_may_be_id(&word) ||
                                                (padded && spmv__field_is_padded(&word))
                                          : spmv__field_is_number(&word));
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
    spmv__edges_field(reader, text, n, &field);
    return spmv__text_fault(text, field.p,
                            "a dictionary stands where a node is expected; put a name that begins "
                            "with { in quotes");
}

/* Whether both nodes of a line may be integers. */
static bool names_ids(const spmv__edges_reader *reader, const spmv__text *line)
{
    return spmv__edges_field_is(reader, line, SPMV__SOURCE, spmv__field_may_be_id) &&
           spmv__edges_field_is(reader, line, SPMV__TARGET, spmv__field_may_be_id);
}

/* Note that a node of the line at text->p is a word, where the other and those behind are integers.
 */
static void note_odd_word(spmv__edges_reader *reader)
{
    const spmv__edges_header *header = &reader->header;
    const spmv__text after = spmv__edges_line_behind(&reader->text);
    const bool source =
        spmv__edges_field_is(reader, &reader->text, SPMV__SOURCE, spmv__field_may_be_id);
    const bool target =
        spmv__edges_field_is(reader, &reader->text, SPMV__TARGET, spmv__field_may_be_id);
    spmv__field word;
    if (source != target && names_ids(reader, &after) &&
        spmv__edges_field(reader, &reader->text,
                          header->field[source ? SPMV__TARGET : SPMV__SOURCE], &word))
        spmv__text_note(&reader->text, SPMV__ODD_WORD_NAME, word.p);
}

static bool is_arrow(const spmv__field *field)
{
    const unsigned char *p = field->p;
    bool pointed = false;
    for (; p < field->end && *p != '\0' && strchr("<-=>", *p) != NULL; p++)
        pointed = pointed || *p == '<' || *p == '>';
    return p == field->end && p - field->p > 1 && pointed && !field->quoted;
}

/* Between two nodes stands no third one: "1 -> 2".  Below headings, or where names are words as a
 * comment says, it may be one. */
static bool refuse_arrow(spmv__edges_reader *reader)
{
    spmv__field arrow;
    spmv__edges_field(reader, &reader->text, SPMV__TARGET, &arrow);
    return spmv__text_fault(&reader->text, arrow.p,
                            "an arrow stands where a node is expected; `columns` says which fields "
                            "count: 1,3, or 1,2,3 where it is a node");
}

/* Take the fields of the line at text->p for those of all others. */
static bool take_delimited(spmv__edges_reader *reader)
{
    spmv__edges_header *header = &reader->header;
    spmv__text *text = &reader->text;
    const bool named = spmv__edges_are_chosen(reader);
    bool dictionary;
    int n = spmv__edges_count_fields(reader, text, &dictionary);
    if (named && !dictionary && !spmv__edges_count_all(reader, &n)) return false;
    header->attributes = !named && n == 2 && dictionary;
    const bool open = header->delimiter == ' ' || dictionary || n > SPMV__FIELDS_MOST;
    header->fields = named && open ? 0 : n;
    if (!named) /* the third of columns 0, 1 and 2 */
        header->field[SPMV__WEIGHT] =
            n > 2 ? 3 - header->field[SPMV__SOURCE] - header->field[SPMV__TARGET] : -1;
    header->columns = header->field[SPMV__WEIGHT] >= 0 || header->attributes ? 3 : 2;
    const bool ids = names_ids(reader, text);
    /* Ids that a header counts, or that stand for all numbers up to them, are integers. */
    header->words = (header->words || !ids) && !header->konect && !reader->options->all_ids;
    if (header->words && !header->words_declared && !ids) note_odd_word(reader);
    if (!named && n == SPMV__EDGE_FIELDS && header->headings == 0 && !header->words_declared &&
        spmv__edges_field_is(reader, text, SPMV__TARGET, is_arrow))
        return refuse_arrow(reader);
    if (named || (n >= MIN_COLUMNS && n <= SPMV__EDGE_FIELDS)) return true;
    if (dictionary && n < MIN_COLUMNS) return refuse_dictionary(reader, n);
    if (!spmv__edges_count_all(reader, &n)) return false;
    return spmv__text_fault(text, text->p,
                            "a line of an edge list holds two nodes and perhaps a weight; this "
                            "one holds %d field%s%s",
                            n, n == 1 ? "" : "s",
                            n > SPMV__EDGE_FIELDS ? "; `columns` says which of them count" : "");
}

static bool take_first_line(spmv__edges_reader *reader)
{
    const spmv_read_options *options = reader->options;
    spmv__edges_header *header = &reader->header;
    spmv__text *text = &reader->text;
    const unsigned char *top = text->p;
    bool any = true, numeric, dictionary;
    if (header->delimiter == '\0') header->delimiter = spmv__fields_delimiter(text);
    if (header->delimiter == ';' || header->delimiter == '|')
        text->separator = (unsigned char)header->delimiter;
    if (!spmv__edges_pass_headings(reader, &any)) return false;
    if (!any) return true;
    const int numbers = count_words(reader, &numeric);
    if (numbers != header->headings && !spmv__edges_fit_headings(reader)) return false;
    /* "1 2,3" below headings is no three numbers. */
    const bool split = text->p > top && header->delimiter != ' ' &&
                       numbers > spmv__edges_count_fields(reader, text, &dictionary);
    const bool plain = !spmv__edges_are_chosen(reader) && options->delimiter == '\0' &&
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

/* Over "sep=;" in the first line, which Excel follows; returns what separates fields, or 0. */
static char take_separator(spmv__text *text)
{
    static const char word[] = "sep=";
    enum { LENGTH = sizeof word - 1 };
    const unsigned char *p = text->p;
    if (text->end - p <= LENGTH || !spmv__alike(p, word, LENGTH)) return '\0';
    if (spmv__text_line_end(text, p) != p + LENGTH + 1) return '\0';
    text->p = p + LENGTH + 1;
    return (char)p[LENGTH];
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
    header->delimiter = take_separator(text);
    if (options->delimiter != '\0') header->delimiter = options->delimiter;
    const bool any = spmv__edges_next(text);
    const unsigned char *first = text->p;
    header->base = options->index_base == SPMV_BASE_DEFAULT ? header->konect
                                                            : options->index_base == SPMV_BASE_1;
    const bool known = !any || take_first_line(reader);
    if (header->field[SPMV__SOURCE] > header->field[SPMV__TARGET]) swap_sizes(header);
    if (known && any) spmv__edges_note_rows(reader, first);
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
