/* quick_edges.c -- the quick way from the plain lines of an edge list to CSR. */
#include "formats/graphs/quick_edges.h"
#include "core/assemble/assembly.h"
#include "core/base/pages.h"
#include "core/matrix/format.h"
#include "formats/graphs/plain_edge.h"

#include <stdlib.h>
#include <string.h>

/* ---- Blocks --------------------------------------------------------------------------------- */

static spmv_status cut(spmv__quick_edges *edges, int64_t block_bytes, spmv_error *err)
{
    const unsigned char *p = edges->reader->text.p, *end = edges->reader->text.end;
    const int64_t most = (end - p) / block_bytes + 1;
    spmv_status st;
    SPMV__TRY(spmv__alloc(&edges->block, most, sizeof *edges->block, "blocks of edges", err));
    while (p < end) {
        spmv__edge_block *block = &edges->block[edges->blocks++];
        block->begin = p;
        block->end = p = spmv__text_block_end(p, end, block_bytes);
    }
done:
    return st;
}

static spmv_status make_room(spmv__edge_block *block, spmv_type type)
{
    const int64_t room = spmv__edges_count_lines(block->begin, block->end);
    spmv_status st;
    SPMV__TRY(spmv__alloc(&block->edge, room, sizeof *block->edge, "edges", NULL));
    if (type != SPMV_PATTERN)
        SPMV__TRY(spmv__alloc(&block->val, room, sizeof *block->val, "edges", NULL));
done:
    return st;
}

/* ---- Lines ---------------------------------------------------------------------------------- */

/* The lines of a block, one by one. */
typedef struct lines {
    spmv__edges_reader own; /* a reader of the block alone, */
    const unsigned char *p, *end;
    const unsigned char *text_end;
    bool odd; /* what the careful way has to say is more than an edge */
} lines;

static void lines_begin(lines *at, const spmv__edges_reader *reader, const spmv__edge_block *block)
{
    *at =
        (lines){.own = *reader, .p = block->begin, .end = block->end, .text_end = reader->text.end};
    at->own.text.end = block->end;
    at->own.text.user = &at->own.header;
}

/* A line that is not plain may be one of comments, or be odd. */
static bool lines_next_carefully(lines *at, spmv__plain_edge *out)
{
    spmv__text *text = &at->own.text;
    int64_t row, col;
    int64_t count[SPMV__ODDITIES];
    spmv__edges one = {.row = &row, .col = &col, .val = &out->weight, .room = 1};
    memcpy(count, text->count, sizeof count);
    text->p = at->p;
    const bool any = spmv__edges_next(text);
    const bool read = any && spmv__edges_read(&at->own, &one) && one.n == 1;
    at->odd = (any && !read) || memcmp(count, text->count, sizeof count) != 0;
    at->p = any ? text->p : at->end;
    if (!read || at->odd) return false;
    out->row = (uint64_t)row;
    out->col = (uint64_t)col;
    return true;
}

SPMV__INLINE bool lines_next(lines *at, spmv__plain_edge *out)
{
    if (at->text_end - at->p > SPMV__PLAIN && at->p < at->end) {
        const unsigned char *next =
            spmv__plain_edge_at(at->p, at->text_end, &at->own.header, at->own.text.separator, out);
        if (next != NULL) {
            at->p = next;
            return true;
        }
    }
    return at->p < at->end && lines_next_carefully(at, out);
}

static void measure(spmv__edge_block *block)
{
    uint32_t rows = 0, cols = 0, least = UINT32_MAX;
    int64_t loops = 0;
    for (int64_t k = 0; k < block->n; k++) {
        const uint32_t row = block->edge[k].row, col = block->edge[k].col,
                       lesser = row < col ? row : col;
        rows = row >= rows ? row + 1 : rows;
        cols = col >= cols ? col + 1 : cols;
        least = lesser < least ? lesser : least;
        loops += row == col;
    }
    block->extent = (spmv__edges_extent){rows, cols, least, loops};
}

