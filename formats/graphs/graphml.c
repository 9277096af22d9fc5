/* graphml.c -- GraphML becomes COO: entry (i, j) is the edge from i to j.
 *
 * Nodes are called by their ids, integers where all of them are, and words otherwise.  The weight
 * of an edge is its data under a key whose attribute is called "weight", of which there may be one
 * for each type of numbers; other data, ports and what is nested are passed over.  Expat takes the
 * XML apart; a document type, which could declare entities, is refused.
 *
 * Specification: "GraphML Primer" and the schema 1.0 of graphdrawing.org. */
#define _GNU_SOURCE /* memmem */
#include "core/base/ascii.h"
#include "core/matrix/format.h"
#include "formats/common/file_format.h"
#include "formats/common/name.h"
#include "formats/graphs/expat_api.h"
#include "formats/graphs/graphml.h"
#include "formats/names/node_names.h"
#include "formats/text/text.h"

#include <stdlib.h>
#include <string.h>

enum { KEY_SIZE = 64, KEYS = 8 };

/* An edge that is looked for by its numbers, in nodes that have been called by `labels`. */
typedef struct wanted_edge {
    const spmv_labels *labels;
    int64_t row, col;
    int nth;
    bool undirected;
    const unsigned char *place; /* NULL: not found yet */
} wanted_edge;

typedef struct graphml {
    const spmv__source *src;
    const spmv_read_options *options;
    XML_Parser parser;
    spmv__text text;
    spmv_status status; /* of memory */
    spmv_error *err;
    wanted_edge *wanted; /* NULL: all edges are taken */
    spmv__node_names *names;
    spmv_coo *A;                /* room for all edges, numbers of nodes as they come */
    int64_t room;               /* edges */
    bool begun;                 /* the root element has been seen */
    bool in_graph, directed;    /* unless an edge says otherwise */
    bool any[2];                /* undirected edges, directed ones */
    char key[KEYS][KEY_SIZE];   /* of weights */
    int keys;                   /* how many there are */
    double usual;               /* weight of an edge without one */
    bool is_usual;              /* a key says so */
    bool has_data;              /* edges have data that are no weights, as far as keys are known */
    bool in_key, in_edge;       /* of weights */
    bool weighted;              /* the edge has a weight already */
    bool in_weight;             /* of an edge, or the usual one; */
    const unsigned char *begin; /* its text; NULL: none yet */
    int64_t length;
} graphml;

/* ---- Where things are ------------------------------------------------------------------------ */

static const unsigned char *place_of(const graphml *g)
{
    const int64_t at = expat.XML_GetCurrentByteIndex(g->parser);
    return g->src->data + (at < 0 ? 0 : at > g->src->size ? g->src->size : at);
}

static void stop(graphml *g)
{
    expat.XML_StopParser(g->parser, XML_FALSE);
}

#define FAULT(g, ...) (spmv__text_fault(&(g)->text, place_of(g), __VA_ARGS__), stop(g))

static bool is_over(const graphml *g)
{
    return g->text.status != SPMV_SUCCESS || g->status != SPMV_SUCCESS ||
           (g->wanted != NULL && g->wanted->place != NULL);
}

/* The part of a name after its namespace. */
static const char *local(const char *name)
{
    const char *colon = strrchr(name, ':');
    return colon != NULL ? colon + 1 : name;
}

/* The value of an attribute; NULL: there is none. */
static const char *attribute(const char **attributes, const char *name)
{
    for (; attributes[0] != NULL; attributes += 2)
        if (strcmp(attributes[0], name) == 0) return attributes[1];
    return NULL;
}

/* ---- Nodes and edges ------------------------------------------------------------------------- */

static void number_node(graphml *g, const char *name, int64_t *number)
{
    const size_t length = strlen(name);
    const char *fault =
        spmv__name_fault((const unsigned char *)name, (const unsigned char *)name + length);
    *number = 0;
    if (is_over(g) || g->wanted != NULL) return;
    if (length == 0) {
        FAULT(g, "the id of a node is empty");
    } else if (fault != NULL) {
        FAULT(g, "the id of a node %s", fault);
    } else {
        g->status = spmv__node_names_number(g->names, name, length, number, g->err);
        if (g->status != SPMV_SUCCESS) stop(g);
    }
}

