/* quick_edges.c -- the quick way from an edge list to CSR: blocks, their nodes, then the rows. */
#include "formats/graphs/quick_edges.h"
#include "core/assemble/assembly.h"
#include "core/matrix/format.h"

#include <stdlib.h>

/* ---- Rows ----------------------------------------------------------------------------------- */

/* Which numbers are nodes: those of a declared range, all up to the largest, or those that occur.
 * They may not fit CSR, or be too many for it. */
static spmv_status settle_nodes(spmv__quick_edges *edges, spmv_labels *labels, bool *fit,
                                spmv_error *err)
{
    const spmv__edges_header *header = &edges->reader->header;
    const spmv__edges_extent *e = &edges->extent;
    const int64_t ids = e->rows > e->cols ? e->rows : e->cols;
    const bool declared = header->last >= 0 && !header->words;
    labels->first = header->base;
    if (!declared && !edges->reader->options->all_ids)
        return spmv__quick_number(edges, labels, fit, err);
    if (declared) {
        edges->nodes = header->last - header->first + 1;
        edges->shift = header->first - header->base;
        labels->first = header->first;
    } else {
        edges->nodes = spmv__edges_shape(header, e);
    }
    *fit = !edges->any_far && e->smallest >= edges->shift && ids <= edges->shift + edges->nodes &&
           edges->nodes <= spmv__csr_format.max_cols &&
           !spmv__has_too_many_rows(edges->nodes, edges->nnz);
    return SPMV_SUCCESS;
}

/* The same as the edges of a block see it: far ids have the numbers of its thread. */
static spmv__quick_edges seen_from(const spmv__quick_edges *edges, const spmv__edge_block *block)
{
    spmv__quick_edges own = *edges;
    if (block->far != NULL) own.number = block->far->rank;
    return own;
}

/* The node with that id. */
SPMV__INLINE int64_t node_of(const spmv__quick_edges *edges, uint32_t id, const bool ranked)
{
    if (ranked) return edges->before[id >> SPMV__RANK_BITS] + edges->rank[id];
    return edges->number != NULL ? edges->number[id] : (int64_t)id - edges->shift;
}

SPMV__INLINE bool put_edges(const spmv__quick_edges *edges, const spmv__edge_block *block,
                            const spmv__bucket_ends *ends, const spmv_type type, const bool ranked)
{
    const spmv__quick_edges own = seen_from(edges, block);
    const spmv__edge_block all = *block;
    spmv_scalar value = {0};
    for (int64_t k = 0; k < all.n; k++) {
        if (type != SPMV_PATTERN) value.re = all.val[k];
        const int64_t r = node_of(&own, all.edge[k].row, ranked);
        const int64_t c = node_of(&own, all.edge[k].col, ranked);
        if (!spmv__bucket_put(ends, type, (uint64_t)r, (uint64_t)c, value)) return false;
    }
    return true;
}

static bool put_block(const spmv__quick_edges *edges, int64_t b, spmv__bucket_writer *writer)
{
    const spmv__bucket_ends ends = spmv__bucket_ends_of(writer);
    const spmv__edge_block *block = &edges->block[b];
    const bool ranked = edges->rank != NULL;
    const bool put = edges->type != SPMV_PATTERN ? put_edges(edges, block, &ends, SPMV_F64, ranked)
                     : ranked ? put_edges(edges, block, &ends, SPMV_PATTERN, true)
                              : put_edges(edges, block, &ends, SPMV_PATTERN, false);
    return put && spmv__bucket_end_stretch(writer, b, NULL) == SPMV_SUCCESS;
}

static spmv_status fill_buckets(const spmv__quick_edges *edges, spmv__bucket_store *store,
                                spmv_error *err)
{
    const int threads = spmv__bucket_threads(edges->nnz, edges->threads);
    const spmv__bucket_layout how =
        spmv__bucket_layout_for(edges->type, edges->nodes, edges->nodes, edges->nnz, threads);
    bool enough = true;
    spmv_status st;
    SPMV__TRY(spmv__bucket_store_open(store, &how, threads, err));
    /* Each writer takes the blocks that it gets in their order. */
#pragma omp parallel for schedule(monotonic : dynamic, 1) num_threads(threads) reduction(&& : enough)
    for (int64_t b = 0; b < edges->blocks; b++)
        enough = enough && put_block(edges, b, &store->writer[spmv__thread()]);
    if (!enough)
        return spmv__fail(err, SPMV_ERROR_OUT_OF_MEMORY, "no memory for %lld edges",
                          (long long)edges->nnz);
    st = spmv__bucket_store_order(store, edges->blocks, err);
done:
    return st;
}

/* ---- What is given again -------------------------------------------------------------------- */

/* An edge between two nodes. */
static bool is_between(const spmv__quick_edges *edges, const spmv__edge_block *block, int64_t k,
                       int64_t row, int64_t col)
{
    const bool ranked = edges->rank != NULL;
    return node_of(edges, block->edge[k].row, ranked) == row &&
           node_of(edges, block->edge[k].col, ranked) == col;
}

