/* gpu_pagerank.c -- PageRank on a GPU: what lives there, and the iterations in batches.
 *
 * A batch of iterations is recorded once and replayed; the kernels of those that are not needed any
 * more see that and return at once.  So the host looks at the state once a batch. */
#include "core/matrix/value.h"
#include "cuda/pagerank/gpu_pagerank.h"

#include "cuda/gpu/context.h"

#include <math.h>
#include <stdlib.h>

/* The graph as the host laid it out, and on the GPU. */
typedef struct gpu_graph {
    spmv__gpu *gpu;
    spmv__pull_graph host, gpu_arrays;
    void *memory;
} gpu_graph;

/* The rankings of one pass over the graph. */
typedef struct ranking_group {
    spmv__ranking start;
    spmv__pagerank_job job;
    void *memory;
    spmv_recording *batch;
    spmv__pagerank_state state; /* as last seen */
} ranking_group;

/* Returns the next `bytes` of memory that is handed out piece by piece; if NULL, it is only
 * measured. */
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

/* Returns how many numbers there are of each kind by node. */
static int64_t numbers(const spmv__pagerank_job *job)
{
    return job->graph.nodes * job->width;
}

/* Returns the bytes of x, and of next. */
static int64_t x_bytes(const spmv__pagerank_job *job)
{
    return (numbers(job) + job->width) * (int64_t)spmv_type_size(job->precision);
}

/* Places the arrays of a job in `memory`, and returns the bytes that they take. */
static int64_t place_job(spmv__pagerank_job *job, const spmv_pagerank_config *config, char *memory)
{
    const int64_t real = sizeof(double), width = job->width;
    const int64_t scores = numbers(job) * (int64_t)spmv_type_size(job->precision);
    const int64_t parts = (job->pull_blocks + job->join_blocks) * width;
    int64_t used = 0;
    job->state = take(memory, &used, sizeof *job->state);
    job->parts = take(memory, &used, parts * (int64_t)sizeof *job->parts);
    job->piece_sum = take(memory, &used, job->graph.pieces * width * real);
    job->x = take(memory, &used, x_bytes(job));
    job->next = take(memory, &used, x_bytes(job));
    for (int i = config->extrapolate ? 0 : SPMV__EXTRAPOLATED; i <= SPMV__EXTRAPOLATED; i++)
        job->seen[i] = take(memory, &used, scores);
    if (config->extrapolate)
        job->products =
            take(memory, &used, job->pull_blocks * SPMV__PAGERANK_PRODUCTS * width * real);
    if (config->personalization != NULL) job->restart = take(memory, &used, numbers(job) * real);
    return used;
}

static spmv__pagerank_job make_job(const spmv__pull_graph *graph,
                                   const spmv_pagerank_config *config, const spmv__ranking *start)
{
    const spmv__teleport zero = spmv__teleport_of(config, graph->nodes, 0);
    const spmv__teleport all = spmv__teleport_of(config, graph->nodes, 1);
    return (spmv__pagerank_job){
        .graph = *graph,
        .precision = config->precision,
        .damping = config->damping,
        .tolerance = config->tolerance,
        .norm = config->norm,
        .to_self = config->dangling == SPMV_DANGLING_SELF,
        .max_iterations = config->max_iterations,
        .width = start->width,
        .rankings = start->used,
        .fixed = zero,
        .slope = {all.personal - zero.personal, all.uniform - zero.uniform},
    };
}

/* Numbers by source go to the GPU by row. */
static spmv_status upload_numbers(const gpu_graph *g, const double *by_source, int width,
                                  spmv_type type, void *to, void *scratch, spmv_error *err)
{
    const int64_t n = g->host.nodes * width;
    for (int64_t i = 0; i < n; i++)
        spmv__set_value(type, scratch, i,
                        by_source[(int64_t)g->host.source[i / width] * width + i % width]);
    return spmv__gpu_upload(g->gpu, to, scratch, n * (int64_t)spmv_type_size(type), err);
}

static spmv_status upload_start(const gpu_graph *g, ranking_group *k, spmv_error *err)
{
    const spmv__ranking *start = &k->start;
    const spmv__pagerank_job *job = &k->job;
    double *scratch = NULL;
    spmv_status st;

    SPMV__TRY(spmv__alloc(&scratch, numbers(job), sizeof *scratch, "scores", err));
    SPMV__TRY(spmv__gpu_upload(g->gpu, job->x, start->given, x_bytes(job), err));
    SPMV__TRY(spmv__gpu_clear(g->gpu, job->next, x_bytes(job), err));
    SPMV__TRY(upload_numbers(g, start->rank, job->width, job->precision,
                             job->seen[SPMV__EXTRAPOLATED], scratch, err));
    if (job->restart != NULL)
        SPMV__TRY(
            upload_numbers(g, start->restart, job->width, SPMV_F64, job->restart, scratch, err));
    k->state.limit = HUGE_VAL;
    for (int v = 0; v < job->width; v++)
        k->state.to[v] = spmv__teleport_of(start->config, start->nodes, start->dangling[v]);
    SPMV__TRY(spmv__gpu_upload(g->gpu, job->state, &k->state, sizeof k->state, err));
done:
    free(scratch);
    return st;
}

