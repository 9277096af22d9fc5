/* edge_list_read.c -- edge lists become COO: entry (i, j) is the edge from i to j, with its weight
 * if the file has any.
 *
 * The file does not say how many edges it has: lines are counted first, which costs a tenth of
 * reading them. */
#include "edge_list.h"

#include <string.h>

enum { LEAST_EDGE = 4 }; /* bytes: two digits, what separates them, a line end */

/* What the ids of the edges come to. */
typedef struct extent {
    int64_t rows, cols; /* one more than the largest */
    int64_t smallest;
    int64_t loops;
} extent;

static int64_t count_lines(const unsigned char *p, const unsigned char *end)
{
    int64_t n = 1;
    for (; p + 1 < end; p++) n += (*p == '\n') | ((*p == '\r') & (p[1] != '\n'));
    return n;
}

/* Memory for at most as many edges as the rest of the text can hold. */
static spmv_status make_room(const spmv__edges_reader *reader, spmv_coo *A, int64_t *room,
                             spmv_error *err)
{
    const spmv__text *text = &reader->text;
    spmv_type type = reader->header.columns > 2 ? SPMV_F64 : SPMV_PATTERN;
    int64_t most = (text->end - text->p + 1) / LEAST_EDGE + 1;
    *room = count_lines(text->p, text->end);
    if (*room > most) *room = most;
    return spmv_coo_create(A, type, 0, 0, *room, err);
}

/* As many edges as there is room for, with a report now and then. */
static bool read_in_portions(spmv__edges_reader *reader, spmv__edges *edges)
{
    enum { PORTION = 1 << 16 };
    const spmv_read_options *options = reader->options;
    const unsigned char *begin = reader->text.p, *end = reader->text.end;
    const int64_t room = edges->room;
    int64_t given;
    do {
        given = edges->n + edges->skipped;
        edges->room = room - given < PORTION ? room : given + PORTION;
        if (!spmv__edges_read(reader, edges)) return false;
        spmv__report(options->progress, options->user, "parsing", reader->text.p - begin,
                     end - begin);
        given = edges->n + edges->skipped;
    } while (given == edges->room && given < room);
    return true;
}

static spmv_status load(spmv__edges_reader *reader, spmv_coo *A, int64_t *skipped, spmv_error *err)
{
    spmv__text *text = &reader->text;
    int64_t room;
    spmv_status st = make_room(reader, A, &room, err);
    if (st != SPMV_SUCCESS) return st;

    spmv__edges edges = {A->row_idx, A->col_idx, A->val, room, 0, 0};
    bool read = read_in_portions(reader, &edges);
    A->nnz = edges.n;
    *skipped = edges.skipped;
    if (read && edges.n + edges.skipped == 0 && reader->header.sources < 0)
        read = spmv__text_fault(text, text->end, "the file holds no edge");
    return read ? SPMV_SUCCESS : spmv__text_report_fault(reader->src, text, err);
}

static extent measure(const spmv_coo *A)
{
    extent e = {.smallest = INT64_MAX};
    for (int64_t p = 0; p < A->nnz; p++) {
        int64_t row = A->row_idx[p], col = A->col_idx[p], least = row < col ? row : col;
        e.rows = row >= e.rows ? row + 1 : e.rows;
        e.cols = col >= e.cols ? col + 1 : e.cols;
        e.smallest = least < e.smallest ? least : e.smallest;
        e.loops += row == col;
    }
    return e;
}

/* As many rows and columns as nodes occur or are declared. */
static void set_shape(const spmv__edges_header *header, const extent *e, spmv_coo *A)
{
    A->rows = e->rows > header->sources ? e->rows : header->sources;
    A->cols = e->cols > header->targets ? e->cols : header->targets;
    if (!header->bipartite) A->rows = A->cols = A->rows > A->cols ? A->rows : A->cols;
}

static spmv_status check_options(const spmv__edges_reader *reader, spmv_error *err)
{
    if (!reader->header.bipartite) return SPMV_SUCCESS;
    if (reader->options->undirected)
        return spmv__source_fail(reader->src, err, SPMV_ERROR_UNSUPPORTED, 0, 0,
                                 "a bipartite graph has its two kinds of nodes as rows and "
                                 "columns; it cannot be undirected");
    if (reader->options->compact)
        return spmv__source_fail(reader->src, err, SPMV_ERROR_UNSUPPORTED, 0, 0,
                                 "the nodes of a bipartite graph cannot be numbered anew");
    return SPMV_SUCCESS;
}

