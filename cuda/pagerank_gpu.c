/* pagerank_gpu.c -- PageRank on a GPU: what lives there, and the iterations in batches.
 *
 * A batch of iterations is recorded once and replayed; the kernels of those that are not needed any
 * more see that and return at once.  So the host looks at the state once a batch. */
#include "pagerank_gpu.h"

#include "context.h"

#include <math.h>
#include <stdlib.h>

/* The graph as the host laid it out, and on the GPU. */
typedef struct gpu_graph {
    spmv__gpu *gpu;
    spmv__pull_graph host, gpu_arrays;
    void *memory;
} gpu_graph;

/* The rankings of one pass over the graph. */
typedef struct group {
    spmv__ranking start;
    spmv__rank_job jobs[SPMV__RANKINGS];
    int count;
    void *memory;
    spmv_recording *batch;
    spmv__rank_state state; /* as last seen */
} group;

/* The next `bytes` of memory that is handed out piece by piece; NULL: it is only measured. */
static void *take(char *memory, int64_t *used, int64_t bytes)
{
    void *start = memory != NULL ? memory + *used : NULL;
    *used += (bytes + 255) / 256 * 256;
    return start;
}

/* ---- The graph ------------------------------------------------------------------------------ */

static int64_t place_graph(spmv__pull_graph *g, char *memory)
{
    spmv__pull_array list[SPMV__PULL_ARRAYS];
    int64_t used = 0;
    spmv__pull_arrays(g, list);
    for (int i = 0; i < SPMV__PULL_ARRAYS; i++) *list[i].data = take(memory, &used, list[i].bytes);
    return used;
}

static spmv_status upload_graph(gpu_graph *g, spmv_error *err)
{
    spmv__pull_array from[SPMV__PULL_ARRAYS], to[SPMV__PULL_ARRAYS];
    spmv_status st;

    g->gpu_arrays = g->host;
    const int64_t bytes = place_graph(&g->gpu_arrays, NULL);
    SPMV__TRY(spmv__gpu_fits(bytes, "the graph", err));
    SPMV__TRY(spmv__gpu_alloc(&g->memory, bytes, "the graph", err));
    place_graph(&g->gpu_arrays, g->memory);
    spmv__pull_arrays(&g->host, from);
    spmv__pull_arrays(&g->gpu_arrays, to);
    for (int i = 0; i < SPMV__PULL_ARRAYS; i++)
        SPMV__TRY(spmv__gpu_upload(g->gpu, *to[i].data, *from[i].data, from[i].bytes, err));
done:
    return st;
}

/* ---- The state ------------------------------------------------------------------------------ */

/* Of x and next, each. */
static int64_t x_bytes(const spmv__rank_job *job)
{
    return (job->graph.nodes + 1) * (int64_t)spmv_type_size(job->precision);
}

/* Where the arrays of the jobs lie; those beside scores serve all of them in turn. */
static int64_t place_jobs(spmv__rank_job *jobs, int count, bool restart, char *memory)
{
    spmv__rank_job *first = &jobs[0];
    const int64_t parts = first->pull_blocks + first->join_blocks;
    int64_t used = 0;
    first->state = take(memory, &used, sizeof *first->state);
    first->parts = take(memory, &used, parts * (int64_t)sizeof *first->parts);
    first->piece_sum = take(memory, &used, first->graph.pieces * (int64_t)sizeof *first->piece_sum);
    for (int v = 0; v < count; v++) {
        jobs[v] = *first;
        jobs[v].ranking = v;
        jobs[v].x = take(memory, &used, x_bytes(first));
        jobs[v].next = take(memory, &used, x_bytes(first));
        jobs[v].score = take(memory, &used, x_bytes(first));
        if (restart)
            jobs[v].restart =
                take(memory, &used, first->graph.nodes * (int64_t)sizeof *first->restart);
    }
    return used;
}

static spmv__rank_job make_job(const spmv__pull_graph *graph, const spmv_pagerank_config *config,
                               int count)
{
    const spmv__teleport zero = spmv__teleport_of(config, graph->nodes, 0);
    const spmv__teleport all = spmv__teleport_of(config, graph->nodes, 1);
    return (spmv__rank_job){
        .graph = *graph,
        .precision = config->precision,
        .damping = config->damping,
        .tolerance = config->tolerance,
        .norm = config->norm,
        .to_self = config->dangling == SPMV_DANGLING_SELF,
        .max_iterations = config->max_iterations,
        .rankings = count,
        .fixed = zero,
        .slope = {all.personal - zero.personal, all.uniform - zero.uniform},
    };
}

