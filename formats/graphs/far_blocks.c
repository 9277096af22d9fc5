/* far_blocks.c -- the edges of a block by the numbers that its thread gave to far ids. */
#include "formats/graphs/quick_edges.h"

enum { EDGES = SPMV__FAR_BATCH / 2 };

/* id becomes edges k and so forth of a block, of which there are n. */
static bool number(spmv__edge_block *block, int64_t k, const uint64_t *id, int n)
{
    if (block->far->n > INT32_MAX) block->odd = true; /* more nodes than CSR can have */
    if (block->odd) return false;
    uint32_t numbers[2 * EDGES];
    block->status = spmv__far_ids_number(block->far, id, 2 * n, numbers);
    if (block->status != SPMV_SUCCESS) return false;
    for (int i = 0; i < n; i++)
        block->edge[k + i] = (spmv__edge_ids){numbers[2 * i], numbers[2 * i + 1]};
    return true;
}

static int at_a_time(int64_t left)
{
    return left < EDGES ? (int)left : EDGES;
}

bool spmv__block_go_far(spmv__edge_block *block, spmv__far_ids *far)
{
    block->far = far;
    for (int64_t k = 0; k < block->n; k += EDGES) {
        uint64_t id[2 * EDGES];
        const int n = at_a_time(block->n - k);
        for (int i = 0; i < n; i++) {
            id[2 * i] = block->edge[k + i].row;
            id[2 * i + 1] = block->edge[k + i].col;
        }
        if (!number(block, k, id, n)) return false;
    }
    return true;
}

bool spmv__block_append_far(spmv__edge_block *block, const int64_t *row, const int64_t *col,
                            int64_t edges)
{
    for (int64_t k = 0; k < edges; k += EDGES) {
        uint64_t id[2 * EDGES];
        const int n = at_a_time(edges - k);
        for (int i = 0; i < n; i++) {
            id[2 * i] = (uint64_t)row[k + i];
            id[2 * i + 1] = (uint64_t)col[k + i];
        }
        if (!number(block, block->n, id, n)) return false;
        block->n += n;
    }
    return true;
}
