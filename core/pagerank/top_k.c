/* top_k.c -- the best k of n, kept in a heap whose root is the worst of them. */
#include "core/base/base.h"

#include <math.h>

/* Returns whether node a comes before node b.  Any two nodes have an order. */
static bool before(const double *scores, int64_t a, int64_t b)
{
    if (scores[a] > scores[b]) return true;
    if (scores[a] < scores[b]) return false;
    if (isnan(scores[a]) != isnan(scores[b])) return isnan(scores[b]);
    return a < b;
}

/* Let the node at place i sink below all that come after it. */
static void sink(const double *scores, int64_t *heap, int64_t n, int64_t i)
{
    int64_t node = heap[i];
    for (int64_t child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && before(scores, heap[child], heap[child + 1])) child++;
        if (before(scores, heap[child], node)) break;
        heap[i] = heap[child];
    }
    heap[i] = node;
}

spmv_status spmv_top_k(const double *scores, int64_t n, int64_t k, int64_t *nodes, spmv_error *err)
{
    SPMV__REQUIRE(n >= 0 && k >= 0, err);
    SPMV__REQUIRE(n == 0 || k == 0 || (scores != NULL && nodes != NULL), err);
    if (k > n) k = n;
    if (k == 0) return SPMV_SUCCESS;

    for (int64_t i = 0; i < k; i++) nodes[i] = i;
    for (int64_t i = k / 2 - 1; i >= 0; i--) sink(scores, nodes, k, i);
    for (int64_t i = k; i < n; i++)
        if (before(scores, i, nodes[0])) {
            nodes[0] = i;
            sink(scores, nodes, k, 0);
        }
    for (int64_t last = k - 1; last > 0; last--) { /* the worst of the rest goes to the end */
        int64_t worst = nodes[0];
        nodes[0] = nodes[last];
        nodes[last] = worst;
        sink(scores, nodes, last, 0);
    }
    return SPMV_SUCCESS;
}
