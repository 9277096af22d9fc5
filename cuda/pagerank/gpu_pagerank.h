/* gpu_pagerank.h -- PageRank on the GPU: the graph as the kernel reads it, and an iteration. */
#pragma once

#include "cuda/gpu/gpu.h"

#include "core/pagerank/ranking.h"

#include <stdalign.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- The graph ------------------------------------------------------------------------------ */

enum {
    SPMV__LANES = 32,       /* of a warp */
    SPMV__LANE_EDGES = 32,  /* of a lane, in rows that need no more than a warp */
    SPMV__PIECE_EDGES = 128 /* of a lane, in the pieces of longer ones */
};

/* One warp pulls a slice: rows of so many lanes each, or a piece of a long row.  In a step each
 * lane reads one word: two codes of hubs, or the number of another source. */
typedef struct spmv__pull_slice {
    alignas(16) int32_t hub; /* the step with which its hubs begin */
    int32_t far;             /* and its other sources */
    int32_t first;           /* its first row, or its number among the pieces */
    uint32_t piece : 1;      /* it is a piece, of as many lanes as a warp has */
    uint32_t log_lanes : 3;  /* a row has 2^log_lanes of them */
    uint32_t rows : 6;       /* 1 .. 32 */
    uint32_t hub_steps : 11, far_steps : 11;
} spmv__pull_slice;

/* Row r pulls for node[r]; rows are sorted such that those of a slice are of one length.  Edge e of
 * a row lies with its lane e % lanes.  Arrays are on the host, or but for `node` on the GPU. */
typedef struct spmv__pull_graph {
    int64_t nodes;
    int64_t rows;                 /* all nodes, or those of one GPU */
    int64_t hubs;                 /* sources 0 .. hubs - 1, with codes of 16 bits */
    int64_t slices, pieces;       /* pieces come first */
    int64_t long_rows;            /* so come the rows that are cut into pieces */
    int64_t filled;               /* rows with edges, which come before those without */
    int64_t hub_steps, far_steps; /* of all slices */
    size_t share_size;            /* of the share of an edge; 0: there are none */
    spmv__pull_slice *slice;      /* [slices] */
    uint32_t *hub;                /* [32 hub_steps], padding is code `hubs` */
    int32_t *far;                 /* [32 far_steps], padding is source `nodes` */
    void *hub_share, *far_share;  /* [64 hub_steps], [32 far_steps], or NULL */
    int32_t *piece;               /* [long_rows + 1] the pieces of each */
    int32_t *source;              /* [rows] which source a row is */
    int32_t *degree;              /* [rows] edges that its score is shared between; 0: dangling */
    int32_t *node;                /* [rows] */
} spmv__pull_graph;

/* One of the arrays that go to the GPU. */
typedef struct spmv__pull_array {
    void **data;
    int64_t bytes;
} spmv__pull_array;
enum { SPMV__PULL_ARRAYS = 8 };
void spmv__pull_arrays(spmv__pull_graph *g, spmv__pull_array list[SPMV__PULL_ARRAYS]);

/* Which of several GPUs has which nodes: blocks of neighbouring sources, so that what they hand on
 * lies side by side and that of hubs is spread. */
typedef struct spmv__node_parts {
    int gpus;
    int64_t each; /* sources of a block */
    int64_t blocks;
    int64_t read;   /* so many of the first ones have sources that are not dangling */
    int32_t *owner; /* [blocks] a GPU */
} spmv__node_parts;

/* Cut a graph so that all have as much to do.  Errors: OUT_OF_MEMORY. */
spmv_status spmv__node_parts_create(spmv__node_parts *out, const spmv__transition *t, int gpus,
                                    spmv_error *err);
void spmv__node_parts_destroy(spmv__node_parts *parts);

/* Lay out the rows of GPU number `part` of a graph that was made for SPMV__READER_GPU, with up to
 * so many hubs; of the columns it has to have those of the part.  Errors: OUT_OF_MEMORY.  Time and
 * memory O(edges + nodes). */
spmv_status spmv__pull_graph_create(spmv__pull_graph *out, const spmv__transition *t,
                                    const spmv__node_parts *parts, int part, int64_t hubs,
                                    spmv_error *err);
void spmv__pull_graph_destroy(spmv__pull_graph *g);

/* ---- An iteration --------------------------------------------------------------------------- */

enum { SPMV__BATCH = 16 }; /* iterations between two looks at the state; even: x and next swap */

/* A block, or all of them, add this to the sums of an iteration. */
typedef struct spmv__pagerank_sums {
    double change, dangling, largest;
} spmv__pagerank_sums;

