/* cut_columns.c -- windows and slices of the columns of a transition matrix.
 *
 * Pulling over columns of unlike lengths is bound by the branches at their ends, which cannot be
 * predicted.  Within a window columns go by falling length, so that the eight of a slice end
 * together: padding takes 1 to 3 % on graphs of all kinds.  Every sum has the same additions in the
 * same order on every machine. */
#include "core/base/base.h"
#include "core/pagerank/columns.h"

enum {
    LENGTHS = 64,  /* of columns that share a slice, at most */
    FULL = 1 << 15 /* edges, at which a window is */
};

/* Windows end where they have enough nodes, or edges. */
static spmv_status cut_windows(spmv__columns *columns, const int32_t *node, const int32_t *length,
                               int64_t nodes, int64_t entries, spmv_error *err)
{
    const int64_t most = nodes / SPMV__WINDOW + entries / FULL + 2;
    const spmv_status st =
        spmv__alloc(&columns->window, most, sizeof *columns->window, "windows", err);
    if (st != SPMV_SUCCESS) return st;
    for (int64_t i = 0; i < nodes; columns->window[++columns->windows].node = i) {
        const int64_t first = i;
        int64_t edges = 0;
        for (; i < nodes && i - first < SPMV__WINDOW && edges < FULL; i++) edges += length[node[i]];
    }
    return st;
}

/* Columns that are too long for a slice with others come first, in their old order. */
static int bucket_of(int64_t length)
{
    return length > LENGTHS ? 0 : 1 + LENGTHS - (int)length;
}

/* Sort a window; the next one is told how many slices and steps this one has. */
static void sort_window(spmv__node_window *w, int32_t *node, const int32_t *length)
{
    const int64_t n = w[1].node - w->node;
    int32_t sorted[SPMV__WINDOW];
    int next[LENGTHS + 3] = {0};
    for (int64_t i = 0; i < n; i++) next[bucket_of(length[node[i]]) + 1]++;
    for (int k = 0; k <= LENGTHS + 1; k++) next[k + 1] += next[k];
    w->alone = next[1];
    for (int64_t i = 0; i < n; i++) sorted[next[bucket_of(length[node[i]])]++] = node[i];
    memcpy(node, sorted, (size_t)n * sizeof *node);
    for (int64_t i = 0; i < w->alone; i++) w[1].step += spmv__steps_alone(length[node[i]]);
    for (int64_t i = w->alone; i < n; i += SPMV__ABREAST) w[1].step += length[node[i]];
    w[1].slice = w->alone + (n - w->alone + SPMV__ABREAST - 1) / SPMV__ABREAST;
}

spmv_status spmv__columns_cut(spmv__columns *columns, int32_t *node, const int32_t *length,
                              int64_t nodes, int64_t entries, int threads, spmv_error *err)
{
    const spmv_status st = cut_windows(columns, node, length, nodes, entries, err);
    spmv__node_window *window = columns->window;
    (void)threads; /* without OpenMP */
    if (st != SPMV_SUCCESS) return st;
#pragma omp parallel for schedule(dynamic, 16) num_threads(threads)
    for (int64_t w = 0; w < columns->windows; w++)
        sort_window(&window[w], node + window[w].node, length);
    for (int64_t w = 0; w < columns->windows; w++) {
        window[w + 1].slice += window[w].slice;
        window[w + 1].step += window[w].step;
    }
    return st;
}
