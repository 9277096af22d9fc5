/* read_edges.c -- edge lists become COO: entry (i, j) is the edge from i to j, with its weight
 * if the file has any.
 *
 * The file does not say how many edges it has: lines are counted first, which costs a tenth of
 * reading them. */
#include "formats/common/file_format.h"
#include "formats/graphs/edge_list.h"
#include "formats/graphs/quick_edges.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_EDGE = 4 }; /* bytes: two digits, what separates them, a line end */

/* Memory for at most as many edges as the rest of the text can hold. */
static spmv_status make_room(const spmv__edges_reader *reader, spmv_coo *A, int64_t *room,
                             spmv_error *err)
{
    const spmv__text *text = &reader->text;
    spmv_type type = reader->header.columns > 2 ? SPMV_F64 : SPMV_PATTERN;
    int64_t most = (text->end - text->p + 1) / LEAST_EDGE + 1;
    *room = spmv__edges_count_lines(text->p, text->end);
    if (*room > most) *room = most;
    return spmv_coo_create(A, type, 0, 0, *room, err);
}

/* Read as many edges as there is room for, with a report now and then. */
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

/* Whether it is no number, nor several in a row. */
static bool is_word(const spmv__node_name *name)
{
    const unsigned char *p = (const unsigned char *)name->p;
    const spmv__field field = {.p = p, .end = p + name->length};
    if (memchr(p, ' ', (size_t)name->length) == NULL) return !spmv__field_may_be_id(&field);
    for (int64_t i = 0; i < name->length; i++)
        if (strchr("+-. 0123456789", name->p[i]) == NULL) return true;
    return false;
}

static bool have_word(const spmv__node_names *names)
{
    spmv__node_name name;
    for (int64_t s = 0; s < spmv__node_names_shards(names); s++)
        for (int64_t k = 0; k < spmv__node_names_slots(names, s); k++)
            if (spmv__node_names_at(names, s, k, &name) && is_word(&name)) return true;
    return false;
}

/* Where all names were integers so far and a word comes, read again from the first edge, with all
 * names as words.  A name that is neither, such as 1.5, has the same effect, but only if there is a
 * word among the names in the end; else it is what is wrong with the file. */
static bool read_all(spmv__edges_reader *reader, spmv__edges *edges)
{
    const int64_t room = edges->room;
    bool read;
    while (!(read = read_in_portions(reader, edges)) && reader->word != NULL) {
        spmv__edges_expect_more(reader);
        *edges = (spmv__edges){edges->row, edges->col, edges->val, room, 0, 0, false};
    }
    if (reader->doubt.status == SPMV_SUCCESS) return read;
    if (read && (reader->quoted || have_word(reader->names))) return true;
    reader->text = reader->doubt;
    return false;
}

static spmv_status load(spmv__edges_reader *reader, spmv_coo *A, int64_t *skipped, spmv_error *err)
{
    spmv__text *text = &reader->text;
    int64_t room;
    spmv_status st = make_room(reader, A, &room, err);
    if (st != SPMV_SUCCESS) return st;

    spmv__edges edges = {A->row_idx, A->col_idx, A->val, room, 0, 0, false};
    bool read = read_all(reader, &edges);
    A->nnz = edges.n;
    *skipped = edges.skipped;
    if (reader->header.attributes && !edges.weighted) {
        free(A->val);
        A->val = NULL;
        A->type = SPMV_PATTERN;
    }
    const bool any = reader->header.bipartite || reader->options->all_ids;
    const bool declared = (any && reader->header.sources >= 0) || reader->header.last >= 0;
    if (read && edges.n + edges.skipped == 0 && !declared)
        read = spmv__text_fault(text, text->end, "the file holds no edge");
    return read ? SPMV_SUCCESS : spmv__text_report_fault(reader->src, text, err);
}

static spmv__edges_extent measure(const spmv_coo *A)
{
    spmv__edges_extent e = {.smallest = INT64_MAX};
    for (int64_t p = 0; p < A->nnz; p++) {
        int64_t row = A->row_idx[p], col = A->col_idx[p], least = row < col ? row : col;
        e.rows = row >= e.rows ? row + 1 : e.rows;
        e.cols = col >= e.cols ? col + 1 : e.cols;
        e.smallest = least < e.smallest ? least : e.smallest;
        e.loops += row == col;
    }
    return e;
}

/* Give the matrix as many rows and columns as nodes occur or are declared. */
static void set_shape(const spmv__edges_header *header, const spmv__edges_extent *e, spmv_coo *A)
{
    A->rows = A->cols = spmv__edges_shape(header, e);
    if (!header->bipartite) return;
    A->rows = e->rows > header->sources ? e->rows : header->sources;
    A->cols = e->cols > header->targets ? e->cols : header->targets;
}

