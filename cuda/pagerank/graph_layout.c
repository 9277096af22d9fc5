/* graph_layout.c -- the graph as the kernel of PageRank reads it.
 *
 * Each row is divided among as many lanes as leave none of them more than SPMV__LANE_EDGES edges,
 * and a warp takes as many rows as it has lanes for.  Rows are sorted by what a lane reads of
 * sources far away and of hubs, so that the lanes of a warp end together: on R-MAT graphs padding
 * takes 4 % of the one and 8 % of the other.  A row for more than a warp is cut into pieces. */
#include "core/matrix/value.h"
#include "core/matrix/format.h"
#include "cuda/pagerank/gpu_pagerank.h"

#include <math.h>
#include <stdlib.h>

enum {
    FAR_STEPS = SPMV__LANE_EDGES + 1,     /* a lane takes so many numbers of steps */
    HUB_STEPS = SPMV__LANE_EDGES / 2 + 1, /* two hubs a step */
    LONG = 6,                             /* rows for more than 2^5 lanes */
    MOST_SLICES = INT32_MAX - (1 << 20),  /* or nodes, with room to step past the end */
    KEYS = (LONG + 1) * FAR_STEPS * HUB_STEPS,
    ELSEWHERE = UINT16_MAX /* in the place of a key: with another GPU */
};

/* ---- Rows ----------------------------------------------------------------------------------- */

/* The edges of a node: those from hubs come first. */
typedef struct layout_column {
    int64_t begin, hubs, length;
} layout_column;

/* Until all is laid out, g->node has columns of the edges. */
static int64_t node_of(const spmv__transition *t, int64_t column)
{
    return t->column != NULL ? t->column[column] : column;
}

static layout_column column_of(const spmv__transition *t, const spmv__pull_graph *g, int64_t column)
{
    const int64_t begin = t->edges.col_ptr[column], end = t->edges.col_ptr[column + 1];
    const int64_t others = spmv__find_first(t->edges.row_idx, begin, end, g->hubs);
    return (layout_column){begin, others - begin, end - begin};
}