static void read_block(const spmv__quick_edges *edges, spmv__edge_block *block)
{
    spmv__plain_edge edge = {0};
    lines at;
    int64_t n = 0;
    spmv__pages_populate(block->begin, block->end - block->begin);
    block->status = make_room(block, edges->type);
    if (block->status != SPMV_SUCCESS) return;
    lines_begin(&at, edges->reader, block);
    while (lines_next(&at, &edge)) {
        at.odd = (edge.row | edge.col) >= UINT32_MAX;
        if (at.odd) break;
        block->edge[n] = (spmv__edge_ids){(uint32_t)edge.row, (uint32_t)edge.col};
        if (block->val != NULL) block->val[n] = edge.weight;
        n++;
    }
    block->n = n;
    block->odd = at.odd;
    block->header = at.own.header;
    measure(block);
}

/* Returns whether all blocks are plain; what their comments say is then in *header. */
static bool add_up(spmv__quick_edges *edges, spmv__edges_header *header)
{
    const spmv__edges_header before = *header;
    spmv__edges_extent *e = &edges->extent;
    *e = (spmv__edges_extent){.smallest = INT64_MAX};
    for (int64_t b = 0; b < edges->blocks; b++) {
        const spmv__edge_block *block = &edges->block[b];
        if (block->odd) return false;
        edges->nnz += block->n;
        e->loops += block->extent.loops;
        if (block->extent.rows > e->rows) e->rows = block->extent.rows;
        if (block->extent.cols > e->cols) e->cols = block->extent.cols;
        if (block->n > 0 && block->extent.smallest < e->smallest)
            e->smallest = block->extent.smallest;
        if (block->header.edges != before.edges) header->edges = block->header.edges;
        if (block->header.sources != before.sources) header->sources = block->header.sources;
        if (block->header.targets != before.targets) header->targets = block->header.targets;
        if (block->header.first != before.first) header->first = block->header.first;
        if (block->header.last != before.last) header->last = block->header.last;
    }
    return edges->nnz > 0;
}

static spmv_status read_blocks(spmv__quick_edges *edges, spmv_error *err)
{
    const spmv_read_options *options = edges->reader->options;
    const int64_t bytes = edges->reader->text.end - edges->reader->text.p;
    int64_t looked = 0;
    if (edges->threads > 1) spmv__threads_start();
#pragma omp parallel for schedule(dynamic, 1) num_threads(edges->threads)
    for (int64_t b = 0; b < edges->blocks; b++) {
        spmv__edge_block *block = &edges->block[b];
        read_block(edges, block);
#pragma omp critical(spmv_quick_edges)
        {
            looked += block->end - block->begin;
            spmv__report(options->progress, options->user, "parsing", looked, bytes);
        }
    }
    for (int64_t b = 0; b < edges->blocks; b++)
        if (edges->block[b].status != SPMV_SUCCESS)
            return spmv__fail(err, SPMV_ERROR_OUT_OF_MEMORY, "no memory for the edges");
    return SPMV_SUCCESS;
}

/* ---- Rows ----------------------------------------------------------------------------------- */

/* Which numbers are nodes: all up to the largest, those of a declared range, or those that occur.
 * They may not fit CSR, or be too many for it. */
static spmv_status settle_nodes(spmv__quick_edges *edges, spmv_labels *labels, bool *fit,
                                spmv_error *err)
{
    const spmv__edges_header *header = &edges->reader->header;
    const spmv__edges_extent *e = &edges->extent;
    const int64_t ids = e->rows > e->cols ? e->rows : e->cols;
    labels->first = header->base;
    if (edges->reader->options->all_ids) {
        edges->nodes = spmv__edges_shape(header, e);
    } else if (header->last >= 0) {
        edges->nodes = header->last - header->first + 1;
        edges->shift = header->first - header->base;
        labels->first = header->first;
    } else {
        return spmv__quick_number(edges, labels, fit, err);
    }
    *fit = e->smallest >= edges->shift && ids <= edges->shift + edges->nodes &&
           edges->nodes <= spmv__csr_format.max_cols &&
           !spmv__has_too_many_rows(edges->nodes, edges->nnz);
    return SPMV_SUCCESS;
}

SPMV__INLINE bool put_edges(const spmv__quick_edges *edges, const spmv__edge_block *block,
                            const spmv__bucket_ends *ends, const spmv_type type)
{
    const int32_t *number = edges->number;
    const int64_t shift = edges->shift;
    spmv_scalar value = {0};
    for (int64_t k = 0; k < block->n; k++) {
        const uint32_t row = block->edge[k].row, col = block->edge[k].col;
        if (type != SPMV_PATTERN) value.re = block->val[k];
        const uint64_t r = number != NULL ? (uint64_t)number[row] : (uint64_t)(row - shift);
        const uint64_t c = number != NULL ? (uint64_t)number[col] : (uint64_t)(col - shift);
        if (!spmv__bucket_put(ends, type, r, c, value)) return false;
    }
    return true;
}

