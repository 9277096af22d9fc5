/* metis.c -- METIS graphs become COO.
 *
 * The header `n m [fmt [ncon]]` is followed by a line for each of the n vertices with its
 * neighbours, from 1, each before the weight of its edge if the last digit of fmt is 1; what fmt
 * and ncon put at the beginning of a line, a size and weights of the vertex, is skipped.  A blank
 * line is a vertex without neighbours.  Both ends of an edge list it; m counts it once.
 * Specification: G. Karypis, "METIS: A Software Package for Partitioning Unstructured Graphs",
 * version 5.1, section 4.1.1. */
#include "core/matrix/value.h"
#include "core/matrix/format.h"
#include "formats/common/file_format.h"
#include "formats/graphs/edge_list.h"
#include "formats/text/plain_number.h"
#include "formats/text/text.h"

#include <stdlib.h>

typedef struct metis {
    spmv__text text;
    const unsigned char *header, *body;
    int64_t vertices, edges;
    int64_t skip;   /* numbers before the neighbours */
    bool weighted;  /* each neighbour has a weight after it */
    int64_t vertex; /* whose line is read, from 0 */
    bool within;    /* its line has begun */
} metis;

typedef struct neighbour {
    int64_t vertex, other; /* from 0 */
    double weight;
    const unsigned char *place;
} neighbour;

/* ---- The header ----------------------------------------------------------------------------- */

/* Three digits, leading zeros left out: sizes, weights of vertices, weights of edges. */
static bool apply_format(metis *g, int64_t fmt, int64_t constraints)
{
    bool sizes = fmt / 100 == 1, weights = fmt / 10 % 10 == 1;
    if (fmt > 111 || fmt / 10 % 10 > 1 || fmt % 10 > 1)
        return spmv__text_fault(&g->text, g->header,
                                "the format %lld in the header is not made of up to three digits "
                                "0 and 1",
                                (long long)fmt);
    g->weighted = fmt % 10 == 1;
    g->skip = sizes + (!weights ? 0 : constraints > 0 ? constraints : 1);
    return true;
}

static bool open_graph(metis *g, const spmv__source *src)
{
    spmv__text *text = &g->text;
    int64_t fmt, constraints;
    *g = (metis){.text = {.p = src->data, .end = src->data + src->size, .comments = "%"}};
    spmv__text_skip_byte_order_mark(text);
    if (!spmv__text_next_content(text, false))
        return spmv__text_fault(text, text->end, "the file ends before its header");
    g->header = text->p;
    if (!spmv__text_read_count(text, "number of vertices", &g->vertices)) return false;
    spmv__text_skip_blanks(text);
    if (spmv__text_line_is_over(text))
        return spmv__text_fault(text, text->p,
                                "the header ends where the number of edges is expected");
    if (!spmv__text_read_count(text, "number of edges", &g->edges) ||
        !spmv__text_read_last_count(text, "format", &fmt) ||
        !spmv__text_read_last_count(text, "number of weights", &constraints))
        return false;
    if (!spmv__text_finish_line(text))
        return spmv__text_fault(text, text->p, "the header holds at most four numbers");
    g->body = text->p;
    return apply_format(g, fmt, constraints);
}

/* ---- The vertices --------------------------------------------------------------------------- */

static void skip_comments(spmv__text *text)
{
    while (text->p < text->end && *text->p == '%') {
        text->p = spmv__text_line_end(text, text->p);
        spmv__text_finish_line(text);
    }
}

/* Begin the line of the next vertex. */
static bool begin_line(metis *g)
{
    spmv__text *text = &g->text;
    double ignored;
    skip_comments(text);
    if (text->p == text->end)
        return spmv__text_fault(text, text->p, "the file ends after %lld of %lld vertices",
                                (long long)g->vertex, (long long)g->vertices);
    for (int64_t i = 0; i < g->skip; i++) {
        spmv__text_skip_blanks(text);
        if (!spmv__text_read_real(text, "a size or weight of the vertex", &ignored)) return false;
    }
    g->within = true;
    return true;
}