static void compare_edge(graphml *g, const char *source, const char *target)
{
    wanted_edge *w = g->wanted;
    const int64_t row = spmv_label_find(w->labels, source, strlen(source));
    const int64_t col = spmv_label_find(w->labels, target, strlen(target));
    const bool turned = w->undirected && row == w->col && col == w->row;
    if (((row == w->row && col == w->col) || turned) && --w->nth == 0) {
        w->place = place_of(g);
        stop(g);
    }
}

static bool is_true(const char *word)
{
    return strcmp(word, "true") == 0 || strcmp(word, "1") == 0;
}

static void begin_edge(graphml *g, const char **attributes)
{
    const char *source = attribute(attributes, "source");
    const char *target = attribute(attributes, "target");
    const char *own = attribute(attributes, "directed");
    const bool directed = own != NULL ? is_true(own) : g->directed;
    if (own != NULL && !directed && strcmp(own, "false") != 0 && strcmp(own, "0") != 0) {
        FAULT(g, "an edge that is directed says true or false");
    } else if (source == NULL || target == NULL) {
        FAULT(g, "an edge has no %s", source == NULL ? "source" : "target");
    } else if (g->wanted != NULL) {
        compare_edge(g, source, target);
    } else if (g->any[!directed]) {
        FAULT(g, "%s edge in a graph with %s ones", directed ? "a directed" : "an undirected",
              directed ? "undirected" : "directed");
    } else if (g->A->nnz == g->room) {
        FAULT(g, "this encoding is not supported: it must be UTF-8");
    } else {
        const int64_t p = g->A->nnz++;
        g->any[directed] = g->in_edge = true;
        g->weighted = false;
        ((double *)g->A->val)[p] = g->usual;
        number_node(g, source, &g->A->row_idx[p]);
        number_node(g, target, &g->A->col_idx[p]);
    }
}

/* ---- Weights --------------------------------------------------------------------------------- */

static void begin_key(graphml *g, const char **attributes)
{
    const char *id = attribute(attributes, "id"), *of = attribute(attributes, "for");
    const char *name = attribute(attributes, "attr.name");
    if (id == NULL || name == NULL || strcmp(name, "weight") != 0) return;
    if (of != NULL && strcmp(of, "edge") != 0 && strcmp(of, "all") != 0) return;
    if (g->has_data)
        FAULT(g, "the key of the weights is behind data of edges");
    else if (strlen(id) >= KEY_SIZE)
        FAULT(g, "the key of the weights has more than %d bytes", KEY_SIZE - 1);
    else if (g->keys == KEYS)
        FAULT(g, "weights have more than %d keys", KEYS);
    else
        memcpy(g->key[g->keys++], id, strlen(id) + 1);
    g->in_key = true;
}

static bool is_weight(const graphml *g, const char *key)
{
    for (int i = 0; i < g->keys; i++)
        if (strcmp(key, g->key[i]) == 0) return true;
    return false;
}

static void begin_number(graphml *g)
{
    g->in_weight = true;
    g->begin = NULL;
    g->length = 0;
}

/* Text of a weight, in pieces; other text is of no interest. */
static void XMLCALL take_text(void *user, const char *s, int length)
{
    graphml *g = user;
    if (!g->in_weight || is_over(g)) return;
    const unsigned char *place = place_of(g);
    if (g->begin == NULL) g->begin = place;
    const bool plain = place == g->begin + g->length &&
                       length <= g->src->data + g->src->size - place &&
                       memcmp(place, s, (size_t)length) == 0;
    g->length += length;
    if (!plain) FAULT(g, "a weight is not written in plain digits");
}