/* A column of numbers by source goes to the GPU by row. */
static spmv_status upload_scores(const gpu_graph *g, const double *by_source, int width,
                                 spmv_type type, void *to, void *scratch, spmv_error *err)
{
    const int64_t n = g->host.nodes;
    for (int64_t r = 0; r < n; r++)
        spmv__set_value(type, scratch, r, by_source[(int64_t)g->host.source[r] * width]);
    return spmv__gpu_upload(g->gpu, to, scratch, n * (int64_t)spmv_type_size(type), err);
}

/* What nodes hand on goes to the GPU by source, with a 0 at the end. */
static spmv_status upload_x(const gpu_graph *g, const spmv__ranking *start, int v,
                            const spmv__rank_job *job, double *scratch, spmv_error *err)
{
    const spmv_type type = job->precision;
    const int64_t n = g->host.nodes;
    spmv_status st;
    for (int64_t i = 0; i < n; i++)
        spmv__copy_value(type, scratch, i, start->given, i * start->width + v);
    spmv__set_value(type, scratch, n, 0);
    SPMV__TRY(spmv__gpu_upload(g->gpu, job->x, scratch, x_bytes(job), err));
    SPMV__TRY(spmv__gpu_clear(g->gpu, job->next, x_bytes(job), err));
done:
    return st;
}

static spmv_status upload_start(const gpu_graph *g, group *k, const spmv_pagerank_config *config,
                                spmv_error *err)
{
    const spmv__ranking *start = &k->start;
    double *scratch = NULL;
    spmv_status st;

    SPMV__TRY(spmv__alloc(&scratch, start->nodes + 1, sizeof *scratch, "scores", err));
    for (int v = 0; v < k->count; v++) {
        const spmv__rank_job *job = &k->jobs[v];
        SPMV__TRY(upload_x(g, start, v, job, scratch, err));
        SPMV__TRY(upload_scores(g, start->rank + v, start->width, job->precision, job->score,
                                scratch, err));
        if (job->restart != NULL)
            SPMV__TRY(upload_scores(g, start->restart + v, start->width, SPMV_F64, job->restart,
                                    scratch, err));
        k->state.to[v] = spmv__teleport_of(config, start->nodes, start->dangling[v]);
    }
    SPMV__TRY(spmv__gpu_upload(g->gpu, k->jobs[0].state, &k->state, sizeof k->state, err));
done:
    free(scratch);
    return st;
}

/* ---- The iterations ------------------------------------------------------------------------- */

static spmv_status enqueue_batch(spmv__gpu *gpu, const group *k, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    for (int i = 0; i < SPMV__BATCH; i++)
        for (int v = 0; v < k->count && st == SPMV_SUCCESS; v++) {
            spmv__rank_job job = k->jobs[v];
            if (i % 2 == 1) {
                job.x = k->jobs[v].next;
                job.next = k->jobs[v].x;
            }
            st = spmv__rank_enqueue(gpu, &job, err);
        }
    return st;
}

static spmv_status record_batch(spmv__gpu *gpu, group *k, spmv_error *err)
{
    spmv_status st = spmv__gpu_record_begin(gpu, err);
    if (st != SPMV_SUCCESS) return st;
    st = enqueue_batch(gpu, k, err);
    const spmv_status ended = spmv__gpu_record_end(gpu, &k->batch, st == SPMV_SUCCESS ? err : NULL);
    return st != SPMV_SUCCESS ? st : ended;
}

/* Batches until the state says stop. */
static spmv_status iterate(spmv__gpu *gpu, group *k, spmv__pagerank_run *run, spmv_error *err)
{
    double elapsed_ms = 0;
    spmv_status st;
    SPMV__TRY(spmv__gpu_timer_start(gpu, err));
    for (int i = 0; k->state.stop == 0;) {
        SPMV__TRY(spmv__gpu_replay(gpu, k->batch, err));
        SPMV__TRY(spmv__gpu_download(gpu, &k->state, k->jobs[0].state, sizeof k->state, err));
        for (; i < k->state.iterations; i++)
            SPMV__TRY(spmv__pagerank_note(run, i, k->state.residual[i % SPMV__BATCH], err));
    }
    SPMV__TRY(spmv__gpu_timer_stop(gpu, &elapsed_ms, err));
    run->result.elapsed_ms += elapsed_ms;
done:
    return st;
}

