/* rmat.c -- R-MAT graphs with the parameters of Graph500, without its noise.
 *
 * An edge is dropped into one quadrant of the adjacency matrix after another, until it is one
 * entry; quadrants have the chances 0.57, 0.19, 0.19, 0.05 (Chakrabarti, Zhan and Faloutsos,
 * R-MAT, 2004).  Node ids are scrambled, parallel edges merged, loops kept.
 *
 * Edges are not stored but drawn twice: to count rows, and to drop columns into them.  Each row is
 * then sorted and freed from duplicates by a set of columns, for scrambled ids are spread evenly.
 * So all takes O(edges) expected time, and 4 bytes per edge beside the result. */
#include "core/base/base.h"
#include "core/generate/generator.h"

#include <stdlib.h>
#include <string.h>

/* Upper ends of the first three quadrants in 32-bit fractions. */
static const uint32_t quadrant_end[3] = {2448131359u, 3264175145u, 4080218931u};

/* A bijection of [0, 2^scale) that leaves no trace of the order: odd multipliers and shifted
 * exclusive ors can be undone. */
static uint32_t scramble(uint32_t node, int scale, uint64_t seed)
{
    uint32_t mask = (uint32_t)(((uint64_t)1 << scale) - 1);
    for (uint64_t round = 0; round < 3; round++) {
        uint64_t key = spmv__mix(seed ^ round);
        node = (node * (uint32_t)(key | 1) + (uint32_t)(key >> 32)) & mask;
        node ^= node >> (scale / 2 + 1);
    }
    return node;
}

static void draw_edge(const spmv__plan *plan, int64_t edge, uint32_t *from, uint32_t *to)
{
    int scale = (int)plan->options.scale;
    uint64_t stream = spmv__mix(spmv__mix(plan->options.seed) ^ (uint64_t)edge), bits = 0;
    uint32_t row = 0, col = 0;
    for (int level = 0; level < scale; level++) {
        bits = level % 2 == 0 ? spmv__mix(stream ^ (uint64_t)level) : bits >> 32;
        uint32_t u = (uint32_t)bits;
        int quadrant = (u >= quadrant_end[0]) + (u >= quadrant_end[1]) + (u >= quadrant_end[2]);
        row = row << 1 | (quadrant >= 2);
        col = col << 1 | (quadrant % 2 == 1);
    }
    *from = scramble(row, scale, plan->options.seed);
    *to = scramble(col, scale, plan->options.seed);
}

static spmv_status prepare(spmv__plan *plan, spmv_error *err)
{
    spmv_generate_options *o = &plan->options;
    if (o->scale > 30)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "scale is %lld, the most is 30",
                          (long long)o->scale);
    o->rows = o->cols = (int64_t)1 << o->scale;
    if (o->per_row * (double)o->rows > 0x1p62)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "%g edges per node are too many",
                          o->per_row);
    return SPMV_SUCCESS;
}

/* Drop all edges into their rows, in any order; row_ptr[r] is the end of row r afterwards, its
 * start is that of the row before. */
static void drop_edges(spmv_csr *A, const spmv__plan *plan, int64_t edges, int threads)
{
    (void)threads; /* without OpenMP */
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t e = 0; e < edges; e++) {
        uint32_t from, to;
        draw_edge(plan, e, &from, &to);
#pragma omp atomic
        A->row_ptr[from]++;
    }
    for (int64_t r = 0, start = 0; r <= A->rows; r++) {
        int64_t n = A->row_ptr[r];
        A->row_ptr[r] = start;
        start += n;
    }
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t e = 0; e < edges; e++) {
        uint32_t from, to;
        int64_t p;
        draw_edge(plan, e, &from, &to);
#pragma omp atomic capture
        p = A->row_ptr[from]++;
        A->col_idx[p] = (int32_t)to;
    }
}

/* Sort a row and merge its duplicates; what they leave free at its end becomes -1.  Row r starts at
 * row_ptr[r - 1]. */
static spmv_status tidy_row(void *user, int64_t r, spmv__column_set *set, spmv_error *err)
{
    spmv_csr *A = user;
    const int64_t start = r == 0 ? 0 : A->row_ptr[r - 1], n = A->row_ptr[r] - start;
    int32_t *col = A->col_idx + start;
    if (n == 0) return SPMV_SUCCESS;
    spmv_status st = spmv__column_set_reset(set, n, 0, A->cols, err);
    if (st != SPMV_SUCCESS) return st;
    for (int64_t k = 0; k < n; k++) spmv__column_set_add(set, col[k]);
    const int64_t kept = spmv__column_set_get(set, col);
    memset(col + kept, 0xff, (size_t)(n - kept) * sizeof *col);
    return SPMV_SUCCESS;
}

/* Close the gaps; row_ptr becomes what CSR promises. */
static void close_gaps(spmv_csr *A)
{
    int64_t kept = 0, start = 0;
    for (int64_t r = 0; r < A->rows; r++) {
        int64_t end = A->row_ptr[r];
        A->row_ptr[r] = kept;
        for (int64_t p = start; p < end && A->col_idx[p] >= 0; p++)
            A->col_idx[kept++] = A->col_idx[p];
        start = end;
    }
    A->row_ptr[A->rows] = A->nnz = kept;

    int32_t *fitting = realloc(A->col_idx, (size_t)(kept > 0 ? kept : 1) * sizeof *fitting);
    if (fitting != NULL) A->col_idx = fitting;
}

static spmv_status pattern(spmv_csr *out, const spmv__plan *plan, spmv_error *err)
{
    const spmv_generate_options *o = &plan->options;
    int64_t edges = (int64_t)(o->per_row * (double)o->rows);
    int threads = spmv__threads(o->threads);
    spmv_csr csr = {0};
    spmv_status st;

    SPMV__TRY(spmv_csr_create(&csr, SPMV_PATTERN, o->rows, o->cols, 0, err));
    free(csr.col_idx);
    SPMV__TRY(spmv__alloc(&csr.col_idx, edges, sizeof *csr.col_idx, "edges", err));
    drop_edges(&csr, plan, edges, threads);
    SPMV__TRY(spmv__for_rows(csr.rows, threads, tidy_row, &csr, err));
    close_gaps(&csr);
    *out = csr;
    csr = (spmv_csr){0};
done:
    spmv_csr_destroy(&csr);
    return st;
}

const spmv__generator spmv__rmat_generator = {
    .info = {.name = "rmat",
             .summary = "Graph500 R-MAT: 2^scale nodes, per-row edges each before merging",
             .uses = "scale per-row",
             .defaults = {.scale = 14, .per_row = 16}},
    .prepare = prepare,
    .pattern = pattern,
};
