/* spmv/pagerank.h -- PageRank; a chapter of spmv.h, which has the conventions. */
#ifndef SPMV_PAGERANK_H
#define SPMV_PAGERANK_H

#include "spmv/multiply.h"
#include "spmv/comm.h"
#include "spmv/file.h"
#include "spmv/parts.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The nodes that share the score of a dangling node, one that no edge leaves. */
typedef enum spmv_dangling {
    SPMV_DANGLING_UNIFORM = 0,  /* to all nodes evenly */
    SPMV_DANGLING_PERSONALIZED, /* to where the walk starts anew */
    SPMV_DANGLING_DROP,         /* nowhere: scores add up to less than 1 */
    SPMV_DANGLING_SELF          /* back to the node, as over a loop */
} spmv_dangling;

/* How the change of the scores is measured: in sum, or by the largest. */
typedef enum spmv_norm { SPMV_NORM_L1 = 0, SPMV_NORM_LINF } spmv_norm;

typedef struct spmv_pagerank_options {
    double damping;     /* in (0, 1); 0.85 when 0 */
    double tolerance;   /* on the change of the scores; 1e-6 when 0 */
    spmv_norm norm;     /* of that change */
    int max_iterations; /* 100 when 0 */
    spmv_dangling dangling;
    bool unweighted;  /* every stored entry that is not 0 is an edge like any other */
    bool extrapolate; /* guess the limit from the last iterations, every eight of them */
    /* SPMV_F32: what nodes hand on, and the shares of edges, are held in single precision (sums
     * never are), and changes below 2e-7 / (1 - damping) may be those of rounding; SPMV_F64 when 0.
     */
    spmv_type precision;
    /* The chance of each node that the walk starts anew there: f64 on the host, [nodes x k], not
     * negative, each column a ranking of its own that is scaled to a sum of 1; NULL: everywhere
     * alike, k = 1. */
    const spmv_dense *personalization;
    /* The first scores, [nodes x k] in the same way; NULL: all alike. */
    const spmv_dense *start;
    const spmv_labels *labels;        /* what messages call the nodes; NULL: 1, 2, ... */
    int threads;                      /* 0: all */
    spmv_progress_callback *progress; /* before the first iteration and after each; NULL: no */
    void *user;                       /* for progress */
} spmv_pagerank_options;

typedef struct spmv_pagerank_result {
    double *ranks; /* [nodes x rankings], column-major; free with spmv_pagerank_destroy */
    int64_t nodes, rankings;
    int64_t dangling; /* nodes without an outgoing edge */
    bool weighted;    /* the stored weights differ, be it from a 0 that is no edge */
    /* Of several rankings, each eight go on until all of the eight have converged: the most. */
    int iterations;
    double residual; /* change of the scores in the last iteration, the largest of all rankings */
    /* The scores are off by no more than this in sum, but for what is rounded in sums over many
     * thousands of edges. */
    double error_bound;
    double *history; /* [iterations] the residuals, the largest of the rankings that went on */
    bool converged;  /* residual < tolerance */
    double seconds;  /* the iterations alone */
} spmv_pagerank_result;

/* Rank the nodes of a graph; entry (i, j) is an edge i -> j with its value as weight.
 *
 *   A   square, GENERAL; values >= 0 and finite (an explicit 0 is no edge)
 *
 * r <- d A^T D^-1 r + (1 - d) p + d m q, with D the out-weights, p the personalization, m the score
 * of the dangling nodes (out-weight 0) and q as options->dangling says: uniform, p, or 0.  Stops
 * after the first iteration with a residual below the tolerance.  The error bound is d / (1 - d)
 * times the L1 change, and in single precision 2e-7 / (1 - d) more.  It need not have converged.
 *
 * Sums do not depend on the number of threads.  Edges of equal weight load no values: 4 bytes per
 * edge, 40 per node and iteration; others 12 per edge.  Up to eight rankings are computed in one
 * pass over the graph.  Extrapolation (reduced rank: A. Sidi, Vector Extrapolation Methods, 2017,
 * chapter 2) keeps six more vectors and pays where damping is near 1 or parts of the graph hang
 * together loosely.
 * Errors: INVALID_DIMENSION (not square, 2^31 nodes, a vector of another length), INVALID_FORMAT (a
 * negative or non-finite weight, unless unweighted, or element of personalization or start: the
 * message says where; or a column of these two that adds up to 0), UNSUPPORTED (symmetry not
 * expanded, complex values), INVALID_ARGUMENT (the configuration), OUT_OF_MEMORY.  Memory: a second
 * copy of the graph (a third while it is made) and 34 to 44 bytes per node and ranking. */
spmv_status spmv_pagerank(spmv_pagerank_result *out, const spmv_matrix *A,
                          const spmv_pagerank_options *options, spmv_error *err);
