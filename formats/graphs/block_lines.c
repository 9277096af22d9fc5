/* block_lines.c -- the lines of a block, and the edges in them. */
#include "formats/graphs/plain_edge.h"
#include "formats/graphs/quick_edges.h"
#include "formats/graphs/short_edges.h"

enum { PORTION = 1 << 10 }; /* edges */

/* The same reader for a block alone. */
static spmv__edges_reader reader_of(const spmv__edges_reader *reader, const spmv__edge_block *block)
{
    spmv__edges_reader own = *reader;
    own.text.p = block->begin;
    own.text.end = block->end;
    return own;
}

/* Put an edge into the extent of all. */
SPMV__INLINE void extend(spmv__edges_extent *e, int64_t r, int64_t c)
{
    const int64_t lesser = r < c ? r : c;
    e->rows = r >= e->rows ? r + 1 : e->rows;
    e->cols = c >= e->cols ? c + 1 : e->cols;
    e->smallest = lesser < e->smallest ? lesser : e->smallest;
    e->loops += r == c;
}

/* Put edge n of a block into its place, and into the extent of all. */
SPMV__INLINE void put_edge(spmv__edge_block *block, int64_t n, uint64_t row, uint64_t col,
                           spmv__edges_extent *e)
{
    block->edge[n] = (spmv__edge_ids){(uint32_t)row, (uint32_t)col};
    extend(e, (int64_t)row, (int64_t)col);
}

/* Whether both ids fit 32 bits. */
SPMV__INLINE bool is_near(const spmv__plain_edge *edge)
{
    return (edge->row | edge->col) < UINT32_MAX;
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

/* Read usual lines from at->p on as edges n and so forth, up to the first that may be none; returns
 * how many edges there are then. */
SPMV__INLINE int64_t read_usual(lines *at, spmv__edge_block *block, int64_t n,
                                spmv__edges_extent *extent, const bool pattern)
{
    /* So many lines of two nodes are mostly within 64 bytes. */
    enum { LINES = 4 };
    const spmv__edges_header header = at->own.header;
    const unsigned char *p = at->p, separator = (unsigned char)at->own.text.separator;
    spmv__edges_extent e = *extent;
    int64_t before = -1;
    while (n > before && p < at->end && at->text_end - p > 2 * SPMV__PLAIN) {
        before = n;
        if (pattern)
            p = spmv__short_edges_read(p, at->end, &header, separator, block->edge, &n, &e);
        if (p >= at->end || at->text_end - p <= 2 * SPMV__PLAIN) break;
        uint64_t marks = spmv__marks_of_digits(p);
        for (int i = 0; i < (pattern ? LINES : 1) && p < at->end; i++) {
            spmv__plain_edge edge;
            const unsigned char *next =
                spmv__usual_edge_at(p, marks, at->text_end, &header, separator, &edge);
            if (next == NULL || !is_near(&edge)) break;
            put_edge(block, n, edge.row, edge.col, &e);
            if (!pattern) block->val[n] = edge.weight;
            if (pattern) marks = spmv__marks_behind(marks, next - p);
            p = next;
            n++;
        }
    }
    at->p = p;
    *extent = e;
    return n;
}

/* Read lines up to the first edge with a far id, which goes into *far; false: there is none. */
static bool read_near(lines *at, spmv__edge_block *block, spmv__plain_edge *far)
{
    int64_t n = 0;
    bool more;
    for (;;) {
        n = block->val == NULL ? read_usual(at, block, n, &block->extent, true)
                               : read_usual(at, block, n, &block->extent, false);
        more = lines_next(at, far);
        if (!more || !is_near(far)) break;
        put_edge(block, n, far->row, far->col, &block->extent);
        if (block->val != NULL) block->val[n] = far->weight;
        n++;
    }
    block->n = n;
    return more;
}

/* The next line, mostly of two nodes with many digits. */
SPMV__INLINE bool long_next(lines *at, spmv__plain_edge *out)
{
    if (at->p < at->end && at->text_end - at->p > 2 * SPMV__PLAIN) {
        const unsigned char *next =
            spmv__usual_edge_at(at->p, spmv__marks_of_digits(at->p), at->text_end, &at->own.header,
                                (unsigned char)at->own.text.separator, out);
        if (next != NULL) {
            at->p = next;
            return true;
        }
    }
    return lines_next(at, out);
}

/* Read lines, from an edge on that has been read already, as edges between far ids. */
static void read_far(lines *at, spmv__edge_block *block, spmv__plain_edge edge)
{
    int64_t row[PORTION], col[PORTION];
    bool more = true;
    while (more) {
        int64_t n = 0;
        for (; more && n < PORTION; more = long_next(at, &edge)) {
            row[n] = (int64_t)edge.row;
            col[n] = (int64_t)edge.col;
            if (block->val != NULL) block->val[block->n + n] = edge.weight;
            extend(&block->extent, row[n], col[n]);
            n++;
        }
        more = spmv__block_append_far(block, row, col, n) && more;
    }
}

void spmv__block_read_plain(const spmv__edges_reader *reader, spmv__far_ids *far,
                            spmv__edge_block *block)
{
    spmv__plain_edge edge = {0};
    lines at;
    lines_begin(&at, reader, block);
    if (read_near(&at, block, &edge) && spmv__block_go_far(block, far)) read_far(&at, block, edge);
    block->odd = block->odd || at.odd;
    block->header = at.own.header;
}

/* ---- Delimited lines ------------------------------------------------------------------------ */

/* Append edges to a block, whose values they have already.  False: they cannot be, as numbers of
 * words are too large for 32 bits; or there is no memory. */
static bool append(spmv__edge_block *block, const spmv__edges *some, spmv__far_ids *far)
{
    uint64_t all = 0;
    for (int64_t k = 0; k < some->n; k++) {
        all |= (uint64_t)(some->row[k] | some->col[k]);
        extend(&block->extent, some->row[k], some->col[k]);
    }
    if (all >= UINT32_MAX && block->far == NULL)
        if (far == NULL || !spmv__block_go_far(block, far)) return false;
    if (block->far != NULL) return spmv__block_append_far(block, some->row, some->col, some->n);
    for (int64_t k = 0; k < some->n; k++)
        block->edge[block->n++] = (spmv__edge_ids){(uint32_t)some->row[k], (uint32_t)some->col[k]};
    return true;
}

/* As the careful way reads them. */
void spmv__block_read_delimited(const spmv__edges_reader *reader, spmv__node_names *names,
                                spmv__far_ids *far, spmv__edge_block *block)
{
    int64_t row[PORTION], col[PORTION];
    spmv__edges_reader own = reader_of(reader, block);
    spmv__edges some = {.row = row, .col = col};
    own.text.user = &own.header;
    own.names = names;
    while (!block->odd && some.n == some.room && block->n < block->room) {
        const int64_t left = block->room - block->n;
        some.room = left < PORTION ? left : PORTION;
        some.n = 0;
        some.val = block->val == NULL ? NULL : block->val + block->n;
        block->odd = !spmv__edges_read(&own, &some) || some.skipped > 0 ||
                     !append(block, &some, names == NULL ? far : NULL);
    }
    if (memcmp(own.text.count, reader->text.count, sizeof own.text.count) != 0) block->odd = true;
    if (own.text.status == SPMV_ERROR_OUT_OF_MEMORY) block->status = own.text.status;
    block->weighted = some.weighted;
    block->header = own.header;
}