/* Line number k of a block, not counting comments; each of the others is an edge. */
static const unsigned char *find_line(const spmv__edges_reader *reader,
                                      const spmv__edge_block *block, int64_t k)
{
    spmv__text text = reader->text;
    text.p = block->begin;
    text.end = block->end;
    text.comment = NULL;
    for (; spmv__edges_next(&text) && k > 0; k--)
        while (text.p < text.end && *text.p != '\n') text.p++;
    return text.p;
}

/* Edges that were read, and what became of them. */
typedef struct read_edges {
    const spmv__quick_edges *edges;
    const spmv__assembly *to;
} read_edges;

/* The second edge that is given again, in its block.  It is looked for by the numbers of its nodes,
 * not by what the file calls them. */
static const unsigned char *find_edge(const void *file, int64_t row, int64_t col, int nth)
{
    const read_edges *read = file;
    const spmv__assembly *to = read->to;
    const spmv__edge_block *block = &read->edges->block[to->stretch];
    const spmv__quick_edges edges = seen_from(read->edges, block);
    int64_t k = 0;
    (void)row, (void)col;
    for (nth = to->nth; nth > 0; k++) nth -= is_between(&edges, block, k, to->row, to->col);
    return find_line(edges.reader, block, k - 1);
}

static spmv_status report_merged(const spmv__quick_edges *edges, spmv__edges_reader *reader,
                                 const spmv_labels *labels, const spmv__assembly *to,
                                 spmv_error *err)
{
    const bool words = reader->header.words;
    const int64_t base = words ? 0 : reader->header.base;
    const read_edges read = {edges, to};
    const spmv__origin origin = {
        .src = reader->src,
        .options = reader->options,
        .text = &reader->text,
        .base = base,
        .labels = words ? labels : NULL,
        .find = find_edge,
        .file = &read,
    };
    const int64_t row = words ? to->row : spmv_label_at(labels, to->row) - base;
    const int64_t col = words ? to->col : spmv_label_at(labels, to->col) - base;
    if (to->merged == 0) return SPMV_SUCCESS;
    return spmv__text_given_again(&origin, to->A.type, row, col, to->merged, err);
}

/* ---- All of it ------------------------------------------------------------------------------ */

/* What all threads have taken they give back, too: for one alone it is a twentieth of the time of
 * sixteen. */
static void destroy(spmv__quick_edges *edges)
{
#pragma omp parallel for schedule(dynamic, 1) num_threads(edges->threads)
    for (int64_t k = 0; k < edges->chunks; k++) {
        free(edges->chunk[k].edge);
        free(edges->chunk[k].val);
    }
    spmv__node_names_destroy(edges->names);
    for (int t = 0; edges->far != NULL && t < edges->threads; t++)
        spmv__far_ids_destroy(&edges->far[t]);
    free(edges->far);
    free(edges->chunk);
    free(edges->last);
    free(edges->block);
    free(edges->number);
    free(edges->rank);
    free(edges->before);
}

static bool is_quick(const spmv__edges_reader *reader)
{
    const spmv__edges_header *header = &reader->header;
    return !header->konect && !header->undirected && reader->text.p < reader->text.end;
}

spmv_status spmv__edges_read_csr(spmv_csr *out, spmv__edges_reader *reader, int64_t block_bytes,
                                 spmv_file_info *info, spmv__edges_extent *extent, bool *done,
                                 spmv_error *err)
{
    const spmv_read_options *options = reader->options;
    const spmv__edges_header header = reader->header;
    spmv__quick_edges edges = {.reader = reader,
                               .type = reader->header.columns > 2 ? SPMV_F64 : SPMV_PATTERN,
                               .threads = spmv__threads(options->threads)};
    spmv__bucket_store store = {0};
    spmv_labels labels = {0};
    spmv__assembly to = {.store = &store,
                         .duplicates = options->duplicates,
                         .meter = {.progress = options->progress, .user = options->user}};
    spmv_status st = SPMV_SUCCESS;
    bool fit;

    *done = false;
    if (!is_quick(reader)) return SPMV_SUCCESS;
    SPMV__TRY(spmv__quick_read(&edges, block_bytes, &reader->header, &fit, err));
    if (!fit) goto done;
    to.A.type = edges.type;
    SPMV__TRY(settle_nodes(&edges, &labels, &fit, err));
    if (!fit) goto done;
    to.A.rows = to.A.cols = edges.nodes;
    SPMV__TRY(fill_buckets(&edges, &store, err));
    SPMV__TRY(spmv__assemble(&to, edges.threads, err));
    /* What is counted has no place in a pattern. */
    if (to.merged > 0 && edges.type == SPMV_PATTERN && to.duplicates == SPMV_DUPLICATES_COUNT)
        goto done;
    SPMV__TRY(report_merged(&edges, reader, &labels, &to, err));
    info->entries = edges.nnz;
    info->has_values = edges.type != SPMV_PATTERN;
    info->duplicates = to.merged;
    info->labels = labels;
    labels = (spmv_labels){0};
    *extent = edges.extent;
    *out = to.A;
    to.A = (spmv_csr){0};
    *done = true;
done:
    if (!*done) reader->header = header;
    spmv_labels_destroy(&labels);
    spmv_csr_destroy(&to.A);
    spmv__bucket_store_close(&store);
    destroy(&edges);
    return st;
}
