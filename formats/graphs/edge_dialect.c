/* edge_dialect.c -- which dialect an edge list is in: what its comments and its first edge say.
 */
#include "formats/graphs/edge_list.h"

#include <string.h>
#include <strings.h>

enum { MIN_COLUMNS = 2, MAX_COLUMNS = 4, COMMENT_WORDS = 8 };

typedef struct header_word {
    const unsigned char *p;
    int length;
} header_word;

/* The first words of a comment, without the marks that it begins with. */
static int split(const unsigned char *p, const unsigned char *end, header_word words[COMMENT_WORDS])
{
    static const char marks[] = "#%", blanks[] = " \t";
    int n = 0;
    while (p < end && *p != '\0' && strchr(marks, *p) != NULL) p++;
    while (n < COMMENT_WORDS) {
        while (p < end && *p != '\0' && strchr(blanks, *p) != NULL) p++;
        const unsigned char *begin = p;
        while (p < end && (*p == '\0' || strchr(blanks, *p) == NULL)) p++;
        if (p == begin) break;
        words[n++] = (header_word){begin, (int)(p - begin < 100 ? p - begin : 100)};
    }
    return n;
}

static bool is(const header_word *w, const char *text)
{
    return (size_t)w->length == strlen(text) &&
           strncasecmp((const char *)w->p, text, strlen(text)) == 0;
}

static bool is_count(const header_word *w, int64_t *out)
{
    bool negative;
    uint64_t magnitude;
    if (!spmv__text_parse_integer(w->p, w->p + w->length, &negative, &magnitude)) return false;
    if (negative || magnitude >= INT64_MAX) return false;
    *out = (int64_t)magnitude;
    return true;
}

/* % sym unweighted */
static void take_konect_kind(spmv__edges_header *header, const header_word *kind)
{
    header->undirected = is(kind, "sym");
    header->bipartite = is(kind, "bip");
    header->konect = header->undirected || header->bipartite || is(kind, "asym");
}

/* % edges sources targets */
static void take_konect_sizes(spmv__edges_header *header, const header_word *words, int n)
{
    int64_t sizes[3] = {-1, -1, -1};
    if (n > 3) return;
    for (int i = 0; i < n; i++)
        if (!is_count(&words[i], &sizes[i])) return;
    header->edges = sizes[0];
    header->sources = sizes[1];
    header->targets = header->bipartite ? sizes[2] : sizes[1];
}

/* # Nodes: 6474 Edges: 26467 */
static void take_snap_sizes(spmv__edges_header *header, const header_word *words, int n)
{
    for (int i = 0; i + 1 < n; i += 2) {
        int64_t count;
        if (!is_count(&words[i + 1], &count)) return;
        if (is(&words[i], "Nodes:")) header->sources = header->targets = count;
        if (is(&words[i], "Edges:")) header->edges = count;
    }
}

/* # Ids: 1 to 42 */
static void take_ids(spmv__edges_header *header, const header_word *words, int n)
{
    int64_t first, last;
    if (n != 4 || !is(&words[0], "Ids:") || !is(&words[2], "to")) return;
    if (!is_count(&words[1], &first) || !is_count(&words[3], &last) || first > last) return;
    if (first > 1) return;
    header->first = first;
    header->last = last;
}

static void take_comment(void *user, const unsigned char *p, const unsigned char *end)
{
    spmv__edges_header *header = user;
    header_word words[COMMENT_WORDS];
    int n = split(p, end, words);
    if (n == 0) return;
    if (*p == '#') {
        take_snap_sizes(header, words, n);
        take_ids(header, words, n);
    } else if (header->konect) {
        take_konect_sizes(header, words, n);
    } else {
        take_konect_kind(header, &words[0]);
    }
}

/* Behind the first edge only sizes count, which a writer knows at the end. */
static void take_late_comment(void *user, const unsigned char *p, const unsigned char *end)
{
    if (*p == '#') take_comment(user, p, end);
}

/* Count the numbers of the line at text->p. */
static int count_words(const spmv__text *text)
{
    spmv__text line = *text;
    int n = 0;
    while (!spmv__text_line_is_over(&line)) {
        const unsigned char *end = spmv__text_word_end(&line, line.p);
        n += end > line.p;
        line.p = end + (end < line.end && *end == line.separator);
        spmv__text_skip_blanks(&line);
    }
    return n;
}

/* A first line without a single digit at the start of a word names the columns. */
static bool is_header_row(const spmv__text *text)
{
    spmv__text line = *text;
    while (!spmv__text_line_is_over(&line)) {
        const unsigned char *end = spmv__text_word_end(&line, line.p);
        if (end > line.p && memchr("+-.0123456789", *line.p, 13) != NULL) return false;
        line.p = end + (end < line.end && *end == line.separator);
        spmv__text_skip_blanks(&line);
    }
    return true;
}

static bool check_first_line(spmv__text *text, spmv__edges_header *header)
{
    int most = header->konect ? MAX_COLUMNS : MAX_COLUMNS - 1;
    char quote[SPMV__TEXT_QUOTE];
    if (is_header_row(text))
        return spmv__text_fault(text, text->p,
                                "'%s' is no node: ids are integers; a row of headings must be "
                                "taken out",
                                spmv__text_quote_word(quote, text));
    header->columns = count_words(text);
    if (header->columns >= MIN_COLUMNS && header->columns <= most) return true;
    return spmv__text_fault(text, text->p,
                            "a line of an edge list holds two nodes and perhaps a weight; this "
                            "one holds %d number%s",
                            header->columns, header->columns == 1 ? "" : "s");
}

bool spmv__edges_open(spmv__edges_reader *reader, const spmv__source *src,
                      const spmv_read_options *options)
{
    spmv__edges_header *header = &reader->header;
    spmv__text *text = &reader->text;
    *reader = (spmv__edges_reader){.src = src, .options = options};
    *header = (spmv__edges_header){
        .columns = MIN_COLUMNS, .edges = -1, .sources = -1, .targets = -1, .first = -1, .last = -1};
    *text = (spmv__text){.p = src->data,
                         .end = src->data + src->size,
                         .comments = "#%",
                         .separator = ',',
                         .comment = take_comment,
                         .user = header};
    spmv__text_skip_byte_order_mark(text);
    bool any = spmv__text_next_content(text, false);
    text->comment = take_late_comment;
    reader->body = text->p;
    header->base = options->index_base == SPMV_BASE_DEFAULT ? header->konect
                                                            : options->index_base == SPMV_BASE_1;
    return !any || check_first_line(text, header);
}
