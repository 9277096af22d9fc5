/* undirected.c -- --undirected: a graph with each of its edges both ways, alone or by ranks.
 *
 * Without weights there is an edge where either way has one, whatever their values come to. */
#include "cli/pagerank/pagerank_job.h"
#include "cli/tool/fail.h"
#include "cli/tool/gather.h"
#include "cli/tool/steps.h"

#include <math.h>
#include <stdlib.h>

/* Other matrices stay as they are, and ranking says what is wrong with them. */
static bool is_graph(const spmv_matrix *A)
{
    return A->head.rows == A->head.cols && !spmv_type_is_complex(A->head.type);
}

/* ---- Weights --------------------------------------------------------------------------------- */

static double weight_at(spmv_type type, const void *val, int64_t p)
{
    return type == SPMV_F32 ? (double)((const float *)val)[p] : ((const double *)val)[p];
}

/* Weights are checked before edges are added up both ways, which could hide one that cannot be.
 * Returns the place of the first such value, or nnz. */
static int64_t find_bad_weight(spmv_type type, const void *val, int64_t nnz)
{
    int64_t p = 0;
    if (type != SPMV_F32 && type != SPMV_F64) return nnz;
    for (; p < nnz; p++) {
        const double w = weight_at(type, val, p);
        if (!(w >= 0 && isfinite(w))) break;
    }
    return p;
}

static spmv_status refuse_weight(int64_t row, int64_t col, double weight, const spmv_labels *labels,
                                 spmv_error *err)
{
    char from[SPMV_LABEL_SIZE], to[SPMV_LABEL_SIZE];
    return tool_fail(err, SPMV_ERROR_INVALID_FORMAT,
                     "the edge from %s to %s has weight %g, but a weight must be finite and not "
                     "negative; `unweighted` ignores weights",
                     spmv_label_text(labels, row, from), spmv_label_text(labels, col, to), weight);
}

static spmv_status check_weights(const spmv_coo *A, const spmv_labels *labels, spmv_error *err)
{
    const int64_t p = find_bad_weight(A->type, A->val, A->nnz);
    if (p == A->nnz) return SPMV_SUCCESS;
    return refuse_weight(A->row_idx[p], A->col_idx[p], weight_at(A->type, A->val, p), labels, err);
}

/* What each rank tells of its first bad weight. */
enum { BAD, ROW, COL, WEIGHT, TOLD };

static void describe_bad_weight(const spmv_part *part, int rank, double told[TOLD])
{
    const spmv_csr *own = &part->own;
    const int64_t p = find_bad_weight(own->type, own->val, own->nnz);
    int64_t r = 0;
    if (p == own->nnz) return;
    while (own->row_ptr[r + 1] <= p) r++;
    told[BAD] = 1;
    told[ROW] = (double)(part->row_begin[rank] + r);
    told[COL] = own->col_idx[p];
    told[WEIGHT] = weight_at(own->type, own->val, p);
}

/* Rank 0, which knows what nodes are called, refuses the first one of all. */
static spmv_status check_all_weights(const pagerank_job *job, spmv_error *err)
{
    const int size = spmv_comm_size(job->comm), rank = spmv_comm_rank(job->comm);
    double mine[TOLD] = {0}, *all;
    spmv_status st;
    describe_bad_weight(&job->part, rank, mine);
    TOOL_TRY(tool_gather(&all, job->comm, mine, TOLD, err));
    for (int k = 0; k < size && rank == 0 && st == SPMV_SUCCESS; k++) {
        const double *told = all + k * TOLD;
        if (told[BAD] != 0)
            st = refuse_weight((int64_t)told[ROW], (int64_t)told[COL], told[WEIGHT],
                               &job->file.labels, err);
    }
    TOOL_TRY(spmv_comm_agree(job->comm, st, err));
done:
    free(all);
    return st;
}

/* ---- Edges ---------------------------------------------------------------------------------- */

spmv_status pagerank_make_undirected(pagerank_job *job, spmv_error *err)
{
    spmv_matrix *A = &job->A;
    spmv_status st = SPMV_SUCCESS;
    if (!is_graph(A)) return st;
    TOOL_TRY(step_format(A, SPMV_COO, NULL, err));
    if (job->options->unweighted) {
        TOOL_TRY(step_apply(A, spmv_drop_zeros, err));
        TOOL_TRY(step_type(A, SPMV_PATTERN, job->path, err));
    }
    TOOL_TRY(check_weights(&A->coo, &job->file.labels, err));
    st = step_undirected(A, job->options->duplicates == SPMV_DUPLICATES_COUNT, job->path, err);
done:
    return st;
}

static spmv_status change_type(const pagerank_job *job, spmv_part *part, spmv_type type,
                               spmv_error *err)
{
    spmv_matrix own = {.format = SPMV_CSR, .csr = part->own};
    const spmv_status st = step_type(&own, type, job->path, err);
    part->own = own.csr;
    return spmv_comm_agree(job->comm, st, err);
}

/* Of the entries that are not 0 only the places count. */
static spmv_status take_pattern(pagerank_job *job, spmv_error *err)
{
    const spmv_status st = spmv_part_drop_zeros(&job->part, job->comm, err);
    return st == SPMV_SUCCESS ? change_type(job, &job->part, SPMV_PATTERN, err) : st;
}

/* Edges that are counted count both ways, unless all are there both ways already. */
static spmv_status add_both_ways(pagerank_job *job, spmv_part *both, spmv_error *err)
{
    const bool counted =
        job->options->duplicates == SPMV_DUPLICATES_COUNT && job->part.own.type == SPMV_PATTERN;
    spmv_status st = SPMV_SUCCESS;
    if (counted) TOOL_TRY(change_type(job, &job->part, SPMV_F64, err));
    TOOL_TRY(spmv_part_symmetrize(both, job->comm, &job->part, err));
    if (counted && both->nnz == job->part.nnz) TOOL_TRY(change_type(job, both, SPMV_PATTERN, err));
done:
    return st;
}

spmv_status pagerank_make_part_undirected(pagerank_job *job, spmv_error *err)
{
    spmv_part both = {0};
    spmv_status st = SPMV_SUCCESS;
    if (!is_graph(&job->A)) return st;
    if (job->options->unweighted) TOOL_TRY(take_pattern(job, err));
    TOOL_TRY(check_all_weights(job, err));
    TOOL_TRY(add_both_ways(job, &both, err));
    spmv_part_destroy(&job->part);
    job->part = both;
    both = (spmv_part){0};
done:
    spmv_part_destroy(&both);
    return st;
}