/* ---- The iterations ------------------------------------------------------------------------- */

/* Returns where the scores lie after so many iterations: in one place, unless the last ones are
 * wanted. */
static void *scores_after(const ranking_group *k, int iterations)
{
    const int place = spmv__extrapolation_place(iterations + SPMV__PERIOD - 1);
    const bool one_place = place < 0 || !k->start.config->extrapolate;
    return k->job.seen[one_place ? SPMV__EXTRAPOLATED : place];
}

static spmv_status enqueue_batch(spmv__gpu *gpu, const ranking_group *k, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    spmv__pagerank_job job = k->job;
    for (int i = 0; i < SPMV__BATCH && st == SPMV_SUCCESS; i++) {
        job.x = i % 2 == 0 ? k->job.x : k->job.next;
        job.next = i % 2 == 0 ? k->job.next : k->job.x;
        job.score = scores_after(k, i);
        job.renewed = scores_after(k, i + 1);
        st = spmv__pagerank_enqueue(gpu, &job, err);
        if (st == SPMV_SUCCESS && k->start.config->extrapolate &&
            spmv__extrapolation_place(i) == SPMV__EXTRAPOLATED)
            st = spmv__pagerank_guess(gpu, &job, err);
    }
    return st;
}

static spmv_status record_batch(spmv__gpu *gpu, ranking_group *k, spmv_error *err)
{
    spmv_status st = spmv__gpu_record_begin(gpu, err);
    if (st != SPMV_SUCCESS) return st;
    st = enqueue_batch(gpu, k, err);
    const spmv_status ended = spmv__gpu_record_end(gpu, &k->batch, st == SPMV_SUCCESS ? err : NULL);
    return st != SPMV_SUCCESS ? st : ended;
}

/* Batches until the state says stop. */
static spmv_status iterate(spmv__gpu *gpu, ranking_group *k, spmv__pagerank_run *run,
                           spmv_error *err)
{
    double elapsed_ms = 0;
    spmv_status st;
    spmv__report(run->config.progress, run->config.user, "ranking", 0, run->config.max_iterations);
    SPMV__TRY(spmv__gpu_timer_start(gpu, err));
    for (int i = 0; k->state.stop == 0;) {
        SPMV__TRY(spmv__gpu_replay(gpu, k->batch, err));
        SPMV__TRY(spmv__gpu_download(gpu, &k->state, k->job.state, sizeof k->state, err));
        for (; i < k->state.iterations; i++)
            SPMV__TRY(spmv__pagerank_note(run, i, k->state.residual[i % SPMV__BATCH], err));
    }
    SPMV__TRY(spmv__gpu_timer_stop(gpu, &elapsed_ms, err));
    run->result.elapsed_ms += elapsed_ms;
done:
    return st;
}

static spmv_status take_scores(const gpu_graph *g, const ranking_group *k, spmv__pagerank_run *run,
                               spmv_error *err)
{
    const spmv__pagerank_job *job = &k->job;
    const int64_t n = job->graph.nodes, width = job->width;
    const size_t size = spmv_type_size(job->precision);
    double *scratch = NULL, change = 0;
    spmv_status st;
    SPMV__TRY(spmv__alloc(&scratch, n * width, size, "scores", err));
    SPMV__TRY(spmv__gpu_download(g->gpu, scratch, scores_after(k, k->state.iterations),
                                 n * width * (int64_t)size, err));
    for (int v = 0; v < job->rankings; v++) {
        double *ranks = run->result.ranks + (run->begin + v) * n;
        for (int64_t r = 0; r < n; r++)
            ranks[g->host.node[r]] = spmv__value(job->precision, scratch, r * width + v);
        change = fmax(change, k->state.sums[v].change);
    }
    const int last = k->state.iterations - 1;
    spmv__pagerank_settle(run, job->rankings, k->state.residual[last % SPMV__BATCH], change);
done:
    free(scratch);
    return st;
}

static spmv_status rank_some(const gpu_graph *g, spmv__pagerank_run *run, spmv_error *err)
{
    const spmv_pagerank_config *config = &run->config;
    ranking_group k = {.memory = NULL};
    spmv_status st;

    SPMV__TRY(spmv__ranking_create(&k.start, &run->graph, config, run->begin, err));
    k.job = make_job(&g->gpu_arrays, config, &k.start);
    SPMV__TRY(spmv__pagerank_blocks(&k.job, err));
    const int64_t bytes = place_job(&k.job, config, NULL);
    SPMV__TRY(spmv__gpu_fits(bytes, "ranking", err));
    SPMV__TRY(spmv__gpu_alloc(&k.memory, bytes, "the scores", err));
    place_job(&k.job, config, k.memory);
    SPMV__TRY(upload_start(g, &k, err));
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
    SPMV__TRY(spmv__pagerank_begin(&run, A, config, SPMV__READER_GPU, err));
    if (spmv__pagerank_open(&run)) {
        SPMV__TRY(spmv__pagerank_hubs(run.config.precision,
                                      spmv__ranking_width(run.result.rankings), &hubs, err));
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