static bool read_other(metis *g, int64_t *out)
{
    spmv__text *text = &g->text;
    const unsigned char *place = text->p, *plain = NULL;
    char quote[SPMV__TEXT_QUOTE];
    uint64_t id;
    if (text->end - place > SPMV__PLAIN) plain = spmv__plain_index(place, &id);
    if (plain != NULL && (*plain == ' ' || *plain == '\n')) {
        text->p = plain;
        *out = (int64_t)id;
    } else if (!spmv__text_read_integer(text, "neighbour", out)) {
        return false;
    }
    if (*out >= 1 && *out <= g->vertices) {
        --*out;
        return true;
    }
    return spmv__text_fault(text, place, "the neighbour %s is outside 1..%lld",
                            spmv__text_quote(quote, place, text->p), (long long)g->vertices);
}

/* The next neighbour of any vertex; false at the end of the last vertex, or with a fault. */
static bool next_neighbour(metis *g, neighbour *out)
{
    spmv__text *text = &g->text;
    while (g->within || g->vertex < g->vertices) {
        if (!g->within && !begin_line(g)) return false;
        spmv__text_skip_blanks(text);
        if (spmv__text_line_is_over(text)) {
            spmv__text_finish_line(text);
            g->within = false;
            g->vertex++;
            continue;
        }
        *out = (neighbour){.vertex = g->vertex, .weight = 1, .place = text->p};
        if (!read_other(g, &out->other)) return false;
        if (!g->weighted) return true;
        spmv__text_skip_blanks(text);
        return spmv__text_read_weight(text, "the weight of an edge", &out->weight);
    }
    return false;
}

static void rewind_graph(metis *g)
{
    g->text.p = g->body;
    g->vertex = 0;
    g->within = false;
}

/* The place of the nth listing of a neighbour. */
static const unsigned char *find_neighbour(const void *file, int64_t row, int64_t col, int nth)
{
    metis again = *(const metis *)file;
    neighbour e;
    rewind_graph(&again);
    while (next_neighbour(&again, &e))
        if (e.vertex == row && e.other == col && --nth == 0) return e.place;
    return again.header;
}

/* ---- The graph ------------------------------------------------------------------------------ */

/* Each edge is listed by both of its ends, a loop once. */
static bool check_count(metis *g, int64_t listed, int64_t loops)
{
    if (listed + loops == 2 * g->edges) return true;
    return spmv__text_fault(&g->text, g->header,
                            "the header declares %lld edges, but %lld neighbours are listed",
                            (long long)g->edges, (long long)listed);
}

/* All neighbours, stored in *A unless it is NULL. */
static bool read_neighbours(metis *g, spmv_coo *A, int64_t *loops)
{
    int64_t n = 0;
    neighbour e;
    *loops = 0;
    while (next_neighbour(g, &e)) {
        if (n >= 2 * g->edges)
            return spmv__text_fault(&g->text, e.place,
                                    "%lld edges have %lld neighbours, and here is one more",
                                    (long long)g->edges, (long long)(2 * g->edges));
        if (A != NULL) {
            A->row_idx[n] = e.vertex;
            A->col_idx[n] = e.other;
            spmv__set_value(A->type, A->val, n, e.weight);
        }
        *loops += e.vertex == e.other;
        n++;
    }
    if (A != NULL) A->nnz = n;
    if (g->text.status != SPMV_SUCCESS) return false;
    if (!spmv__text_next_content(&g->text, false)) return check_count(g, n, *loops);
    return spmv__text_fault(&g->text, g->text.p, "a line after that of the last of %lld vertices",
                            (long long)g->vertices);
}

/* Vertices list each other, with the same weight.  As rows are gone through, the entries of each
 * column come up in the order of that row; next[v] is the one that must come next for v. */