static spmv_status take_scores(const gpu_graph *g, const group *k, spmv__pagerank_run *run,
                               spmv_error *err)
{
    const int64_t n = g->host.nodes;
    const spmv_type type = k->jobs[0].precision;
    const size_t size = spmv_type_size(type);
    double *scratch = NULL, change = 0;
    spmv_status st;
    SPMV__TRY(spmv__alloc(&scratch, n, size, "scores", err));
    for (int v = 0; v < k->count; v++) {
        double *ranks = run->result.ranks + (run->begin + v) * n;
        SPMV__TRY(spmv__gpu_download(g->gpu, scratch, k->jobs[v].score, n * (int64_t)size, err));
        for (int64_t r = 0; r < n; r++) ranks[g->host.node[r]] = spmv__value(type, scratch, r);
        change = fmax(change, k->state.sums[v].change);
    }
    const int last = k->state.iterations - 1;
    spmv__pagerank_settle(run, k->count, k->state.residual[last % SPMV__BATCH], change);
done:
    free(scratch);
    return st;
}

static spmv_status rank_some(const gpu_graph *g, spmv__pagerank_run *run, spmv_error *err)
{
    const spmv_pagerank_config *config = &run->config;
    const bool restart = config->personalization != NULL;
    group k = {.count = 0};
    spmv_status st;

    SPMV__TRY(spmv__ranking_create(&k.start, &run->graph, config, run->begin, err));
    k.count = k.start.used;
    k.jobs[0] = make_job(&g->gpu_arrays, config, k.count);
    SPMV__TRY(spmv__rank_blocks(&k.jobs[0], err));
    const int64_t bytes = place_jobs(k.jobs, k.count, restart, NULL);
    SPMV__TRY(spmv__gpu_fits(bytes, "ranking", err));
    SPMV__TRY(spmv__gpu_alloc(&k.memory, bytes, "the scores", err));
    place_jobs(k.jobs, k.count, restart, k.memory);
    SPMV__TRY(upload_start(g, &k, config, err));
    SPMV__TRY(record_batch(g->gpu, &k, err));
    SPMV__TRY(iterate(g->gpu, &k, run, err));
    SPMV__TRY(take_scores(g, &k, run, err));
done:
    spmv_recording_destroy(k.batch);
    spmv__gpu_free(k.memory);
    spmv__ranking_destroy(&k.start);
    return st;
}

spmv_status spmv_pagerank_gpu(spmv_pagerank_result *out, const spmv_matrix *A,
                              const spmv_pagerank_config *config, spmv_context *ctx,
                              spmv_error *err)
{
    SPMV__REQUIRE(out != NULL, err);
    memset(out, 0, sizeof *out);
    SPMV__REQUIRE(A != NULL, err);
    spmv__pagerank_run run = {.begin = 0};
    gpu_graph g = {.gpu = NULL};
    int64_t hubs = 0;
    spmv_status st;

    SPMV__TRY(spmv__context_gpu(&g.gpu, ctx, err));
    if (config != NULL && config->extrapolate)
        SPMV__TRY(spmv__fail(err, SPMV_ERROR_UNSUPPORTED, "extrapolation runs on the CPU only"));
    SPMV__TRY(spmv__pagerank_begin(&run, A, config, SPMV__READER_GPU, err));
    if (spmv__pagerank_open(&run)) {
        SPMV__TRY(spmv__rank_hubs(run.config.precision, &hubs, err));
        SPMV__TRY(spmv__pull_graph_create(&g.host, &run.graph, hubs, err));
        SPMV__TRY(upload_graph(&g, err));
    }
    while (spmv__pagerank_open(&run)) SPMV__TRY(rank_some(&g, &run, err));
done:
    spmv__gpu_free(g.memory);
    spmv__pull_graph_destroy(&g.host);
    spmv__pagerank_end(&run, st, out);
    return st;
}
