/* edge_comments.c -- where the comments of an edge list are, and what they tell of its edges. */
#include "core/base/ascii.h"
#include "formats/graphs/edge_list.h"

#include <string.h>

enum { COMMENT_WORDS = 8 };

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
    return (size_t)w->length == strlen(text) && spmv__alike(w->p, text, strlen(text));
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

/* # Ids: 1 to 42, and 1 to 0 where there are no nodes. */
static void take_ids(spmv__edges_header *header, const header_word *words, int n)
{
    int64_t first, last;
    if (n != 4 || !is(&words[0], "Ids:") || !is(&words[2], "to")) return;
    if (!is_count(&words[1], &first) || !is_count(&words[3], &last)) return;
    if (first > last && (first != 1 || last != 0)) return;
    if (first > 1) return;
    header->first = first;
    header->last = last;
}

/* # Names: words */
static void take_names(spmv__edges_header *header, const header_word *words, int n)
{
    if (n == 2 && is(&words[0], "Names:") && is(&words[1], "words"))
        header->words = header->words_declared = true;
}

void spmv__edges_take_comment(void *user, const unsigned char *p, const unsigned char *end)
{
    spmv__edges_header *header = user;
    header_word words[COMMENT_WORDS];
    int n = split(p, end, words);
    if (n == 0) return;
    if (*p == '#') {
        take_snap_sizes(header, words, n);
        take_ids(header, words, n);
        take_names(header, words, n);
    } else if (header->konect) {
        take_konect_sizes(header, words, n);
    } else {
        take_konect_kind(header, &words[0]);
    }
}

bool spmv__edges_are_konect(const unsigned char *data, int64_t size)
{
    spmv__edges_header header = {0};
    spmv__text text = {.p = data, .end = data + size};
    spmv__text_skip_byte_order_mark(&text);
    if (text.p < text.end && *text.p == '%')
        spmv__edges_take_comment(&header, text.p, spmv__text_line_end(&text, text.p));
    return header.konect;
}

/* Behind the first edge only sizes count, which a writer knows at the end. */
void spmv__edges_take_late_comment(void *user, const unsigned char *p, const unsigned char *end)
{
    spmv__edges_header *header = user;
    header_word words[COMMENT_WORDS];
    if (*p != '#') return;
    const int n = split(p, end, words);
    take_snap_sizes(header, words, n);
    take_ids(header, words, n);
}

/* ---- Around comments ------------------------------------------------------------------------- */

bool spmv__edges_next(spmv__text *text)
{
    while (spmv__text_next_content(text, false)) {
        if (text->end - text->p < 2 || memcmp(text->p, "//", 2) != 0) return true;
        text->p = spmv__text_line_end(text, text->p);
    }
    return false;
}

void spmv__edges_note_rows(spmv__edges_reader *reader, const unsigned char *from)
{
    const spmv__edges_header *header = &reader->header;
    spmv__text line = reader->text;
    bool dictionary;
    if (header->headings == 0 || !header->words || header->delimiter == ' ') return;
    line.end = line.p;
    for (line.p = from; line.p < line.end; line.p++) {
        const bool comment = strchr("#%/", *line.p) != NULL && *line.p != '\0';
        if (comment && spmv__fields_count(&line, header->delimiter, reader->src->data,
                                          &dictionary) == header->fields)
            spmv__text_note(&reader->text, SPMV__ODD_EDGE_COMMENT, line.p);
        line.p = spmv__text_line_end(&line, line.p);
    }
}

spmv__field spmv__edges_name(const spmv__text *text)
{
    const unsigned char *end = spmv__text_word_end(text, text->p);
    while (end > text->p && end < text->end && (*end == '#' || *end == '%'))
        end = spmv__text_word_end(text, end + 1);
    return (spmv__field){.p = text->p, .end = end};
}
