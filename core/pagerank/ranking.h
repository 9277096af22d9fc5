/* ranking.h -- a graph made ready for PageRank, and the state of the iteration. */
#pragma once

#include "core/pagerank/columns.h"
#include "core/pagerank/extrapolate.h"
#include "spmv.h"

/* ---- The graph ------------------------------------------------------------------------------ */

/* For whom a graph is made ready. */
typedef enum spmv__reader {
    SPMV__READER_CPU, /* columns in slices */
    SPMV__READER_GPU  /* compressed columns, see cuda/pagerank/graph_layout.c */
} spmv__reader;

/* Column j lists the nodes with an edge to j: a score is pulled, not pushed.  What a node hands on
 * is `scale` times its score, times the share of the edge where there are shares.
 *
 * Nodes are numbered anew, those with many edges first: what they hand on then lies in the order in
 * which it is wanted most. */
typedef struct spmv__transition {
    int64_t nodes;
    spmv_type type;        /* PATTERN: the edges of a node are alike; else of the shares */
    int32_t *node;         /* [nodes] number i is the caller's node[i] */
    double *scale;         /* [nodes] by number: 1 / out-degree (1 with shares), 0: dangling */
    int64_t dangling;      /* how many nodes are */
    spmv__columns columns; /* for the CPU */
    spmv_csc edges;        /* for the GPU: rows by number, columns as the caller has them */
    int32_t *column; /* [edges.cols] the node of each column, rising, where a rank has those of
                        some nodes; NULL: column j is that of node j */
} spmv__transition;

/* The name that the caller has for a node, perhaps in `out`. */
static inline const char *spmv__node_name(const spmv_labels *labels, int64_t node,
                                          char out[SPMV_LABEL_SIZE])
{
    static const spmv_labels numbers = {0, 1, NULL, NULL, NULL, NULL};
    return spmv_label_text(labels != NULL ? labels : &numbers, node, out);
}

/* Errors: as spmv_pagerank says of its matrix. */
spmv_status spmv__transition_create(spmv__transition *out, const spmv_matrix *A,
                                    const spmv_pagerank_options *options, spmv__reader reader,
                                    spmv_error *err);
void spmv__transition_destroy(spmv__transition *t);

/* Fill in t->node for the edges A, by row, of which only the row pointers are looked at; nodes of
 * less than the least out-degree keep their order.  Errors: OUT_OF_MEMORY. */
spmv_status spmv__transition_number(spmv__transition *t, const spmv_csr *A, int64_t least,
                                    spmv_error *err);

/* Returns that least out-degree where a CPU ranks. */
int64_t spmv__hub_degree(const spmv_csr *A);

/* A copy of A whose row i is row order[i] of A.  Errors: OUT_OF_MEMORY. */
spmv_status spmv__rows_in_order(spmv_csr *out, const spmv_csr *A, const int32_t *order,
                                spmv_error *err);

/* Fill in t->columns with the edges A, by row, of which t->scale has the out-weights; within
 * windows t->node changes.  Errors: OUT_OF_MEMORY. */
spmv_status spmv__transition_slice(spmv__transition *t, const spmv_csr *A, int threads,
                                   spmv_error *err);

/* From out-weights by node in t->scale to what scores are scaled with, by number.
 * Errors: OUT_OF_MEMORY. */
spmv_status spmv__transition_scale(spmv__transition *t, spmv_error *err);

/* A as compressed rows, for looking at the edges that leave a node: A itself, or a copy in *owned
 * that the caller destroys.  Errors: UNSUPPORTED (symmetry not expanded, complex
 * values), OUT_OF_MEMORY. */
spmv_status spmv__outgoing(const spmv_csr **out, spmv_matrix *owned, const spmv_matrix *A,
                           spmv_error *err);

/* ---- The iteration -------------------------------------------------------------------------- */

enum { SPMV__RANKINGS = 8 }; /* in one pass over the graph, at most */

/* sum[i * width + v] = what node i of a window pulls of ranking v, with room for a slice; a number
 * of rankings is a function's own. */
typedef void (*spmv__pull)(const spmv__columns *columns, const spmv__node_window *window,
                           const void *given, double *sum);

/* The function for edges and scores of the given types, and 1, 2, 4 or 8 rankings; NULL when it
 * asks for AVX2 that this build does not have. */
spmv__pull spmv__pull_for(spmv_type type, spmv_type x_type, int width, bool avx2);

/* A sum of many numbers with what rounding took from it (Neumaier). */
typedef struct spmv__sum {
    double value, lost;
} spmv__sum;

static inline void spmv__sum_add(spmv__sum *s, double x)
{
    const double total = s->value + x, a = s->value < 0 ? -s->value : s->value;
    s->lost += a >= (x < 0 ? -x : x) ? (s->value - total) + x : (x - total) + s->value;
    s->value = total;
}

static inline double spmv__sum_total(const spmv__sum *s)
{
    return s->value + s->lost;
}

/* The numbers that a window of nodes adds to the sums of an iteration, for each ranking. */
typedef struct spmv__tally {
    double change[SPMV__RANKINGS], dangling[SPMV__RANKINGS];
    double largest[SPMV__RANKINGS]; /* change of a score */
} spmv__tally;