static void end_number(graphml *g)
{
    const unsigned char *p = g->begin, *end = p != NULL ? p + g->length : NULL;
    double value;
    char quote[SPMV__TEXT_QUOTE];
    g->in_weight = false;
    while (p < end && strchr(" \t\r\n", *p) != NULL) p++;
    while (end > p && strchr(" \t\r\n", end[-1]) != NULL) end--;
    if (p == end) {
        FAULT(g, "a weight is empty");
    } else if (!spmv__text_parse_weight(&g->text, p, end, &value)) {
        spmv__text_fault(&g->text, p, "the weight '%s' is not a number",
                         spmv__text_quote(quote, p, end));
        stop(g);
    } else if (g->in_edge ? g->weighted : g->is_usual && g->usual != value) {
        spmv__text_fault(&g->text, p, "%s has two weights",
                         g->in_edge ? "the edge" : "an edge without one");
        stop(g);
    } else if (g->in_edge) {
        ((double *)g->A->val)[g->A->nnz - 1] = value;
        g->weighted = true;
    } else {
        g->usual = value;
        g->is_usual = true;
    }
}

/* ---- Elements -------------------------------------------------------------------------------- */

static void begin_graph(graphml *g, const char **attributes)
{
    const char *directed = attribute(attributes, "edgedefault");
    if (g->in_graph) FAULT(g, "a second graph, or one within another, is not supported");
    g->in_graph = true;
    g->directed = directed == NULL || strcmp(directed, "undirected") != 0;
}

static void begin_node(graphml *g, const char **attributes)
{
    const char *id = attribute(attributes, "id");
    int64_t number;
    if (id == NULL)
        FAULT(g, "a node has no id");
    else
        number_node(g, id, &number);
}

static void begin_data(graphml *g, const char **attributes)
{
    const char *key = attribute(attributes, "key");
    if (!g->in_edge || key == NULL) return;
    if (is_weight(g, key))
        begin_number(g);
    else
        g->has_data = true;
}

static void begin_default(graphml *g, const char **attributes)
{
    (void)attributes;
    if (g->in_key) begin_number(g);
}

static void begin_hyperedge(graphml *g, const char **attributes)
{
    (void)attributes;
    FAULT(g, "hyperedges are not supported");
}

static void XMLCALL begin_element(void *user, const char *name, const char **attributes)
{
    static const struct {
        const char *name;
        void (*begin)(graphml *g, const char **attributes);
    } elements[] = {
        {"edge", begin_edge},           {"node", begin_node},   {"key", begin_key},
        {"data", begin_data},           {"graph", begin_graph}, {"default", begin_default},
        {"hyperedge", begin_hyperedge},
    };
    graphml *g = user;
    char quote[SPMV__TEXT_QUOTE];
    const unsigned char *root = (const unsigned char *)local(name);
    if (!g->begun && strcmp((const char *)root, "graphml") != 0)
        FAULT(g, "the root element is '%s', not graphml",
              spmv__text_quote(quote, root, root + strlen((const char *)root)));
    g->begun = true;
    for (size_t k = 0; k < sizeof elements / sizeof elements[0]; k++)
        if (!is_over(g) && strcmp(local(name), elements[k].name) == 0)
            elements[k].begin(g, attributes);
}

static void XMLCALL end_element(void *user, const char *element)
{
    graphml *g = user;
    const char *name = local(element);
    if (is_over(g)) return;
    if (g->in_weight && (strcmp(name, "data") == 0 || strcmp(name, "default") == 0)) end_number(g);
    if (strcmp(name, "edge") == 0) g->in_edge = false;
    if (strcmp(name, "key") == 0) g->in_key = false;
}

static void XMLCALL refuse_type(void *user, const char *name, const char *system,
                                const char *public, int internal)
{
    graphml *g = user;
    (void)name, (void)system, (void)public, (void)internal;
    if (!is_over(g)) FAULT(g, "a document type is declared, which is not supported");
}

static bool is_encoding(const char *given, const char *known)
{
    return strlen(given) == strlen(known) && spmv__alike(given, known, strlen(known));
}

/* Expat knows more encodings, which would turn ids into others; ASCII is a part of UTF-8. */
static void XMLCALL refuse_encoding(void *user, const char *version, const char *encoding,
                                    int standalone)
{
    graphml *g = user;
    (void)version, (void)standalone;
    if (encoding == NULL || is_encoding(encoding, "UTF-8") || is_encoding(encoding, "US-ASCII"))
        return;
    FAULT(g, "the encoding %.40s is not supported: it must be UTF-8", encoding);
}

static void run_out_of_memory(graphml *g)
{
    g->status = spmv__fail(g->err, SPMV_ERROR_OUT_OF_MEMORY, "no memory to parse XML");
}

