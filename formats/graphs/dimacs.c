/* dimacs.c -- graphs of the DIMACS challenges become COO.
 *
 * Lines begin with a letter: c a comment, p the problem with its numbers of nodes and edges, then
 * one for each edge, with nodes from 1.  Shortest paths (.gr): `p sp n m`, `a from to length`.
 * Colouring (.col): `p edge n m` or `p col n m`, `e one other`, undirected.
 * Specification: "9th DIMACS Implementation Challenge: Shortest Paths", file formats. */
#include "core/matrix/value.h"
#include "formats/common/file_format.h"
#include "formats/text/plain_number.h"
#include "formats/text/text.h"

#include <string.h>

static const struct problem {
    const char *name;
    char line;     /* that its edges begin with */
    bool directed; /* and weighted */
} problems[] = {{"sp", 'a', true}, {"edge", 'e', false}, {"col", 'e', false}};

typedef struct dimacs {
    spmv__text text;
    const struct problem *problem;
    const unsigned char *header, *body;
    int64_t nodes, edges;
} dimacs;

typedef struct edge {
    int64_t from, to; /* from 0 */
    double length;
    const unsigned char *place;
} edge;

/* Returns whether the word at text->p is this letter alone. */
static bool at_letter(const spmv__text *text, char letter)
{
    const unsigned char *p = text->p;
    return p < text->end && *p == letter && spmv__text_word_end(text, p) == p + 1;
}

/* Go to the next line that is no comment; false at the end. */
static bool next_line(spmv__text *text)
{
    while (spmv__text_next_content(text, false)) {
        if (!at_letter(text, 'c')) return true;
        text->p = spmv__text_line_end(text, text->p);
    }
    return false;
}

static bool finish_line(spmv__text *text)
{
    char quote[SPMV__TEXT_QUOTE];
    if (spmv__text_finish_line(text)) return true;
    return spmv__text_fault(text, text->p, "'%s' after a complete line",
                            spmv__text_quote_word(quote, text));
}

/* An integer in low .. high. */
static bool read_integer(spmv__text *text, const char *what, int64_t low, int64_t high,
                         int64_t *out)
{
    char quote[SPMV__TEXT_QUOTE];
    spmv__text_skip_blanks(text);
    const unsigned char *place = text->p;
    if (!spmv__text_read_integer(text, what, out)) return false;
    if (*out >= low && *out <= high) return true;
    return spmv__text_fault(text, place, "the %s %s is outside %lld..%lld", what,
                            spmv__text_quote(quote, place, text->p), (long long)low,
                            (long long)high);
}

/* ---- The problem ---------------------------------------------------------------------------- */

static const struct problem *find_problem(const unsigned char *p, const unsigned char *end)
{
    for (size_t i = 0; i < sizeof problems / sizeof problems[0]; i++)
        if ((size_t)(end - p) == strlen(problems[i].name) &&
            memcmp(p, problems[i].name, (size_t)(end - p)) == 0)
            return &problems[i];
    return NULL;
}

/* Read up to the kind of problem; without a known one, its name is at text->p. */
static bool open_problem(dimacs *g, const unsigned char *data, int64_t size)
{
    spmv__text *text = &g->text;
    *g = (dimacs){.text = {.p = data, .end = data + size, .comments = ""}};
    spmv__text_skip_byte_order_mark(text);
    if (!next_line(text) || !at_letter(text, 'p'))
        return spmv__text_fault(text, text->p,
                                "the line `p sp NODES ARCS` is expected before any other");
    g->header = text->p++;
    spmv__text_skip_blanks(text);
    const unsigned char *end = spmv__text_word_end(text, text->p);
    g->problem = find_problem(text->p, end);
    if (g->problem != NULL) text->p = end;
    return true;
}

static bool read_header(dimacs *g, const spmv__source *src)
{
    spmv__text *text = &g->text;
    char quote[SPMV__TEXT_QUOTE];
    if (!open_problem(g, src->data, src->size)) return false;
    if (g->problem == NULL) {
        spmv__text_fault(text, text->p,
                         "problems of the kind '%s' are not supported, only sp, "
                         "edge and col",
                         spmv__text_quote_word(quote, text));
        text->status = SPMV_ERROR_UNSUPPORTED;
        return false;
    }
    if (!read_integer(text, "number of nodes", 0, INT64_MAX - 1, &g->nodes) ||
        !read_integer(text, "number of edges", 0, INT64_MAX - 1, &g->edges) || !finish_line(text))
        return false;
    g->body = text->p;
    return true;
}

/* ---- The edges ------------------------------------------------------------------------------ */

/* `a 17 4 250` and nothing else; its end, or NULL. */
static const unsigned char *plain_edge(const unsigned char *p, const unsigned char *end,
                                       const dimacs *g, edge *out)
{
    const unsigned char *safe = end - SPMV__PLAIN;
    uint64_t from, to;
    if (*p != g->problem->line || p[1] != ' ') return NULL;
    if ((p = spmv__plain_index(p + 2, &from)) == NULL || p >= safe || *p != ' ') return NULL;
    if ((p = spmv__plain_index(p + 1, &to)) == NULL || p >= safe) return NULL;
    if (from - 1 >= (uint64_t)g->nodes || to - 1 >= (uint64_t)g->nodes) return NULL;
    out->from = (int64_t)from - 1;
    out->to = (int64_t)to - 1;
    if (g->problem->directed) {
        if (*p != ' ' || (p = spmv__plain_weight(p + 1, end, &out->length)) == NULL) return NULL;
    }
    return spmv__plain_line_end(p, end);
}

