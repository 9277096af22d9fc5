/* quick_nodes.c -- the nodes of many edges are numbered by all threads. */
#include "core/matrix/format.h"
#include "formats/graphs/quick_edges.h"

#include <stdlib.h>

/* ---- Integers ------------------------------------------------------------------------------- */

enum { RANGE = 1 << SPMV__RANK_BITS }; /* ids that are counted at a time */

/* Most ids have been marked before, and a line of the cache that is not written is shared. */
static void mark(unsigned char *seen, uint32_t id)
{
    if (__atomic_load_n(&seen[id], __ATOMIC_RELAXED) == 0)
        __atomic_store_n(&seen[id], 1, __ATOMIC_RELAXED);
}

static void mark_all(const spmv__quick_edges *edges, unsigned char *seen)
{
#pragma omp parallel for schedule(dynamic, 1) num_threads(edges->threads)
    for (int64_t b = 0; b < edges->blocks; b++) {
        const spmv__edge_block *block = &edges->block[b];
        for (int64_t k = 0; k < block->n; k++) {
            mark(seen, block->edge[k].row);
            mark(seen, block->edge[k].col);
        }
    }
}

/* before[r] becomes the number of marked ids below range r, of which there are `ranges`. */
static void count_marked(const unsigned char *seen, int64_t ids, int64_t *before, int64_t ranges,
                         int threads)
{
#pragma omp parallel for num_threads(threads)
    for (int64_t r = 0; r < ranges; r++) {
        const int64_t begin = r * RANGE, end = ids - begin < RANGE ? ids : begin + RANGE;
        int64_t n = 0;
        for (int64_t i = begin; i < end; i++) n += seen[i];
        before[r + 1] = n;
    }
    spmv__counts_to_offsets(before, ranges);
}

/* Give numbers their ids; marks become ranks, that is how many ids of their range are marked before
 * them. */
static void number_marked(unsigned char *seen, int64_t ids, const int64_t *before, int64_t ranges,
                          int64_t base, int64_t *id, int threads)
{
#pragma omp parallel for num_threads(threads)
    for (int64_t r = 0; r < ranges; r++) {
        const int64_t begin = r * RANGE, end = ids - begin < RANGE ? ids : begin + RANGE;
        int64_t n = before[r];
        for (int64_t i = begin; i < end; i++) {
            const bool marked = seen[i] != 0;
            seen[i] = (unsigned char)(n - before[r]);
            if (marked) id[n++] = i + base;
        }
    }
}

static spmv_status number_ids(spmv__quick_edges *edges, spmv_labels *labels, bool *fit,
                              spmv_error *err)
{
    const spmv__edges_extent *e = &edges->extent;
    const int64_t ids = e->rows > e->cols ? e->rows : e->cols;
    const int64_t ranges = (ids + RANGE - 1) / RANGE;
    unsigned char *seen = NULL;
    int64_t *before = NULL, *id = NULL;
    spmv_status st = SPMV_SUCCESS;

    SPMV__TRY(spmv__alloc(&seen, ids, 1, "marks of nodes", err));
    SPMV__TRY(spmv__alloc(&before, ranges + 1, sizeof *before, "numbers of nodes", err));
    mark_all(edges, seen);
    count_marked(seen, ids, before, ranges, edges->threads);
    edges->nodes = before[ranges];
    *fit = edges->nodes <= spmv__csr_format.max_cols;
    if (!*fit) goto done;
    SPMV__TRY(spmv__alloc_unset(&id, edges->nodes, sizeof *id, "the ids of the nodes", err));
    number_marked(seen, ids, before, ranges, edges->reader->header.base, id, edges->threads);
    edges->shift = e->smallest;
    if (edges->nodes < ids - e->smallest) {
        edges->rank = seen;
        edges->before = before;
        seen = NULL;
        before = NULL;
    }
    spmv__labels_take(labels, id, edges->nodes);
    id = NULL;
done:
    free(seen);
    free(before);
    free(id);
    return st;
}

/* ---- Far ids -------------------------------------------------------------------------------- */

/* Blocks that have ids still get numbers, too. */
static spmv_status go_far(spmv__quick_edges *edges, bool *fit, spmv_error *err)
{
#pragma omp parallel for schedule(dynamic, 1) num_threads(edges->threads)
    for (int64_t b = 0; b < edges->blocks; b++)
        if (edges->block[b].far == NULL)
            spmv__block_go_far(&edges->block[b], &edges->far[spmv__thread()]);
    for (int64_t b = 0; b < edges->blocks; b++) {
        if (edges->block[b].status != SPMV_SUCCESS)
            return spmv__fail(err, SPMV_ERROR_OUT_OF_MEMORY, "no memory for the ids");
        *fit = *fit && !edges->block[b].odd;
    }
    return SPMV_SUCCESS;
}

static spmv_status number_far(spmv__quick_edges *edges, spmv_labels *labels, bool *fit,
                              spmv_error *err)
{
    const spmv__edges_extent *e = &edges->extent;
    const uint64_t most = (uint64_t)(e->rows > e->cols ? e->rows : e->cols) - 1;
    const int64_t base = edges->reader->header.base;
    spmv__far_order order = {0};
    spmv_status st;
    *fit = true;
    SPMV__TRY(go_far(edges, fit, err));
    if (!*fit) goto done;
    SPMV__TRY(
        spmv__far_ids_order(edges->far, edges->threads, (uint64_t)e->smallest, most, &order, err));
    edges->nodes = order.nodes;
    *fit = edges->nodes <= spmv__csr_format.max_cols;
    if (!*fit) goto done;
    for (int64_t i = 0; i < order.nodes; i++) order.id[i] += base;
    edges->number = order.rank;
    order.rank = NULL;
    spmv__labels_take(labels, order.id, order.nodes);
    order.id = NULL;
done:
    free(order.id);
    free(order.rank);
    return st;
}

/* ---- Words ---------------------------------------------------------------------------------- */

static spmv_status number_words(spmv__quick_edges *edges, spmv_labels *labels, bool *fit,
                                spmv_error *err)
{
    const spmv__edges_extent *e = &edges->extent;
    const int64_t ids = e->rows > e->cols ? e->rows : e->cols;
    const int64_t *rank;
    spmv_status st = SPMV_SUCCESS;
    edges->nodes = spmv__node_names_count(edges->names);
    *fit = edges->nodes <= spmv__csr_format.max_cols &&
           !spmv__has_too_many_rows(edges->nodes, edges->nnz);
    if (!*fit) goto done;
    SPMV__TRY(spmv__node_names_settle(edges->names, edges->threads, &rank, labels, err));
    SPMV__TRY(spmv__alloc_unset(&edges->number, ids, sizeof *edges->number, "numbers", err));
#pragma omp parallel for num_threads(edges->threads)
    for (int64_t i = 0; i < ids; i++) edges->number[i] = (int32_t)rank[i];
    spmv__node_names_destroy(
        edges->names); /* before the edges are sorted, which takes memory, too */
    edges->names = NULL;
done:
    return st;
}

spmv_status spmv__quick_number(spmv__quick_edges *edges, spmv_labels *labels, bool *fit,
                               spmv_error *err)
{
    const spmv__edges_extent *e = &edges->extent;
    const int64_t ids = e->rows > e->cols ? e->rows : e->cols;
    if (edges->reader->header.words) return number_words(edges, labels, fit, err);
    if (edges->any_far || spmv__has_too_many_rows(ids, edges->nnz))
        return number_far(edges, labels, fit, err);
    return number_ids(edges, labels, fit, err);
}
