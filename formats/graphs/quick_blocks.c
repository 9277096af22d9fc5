/* quick_blocks.c -- the edges of a text, read in blocks by all threads. */
#include "core/base/pages.h"
#include "formats/graphs/plain_edge.h"
#include "formats/graphs/quick_edges.h"

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
    spmv_status st;
    block->room = spmv__edges_count_lines(block->begin, block->end);
    SPMV__TRY(spmv__alloc(&block->edge, block->room, sizeof *block->edge, "edges", NULL));
    if (type != SPMV_PATTERN)
        SPMV__TRY(spmv__alloc(&block->val, block->room, sizeof *block->val, "edges", NULL));
done:
    return st;
}

/* The same reader for a block alone. */
static spmv__edges_reader reader_of(const spmv__edges_reader *reader, const spmv__edge_block *block)
{
    spmv__edges_reader own = *reader;
    own.text.p = block->begin;
    own.text.end = block->end;
    return own;
}

/* ---- Plain lines ---------------------------------------------------------------------------- */

/* The lines of a block, one by one. */
typedef struct lines {
    spmv__edges_reader own; /* a reader of the block alone, */
    const unsigned char *p, *end;
    const unsigned char *text_end;
    bool odd; /* what the careful way has to say is more than an edge */
} lines;

static void lines_begin(lines *at, const spmv__edges_reader *reader, const spmv__edge_block *block)
{
    *at = (lines){.own = reader_of(reader, block),
                  .p = block->begin,
                  .end = block->end,
                  .text_end = reader->text.end};
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

static void read_plain(const spmv__quick_edges *edges, spmv__edge_block *block)
{
    spmv__plain_edge edge = {0};
    lines at;
    int64_t n = 0;
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
}

/* ---- Delimited lines ------------------------------------------------------------------------ */

/* Append edges to a block, whose values they have already; false: an id is too large. */
static bool append(spmv__edge_block *block, const spmv__edges *some)
{
    uint64_t all = 0;
    for (int64_t k = 0; k < some->n; k++) {
        const uint64_t row = (uint64_t)some->row[k], col = (uint64_t)some->col[k];
        block->edge[block->n + k] = (spmv__edge_ids){(uint32_t)row, (uint32_t)col};
        all |= row | col;
    }
    block->n += some->n;
    return all < UINT32_MAX;
}

/* As the careful way reads them. */
static void read_delimited(const spmv__quick_edges *edges, spmv__edge_block *block)
{
    enum { PORTION = 1 << 10 };
    int64_t row[PORTION], col[PORTION];
    const spmv__edges_reader *reader = edges->reader;
    spmv__edges_reader own = reader_of(reader, block);
    spmv__edges some = {.row = row, .col = col};
    own.text.user = &own.header;
    own.names = edges->names;
    while (!block->odd && some.n == some.room && block->n < block->room) {
        const int64_t left = block->room - block->n;
        some.room = left < PORTION ? left : PORTION;
        some.n = 0;
        some.val = block->val == NULL ? NULL : block->val + block->n;
        block->odd = !spmv__edges_read(&own, &some) || some.skipped > 0 || !append(block, &some);
    }
    if (memcmp(own.text.count, reader->text.count, sizeof own.text.count) != 0) block->odd = true;
    if (own.text.status == SPMV_ERROR_OUT_OF_MEMORY) block->status = own.text.status;
    block->weighted = some.weighted;
    block->header = own.header;
}

/* ---- All blocks ----------------------------------------------------------------------------- */

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
    spmv__pages_populate(block->begin, block->end - block->begin);
    block->status = make_room(block, edges->type);
    if (block->status != SPMV_SUCCESS) return;
    if (edges->reader->header.delimiter == '\0')
        read_plain(edges, block);
    else
        read_delimited(edges, block);
    measure(block);
}

/* Returns whether all blocks are plain; what their comments say is then in *header. */
static bool add_up(spmv__quick_edges *edges, spmv__edges_header *header)
{
    bool weighted = !header->attributes;
    const spmv__edges_header before = *header;
    spmv__edges_extent *e = &edges->extent;
    *e = (spmv__edges_extent){.smallest = INT64_MAX};
    for (int64_t b = 0; b < edges->blocks; b++) {
        const spmv__edge_block *block = &edges->block[b];
        if (block->odd) return false;
        edges->nnz += block->n;
        weighted = weighted || block->weighted;
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
    if (!weighted) edges->type = SPMV_PATTERN;
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

spmv_status spmv__quick_read(spmv__quick_edges *edges, int64_t block_bytes,
                             spmv__edges_header *header, bool *fit, spmv_error *err)
{
    const spmv__text *text = &edges->reader->text;
    spmv_status st;
    if (block_bytes == 0) block_bytes = spmv__text_block_bytes(text->end - text->p, edges->threads);
    SPMV__TRY(cut(edges, block_bytes, err));
    if (edges->blocks < edges->threads) edges->threads = (int)edges->blocks;
    if (header->words) SPMV__TRY(spmv__node_names_create(&edges->names, edges->threads, err));
    SPMV__TRY(read_blocks(edges, err));
    *fit = add_up(edges, header);
done:
    return st;
}