static spmv_status check_symmetry(metis *g, const spmv_coo *A, const spmv__source *src,
                                  spmv_error *err)
{
    int64_t *next = NULL;
    spmv_status st = spmv__alloc(&next, A->rows + 1, sizeof *next, "a check of symmetry", err);
    if (st != SPMV_SUCCESS) return st;
    for (int64_t p = 0; p < A->nnz; p++) next[A->row_idx[p] + 1]++;
    spmv__counts_to_offsets(next, A->rows);

    for (int64_t p = 0; p < A->nnz; p++) {
        int64_t v = A->row_idx[p], u = A->col_idx[p], q = next[u]++;
        bool there = q < A->nnz && A->row_idx[q] == u;
        if (there && A->col_idx[q] == v &&
            spmv__value(A->type, A->val, p) == spmv__value(A->type, A->val, q))
            continue;
        bool differ = there && A->col_idx[q] == v;
        if (there && A->col_idx[q] < v) { /* its partner should have come up before */
            v = u;
            u = A->col_idx[q];
        }
        spmv__text_fault(&g->text, find_neighbour(g, v, u, 1),
                         differ ? "vertices %lld and %lld list their edge with different weights"
                                : "vertex %lld lists %lld, which does not list it",
                         (long long)v + 1, (long long)u + 1);
        st = spmv__text_report_fault(src, &g->text, err);
        break;
    }
    free(next);
    return st;
}

/* Only the lower triangle stays. */
static void keep_triangle(spmv_coo *A)
{
    int64_t q = 0;
    for (int64_t p = 0; p < A->nnz; p++) {
        if (A->row_idx[p] < A->col_idx[p]) continue;
        A->row_idx[q] = A->row_idx[p];
        A->col_idx[q] = A->col_idx[p];
        spmv__copy_value(A->type, A->val, q++, A->val, p);
    }
    A->nnz = q;
    A->symmetry = SPMV_SYMMETRIC;
}

/* The file decides how much memory its header may ask for. */
static spmv_status load(metis *g, const spmv__source *src, spmv_coo *A, spmv_file_info *info,
                        spmv_error *err)
{
    spmv_type type = g->weighted ? SPMV_F64 : SPMV_PATTERN;
    int64_t room = (g->text.end - g->text.p) / 2 + 1;
    if (room > 2 * g->edges) room = 2 * g->edges;
    spmv_status st = spmv_coo_create(A, type, g->vertices, g->vertices, room, err);
    if (st != SPMV_SUCCESS) return st;
    bool read = read_neighbours(g, A, &info->loops);
    info->entries = A->nnz;
    info->has_values = type != SPMV_PATTERN;
    return read ? SPMV_SUCCESS : spmv__text_report_fault(src, &g->text, err);
}

static spmv_status read_graph(spmv_matrix *out, spmv__source *src, const spmv_read_options *options,
                              spmv_file_info *info, spmv_error *err)
{
    spmv_status st;
    metis g;
    spmv_matrix A = {.format = SPMV_COO};
    const spmv__origin origin = {.src = src,
                                 .options = options,
                                 .text = &g.text,
                                 .base = 1,
                                 .find = find_neighbour,
                                 .file = &g};

    if (!open_graph(&g, src)) return spmv__text_report_fault(src, &g.text, err);
    SPMV__TRY(load(&g, src, &A.coo, info, err));
    SPMV__TRY(spmv__text_sort(&A.coo, &origin, &info->duplicates, err));
    SPMV__TRY(spmv__text_report_oddities(src, &g.text, options, err));
    SPMV__TRY(check_symmetry(&g, &A.coo, src, err));
    info->symmetry = SPMV_SYMMETRIC;
    if (options->keep_symmetry) keep_triangle(&A.coo);
    SPMV__TRY(spmv__finish_read(&A, options, err));
    *out = A;
    A = (spmv_matrix){.format = SPMV_COO};
done:
    spmv_destroy(&A);
    return st;
}

/* A whole file that is a graph to the last number; an edge list stops being one after a few, but
 * for that of a loop at 0, and for small ones that say in a comment what they are.  Who names
 * columns, or what separates them, means edges. */
static bool resembles(const unsigned char *data, int64_t size, const spmv_read_options *options)
{
    const spmv__source src = {.data = data, .size = size};
    metis g;
    int64_t loops;
    const bool edges = options->columns != NULL || options->delimiter != '\0';
    if (edges || spmv__edges_are_konect(data, size)) return false;
    return open_graph(&g, &src) && g.vertices > 0 && read_neighbours(&g, NULL, &loops);
}

const spmv__file_format spmv__metis_file = {
    .info = {.name = "metis",
             .suffixes = ".graph .metis",
             .summary = "METIS graph: the neighbours of a vertex a line",
             .reads = true,
             .text = true},
    .resembles = resembles,
    .read = read_graph,
};
