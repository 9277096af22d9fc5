/* quick_edges.h -- the quick way from an edge list to CSR.
 *
 * The text is cut into blocks where lines end, which threads read side by side.  Then the nodes are
 * numbered, and the edges go into buckets of rows (core/assemble/buckets.h), which are sorted one
 * by one.  The order of the file survives, so that the result depends neither on the threads nor on
 * where the blocks were cut.
 *
 * Names that are words get a number from the thread that meets them first (node_names.h), which is
 * another one in each run, until all of them are put in order.  Ids that are too large for 32 bits,
 * or far more than there are edges, get a number from the thread that reads them (far_ids.h).
 *
 * The quick way never says what is wrong with a file, and knows nothing odd: where it cannot go on,
 * the careful way reads again from the beginning, and finds the same words as ever. */
#pragma once

#include "formats/common/file_format.h"
#include "formats/graphs/edge_list.h"
#include "formats/graphs/far_ids.h"

/* The ids of an edge, from base 0; or the numbers that words or far ids got. */
typedef struct spmv__edge_ids {
    uint32_t row, col;
} spmv__edge_ids;

/* Memory for the edges of some blocks that one thread reads: it does not wait for the pages of
 * others.  Blocks are smaller than huge pages, chunks are larger. */
typedef struct spmv__edge_chunk {
    spmv__edge_ids *edge; /* [room] */
    double *val;          /* [room], NULL for a pattern */
    int64_t room, n;      /* n: taken by blocks */
} spmv__edge_chunk;

/* A block of lines, and the edges in it. */
typedef struct spmv__edge_block {
    const unsigned char *begin, *end;
    spmv__edges_header header; /* with what comments in the block say */
    spmv__edge_ids *edge;      /* [n] within a chunk */
    double *val;               /* [n], NULL for a pattern */
    int64_t room, n;
    spmv__edges_extent extent; /* of ids, also of far ones */
    spmv__far_ids *far;        /* where they got their numbers; NULL: they are no far ids */
    bool weighted;             /* of edges with attributes: one has a weight */
    bool odd;                  /* not all of it is as expected */
    spmv_status status;
} spmv__edge_block;

enum { SPMV__RANK_BITS = 8 }; /* of what is below a byte */

typedef struct spmv__quick_edges {
    const spmv__edges_reader *reader;
    spmv__edge_block *block; /* [blocks] */
    spmv__edge_chunk *chunk; /* [chunks] with room for as many as there are blocks */
    int64_t blocks, chunks;
    spmv__edge_chunk *
        *last; /* [threads] the chunk from which a thread takes room; NULL: none yet */
    spmv_type type;
    int threads;
    int64_t nnz;
    spmv__edges_extent extent;
    spmv__node_names *names; /* NULL: they are integers */
    spmv__far_ids *far;      /* [threads] */
    bool any_far;            /* a block has some */
    /* Once they are numbered, the node with id i is number[i], or rank[i] after those before its
     * range of 2^SPMV__RANK_BITS ids, or i - shift where both are NULL. */
    int64_t nodes, shift;
    int32_t *number;     /* [ids] of words; or of far ids, those of one thread after another */
    unsigned char *rank; /* [ids] */
    int64_t *before;     /* [ranges + 1] */
} spmv__quick_edges;

/* Read all edges, in blocks of block_bytes or more, 0: as the text is long.  What comments say goes
 * into *header.  Unless *fit, something is odd.  Errors: OUT_OF_MEMORY. */
spmv_status spmv__quick_read(spmv__quick_edges *edges, int64_t block_bytes,
                             spmv__edges_header *header, bool *fit, spmv_error *err);

/* Read the lines of a block, which has room for its edges and an empty extent; `names` is shared by
 * all threads, and `far` is of this one. */
void spmv__block_read_plain(const spmv__edges_reader *reader, spmv__far_ids *far,
                            spmv__edge_block *block);
void spmv__block_read_delimited(const spmv__edges_reader *reader, spmv__node_names *names,
                                spmv__far_ids *far, spmv__edge_block *block);

/* The edges of a block get the numbers of far ids instead of ids; edges are appended to a block of
 * that kind.  False: the block is odd, or its status OUT_OF_MEMORY. */
bool spmv__block_go_far(spmv__edge_block *block, spmv__far_ids *far);
bool spmv__block_append_far(spmv__edge_block *block, const int64_t *row, const int64_t *col,
                            int64_t edges);

/* Number the nodes that occur, by ascending id or, if they are words, by their bytes; *labels gets
 * them.  Where they are too many for CSR, *fit is false.  Errors: OUT_OF_MEMORY. */
spmv_status spmv__quick_number(spmv__quick_edges *edges, spmv_labels *labels, bool *fit,
                               spmv_error *err);

/* Read an edge list either way, the quick one with blocks of block_bytes or more; 0: as the text is
 * long. */
spmv_status spmv__edges_read_blocks(spmv_matrix *out, spmv__source *src,
                                    const spmv_read_options *options, int64_t block_bytes,
                                    spmv_file_info *info, spmv_error *err);

/* Read all edges; *extent is theirs.  Nodes are numbered.  Unless *done, nothing came of it, and
 * there is no error.  Errors: OUT_OF_MEMORY, INVALID_FORMAT (a repeated edge where that is one). */
spmv_status spmv__edges_read_csr(spmv_csr *out, spmv__edges_reader *reader, int64_t block_bytes,
                                 spmv_file_info *info, spmv__edges_extent *extent, bool *done,
                                 spmv_error *err);