/* Goes through all elements; what is wrong is in g->text or g->status then. */
static void parse(graphml *g)
{
    const spmv_read_options *options = g->options;
    int64_t at = 0, portion = 1 << 24;
    bool going = true;
    g->in_graph = g->is_usual = g->has_data = false;
    g->keys = 0;
    g->parser = expat.XML_ParserCreate(NULL);
    if (g->parser == NULL) {
        run_out_of_memory(g);
        return;
    }
    expat.XML_SetUserData(g->parser, g);
    expat.XML_SetElementHandler(g->parser, begin_element, end_element);
    expat.XML_SetCharacterDataHandler(g->parser, take_text);
    expat.XML_SetStartDoctypeDeclHandler(g->parser, refuse_type);
    expat.XML_SetXmlDeclHandler(g->parser, refuse_encoding);
    do {
        const int64_t rest = g->src->size - at, n = rest < portion ? rest : portion;
        going = expat.XML_Parse(g->parser, (const char *)g->src->data + at, (int)n, n == rest) ==
                XML_STATUS_OK;
        at += n;
        /* What has not ended in a portion is gone through once more with the next one. */
        if (at - expat.XML_GetCurrentByteIndex(g->parser) > portion && portion < 1 << 30)
            portion *= 2;
        if (g->wanted == NULL)
            spmv__report(options->progress, options->user, "parsing", at, g->src->size);
    } while (going && at < g->src->size);
    const enum XML_Error code = expat.XML_GetErrorCode(g->parser);
    if (code == XML_ERROR_NO_MEMORY)
        run_out_of_memory(g);
    else if (!going && code != XML_ERROR_ABORTED && !is_over(g))
        FAULT(g, "this is not XML: %s", expat.XML_ErrorString(code));
    expat.XML_ParserFree(g->parser);
}

/* ---- The graph ------------------------------------------------------------------------------- */

/* No graph has more edges than the word occurs. */
static int64_t count_edges(const spmv__source *src)
{
    static const char word[] = "edge";
    const unsigned char *p = src->data, *end = p + src->size;
    int64_t n = 0;
    while ((p = memmem(p, (size_t)(end - p), word, sizeof word - 1)) != NULL) {
        p += sizeof word - 1;
        n++;
    }
    return n;
}

static const unsigned char *find_edge(const void *file, int64_t row, int64_t col, int nth)
{
    graphml again = *(const graphml *)file;
    wanted_edge wanted = *again.wanted;
    wanted.row = row;
    wanted.col = col;
    wanted.nth = nth;
    again.wanted = &wanted;
    again.text = (spmv__text){0};
    parse(&again);
    return wanted.place != NULL ? wanted.place : again.src->data;
}

/* Drops the weights where there are none. */
static void settle_values(const graphml *g, spmv_coo *A)
{
    if (g->keys > 0) return;
    free(A->val);
    A->val = NULL;
    A->type = SPMV_PATTERN;
}

/* A graph of its nodes alone is one; a file without any graph is none. */
static spmv_status load(graphml *g, spmv_coo *A, spmv_file_info *info, spmv_error *err)
{
    const int64_t *rank;
    spmv_status st;
    g->A = A;
    g->room = count_edges(g->src);
    SPMV__TRY(spmv__node_names_create(&g->names, 1, err));
    SPMV__TRY(spmv_coo_create(A, SPMV_F64, 0, 0, g->room, err));
    A->nnz = 0;
    parse(g);
    if (!is_over(g) && !g->in_graph)
        spmv__text_fault(&g->text, g->src->data, "the file holds no graph");
    if (g->status != SPMV_SUCCESS) return g->status;
    if (g->text.status != SPMV_SUCCESS) return spmv__text_report_fault(g->src, &g->text, err);
    settle_values(g, A);
    SPMV__TRY(spmv__node_names_settle(g->names, spmv__threads(g->options->threads), &rank,
                                      &info->labels, err));
    A->rows = A->cols = info->labels.n;
    for (int64_t p = 0; p < A->nnz; p++) {
        A->row_idx[p] = rank[A->row_idx[p]];
        A->col_idx[p] = rank[A->col_idx[p]];
        info->loops += A->row_idx[p] == A->col_idx[p];
    }
done:
    return st;
}

