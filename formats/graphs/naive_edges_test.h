/* naive_edges_test.h -- what a naive reader makes of the edges of a file: the most obvious sorting
 * and merging, for tests to compare with. */
#pragma once

#include "core/matrix/random_matrix_test.h"
#include "formats/text/blocks_test.h"

typedef struct naive_edges {
    bool weighted;
    int64_t nodes, n, loops; /* n: edges in the file */
    test_triple *edge; /* [n] between numbers of nodes, in the order of the file; afterwards */
    int64_t nnz;       /* [nnz] in order */
} naive_edges;

/* A number from -10 to 10 as text, whole or with three digits behind its point; returns its value.
 */
static inline double weight_text(bool whole, uint64_t below_20001, char text[40])
{
    snprintf(text, 40, whole ? "%.0f" : "%.3f", (double)below_20001 / 1000.0 - 10.0);
    return strtod(text, NULL);
}

static inline void merge_naively(naive_edges *edges, const spmv_read_options *options)
{
    test_triple *edge = edges->edge;
    int64_t end;
    for (int64_t p = 0; p < edges->n; p++) edges->loops += edge[p].row == edge[p].col;
    qsort(edge, (size_t)edges->n, sizeof *edge, test_by_coordinate);
    for (int64_t p = 0; p < edges->n; p = end) {
        test_triple t = edge[p];
        double sum = 0;
        for (end = p; end < edges->n && edge[end].row == t.row && edge[end].col == t.col; end++)
            sum += edge[end].val.re;
        if (options->duplicates == SPMV_DUPLICATES_SUM && end - p > 1) t.val.re = sum;
        if (options->duplicates == SPMV_DUPLICATES_LAST) t.val = edge[end - 1].val;
        if (!edges->weighted) t.val.re = 1;
        if (options->drop_zeros && t.val.re == 0) continue;
        edge[edges->nnz++] = t;
    }
}

/* All of what was read but its labels. */
static inline void assert_edges(outcome *o, const naive_edges *edges, unsigned long long seed)
{
    cr_assert_eq(o->status, SPMV_SUCCESS, "seed %llu: %lld:%lld %s", seed, (long long)o->err.line,
                 (long long)o->err.column, o->err.message);
    to_coordinates(&o->A);
    cr_assert(o->A.head.rows == edges->nodes && o->A.head.cols == edges->nodes,
              "seed %llu: %lld of %lld", seed, (long long)o->A.head.rows, (long long)edges->nodes);
    cr_assert_eq(o->A.head.nnz, edges->nnz, "seed %llu: %lld, not %lld", seed,
                 (long long)o->A.head.nnz, (long long)edges->nnz);
    cr_assert_eq(o->info.entries, edges->n, "seed %llu", seed);
    cr_assert_eq(o->info.loops, edges->loops, "seed %llu", seed);
    cr_assert_eq(o->A.head.type, edges->weighted ? SPMV_F64 : SPMV_PATTERN, "seed %llu", seed);
    for (int64_t p = 0; p < edges->nnz; p++) {
        const test_triple *t = &edges->edge[p];
        const double val = spmv__scalar(o->A.head.type, o->A.coo.val, p).re;
        cr_assert(o->A.coo.row_idx[p] == t->row && o->A.coo.col_idx[p] == t->col &&
                      same_value(val, t->val.re),
                  "seed %llu, edge %lld: (%lld, %lld) %.17g, not (%lld, %lld) %.17g", seed,
                  (long long)p, (long long)o->A.coo.row_idx[p], (long long)o->A.coo.col_idx[p], val,
                  (long long)t->row, (long long)t->col, t->val.re);
    }
}