/* Several rankings side by side: that number v of node number j is at [j * width + v]. */
typedef struct spmv__ranking {
    const spmv__transition *graph;
    const spmv_pagerank_options *options; /* complete */
    int64_t nodes;                        /* of the whole graph */
    int width;                            /* 1, 2, 4 or 8 */
    int used;                             /* of the width; the others stay 0 */
    int threads;
    double *rank;         /* [nodes x width] the scores */
    double *restart;      /* [nodes x width] the personalization, or NULL: uniform */
    void *given, *next;   /* [(nodes + 1) x width] of the precision asked for: what nodes hand on,
                             with 0 at the end for padding */
    spmv__tally *tallies; /* [windows] */
    double dangling[SPMV__RANKINGS]; /* score of all dangling nodes */
} spmv__ranking;

/* A ranking for each column of the personalization, or one without it. */
static inline int64_t spmv__count_rankings(const spmv_pagerank_options *options)
{
    return options->personalization != NULL ? options->personalization->cols : 1;
}

/* The number of rankings that lie side by side where `left` are left: 1, 2, 4 or 8. */
int spmv__ranking_width(int64_t left);

/* Rankings `begin` and on, up to SPMV__RANKINGS of them, at their first scores. */
spmv_status spmv__ranking_create(spmv__ranking *out, const spmv__transition *graph,
                                 const spmv_pagerank_options *options, int64_t begin,
                                 spmv_error *err);
void spmv__ranking_destroy(spmv__ranking *k);

/* One iteration: the changes of each ranking by both norms. */
void spmv__ranking_step(spmv__ranking *k, double change[SPMV__RANKINGS],
                        double largest[SPMV__RANKINGS]);

/* Its two halves, for a part of the nodes: new scores, and what they hand on, in k->next, from what
 * k->given says; and the sums over all windows, in their order. */
void spmv__ranking_pass(spmv__ranking *k);
void spmv__ranking_add_up(spmv__ranking *k, const spmv__tally *tally, int64_t windows,
                          double change[SPMV__RANKINGS], double largest[SPMV__RANKINGS]);

/* Returns the largest of the rankings' changes in the norm that was asked for; *sum:
 * the largest in sum. */
double spmv__ranking_residual(const spmv__ranking *k, const double *change, const double *largest,
                              double *sum);

/* Bring what nodes hand on, and the score of the dangling ones, in line with k->rank. */
void spmv__ranking_hand_on(spmv__ranking *k);

/* The score that an iteration adds to what a node pulls: a share of the personalization, and a part
 * that is the same for every node. */
typedef struct spmv__teleport {
    double personal, uniform;
} spmv__teleport;

/* (1 - d) p + d m q, where m is the score of the dangling nodes. */
spmv__teleport spmv__teleport_of(const spmv_pagerank_options *options, int64_t nodes, double m);

/* ---- A call of spmv_pagerank ---------------------------------------------------------------- */

/* Between the two ends each device does its iterations. */
typedef struct spmv__pagerank_run {
    spmv_pagerank_options options; /* complete */
    spmv__transition graph;
    spmv_pagerank_result result; /* as far as it is known */
    int64_t begin;               /* the first ranking that is still to come */
    int64_t room;                /* for residuals */
} spmv__pagerank_run;

/* Check and prepare everything.  Errors: those of spmv_pagerank. */
spmv_status spmv__pagerank_begin(spmv__pagerank_run *run, const spmv_matrix *A,
                                 const spmv_pagerank_options *options, spmv__reader reader,
                                 spmv_error *err);

/* Returns whether there are rankings still to come. */
static inline bool spmv__pagerank_open(const spmv__pagerank_run *run)
{
    return run->result.nodes > 0 && run->begin < run->result.rankings;
}

/* spmv__pagerank_begin takes three steps: this check, making the graph, and
 * spmv__pagerank_describe.  This one checks the options, and the memory for `share` of the whole.
 * Only the head of A is read. */
spmv_status spmv__pagerank_check(spmv__pagerank_run *run, const spmv_matrix *A,
                                 const spmv_pagerank_options *options, double share,
                                 spmv_error *err);
spmv_status spmv__pagerank_describe(spmv__pagerank_run *run, spmv_error *err);

/* Note the residual of iteration number i of the rankings in hand.  Errors: OUT_OF_MEMORY. */
spmv_status spmv__pagerank_note(spmv__pagerank_run *run, int i, double residual, spmv_error *err);

/* `count` rankings have got their scores, from run->begin on: what became of their last iteration,
 * and the L1 change in it. */
void spmv__pagerank_settle(spmv__pagerank_run *run, int count, double residual, double change);

/* Hand out the result after success, release everything. */
void spmv__pagerank_end(spmv__pagerank_run *run, spmv_status st, spmv_pagerank_result *out);

/* ---- Extrapolation -------------------------------------------------------------------------- */

typedef struct spmv__extrapolation {
    double *seen[SPMV__EXTRAPOLATED + 1]; /* [nodes x width] the last scores, in turn */
    double limit;                         /* see spmv__extrapolation_limit */
} spmv__extrapolation;

spmv_status spmv__extrapolation_create(spmv__extrapolation *out, const spmv__ranking *k,
                                       spmv_error *err);
void spmv__extrapolation_destroy(spmv__extrapolation *e);

/* Take notice of the scores after iteration number i, which had this residual; after some, put a
 * guess in their place. */
void spmv__extrapolation_take(spmv__extrapolation *e, spmv__ranking *k, int i, double residual);