/* Whether all nodes are called by integers in their usual form: digits without leading zeros. */
static bool are_integers(const spmv_labels *labels)
{
    enum { DIGITS = 18 };
    for (int64_t i = 0; i < labels->n; i++) {
        const char *name = labels->names + labels->name_ptr[i];
        const size_t digits = strspn(name, "0123456789");
        if (name[digits] != '\0' || digits > DIGITS || (name[0] == '0' && digits > 1)) return false;
    }
    return true;
}

/* Ids that are sorted as text become sorted as numbers by a stable sort by length. */
static spmv_status take_integers(spmv_labels *labels, spmv_coo *A, spmv_error *err)
{
    enum { LENGTHS = 20 };
    const int64_t n = labels->n, *begin = labels->name_ptr;
    int64_t next[LENGTHS + 1] = {0}, *id = NULL, *rank = NULL;
    spmv_status st;
    SPMV__TRY(spmv__alloc_unset(&rank, n, sizeof *rank, "numbers of nodes", err));
    SPMV__TRY(spmv__alloc_unset(&id, n, sizeof *id, "the ids of the nodes", err));
    for (int64_t i = 0; i < n; i++) next[begin[i + 1] - begin[i]]++;
    spmv__counts_to_offsets(next, LENGTHS);
    for (int64_t i = 0; i < n; i++) {
        rank[i] = next[begin[i + 1] - begin[i] - 1]++;
        id[rank[i]] = strtoll(labels->names + begin[i], NULL, 10);
    }
    for (int64_t p = 0; p < A->nnz; p++) {
        A->row_idx[p] = rank[A->row_idx[p]];
        A->col_idx[p] = rank[A->col_idx[p]];
    }
    spmv_labels_destroy(labels);
    labels->first = 1;
    spmv__labels_take(labels, id, n);
    id = NULL;
done:
    free(id);
    free(rank);
    return st;
}

/* An undirected edge is kept below the diagonal, however the file has it. */
static void turn_edges(spmv_coo *A)
{
    for (int64_t p = 0; p < A->nnz; p++) {
        const int64_t row = A->row_idx[p], col = A->col_idx[p];
        A->row_idx[p] = row > col ? row : col;
        A->col_idx[p] = row > col ? col : row;
    }
}

static spmv_status read_graph(spmv_matrix *out, spmv__source *src, const spmv_read_options *options,
                              spmv_file_info *info, spmv_error *err)
{
    graphml g = {.src = src, .options = options, .err = err, .usual = 1};
    wanted_edge wanted = {.labels = &info->labels};
    spmv_matrix A = {.format = SPMV_COO};
    const spmv__origin origin = {.src = src,
                                 .options = options,
                                 .text = &g.text,
                                 .labels = &info->labels,
                                 .find = find_edge,
                                 .file = &g};
    spmv_status st;
    SPMV__TRY(expat_load(err));
    SPMV__TRY(load(&g, &A.coo, info, err));
    if (are_integers(&info->labels)) SPMV__TRY(take_integers(&info->labels, &A.coo, err));
    info->entries = A.coo.nnz;
    info->has_values = A.coo.type != SPMV_PATTERN;
    info->symmetry = A.head.symmetry = g.any[false] ? SPMV_SYMMETRIC : SPMV_GENERAL;
    if (g.any[false]) turn_edges(&A.coo);
    wanted.undirected = g.any[false];
    g.wanted = &wanted;
    SPMV__TRY(spmv__text_sort(&A.coo, &origin, &info->duplicates, err));
    SPMV__TRY(spmv__text_report_oddities(src, &g.text, options, err));
    SPMV__TRY(spmv__finish_read(&A, options, err));
    *out = A;
    A = (spmv_matrix){.format = SPMV_COO};
done:
    spmv__node_names_destroy(g.names);
    spmv_destroy(&A);
    return st;
}

const spmv__file_format spmv__graphml_file = {
    .info = {.name = "graphml",
             .suffixes = ".graphml",
             .summary = "GraphML: nodes by their ids, weights by the key \"weight\"",
             .reads = true,
             .text = true},
    .recognise = spmv__graphml_recognise,
    .read = read_graph,
};