/* Remarks on numbers that do not fit together. */
static spmv_status remark(const spmv__edges_reader *reader, const spmv_coo *A, const extent *e,
                          int64_t given, spmv_error *err)
{
    const spmv__edges_header *header = &reader->header;
    const spmv_read_options *options = reader->options;
    spmv_status st = SPMV_SUCCESS;
    int64_t largest = e->rows > e->cols ? e->rows : e->cols;
    int64_t nodes = header->sources; /* so many were meant */

    if (header->edges >= 0 && header->edges != given)
        SPMV__TRY(spmv__warn(reader->src, options, 0, 0, err,
                             "the header announces %lld edges, the file has %lld",
                             (long long)header->edges, (long long)given));
    if (header->bipartite || options->compact || A->nnz == 0) goto done;
    if (header->sources < largest) SPMV__TRY(spmv__edges_count_nodes(A, &nodes, err));
    if (A->rows / 4 > nodes)
        SPMV__TRY(spmv__warn(reader->src, options, 0, 0, err,
                             "ids go up to %lld, but no more than %lld nodes have edges: --compact "
                             "numbers these alone",
                             (long long)(A->rows - 1 + header->base), (long long)nodes));
    else if (options->index_base == SPMV_BASE_USUAL && header->base == 0 && e->smallest == 1)
        SPMV__TRY(spmv__warn(reader->src, options, 0, 0, err,
                             "node 0 has no edge, node 1 has: --index-base 1 reads ids that count "
                             "from 1"));
done:
    return st;
}

static spmv_status read_edges(spmv_matrix *out, spmv__source *src, const spmv_read_options *options,
                              spmv_file_info *info, spmv_error *err)
{
    spmv_status st;
    spmv__edges_reader reader;
    spmv_matrix A = {.format = SPMV_COO};
    extent e;

    if (!spmv__edges_open(&reader, src, options))
        return spmv__text_report_fault(src, &reader.text, err);
    SPMV__TRY(check_options(&reader, err));
    SPMV__TRY(load(&reader, &A.coo, &info->skipped, err));
    info->entries = A.coo.nnz + info->skipped;
    e = measure(&A.coo);
    set_shape(&reader.header, &e, &A.coo);
    info->loops = reader.header.bipartite ? 0 : e.loops;
    info->smallest_id = A.coo.nnz > 0 ? e.smallest + reader.header.base : -1;
    info->labels.first = reader.header.base;

    SPMV__TRY(spmv__edges_order(&reader, &A.coo, &info->duplicates, err));
    SPMV__TRY(spmv__text_report_oddities(src, &reader.text, options, err));
    SPMV__TRY(remark(&reader, &A.coo, &e, info->entries, err));
    if (options->compact)
        SPMV__TRY(spmv__edges_compact(&A.coo, reader.header.base, &info->labels, err));
    info->symmetry = A.head.symmetry = reader.header.undirected ? SPMV_SYMMETRIC : SPMV_GENERAL;
    SPMV__TRY(spmv__finish_read(&A, options, err));
    *out = A;
    A = (spmv_matrix){.format = SPMV_COO};
done:
    spmv_destroy(&A);
    return st;
}

/* Two to four numbers on the first line that is no comment: that may be an edge. */
static bool resembles(const unsigned char *data, int64_t size)
{
    static const spmv_read_options defaults = {0};
    const spmv__source src = {.data = data, .size = size};
    spmv__edges_reader reader;
    int64_t id[3];
    double val[3];
    spmv__edges one = {id, id, val, 1, 0, 0};
    return spmv__edges_open(&reader, &src, &defaults) && spmv__edges_read(&reader, &one) &&
           one.n == 1;
}

const spmv__file_format spmv__edges_file = {
    .info = {.name = "el",
             .suffixes = ".el .wel .edges .edgelist .txt .tsv .csv",
             .summary = "edge list: two nodes and perhaps a weight a line",
             .reads = true,
             .writes = true,
             .text = true},
    .resembles = resembles,
    .read = read_edges,
    .write = spmv_write_edges,
};