/* The iterations hand this on to each other, on the GPU; arrays are by ranking. */
typedef struct spmv__pagerank_state {
    int32_t iterations; /* done */
    int32_t stop;       /* nothing is left to do */
    spmv__teleport to[SPMV__RANKINGS];
    spmv__pagerank_sums sums[SPMV__RANKINGS];
    double residual[SPMV__BATCH]; /* of iteration number i at i % SPMV__BATCH */
    double weight[SPMV__RANKINGS][SPMV__EXTRAPOLATED]; /* of a guess */
    bool guessed[SPMV__RANKINGS];                      /* it takes the place of the scores */
    double limit;                                      /* see spmv__extrapolation_limit */
} spmv__pagerank_state;

/* The products of differences that a block adds to those of a ranking: a triangle of them. */
enum { SPMV__PAGERANK_PRODUCTS = SPMV__EXTRAPOLATED * (SPMV__EXTRAPOLATED + 1) / 2 };

enum { SPMV__PAGERANK_MAIL = SPMV__PAGERANK_PRODUCTS * SPMV__RANKINGS }; /* numbers, at most */

/* What one of several GPUs has that others write. */
typedef struct spmv__pagerank_box {
    void *x, *next;  /* as in the job */
    double *mail[2]; /* [GPUs][SPMV__PAGERANK_MAIL] of rounds with even and odd numbers */
    uint32_t *told;  /* [GPUs] the last round in which each of them has written all */
} spmv__pagerank_box;

/* How several GPUs rank together.  In a round each one writes into the boxes of all: numbers that
 * are to be added up, what its nodes hand on, or both; and waits for all of them.  Before somebody
 * writes in a round, he has waited in the round before, for which all others have read what came in
 * the one before that: two places are enough.  Pointers are on the GPUs. */
typedef struct spmv__pagerank_team {
    int32_t gpus, me;        /* 1: alone, and all else is unused */
    int32_t begin, end;      /* into these boxes it writes: all, or only its own */
    spmv__pagerank_box *box; /* [gpus] of all, also its own */
    int64_t each, blocks;
    int32_t *block;  /* [blocks] its blocks of sources that are read, of `each` */
    uint32_t *state; /* [SPMV__TEAM_WORDS] */
} spmv__pagerank_team;

/* The words of a team's state: rounds in which it has written, and waited; blocks of a kernel that
 * have written; whether somebody did not come. */
enum {
    SPMV__TEAM_WRITTEN,
    SPMV__TEAM_AWAITED,
    SPMV__TEAM_BLOCKS,
    SPMV__TEAM_LATE,
    SPMV__TEAM_WORDS
};

/* Holds all that the kernels need for rankings side by side; pointers are on the GPU. */
typedef struct spmv__pagerank_job {
    spmv__pull_graph graph;
    spmv_type precision;
    double damping, tolerance;
    spmv_norm norm;
    bool to_self; /* a dangling node keeps its score */
    int32_t max_iterations;
    int32_t width, rankings;     /* 1, 2, 4 or 8 of them, and so many are wanted */
    spmv__teleport fixed, slope; /* the next teleport is fixed + slope * score of dangling nodes */
    int32_t block_size, pull_blocks, join_blocks;
    void *x;               /* [nodes + 1][width] by source, what each hands on; x[nodes] is 0 */
    void *next;            /* [nodes + 1][width] the same for the next iteration */
    void *score, *renewed; /* [rows][width] by row, of the precision asked for: before and after
                              the iteration, perhaps the same */
    double *restart;       /* [rows][width] by row, or NULL: uniform */
    double *piece_sum;     /* [pieces][width] */
    spmv__pagerank_team team;
    bool odd;                   /* x and next have changed places */
    spmv__pagerank_sums *parts; /* [pull_blocks + join_blocks][width] */
    spmv__pagerank_state *state;
    void *seen[SPMV__EXTRAPOLATED + 1]; /* [rows][width] what score has been, see extrapolate.h;
                                           without extrapolation only the last one is there */
    double *products; /* [pull_blocks][SPMV__PAGERANK_PRODUCTS][width], with extrapolation */
} spmv__pagerank_job;

/* Find how many hubs there can be on the current device, and the blocks of a job.  NO_DEVICE. */
spmv_status spmv__pagerank_hubs(spmv_type precision, int width, int64_t *hubs, spmv_error *err);
spmv_status spmv__pagerank_blocks(spmv__pagerank_job *job, spmv_error *err);

/* Enqueue one iteration, in its steps 0 .. SPMV__PULL_STEPS - 1.  Of several GPUs all enqueue a
 * step before the first one enqueues the next.  KERNEL_LAUNCH. */
enum { SPMV__PULL_STEPS = 2, SPMV__GUESS_STEPS = 4 };
spmv_status spmv__pagerank_enqueue(spmv__gpu *gpu, const spmv__pagerank_job *job, int step,
                                   spmv_error *err);

/* Enqueue what comes after it where the last of job->seen has just been written, in its steps: a
 * guess may take its place, and that of what nodes hand on next.  KERNEL_LAUNCH. */
spmv_status spmv__pagerank_guess(spmv__gpu *gpu, const spmv__pagerank_job *job, int step,
                                 spmv_error *err);

#ifdef __cplusplus
}
#endif