/* The nodes are all from header->first to header->last: every edge must be among them. */
static spmv_status take_range(const spmv__edges_reader *reader, const spmv__edges_extent *e,
                              spmv_coo *A, spmv_labels *labels, spmv_error *err)
{
    const spmv__edges_header *header = &reader->header;
    const int64_t shift = header->first - header->base;
    const int64_t largest = (e->rows > e->cols ? e->rows : e->cols) - 1 + header->base;
    if (A->nnz > 0 && (e->smallest < shift || largest > header->last))
        return spmv__source_fail(reader->src, err, SPMV_ERROR_INVALID_FORMAT, 0, 0,
                                 "ids go from %lld to %lld, but a comment declares %lld to %lld",
                                 (long long)(e->smallest + header->base), (long long)largest,
                                 (long long)header->first, (long long)header->last);
    for (int64_t p = 0; p < A->nnz; p++) {
        A->row_idx[p] -= shift;
        A->col_idx[p] -= shift;
    }
    A->rows = A->cols = header->last - header->first + 1;
    labels->first = header->first;
    return SPMV_SUCCESS;
}

/* Which numbers are nodes: those that the edges name, unless the file or the options say more.  The
 * two kinds of nodes of a bipartite graph are rows and columns, and all of them are there. */
static spmv_status settle_nodes(const spmv__edges_reader *reader, const spmv__edges_extent *e,
                                spmv_coo *A, spmv_labels *labels, spmv_error *err)
{
    const spmv__edges_header *header = &reader->header;
    labels->first = header->base;
    if (header->bipartite) return SPMV_SUCCESS;
    if (header->last >= 0 && !header->words) return take_range(reader, e, A, labels, err);
    if (reader->options->all_ids) return SPMV_SUCCESS;
    if (!header->words) return spmv__edges_number(A, header->base, labels, err);
    A->rows = A->cols = labels->n; /* numbered while they were read */
    return SPMV_SUCCESS;
}

/* A caller who names the format means edges. */
static spmv_status check_banner(const spmv__edges_reader *reader, spmv_error *err)
{
    int64_t size[3];
    if (reader->options->file_format != NULL || !spmv__edges_are_bare(reader, size))
        return SPMV_SUCCESS;
    return spmv__source_fail(
        reader->src, err, SPMV_ERROR_INVALID_FORMAT, 0, 0,
        "%lld %lld %lld is the size line of a Matrix Market file without its banner, "
        "'%%%%MatrixMarket matrix coordinate real general' or the like: put it in front, or take "
        "all lines for edges with `file_format` el",
        (long long)size[0], (long long)size[1], (long long)size[2]);
}

/* Whether the headings are the nodes of an edge, too: of files that were joined. */
static bool has_headings_again(const spmv__edges_reader *reader, const spmv_matrix *A,
                               const spmv_labels *labels)
{
    spmv_scalar weight = {0};
    int64_t node[2];
    if (reader->header.headings == 0 || labels->name_ptr == NULL) return false;
    for (int i = 0; i < 2; i++) {
        const spmv__field *word = &reader->heading[i];
        node[i] = spmv_label_find(labels, (const char *)word->p, (size_t)(word->end - word->p));
        if (node[i] < 0) return false;
    }
    spmv_get_element(A, node[SPMV__SOURCE], node[SPMV__TARGET], &weight, NULL);
    return weight.re != 0;
}

/* Remarks on what does not fit together. */
static spmv_status remark(const spmv__edges_reader *reader, const spmv__edges_extent *e,
                          const spmv_matrix *A, const spmv_file_info *info, spmv_error *err)
{
    const spmv__edges_header *header = &reader->header;
    const spmv_read_options *options = reader->options;
    const int64_t nodes = A->head.rows, given = info->entries;
    spmv_status st = SPMV_SUCCESS;

    if (options->file_format == NULL && spmv__edges_are_announced(reader, nodes, given))
        SPMV__TRY(spmv__warn(reader->src, options, 0, 0, err,
                             "the first line is taken for an edge, though %lld lines follow, as if "
                             "it said how many nodes and edges there are",
                             (long long)given - 1));
    if (has_headings_again(reader, A, &info->labels))
        SPMV__TRY(
            spmv__warn(reader->src, options, 0, 0, err,
                       "the headings are an edge, too, as they are in files that were joined"));
    if (header->edges >= 0 && header->edges != given)
        SPMV__TRY(spmv__warn(reader->src, options, 0, 0, err,
                             "the header announces %lld edges, the file has %lld",
                             (long long)header->edges, (long long)given));
    if (options->all_ids && options->index_base == SPMV_BASE_DEFAULT && header->base == 0 &&
        header->last < 0 && e->smallest == 1)
        SPMV__TRY(spmv__warn(reader->src, options, 0, 0, err,
                             "node 0 has no edge, node 1 has: `index_base` 1 reads ids that count "
                             "from 1"));
    if (!options->all_ids && !header->bipartite && (header->last < 0 || header->words) &&
        header->sources >= 0 && header->sources != nodes)
        SPMV__TRY(spmv__warn(reader->src, options, 0, 0, err,
                             "the header announces %lld nodes, the edges name %lld, which count "
                             "alone; `all_ids` takes every number for a node",
                             (long long)header->sources, (long long)nodes));
done:
    return st;
}