static bool put_block(const spmv__quick_edges *edges, int64_t b, spmv__bucket_writer *writer)
{
    const spmv__bucket_ends ends = spmv__bucket_ends_of(writer);
    const spmv__edge_block *block = &edges->block[b];
    const bool put = edges->type == SPMV_PATTERN ? put_edges(edges, block, &ends, SPMV_PATTERN)
                                                 : put_edges(edges, block, &ends, SPMV_F64);
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

static int64_t count_edge(const spmv__edge_block *block, uint32_t row, uint32_t col)
{
    int64_t n = 0;
    for (int64_t k = 0; k < block->n; k++)
        n += (block->edge[k].row == row) & (block->edge[k].col == col);
    return n;
}

/* Edge number `nth` in its block from row to col. */
static const unsigned char *find_line(const spmv__edges_reader *reader,
                                      const spmv__edge_block *block, uint64_t row, uint64_t col,
                                      int64_t nth)
{
    spmv__plain_edge edge = {0};
    lines at;
    lines_begin(&at, reader, block);
    for (const unsigned char *p = at.p; nth > 0 && lines_next(&at, &edge); p = at.p) {
        nth -= edge.row == row && edge.col == col;
        at.own.text.p = p;
    }
    spmv__edges_next(&at.own.text); /* over what stands before it */
    return at.own.text.p;
}

/* All blocks are looked through for the edge, and the one with its line is read again. */
static const unsigned char *find_edge(const void *file, int64_t row, int64_t col, int nth)
{
    const spmv__quick_edges *edges = file;
    int64_t before = 0, b = 0;
#pragma omp parallel for schedule(dynamic, 1) num_threads(edges->threads)
    for (int64_t k = 0; k < edges->blocks; k++)
        edges->block[k].found = count_edge(&edges->block[k], (uint32_t)row, (uint32_t)col);
    for (; before + edges->block[b].found < nth; b++) before += edges->block[b].found;
    return find_line(edges->reader, &edges->block[b], (uint64_t)row, (uint64_t)col, nth - before);
}

static spmv_status report_merged(const spmv__quick_edges *edges, spmv__edges_reader *reader,
                                 const spmv_labels *labels, const spmv__assembly *to,
                                 spmv_error *err)
{
    const int64_t base = reader->header.base;
    const spmv__origin origin = {
        .src = reader->src,
        .options = reader->options,
        .text = &reader->text,
        .base = base,
        .find = find_edge,
        .file = edges,
    };
    if (to->merged == 0) return SPMV_SUCCESS;
    return spmv__text_given_again(&origin, to->A.type, spmv_label_at(labels, to->row) - base,
                                  spmv_label_at(labels, to->col) - base, to->merged, err);
}

/* ---- All of it ------------------------------------------------------------------------------ */

static void destroy(spmv__quick_edges *edges)
{
    for (int64_t b = 0; b < edges->blocks; b++) {
        free(edges->block[b].edge);
        free(edges->block[b].val);
    }
    free(edges->block);
    free(edges->number);
}

static bool is_quick(const spmv__edges_reader *reader)
{
    const spmv__edges_header *header = &reader->header;
    return header->delimiter == '\0' && !header->konect && !header->undirected && !header->words &&
           reader->text.p < reader->text.end;
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
    spmv__assembly to = {.A.type = edges.type,
                         .store = &store,
                         .duplicates = options->duplicates,
                         .meter = {.progress = options->progress, .user = options->user}};
    spmv_status st = SPMV_SUCCESS;
    bool fit;

    *done = false;
    if (!is_quick(reader)) return SPMV_SUCCESS;
    if (block_bytes == 0)
        block_bytes = spmv__text_block_bytes(reader->text.end - reader->text.p, edges.threads);
    SPMV__TRY(cut(&edges, block_bytes, err));
    if (edges.blocks < edges.threads) edges.threads = (int)edges.blocks;
    SPMV__TRY(read_blocks(&edges, err));
    if (!add_up(&edges, &reader->header)) goto done;
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
