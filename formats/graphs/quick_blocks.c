/* quick_blocks.c -- the edges of a text, read in blocks by all threads. */
#include "core/base/pages.h"
#include "formats/graphs/quick_edges.h"

/* ---- Blocks --------------------------------------------------------------------------------- */

static spmv_status cut(spmv__quick_edges *edges, int64_t block_bytes, spmv_error *err)
{
    const unsigned char *p = edges->reader->text.p, *end = edges->reader->text.end;
    const int64_t most = (end - p) / block_bytes + 1;
    spmv_status st;
    SPMV__TRY(spmv__alloc(&edges->block, most, sizeof *edges->block, "blocks of edges", err));
    SPMV__TRY(spmv__alloc(&edges->chunk, most, sizeof *edges->chunk, "blocks of edges", err));
    while (p < end) {
        spmv__edge_block *block = &edges->block[edges->blocks++];
        block->begin = p;
        block->end = p = spmv__text_block_end(p, end, block_bytes);
    }
done:
    return st;
}

/* A chunk for a block that needs so much room, and for others like it that its thread reads. */
static spmv_status add_chunk(const spmv__quick_edges *edges, spmv__edge_chunk *chunk, int64_t room)
{
    enum { CHUNK = 1 << 20 }; /* edges: 8 MiB */
    const int64_t share = edges->blocks / edges->threads + 1;
    const int64_t usual = room < CHUNK / share ? room * share : CHUNK;
    const int64_t all = room > usual ? room : usual;
    spmv_status st;
    SPMV__TRY(spmv__alloc_unset(&chunk->edge, all, sizeof *chunk->edge, "edges", NULL));
    if (edges->type != SPMV_PATTERN)
        SPMV__TRY(spmv__alloc_unset(&chunk->val, all, sizeof *chunk->val, "edges", NULL));
    chunk->room = all;
done:
    return st;
}

/* The most edges that a block can have.  Plain lines, which are those of large files, have two
 * digits at least and what stands between and after them; they need not be counted. */
static int64_t most_edges(const spmv__edges_reader *reader, const spmv__edge_block *block)
{
    enum { PLAIN_LINE = 4 };
    if (reader->header.delimiter != '\0') return spmv__edges_count_lines(block->begin, block->end);
    return (block->end - block->begin) / PLAIN_LINE + 1;
}

/* Take room for the edges of a block from the last chunk of this thread, or from a new one. */
static spmv_status take_room(spmv__quick_edges *edges, spmv__edge_block *block)
{
    spmv__edge_chunk **last = &edges->last[spmv__thread()], *chunk = *last;
    spmv_status st = SPMV_SUCCESS;
    block->extent.smallest = INT64_MAX;
    block->room = most_edges(edges->reader, block);
    if (chunk == NULL || chunk->room - chunk->n < block->room) {
        int64_t place;
#pragma omp atomic capture
        place = edges->chunks++;
        *last = chunk = &edges->chunk[place];
        st = add_chunk(edges, chunk, block->room);
    }
    if (st != SPMV_SUCCESS) return st;
    block->edge = chunk->edge + chunk->n;
    if (chunk->val != NULL) block->val = chunk->val + chunk->n;
    chunk->n += block->room;
    return st;
}

/* Give back what a block did not need. */
static void give_back(const spmv__quick_edges *edges, spmv__edge_block *block)
{
    edges->last[spmv__thread()]->n -= block->room - block->n;
    block->room = block->n;
}

/* ---- All blocks ----------------------------------------------------------------------------- */

static void read_block(spmv__quick_edges *edges, spmv__edge_block *block)
{
    spmv__far_ids *far = &edges->far[spmv__thread()];
    spmv__pages_populate(block->begin, block->end - block->begin);
    block->status = take_room(edges, block);
    if (block->status != SPMV_SUCCESS) return;
    if (edges->reader->header.delimiter == '\0')
        spmv__block_read_plain(edges->reader, far, block);
    else
        spmv__block_read_delimited(edges->reader, edges->names, far, block);
    give_back(edges, block);
    spmv__source_leave(edges->reader->src, block->begin, block->end);
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
        edges->any_far = edges->any_far || block->far != NULL;
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
#pragma omp critical(spmv__quick_edges)
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
    SPMV__TRY(
        spmv__alloc(&edges->last, edges->threads, sizeof *edges->last, "blocks of edges", err));
    SPMV__TRY(spmv__alloc(&edges->far, edges->threads, sizeof *edges->far, "far ids", err));
    if (header->words) SPMV__TRY(spmv__node_names_create(&edges->names, edges->threads, err));
    SPMV__TRY(read_blocks(edges, err));
    *fit = add_up(edges, header);
done:
    return st;
}