static int64_t divide_up(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

static int64_t hub_steps(int64_t hubs, int lanes)
{
    return divide_up(divide_up(hubs, lanes), 2);
}

/* Returns the logarithm of how many lanes a row has; 6 stands for more than a warp. */
static int lanes_for(int64_t length)
{
    int log = 0;
    while (log < LONG && length > SPMV__LANE_EDGES << log) log++;
    return log;
}

static int64_t pieces_of(layout_column c)
{
    return divide_up(c.length, SPMV__LANES * SPMV__PIECE_EDGES);
}

/* Rows of equal keys read alike; they are sorted by falling keys. */
static int key_of(layout_column c)
{
    const int log = lanes_for(c.length), lanes = 1 << log;
    if (log == LONG) return KEYS - 1;
    return (int)((log * FAR_STEPS + divide_up(c.length - c.hubs, lanes)) * HUB_STEPS +
                 hub_steps(c.hubs, lanes));
}

/* Sort the columns of nodes that are in the part by falling keys; place [nodes] is the number of
 * each. */
static spmv_status sort_columns(spmv__pull_graph *g, const spmv__transition *t,
                                const spmv__node_parts *parts, int part, const int32_t *place,
                                spmv_error *err)
{
    const int64_t n = t->edges.cols;
    int64_t next[KEYS + 1] = {0};
    uint16_t *key = NULL;
    spmv_status st;

    SPMV__TRY(spmv__alloc(&key, n, sizeof *key, "lengths of rows", err));
#pragma omp parallel for schedule(dynamic, 1024) num_threads(spmv__threads(0))
    for (int64_t j = 0; j < n; j++)
        key[j] = parts->owner[place[node_of(t, j)] / parts->each] == part
                     ? (uint16_t)(KEYS - 1 - key_of(column_of(t, g, j)))
                     : ELSEWHERE;
    for (int64_t j = 0; j < n; j++)
        if (key[j] != ELSEWHERE) next[key[j] + 1]++;
    spmv__counts_to_offsets(next, KEYS);
    g->long_rows = next[1];
    g->rows = next[KEYS];
    g->filled = next[KEYS - 1];
    SPMV__TRY(spmv__alloc(&g->node, g->rows, sizeof *g->node, "an order of nodes", err));
    for (int64_t j = 0; j < n; j++)
        if (key[j] != ELSEWHERE) g->node[next[key[j]]++] = (int32_t)j;
done:
    free(key);
    return st;
}

/* Fill in node, source and degree. */
static spmv_status order_rows(spmv__pull_graph *g, const spmv__transition *t,
                              const spmv__node_parts *parts, int part, spmv_error *err)
{
    int32_t *place = NULL;
    spmv_status st;

    SPMV__TRY(spmv__alloc(&place, g->nodes, sizeof *place, "an order of nodes", err));
    for (int64_t i = 0; i < g->nodes; i++) place[t->node[i]] = (int32_t)i;
    SPMV__TRY(sort_columns(g, t, parts, part, place, err));
    SPMV__TRY(spmv__alloc(&g->source, g->rows, sizeof *g->source, "an order of nodes", err));
    SPMV__TRY(spmv__alloc(&g->degree, g->rows, sizeof *g->degree, "out-degrees", err));
    for (int64_t r = 0; r < g->rows; r++) {
        g->source[r] = place[node_of(t, g->node[r])];
        const double scale = t->scale[g->source[r]];
        g->degree[r] = scale > 0 ? (int32_t)lround(1 / scale) : 0;
    }
done:
    free(place);
    return st;
}

/* ---- Slices --------------------------------------------------------------------------------- */

#define STEPS(n) ((unsigned)(n)&2047) /* as wide as in the slice */

/* Adds the slice that `shape` says, with the next of the words. */
static void add_slice(spmv__pull_graph *g, spmv__pull_slice shape)
{
    shape.hub = (int32_t)g->hub_steps;
    shape.far = (int32_t)g->far_steps;
    if (g->slice != NULL) g->slice[g->slices] = shape;
    g->slices++;
    g->hub_steps += shape.hub_steps;
    g->far_steps += shape.far_steps;
}

/* Part i of n of so many edges begins here. */
static int64_t cut(int64_t edges, int64_t i, int64_t n)
{
    return edges / n * i + edges % n * i / n;
}

static void add_pieces(spmv__pull_graph *g, layout_column c)
{
    const int64_t n = pieces_of(c), fars = c.length - c.hubs;
    for (int64_t i = 0; i < n; i++, g->pieces++) {
        const int64_t h = cut(c.hubs, i + 1, n) - cut(c.hubs, i, n);
        const int64_t f = cut(fars, i + 1, n) - cut(fars, i, n);
        add_slice(g, (spmv__pull_slice){.first = (int32_t)g->pieces,
                                        .piece = 1,
                                        .log_lanes = LONG - 1,
                                        .rows = 1,
                                        .hub_steps = STEPS(hub_steps(h, SPMV__LANES)),
                                        .far_steps = STEPS(divide_up(f, SPMV__LANES))});
    }
}

/* Adds as many rows from r on as fit into a slice; returns the first that does not. */
static int64_t add_rows(spmv__pull_graph *g, const spmv__transition *t, int64_t r)
{
    const int64_t first = r;
    const int log = lanes_for(column_of(t, g, g->node[r]).length), lanes = 1 << log;
    int64_t hubs = 0, fars = 0;
    for (; r < g->filled && (r - first) * lanes < SPMV__LANES; r++) {
        const layout_column c = column_of(t, g, g->node[r]);
        if (lanes_for(c.length) != log) break;
        const int64_t h = hub_steps(c.hubs, lanes), f = divide_up(c.length - c.hubs, lanes);
        hubs = h > hubs ? h : hubs;
        fars = f > fars ? f : fars;
    }
    add_slice(g, (spmv__pull_slice){.first = (int32_t)first,
                                    .log_lanes = (unsigned)log & 7,
                                    .rows = (unsigned)(r - first) & 63,
                                    .hub_steps = STEPS(hubs),
                                    .far_steps = STEPS(fars)});
    return r;
}

/* Count the slices, or fill them in where there is room for them. */
static void cut_slices(spmv__pull_graph *g, const spmv__transition *t)
{
    g->slices = g->pieces = g->hub_steps = g->far_steps = 0;
    for (int64_t r = 0; r < g->long_rows; r++) {
        add_pieces(g, column_of(t, g, g->node[r]));
        if (g->piece != NULL) g->piece[r + 1] = (int32_t)g->pieces;
    }
    for (int64_t r = g->long_rows; r < g->filled;) r = add_rows(g, t, r);
}

/* ---- Codes ---------------------------------------------------------------------------------- */

/* Edges from..to - 1 of the graph go to `lanes` lanes of a slice from `lane` on. */
static void put_hubs(const spmv__pull_graph *g, const spmv_csc *edges, const spmv__pull_slice *s,
                     int64_t from, int64_t to, int lane, int lanes)
{
    for (int64_t e = 0; e < to - from; e++) {
        const int64_t k = e / lanes; /* two of them make a step */
        const int64_t at = (s->hub + k / 2) * SPMV__LANES + lane + e % lanes;
        const int shift = k % 2 == 0 ? 0 : 16;
        g->hub[at] &= ~((uint32_t)0xffff << shift);
        g->hub[at] |= (uint32_t)edges->row_idx[from + e] << shift;
        spmv__copy_value(edges->type, g->hub_share, 2 * at + k % 2, edges->val, from + e);
    }
}

static void put_fars(const spmv__pull_graph *g, const spmv_csc *edges, const spmv__pull_slice *s,
                     int64_t from, int64_t to, int lane, int lanes)
{
    for (int64_t e = 0; e < to - from; e++) {
        const int64_t at = (s->far + e / lanes) * SPMV__LANES + lane + e % lanes;
        g->far[at] = edges->row_idx[from + e];
        spmv__copy_value(edges->type, g->far_share, at, edges->val, from + e);
    }
}

static void fill_pieces(const spmv__pull_graph *g, const spmv__transition *t, int64_t r)
{
    const layout_column c = column_of(t, g, g->node[r]);
    const int64_t n = pieces_of(c), fars = c.length - c.hubs, far = c.begin + c.hubs;
    for (int64_t i = 0; i < n; i++) {
        const spmv__pull_slice *s = &g->slice[g->piece[r] + i];
        put_hubs(g, &t->edges, s, c.begin + cut(c.hubs, i, n), c.begin + cut(c.hubs, i + 1, n), 0,
                 SPMV__LANES);
        put_fars(g, &t->edges, s, far + cut(fars, i, n), far + cut(fars, i + 1, n), 0, SPMV__LANES);
    }
}

static void fill_rows(const spmv__pull_graph *g, const spmv__transition *t,
                      const spmv__pull_slice *s)
{
    const int lanes = 1 << s->log_lanes;
    for (int i = 0; i < (int)s->rows; i++) {
        const layout_column c = column_of(t, g, g->node[s->first + i]);
        const int64_t far = c.begin + c.hubs, end = c.begin + c.length;
        put_hubs(g, &t->edges, s, c.begin, far, i * lanes, lanes);
        put_fars(g, &t->edges, s, far, end, i * lanes, lanes);
    }
}

static void fill(spmv__pull_graph *g, const spmv__transition *t)
{
    const uint32_t none = (uint32_t)g->hubs << 16 | (uint32_t)g->hubs;
    for (int64_t i = 0; i < g->hub_steps * SPMV__LANES; i++) g->hub[i] = none;
    for (int64_t i = 0; i < g->far_steps * SPMV__LANES; i++) g->far[i] = (int32_t)g->nodes;
#pragma omp parallel for schedule(dynamic, 16) num_threads(spmv__threads(0))
    for (int64_t r = 0; r < g->long_rows; r++) fill_pieces(g, t, r);
#pragma omp parallel for schedule(dynamic, 256) num_threads(spmv__threads(0))
    for (int64_t s = g->pieces; s < g->slices; s++) fill_rows(g, t, &g->slice[s]);
}

/* ---- The whole ------------------------------------------------------------------------------ */

void spmv__pull_arrays(spmv__pull_graph *g, spmv__pull_array list[SPMV__PULL_ARRAYS])
{
    const int64_t word = sizeof(int32_t), hub = g->hub_steps * SPMV__LANES;
    const int64_t far = g->far_steps * SPMV__LANES, share = (int64_t)g->share_size;
    const spmv__pull_array all[SPMV__PULL_ARRAYS] = {
        {(void **)&g->slice, g->slices * (int64_t)sizeof *g->slice},
        {(void **)&g->hub, hub * word},
        {(void **)&g->far, far * word},
        {&g->hub_share, 2 * hub * share},
        {&g->far_share, far * share},
        {(void **)&g->piece, (g->long_rows + 1) * word},
        {(void **)&g->source, g->rows * word},
        {(void **)&g->degree, g->rows * word},
    };
    memcpy(list, all, sizeof all);
}

spmv_status spmv__pull_graph_create(spmv__pull_graph *out, const spmv__transition *t,
                                    const spmv__node_parts *parts, int part, int64_t hubs,
                                    spmv_error *err)
{
    const int64_t n = t->nodes;
    spmv__pull_graph g = {.nodes = n, .share_size = spmv_type_size(t->edges.type)};
    spmv__pull_array list[SPMV__PULL_ARRAYS];
    spmv_status st;

    g.hubs = hubs < n - t->dangling ? hubs : n - t->dangling;

    SPMV__TRY(order_rows(&g, t, parts, part, err));
    cut_slices(&g, t);
    if (g.hub_steps > INT32_MAX || g.far_steps > INT32_MAX || g.slices > MOST_SLICES ||
        n > MOST_SLICES)
        SPMV__TRY(spmv__fail(err, SPMV_ERROR_OUT_OF_MEMORY,
                             "%lld nodes and %lld edges are too many for a GPU", (long long)n,
                             (long long)t->edges.nnz));
    spmv__pull_arrays(&g, list);
    for (int i = 0; i < SPMV__PULL_ARRAYS; i++)
        if (*list[i].data == NULL && list[i].bytes > 0)
            SPMV__TRY(spmv__alloc(list[i].data, list[i].bytes, 1, "the graph for the GPU", err));
    cut_slices(&g, t);
    fill(&g, t);
    for (int64_t r = 0; r < g.rows; r++) g.node[r] = (int32_t)node_of(t, g.node[r]);
    *out = g;
    memset(&g, 0, sizeof g);
done:
    spmv__pull_graph_destroy(&g);
    return st;
}

void spmv__pull_graph_destroy(spmv__pull_graph *g)
{
    spmv__pull_array list[SPMV__PULL_ARRAYS];
    spmv__pull_arrays(g, list);
    for (int i = 0; i < SPMV__PULL_ARRAYS; i++) free(*list[i].data);
    free(g->node);
    memset(g, 0, sizeof *g);
}
