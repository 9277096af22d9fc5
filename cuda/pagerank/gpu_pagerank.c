/* gpu_pagerank.c -- PageRank on GPUs: what lives there, and the iterations in batches.
 *
 * A batch of iterations is recorded once and replayed; the kernels of those that are not needed any
 * more see that and return at once.  So the host looks at the state once a batch. */
#include "core/matrix/value.h"
#include "cuda/pagerank/gpu_pagerank.h"

#include "cuda/gpu/context.h"

#include <math.h>
#include <stdlib.h>

/* One GPU, and its rows of the graph as the host laid them out, and there. */
typedef struct gpu_graph {
    spmv__gpu *gpu;
    spmv__pull_graph host, gpu_arrays;
    void *memory;
} gpu_graph;

/* All GPUs, and which of them has which nodes. */
typedef struct graph_parts {
    int count;
    gpu_graph *partner; /* [count] */
    spmv__node_parts nodes;
} graph_parts;

/* What a GPU has of the rankings of one pass over the graph. */
typedef struct group_partner {
    spmv__pagerank_job job;
    spmv__pagerank_box box; /* of this one, in `open` */
    void *memory, *open;
} group_partner;

/* The rankings of one pass over the graph. */
typedef struct ranking_group {
    spmv__ranking start;
    int count;
    group_partner *partner; /* [count] */
    spmv_recording *batch;
    spmv__pagerank_state state; /* as last seen, of the first one: all have the same */
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
    SPMV__TRY(spmv__gpu_select(g->gpu, err));
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

/* Lay out the rows of each GPU, and bring them there. */
static spmv_status prepare_graph(graph_parts *g, const spmv__pagerank_run *run, spmv_error *err)
{
    const int width = spmv__ranking_width(run->result.rankings);
    int64_t hubs = INT64_MAX;
    spmv_status st;
    SPMV__TRY(spmv__node_parts_create(&g->nodes, &run->graph, g->count, err));
    for (int m = 0; m < g->count; m++) {
        int64_t room = 0;
        SPMV__TRY(spmv__gpu_select(g->partner[m].gpu, err));
        SPMV__TRY(spmv__pagerank_hubs(run->config.precision, width, &room, err));
        if (room < hubs) hubs = room;
    }
    for (int m = 0; m < g->count; m++) {
        gpu_graph *partner = &g->partner[m];
        SPMV__TRY(spmv__pull_graph_create(&partner->host, &run->graph, &g->nodes, m, hubs, err));
        SPMV__TRY(upload_graph(partner, err));
    }
done:
    return st;
}

/* ---- The state ------------------------------------------------------------------------------ */

/* Returns how many numbers there are of each kind by row. */
static int64_t numbers(const spmv__pagerank_job *job)
{
    return job->graph.rows * job->width;
}

/* Returns the bytes of x, and of next. */
static int64_t x_bytes(const spmv__pagerank_job *job)
{
    return (job->graph.nodes + 1) * job->width * (int64_t)spmv_type_size(job->precision);
}

/* Places what others write, and returns the bytes that it takes. */
static int64_t place_box(spmv__pagerank_box *box, const spmv__pagerank_job *job, char *memory)
{
    const int64_t gpus = job->team.gpus, mail = SPMV__PAGERANK_MAIL * (int64_t)sizeof(double);
    int64_t used = 0;
    box->x = take(memory, &used, x_bytes(job));
    box->next = take(memory, &used, x_bytes(job));
    for (int i = 0; i < 2 && gpus > 1; i++) box->mail[i] = take(memory, &used, gpus * mail);
    if (gpus > 1) box->told = take(memory, &used, gpus * (int64_t)sizeof *box->told);
    return used;
}

/* Places the arrays of a job in `memory`, and returns the bytes that they take. */
static int64_t place_job(spmv__pagerank_job *job, const spmv_pagerank_config *config, char *memory)
{
    const int64_t real = sizeof(double), width = job->width;
    const int64_t scores = numbers(job) * (int64_t)spmv_type_size(job->precision);
    const int64_t parts = (job->pull_blocks + job->join_blocks) * width;
    spmv__pagerank_team *team = &job->team;
    int64_t used = 0;
    job->state = take(memory, &used, sizeof *job->state);
    job->parts = take(memory, &used, parts * (int64_t)sizeof *job->parts);
    job->piece_sum = take(memory, &used, job->graph.pieces * width * real);
    for (int i = config->extrapolate ? 0 : SPMV__EXTRAPOLATED; i <= SPMV__EXTRAPOLATED; i++)
        job->seen[i] = take(memory, &used, scores);
    if (config->extrapolate)
        job->products =
            take(memory, &used, job->pull_blocks * SPMV__PAGERANK_PRODUCTS * width * real);
    if (config->personalization != NULL) job->restart = take(memory, &used, numbers(job) * real);
    if (team->gpus == 1) return used;
    team->box = take(memory, &used, team->gpus * (int64_t)sizeof *team->box);
    team->block = take(memory, &used, team->blocks * (int64_t)sizeof *team->block);
    team->state = take(memory, &used, SPMV__TEAM_WORDS * (int64_t)sizeof *team->state);
    return used;
}

/* Returns how many blocks of sources that are read a GPU has, and lists them where list is not
 * NULL. */
static int64_t list_blocks(const spmv__node_parts *parts, int gpu, int32_t *list)
{
    int64_t n = 0;
    for (int64_t b = 0; b < parts->read; b++) {
        if (parts->owner[b] != gpu) continue;
        if (list != NULL) list[n] = (int32_t)b;
        n++;
    }
    return n;
}

static spmv__pagerank_job make_job(const graph_parts *g, int m, const spmv_pagerank_config *config,
                                   const spmv__ranking *start)
{
    const int64_t nodes = g->partner[m].host.nodes;
    const spmv__teleport zero = spmv__teleport_of(config, nodes, 0);
    const spmv__teleport all = spmv__teleport_of(config, nodes, 1);
    return (spmv__pagerank_job){
        .graph = g->partner[m].gpu_arrays,
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
        .team = {.gpus = g->count,
                 .me = m,
                 .each = g->nodes.each,
                 .blocks = list_blocks(&g->nodes, m, NULL)},
    };
}

/* Allocate what a GPU has of a group. */
static spmv_status allocate_partner(const gpu_graph *g, group_partner *k,
                                    const spmv_pagerank_config *config, spmv_error *err)
{
    spmv__pagerank_job *job = &k->job;
    spmv_status st;
    SPMV__TRY(spmv__gpu_select(g->gpu, err));
    SPMV__TRY(spmv__pagerank_blocks(job, err));
    const int64_t bytes = place_job(job, config, NULL), open = place_box(&k->box, job, NULL);
    SPMV__TRY(spmv__gpu_fits(bytes + open, "ranking", err));
    SPMV__TRY(spmv__gpu_alloc(&k->memory, bytes, "the scores", err));
    SPMV__TRY(spmv__gpu_alloc_open(&k->open, open, "the scores", err));
    place_job(job, config, k->memory);
    place_box(&k->box, job, k->open);
    job->x = k->box.x;
    job->next = k->box.next;
done:
    return st;
}

/* Numbers by source go to the GPU by row. */
static spmv_status upload_numbers(const gpu_graph *g, const double *by_source, int width,
                                  spmv_type type, void *to, void *scratch, spmv_error *err)
{
    const int64_t n = g->host.rows * width;
    for (int64_t i = 0; i < n; i++)
        spmv__set_value(type, scratch, i,
                        by_source[(int64_t)g->host.source[i / width] * width + i % width]);
    return spmv__gpu_upload(g->gpu, to, scratch, n * (int64_t)spmv_type_size(type), err);
}

/* What a GPU has to know of the others. */
static spmv_status upload_team(const graph_parts *g, const ranking_group *k, int m, spmv_error *err)
{
    const spmv__pagerank_team *team = &k->partner[m].job.team;
    const int64_t blocks = team->blocks * (int64_t)sizeof(int32_t),
                  boxes = team->gpus * (int64_t)sizeof(spmv__pagerank_box);
    spmv__gpu *gpu = g->partner[m].gpu;
    spmv__pagerank_box *box = NULL;
    int32_t *list = NULL;
    spmv_status st;
    SPMV__TRY(spmv__alloc(&box, team->gpus, sizeof *box, "a team of GPUs", err));
    SPMV__TRY(spmv__alloc(&list, team->blocks, sizeof *list, "a team of GPUs", err));
    for (int i = 0; i < team->gpus; i++) box[i] = k->partner[i].box;
    list_blocks(&g->nodes, m, list);
    SPMV__TRY(spmv__gpu_upload(gpu, team->box, box, boxes, err));
    SPMV__TRY(spmv__gpu_upload(gpu, team->block, list, blocks, err));
    SPMV__TRY(
        spmv__gpu_clear(gpu, team->state, SPMV__TEAM_WORDS * (int64_t)sizeof *team->state, err));
done:
    free(box);
    free(list);
    return st;
}

static spmv_status upload_start(const graph_parts *parts, ranking_group *k, int m, spmv_error *err)
{
    const gpu_graph *g = &parts->partner[m];
    const spmv__ranking *start = &k->start;
    const spmv__pagerank_job *job = &k->partner[m].job;
    double *scratch = NULL;
    spmv_status st;

    SPMV__TRY(spmv__gpu_select(g->gpu, err));
    SPMV__TRY(spmv__alloc(&scratch, numbers(job), sizeof *scratch, "scores", err));
    SPMV__TRY(spmv__gpu_upload(g->gpu, job->x, start->given, x_bytes(job), err));
    SPMV__TRY(upload_numbers(g, start->rank, job->width, job->precision,
                             job->seen[SPMV__EXTRAPOLATED], scratch, err));
    if (job->restart != NULL)
        SPMV__TRY(
            upload_numbers(g, start->restart, job->width, SPMV_F64, job->restart, scratch, err));
    SPMV__TRY(spmv__gpu_upload(g->gpu, job->state, &k->state, sizeof k->state, err));
    if (parts->count > 1) SPMV__TRY(upload_team(parts, k, m, err));
done:
    free(scratch);
    return st;
}

/* The state before the first iteration. */
static void begin_state(ranking_group *k)
{
    const spmv__ranking *start = &k->start;
    k->state.limit = HUGE_VAL;
    for (int v = 0; v < start->width; v++)
        k->state.to[v] = spmv__teleport_of(start->config, start->nodes, start->dangling[v]);
}

/* ---- The iterations ------------------------------------------------------------------------- */

/* Returns where the scores lie after so many iterations: in one place, unless the last ones are
 * wanted. */
static void *scores_after(const ranking_group *k, int m, int iterations)
{
    const int place = spmv__extrapolation_place(iterations + SPMV__PERIOD - 1);
    const bool one_place = place < 0 || !k->start.config->extrapolate;
    return k->partner[m].job.seen[one_place ? SPMV__EXTRAPOLATED : place];
}

/* The job of a GPU in iteration number i of a batch. */
static spmv__pagerank_job job_of(const ranking_group *k, int m, int i)
{
    const group_partner *partner = &k->partner[m];
    spmv__pagerank_job job = partner->job;
    job.odd = i % 2 != 0;
    job.x = job.odd ? partner->box.next : partner->box.x;
    job.next = job.odd ? partner->box.x : partner->box.next;
    job.score = scores_after(k, m, i);
    job.renewed = scores_after(k, m, i + 1);
    return job;
}

/* Enqueue the steps of iteration number i, or of the guess behind it: each one on all GPUs before
 * the next one, as it waits for what the others do in that. */
static spmv_status enqueue_steps(const graph_parts *g, const ranking_group *k, int i, bool guess,
                                 spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    for (int step = 0; step < (guess ? SPMV__GUESS_STEPS : SPMV__PULL_STEPS); step++)
        for (int m = 0; m < g->count; m++) {
            const spmv__pagerank_job job = job_of(k, m, i);
            spmv__gpu *gpu = g->partner[m].gpu;
            SPMV__TRY(spmv__gpu_select(gpu, err));
            SPMV__TRY(guess ? spmv__pagerank_guess(gpu, &job, step, err)
                            : spmv__pagerank_enqueue(gpu, &job, step, err));
        }
done:
    return st;
}

/* The other GPUs begin behind what is enqueued on the first one, which then waits for them. */
static spmv_status enqueue_batch(const graph_parts *g, const ranking_group *k, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    for (int m = 1; m < g->count; m++)
        SPMV__TRY(spmv__gpu_follow(g->partner[m].gpu, g->partner[0].gpu, err));
    for (int i = 0; i < SPMV__BATCH; i++) {
        SPMV__TRY(enqueue_steps(g, k, i, false, err));
        if (k->start.config->extrapolate && spmv__extrapolation_place(i) == SPMV__EXTRAPOLATED)
            SPMV__TRY(enqueue_steps(g, k, i, true, err));
    }
    for (int m = 1; m < g->count; m++)
        SPMV__TRY(spmv__gpu_follow(g->partner[0].gpu, g->partner[m].gpu, err));
done:
    return st;
}

static spmv_status record_batch(const graph_parts *g, ranking_group *k, spmv_error *err)
{
    spmv__gpu *first = g->partner[0].gpu;
    spmv_status st = spmv__gpu_select(first, err);
    if (st == SPMV_SUCCESS) st = spmv__gpu_record_begin(first, err);
    if (st != SPMV_SUCCESS) return st;
    st = enqueue_batch(g, k, err);
    const spmv_status ended =
        spmv__gpu_record_end(first, &k->batch, st == SPMV_SUCCESS ? err : NULL);
    return st != SPMV_SUCCESS ? st : ended;
}

/* Fails where a GPU has waited for another one in vain. */
static spmv_status check_team(const graph_parts *g, const ranking_group *k, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    for (int m = 0; m < g->count && g->count > 1; m++) {
        uint32_t state[SPMV__TEAM_WORDS];
        SPMV__TRY(spmv__gpu_select(g->partner[m].gpu, err));
        SPMV__TRY(spmv__gpu_download(g->partner[m].gpu, state, k->partner[m].job.team.state,
                                     sizeof state, err));
        if (state[SPMV__TEAM_LATE] != 0)
            SPMV__TRY(spmv__fail(err, SPMV_ERROR_KERNEL_LAUNCH,
                                 "GPU %d of %d has waited for another one in vain", m, g->count));
    }
done:
    return st;
}

/* Batches until the state says stop. */
static spmv_status iterate(const graph_parts *g, ranking_group *k, spmv__pagerank_run *run,
                           spmv_error *err)
{
    spmv__gpu *first = g->partner[0].gpu;
    double elapsed_ms = 0;
    spmv_status st;
    spmv__report(run->config.progress, run->config.user, "ranking", 0, run->config.max_iterations);
    SPMV__TRY(spmv__gpu_select(first, err));
    SPMV__TRY(spmv__gpu_timer_start(first, err));
    for (int i = 0; k->state.stop == 0;) {
        SPMV__TRY(spmv__gpu_replay(first, k->batch, err));
        SPMV__TRY(
            spmv__gpu_download(first, &k->state, k->partner[0].job.state, sizeof k->state, err));
        for (; i < k->state.iterations; i++)
            SPMV__TRY(spmv__pagerank_note(run, i, k->state.residual[i % SPMV__BATCH], err));
    }
    SPMV__TRY(spmv__gpu_timer_stop(first, &elapsed_ms, err));
    run->result.elapsed_ms += elapsed_ms;
    SPMV__TRY(check_team(g, k, err));
done:
    return st;
}

/* The scores of the rows of a GPU. */
static spmv_status take_rows(const graph_parts *parts, const ranking_group *k, int m,
                             spmv__pagerank_run *run, spmv_error *err)
{
    const gpu_graph *g = &parts->partner[m];
    const spmv__pagerank_job *job = &k->partner[m].job;
    const int64_t rows = g->host.rows, width = job->width;
    const size_t size = spmv_type_size(job->precision);
    double *scratch = NULL;
    spmv_status st;
    SPMV__TRY(spmv__alloc(&scratch, rows * width, size, "scores", err));
    SPMV__TRY(spmv__gpu_select(g->gpu, err));
    SPMV__TRY(spmv__gpu_download(g->gpu, scratch, scores_after(k, m, k->state.iterations),
                                 rows * width * (int64_t)size, err));
    for (int v = 0; v < job->rankings; v++) {
        double *ranks = run->result.ranks + (run->begin + v) * g->host.nodes;
        for (int64_t r = 0; r < rows; r++)
            ranks[g->host.node[r]] = spmv__value(job->precision, scratch, r * width + v);
    }
done:
    free(scratch);
    return st;
}

static spmv_status take_scores(const graph_parts *g, const ranking_group *k,
                               spmv__pagerank_run *run, spmv_error *err)
{
    const int last = k->state.iterations - 1;
    double change = 0;
    spmv_status st = SPMV_SUCCESS;
    for (int m = 0; m < g->count; m++) SPMV__TRY(take_rows(g, k, m, run, err));
    for (int v = 0; v < k->start.used; v++) change = fmax(change, k->state.sums[v].change);
    spmv__pagerank_settle(run, k->start.used, k->state.residual[last % SPMV__BATCH], change);
done:
    return st;
}

static spmv_status rank_group(const graph_parts *g, ranking_group *k, spmv__pagerank_run *run,
                              spmv_error *err)
{
    const spmv_pagerank_config *config = &run->config;
    spmv_status st;
    SPMV__TRY(spmv__ranking_create(&k->start, &run->graph, config, run->begin, err));
    SPMV__TRY(spmv__alloc(&k->partner, g->count, sizeof *k->partner, "rankings", err));
    for (int m = 0; m < g->count; m++) {
        k->partner[m].job = make_job(g, m, config, &k->start);
        SPMV__TRY(allocate_partner(&g->partner[m], &k->partner[m], config, err));
    }
    begin_state(k);
    for (int m = 0; m < g->count; m++) SPMV__TRY(upload_start(g, k, m, err));
    SPMV__TRY(record_batch(g, k, err));
    SPMV__TRY(iterate(g, k, run, err));
    SPMV__TRY(take_scores(g, k, run, err));
done:
    return st;
}

static spmv_status rank_some(const graph_parts *g, spmv__pagerank_run *run, spmv_error *err)
{
    ranking_group k = {.count = g->count};
    const spmv_status st = rank_group(g, &k, run, err);
    spmv_recording_destroy(k.batch);
    for (int m = 0; k.partner != NULL && m < g->count; m++) {
        (void)spmv__gpu_select(g->partner[m].gpu, NULL);
        spmv__gpu_free(k.partner[m].memory);
        spmv__gpu_free(k.partner[m].open);
    }
    free(k.partner);
    spmv__ranking_destroy(&k.start);
    return st;
}

/* ---- A call --------------------------------------------------------------------------------- */

/* Each GPU has to reach the memory of all others. */
static spmv_status open_partners(graph_parts *g, spmv_context *const *ctx, int count,
                                 spmv_error *err)
{
    spmv_status st;
    SPMV__TRY(spmv__alloc(&g->partner, count, sizeof *g->partner, "several GPUs", err));
    g->count = count;
    for (int m = 0; m < count; m++) {
        SPMV__TRY(spmv__context_gpu(&g->partner[m].gpu, ctx[m], err));
        for (int i = 0; i < count; i++) SPMV__TRY(spmv__gpu_reach(ctx[i]->device, err));
    }
done:
    return st;
}

static void close_partners(graph_parts *g)
{
    for (int m = 0; m < g->count; m++) {
        gpu_graph *partner = &g->partner[m];
        if (partner->gpu != NULL) (void)spmv__gpu_select(partner->gpu, NULL);
        spmv__gpu_free(partner->memory);
        spmv__pull_graph_destroy(&partner->host);
    }
    free(g->partner);
    spmv__node_parts_destroy(&g->nodes);
}

spmv_status spmv_pagerank_gpus(spmv_pagerank_result *out, const spmv_matrix *A,
                               const spmv_pagerank_config *config, spmv_context *const *ctx,
                               int count, spmv_error *err)
{
    SPMV__REQUIRE(out != NULL, err);
    memset(out, 0, sizeof *out);
    SPMV__REQUIRE(A != NULL && ctx != NULL && count > 0, err);
    spmv__pagerank_run run = {.begin = 0};
    graph_parts g = {.count = 0};
    spmv_status st;

    for (int m = 0; m < count; m++) SPMV__REQUIRE(ctx[m] != NULL, err);
    SPMV__TRY(open_partners(&g, ctx, count, err));
    SPMV__TRY(spmv__pagerank_begin(&run, A, config, SPMV__READER_GPU, err));
    if (spmv__pagerank_open(&run)) SPMV__TRY(prepare_graph(&g, &run, err));
    while (spmv__pagerank_open(&run)) SPMV__TRY(rank_some(&g, &run, err));
done:
    close_partners(&g);
    spmv__pagerank_end(&run, st, out);
    return st;
}

spmv_status spmv_pagerank_gpu(spmv_pagerank_result *out, const spmv_matrix *A,
                              const spmv_pagerank_config *config, spmv_context *ctx,
                              spmv_error *err)
{
    return spmv_pagerank_gpus(out, A, config, &ctx, 1, err);
}
