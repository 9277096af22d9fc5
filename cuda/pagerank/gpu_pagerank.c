/* gpu_pagerank.c -- PageRank on the GPUs of one process. */
#include "core/base/base.h"
#include "core/matrix/format.h"
#include "cuda/pagerank/graph_team.h"

#include "cuda/gpu/context.h"

#include <stdlib.h>

/* Lay out the rows of each GPU, and bring them there. */
static spmv_status prepare_graph(spmv__graph_team *g, const spmv__pagerank_run *run,
                                 spmv_error *err)
{
    const int width = spmv__ranking_width(run->result.rankings);
    int64_t hubs = INT64_MAX;
    spmv_status st;
    SPMV__TRY(spmv__node_parts_create(&g->nodes, &run->graph, g->count, err));
    for (int m = 0; m < g->count; m++) {
        int64_t room = 0;
        SPMV__TRY(spmv__gpu_select(g->partner[m].gpu, err));
        SPMV__TRY(spmv__pagerank_hubs(run->options.precision, width, &room, err));
        if (room < hubs) hubs = room;
    }
    for (int m = 0; m < g->count; m++) {
        spmv__graph_partner *partner = &g->partner[m];
        SPMV__TRY(spmv__pull_graph_create(&partner->host, &run->graph, &g->nodes, m, hubs, err));
        SPMV__TRY(spmv__graph_upload(partner, err));
    }
done:
    return st;
}

static spmv_status rank_some(const spmv__graph_team *g, spmv__pagerank_run *run, spmv_error *err)
{
    spmv__ranking_group k = {.partner = NULL};
    spmv_status st;
    SPMV__TRY(spmv__ranking_create(&k.start, &run->graph, &run->options, run->begin, err));
    SPMV__TRY(spmv__team_rank(g, &k, run, err));
    spmv__team_settle(&k, run);
done:
    spmv__group_destroy(g, &k);
    return st;
}

/* ---- A call --------------------------------------------------------------------------------- */

/* All reach the memory of all others, where that can be. */
static spmv_status open_partners(spmv__graph_team *g, spmv_context *const *ctx, int count,
                                 spmv_error *err)
{
    spmv_status st;
    SPMV__TRY(spmv__alloc(&g->partner, count, sizeof *g->partner, "several GPUs", err));
    g->count = count;
    for (int m = 0; m < count; m++) {
        SPMV__TRY(spmv__context_gpu(&g->partner[m].gpu, ctx[m], err));
        for (int i = 0; i < count; i++) SPMV__TRY(spmv__gpu_reach(ctx[i]->device, &g->apart, err));
    }
done:
    return st;
}

void spmv__graph_team_close(spmv__graph_team *g)
{
    for (int m = 0; m < g->count; m++) {
        spmv__graph_partner *partner = &g->partner[m];
        if (partner->gpu != NULL) (void)spmv__gpu_select(partner->gpu, NULL);
        spmv__gpu_free(partner->memory);
        spmv__pull_graph_destroy(&partner->host);
    }
    free(g->partner);
    spmv__node_parts_destroy(&g->nodes);
}

spmv_status spmv_pagerank_gpus(spmv_pagerank_result *out, const spmv_matrix *A,
                               const spmv_pagerank_options *options, spmv_context *const *ctx,
                               int count, spmv_error *err)
{
    SPMV__REQUIRE(out != NULL, err);
    memset(out, 0, sizeof *out);
    SPMV__REQUIRE(ctx != NULL && count > 0, err);
    SPMV__REQUIRE_MATRIX(A, err);
    spmv__pagerank_run run = {.begin = 0};
    spmv__graph_team g = {.count = 0};
    spmv_status st;

    for (int m = 0; m < count; m++) SPMV__REQUIRE(ctx[m] != NULL, err);
    SPMV__TRY(open_partners(&g, ctx, count, err));
    SPMV__TRY(spmv__pagerank_begin(&run, A, options, SPMV__READER_GPU, err));
    if (spmv__pagerank_open(&run)) SPMV__TRY(prepare_graph(&g, &run, err));
    while (spmv__pagerank_open(&run)) SPMV__TRY(rank_some(&g, &run, err));
done:
    spmv__graph_team_close(&g);
    spmv__pagerank_end(&run, st, out);
    return st;
}

spmv_status spmv_pagerank_gpu(spmv_pagerank_result *out, const spmv_matrix *A,
                              const spmv_pagerank_options *options, spmv_context *ctx,
                              spmv_error *err)
{
    return spmv_pagerank_gpus(out, A, options, &ctx, 1, err);
}