/* Rank on the GPU of a context.
 *
 * The host makes the graph ready and hands over its first scores; then iterations run in batches of
 * 16, with nothing to wait for in between, and progress is told after each batch.  Scores are those
 * of the CPU up to rounding (1e-12 in double precision), the same bits in every run on a GPU of the
 * same kind.  Extrapolation decides on the GPU, too, and may take another number of iterations.
 * Errors: those of spmv_pagerank; NO_DEVICE (the context is a CPU), OUT_OF_MEMORY and CUDA_MALLOC
 * (also: the graph does not fit on the GPU), CUDA_MEMCPY and KERNEL_LAUNCH.  Memory of the GPU: 2
 * to 4 bytes per edge (those and a score with weights), 24 bytes per node, three scores per node
 * and ranking, with extrapolation eight, and 8 bytes with personalization. */
spmv_status spmv_pagerank_gpu(spmv_pagerank_result *out, const spmv_matrix *A,
                              const spmv_pagerank_options *options, spmv_context *ctx,
                              spmv_error *err);

/* Rank on several GPUs of one host together: each one iterates over some of the nodes, and writes
 * what they hand on, and its part of each sum, into the memory of all others; the host takes no
 * part in that.  Sums over all nodes are added up GPU by GPU: scores are those of spmv_pagerank_gpu
 * up to rounding, with the same bits in every run on as many GPUs of the same kind.
 *
 *   ctx  [count] contexts on GPUs, of which one may be there twice; where some do not reach the
 *        memory of others, the host carries all of that, with the same bits
 *
 * Errors: those of spmv_pagerank_gpu; KERNEL_LAUNCH (also: one waited in vain for another, ten
 * seconds). */
spmv_status spmv_pagerank_gpus(spmv_pagerank_result *out, const spmv_matrix *A,
                               const spmv_pagerank_options *options, spmv_context *const *ctx,
                               int count, spmv_error *err);

/* Rank on the CPU with all ranks of a communicator: rank 0 hands out the rows of the graph, and
 * gets the scores, bit for bit those of spmv_pagerank.  out, A and options are used on rank 0 only.
 * Sums are gathered from all windows of a thousand nodes, so that they are added in the same order
 * for any number of ranks.  Errors, on all ranks: those of spmv_pagerank; UNSUPPORTED
 * (extrapolation, several rankings). */
spmv_status spmv_pagerank_on_ranks(spmv_pagerank_result *out, spmv_comm *comm, const spmv_matrix *A,
                                   const spmv_pagerank_options *options, spmv_error *err);

/* The same for a graph of which each rank has some rows (spmv_read_part): every edge goes from its
 * rank to the one that pulls over it, and no rank ever has all of them.
 *
 *   part   cut by NNZ or ROWS; its rows are released, and it is only to be destroyed then
 *
 * Time, of one thread for each rank: that of looking at each edge of its own four times.  Memory:
 * on each rank twice its share of the edges, beside what it iterates over, and 8 bytes for each
 * node of the graph; on rank 0 up to 60. Errors, on all ranks: those of spmv_pagerank_on_ranks;
 * INVALID_ARGUMENT (another part). */
spmv_status spmv_pagerank_part(spmv_pagerank_result *out, spmv_comm *comm, spmv_part *part,
                               const spmv_pagerank_options *options, spmv_error *err);

/* Rank with the GPUs of all ranks, each of which has one: what spmv_pagerank_gpus does within a
 * process, with the same bits.  Rank 0 hands out the rows of the graph, and gets the scores; out, A
 * and options are used there only.  Over ROUTE_HOST and ROUTE_DEVICE the hosts have a part in every
 * iteration.
 *
 *   ctx  on the GPU of this rank
 *
 * Errors, on all ranks: those of spmv_pagerank_gpus; UNSUPPORTED (extrapolation, several rankings);
 * NO_DEVICE where a route that was asked for is none here. */
spmv_status spmv_pagerank_gpu_on_ranks(spmv_pagerank_result *out, spmv_comm *comm,
                                       const spmv_matrix *A, const spmv_pagerank_options *options,
                                       spmv_context *ctx, spmv_route route, spmv_error *err);

/* The same for a graph of which each rank has some rows, as for spmv_pagerank_part: no rank ever
 * has all edges.
 *
 * Memory: on each rank twice its share of the edges, beside what goes to its GPU, and up to 48
 * bytes for each node of the graph; on rank 0 up to 80.  Errors, on all ranks: those of
 * spmv_pagerank_gpu_on_ranks; INVALID_ARGUMENT (another part). */
spmv_status spmv_pagerank_gpu_part(spmv_pagerank_result *out, spmv_comm *comm, spmv_part *part,
                                   const spmv_pagerank_options *options, spmv_context *ctx,
                                   spmv_route route, spmv_error *err);
void spmv_pagerank_destroy(spmv_pagerank_result *result);

/* mask[i] = node i has no outgoing edge; mask is [A->rows].  Weights are ignored but for 0, which
 * is no edge.  Errors: UNSUPPORTED (symmetry not expanded, complex values), OUT_OF_MEMORY. */
spmv_status spmv_dangling_mask(const spmv_matrix *A, bool *mask, spmv_error *err);

/* The k best: nodes[0 .. min(k, n) - 1] by falling score, ties by node; NaN comes last.
 * Errors: INVALID_ARGUMENT (n or k below 0; NULL unless one is 0).  Time O(n log k), no memory. */
spmv_status spmv_top_k(const double *scores, int64_t n, int64_t k, int64_t *nodes, spmv_error *err);

#ifdef __cplusplus
}
#endif
#endif