static bool careful_edge(dimacs *g, edge *out)
{
    spmv__text *text = &g->text;
    char quote[SPMV__TEXT_QUOTE];
    if (at_letter(text, 'p'))
        return spmv__text_fault(text, text->p, "a second problem; a file holds one");
    if (!at_letter(text, g->problem->line))
        return spmv__text_fault(text, text->p, "'%s' where a line c or %c is expected",
                                spmv__text_quote_word(quote, text), g->problem->line);
    text->p++;
    if (!read_integer(text, "node", 1, g->nodes, &out->from)) return false;
    if (!read_integer(text, "node", 1, g->nodes, &out->to)) return false;
    out->from--;
    out->to--;
    spmv__text_skip_blanks(text);
    if (g->problem->directed && !spmv__text_read_weight(text, "a length", &out->length))
        return false;
    return finish_line(text);
}

/* The next edge; false at the end, or with a fault.  An undirected one is below the diagonal. */
static bool next_edge(dimacs *g, edge *out)
{
    spmv__text *text = &g->text;
    const unsigned char *next = NULL;
    out->place = text->p;
    out->length = 1;
    if (text->end - text->p > SPMV__PLAIN) next = plain_edge(text->p, text->end, g, out);
    if (next != NULL) {
        text->p = next;
    } else {
        if (!next_line(text)) return false;
        out->place = text->p;
        if (!careful_edge(g, out)) return false;
    }
    if (!g->problem->directed && out->from < out->to) {
        int64_t swap = out->from;
        out->from = out->to;
        out->to = swap;
    }
    return true;
}

static const unsigned char *find_edge(const void *file, int64_t row, int64_t col, int nth)
{
    dimacs again = *(const dimacs *)file;
    edge e;
    again.text.p = again.body;
    while (next_edge(&again, &e))
        if (e.from == row && e.to == col && --nth == 0) return e.place;
    return again.header;
}

static bool read_edges(dimacs *g, spmv_coo *A, int64_t *loops)
{
    int64_t n = 0;
    edge e;
    while (next_edge(g, &e)) {
        if (n >= g->edges)
            return spmv__text_fault(&g->text, e.place,
                                    "the file goes on after the last of %lld edges",
                                    (long long)g->edges);
        A->row_idx[n] = e.from;
        A->col_idx[n] = e.to;
        spmv__set_value(A->type, A->val, n++, e.length);
        *loops += e.from == e.to;
    }
    A->nnz = n;
    if (g->text.status != SPMV_SUCCESS) return false;
    if (n == g->edges) return true;
    return spmv__text_fault(&g->text, g->text.end, "the file ends after %lld of %lld edges",
                            (long long)n, (long long)g->edges);
}

/* ---- The file ------------------------------------------------------------------------------- */

/* The file decides how much memory its header may ask for: an edge has six bytes at least. */
static spmv_status load(dimacs *g, const spmv__source *src, spmv_coo *A, spmv_file_info *info,
                        spmv_error *err)
{
    spmv_type type = g->problem->directed ? SPMV_F64 : SPMV_PATTERN;
    int64_t room = (g->text.end - g->text.p + 1) / 6 + 1;
    if (room > g->edges) room = g->edges;
    spmv_status st = spmv_coo_create(A, type, g->nodes, g->nodes, room, err);
    if (st != SPMV_SUCCESS) return st;
    bool read = read_edges(g, A, &info->loops);
    info->entries = A->nnz;
    info->has_values = type != SPMV_PATTERN;
    return read ? SPMV_SUCCESS : spmv__text_report_fault(src, &g->text, err);
}

static spmv_status read_graph(spmv_matrix *out, spmv__source *src, const spmv_read_options *options,
                              spmv_file_info *info, spmv_error *err)
{
    spmv_status st;
    dimacs g;
    spmv_matrix A = {.format = SPMV_COO};
    const spmv__origin origin = {
        .src = src, .options = options, .text = &g.text, .base = 1, .find = find_edge, .file = &g};

    if (!read_header(&g, src)) return spmv__text_report_fault(src, &g.text, err);
    SPMV__TRY(load(&g, src, &A.coo, info, err));
    SPMV__TRY(spmv__text_sort(&A.coo, &origin, &info->duplicates, err));
    SPMV__TRY(spmv__text_report_oddities(src, &g.text, options, err));
    info->symmetry = A.head.symmetry = g.problem->directed ? SPMV_GENERAL : SPMV_SYMMETRIC;
    SPMV__TRY(spmv__finish_read(&A, options, err));
    *out = A;
    A = (spmv_matrix){.format = SPMV_COO};
done:
    spmv_destroy(&A);
    return st;
}

/* Over the name of a problem that is known, though not read. */
static bool pass_other_problem(spmv__text *text)
{
    static const char *const others[] = {"max", "min", "asn", "cnf", "tw"};
    const unsigned char *end = spmv__text_word_end(text, text->p);
    const size_t length = (size_t)(end - text->p);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (length == strlen(others[i]) && memcmp(text->p, others[i], length) == 0) {
            text->p = end;
            return true;
        }
    return false;
}

/* Nothing but comments before a problem with its two numbers: nodes may be called p, too. */
static bool recognise(const unsigned char *data, int64_t size)
{
    dimacs g;
    int64_t count;
    if (!open_problem(&g, data, size)) return false;
    if (g.problem == NULL && !pass_other_problem(&g.text)) return false;
    for (int i = 0; i < 2; i++) {
        spmv__text_skip_blanks(&g.text);
        if (!spmv__text_read_integer(&g.text, "number", &count)) return false;
    }
    return spmv__text_line_is_over(&g.text);
}

const spmv__file_format spmv__dimacs_file = {
    .info = {.name = "dimacs",
             .suffixes = ".gr .col",
             .summary = "DIMACS graph: shortest paths or colouring",
             .reads = true,
             .text = true},
    .recognise = recognise,
    .read = read_graph,
};