/* Number nodes that are words by their order. */
static spmv_status settle_words(spmv__edges_reader *reader, spmv_coo *A, spmv_labels *labels,
                                spmv_error *err)
{
    const int64_t *rank;
    if (reader->names == NULL) return SPMV_SUCCESS;
    const int threads = spmv__threads(reader->options->threads);
    const spmv_status st = spmv__node_names_settle(reader->names, threads, &rank, labels, err);
    if (st != SPMV_SUCCESS) return st;
    for (int64_t p = 0; p < A->nnz; p++) {
        A->row_idx[p] = rank[A->row_idx[p]];
        A->col_idx[p] = rank[A->col_idx[p]];
    }
    return SPMV_SUCCESS;
}

/* Any edges to COO, in the order of the file and in one thread. */
static spmv_status read_carefully(spmv_coo *A, spmv__edges_reader *reader, spmv_file_info *info,
                                  spmv__edges_extent *e, spmv_error *err)
{
    spmv_status st;
    SPMV__TRY(load(reader, A, &info->skipped, err));
    SPMV__TRY(settle_words(reader, A, &info->labels, err));
    info->entries = A->nnz + info->skipped;
    info->has_values = A->type != SPMV_PATTERN; /* though they may be counted */
    *e = measure(A);
    set_shape(&reader->header, e, A);
    SPMV__TRY(spmv__edges_order(reader, A, &info->labels, &info->duplicates, err));
    st = settle_nodes(reader, e, A, &info->labels, err);
done:
    return st;
}

static void tell(const spmv__edges_reader *reader, const spmv__edges_extent *e,
                 spmv_file_info *info)
{
    const spmv__edges_header *header = &reader->header;
    info->bipartite = header->bipartite;
    info->headings = header->headings > 0;
    info->loops = header->bipartite ? 0 : e->loops;
    info->smallest_id =
        info->entries > info->skipped && !header->words ? e->smallest + header->base : -1;
    info->symmetry = header->undirected ? SPMV_SYMMETRIC : SPMV_GENERAL;
}

spmv_status spmv__edges_read_blocks(spmv_matrix *out, spmv__source *src,
                                    const spmv_read_options *options, int64_t block_bytes,
                                    spmv_file_info *info, spmv_error *err)
{
    spmv_status st;
    spmv__edges_reader reader;
    spmv_matrix A = {.format = SPMV_COO};
    spmv__edges_extent e;
    bool done;

    if (!spmv__edges_open(&reader, src, options)) {
        st = spmv__text_report_fault(src, &reader.text, err);
        goto done;
    }
    SPMV__TRY(check_banner(&reader, err));
    SPMV__TRY(spmv__edges_read_csr(&A.csr, &reader, block_bytes, info, &e, &done, err));
    A.format = done ? SPMV_CSR : SPMV_COO;
    if (!done) SPMV__TRY(read_carefully(&A.coo, &reader, info, &e, err));
    tell(&reader, &e, info);
    SPMV__TRY(spmv__text_report_oddities(src, &reader.text, options, err));
    SPMV__TRY(remark(&reader, &e, &A, info, err));
    A.head.symmetry = info->symmetry;
    SPMV__TRY(spmv__finish_read(&A, options, err));
    *out = A;
    A = (spmv_matrix){.format = SPMV_COO};
done:
    spmv__edges_close(&reader);
    spmv_destroy(&A);
    return st;
}

static spmv_status read_edges(spmv_matrix *out, spmv__source *src, const spmv_read_options *options,
                              spmv_file_info *info, spmv_error *err)
{
    return spmv__edges_read_blocks(out, src, options, 0, info, err);
}

const spmv__file_format spmv__edges_file = {
    .info = {.name = "el",
             .suffixes = ".el .wel .edges .edgelist .txt .tsv .csv",
             .summary =
                 "edge list: two nodes and perhaps a weight a line; as csv and tsv with headings",
             .reads = true,
             .writes = true,
             .text = true,
             .labels = true},
    .resembles = spmv__edges_resemble,
    .likely = spmv__edges_are_likely,
    .read = read_edges,
    .write = spmv_write_edges,
};
