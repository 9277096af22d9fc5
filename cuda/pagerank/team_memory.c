/* team_memory.c -- what GPUs that rank together have in their memory, and how they reach that of
 * each other. */
#include "core/matrix/value.h"
#include "cuda/gpu/rank_memory.h"
#include "cuda/pagerank/graph_team.h"

#include <math.h>
#include <stdlib.h>

/* Returns the next `bytes` of memory that is handed out piece by piece; if NULL, it is only
 * measured. */
static void *take(char *memory, int64_t *used, int64_t bytes)
{
    void *start = memory != NULL ? memory + *used : NULL;
    *used += spmv__gpu_aligned(bytes);
    return start;
}

static int64_t place_graph(spmv__pull_graph *g, char *memory)
{
    spmv__pull_array list[SPMV__PULL_ARRAYS];
    int64_t used = 0;
    spmv__pull_arrays(g, list);
    for (int i = 0; i < SPMV__PULL_ARRAYS; i++) *list[i].data = take(memory, &used, list[i].bytes);
    return used;
}

spmv_status spmv__graph_upload(spmv__graph_partner *g, spmv_error *err)
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
static int64_t place_job(spmv__pagerank_job *job, const spmv_pagerank_options *options,
                         char *memory)
{
    const int64_t real = sizeof(double), width = job->width;
    const int64_t scores = numbers(job) * (int64_t)spmv_type_size(job->precision);
    const int64_t parts = (job->pull_blocks + job->join_blocks) * width;
    spmv__pagerank_team *team = &job->team;
    int64_t used = 0;
    job->state = take(memory, &used, sizeof *job->state);
    job->parts = take(memory, &used, parts * (int64_t)sizeof *job->parts);
    job->piece_sum = take(memory, &used, job->graph.pieces * width * real);
    for (int i = options->extrapolate ? 0 : SPMV__EXTRAPOLATED; i <= SPMV__EXTRAPOLATED; i++)
        job->seen[i] = take(memory, &used, scores);
    if (options->extrapolate)
        job->products =
            take(memory, &used, job->pull_blocks * SPMV__PAGERANK_PRODUCTS * width * real);
    if (options->personalization != NULL) job->restart = take(memory, &used, numbers(job) * real);
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

static spmv__pagerank_job make_job(const spmv__graph_team *g, int m,
                                   const spmv_pagerank_options *options, const spmv__ranking *start)
{
    const int64_t nodes = g->partner[m].host.nodes;
    const int me = spmv__team_number(g, m);
    const spmv__teleport zero = spmv__teleport_of(options, nodes, 0);
    const spmv__teleport all = spmv__teleport_of(options, nodes, 1);
    return (spmv__pagerank_job){
        .graph = g->partner[m].gpu_arrays,
        .precision = options->precision,
        .damping = options->damping,
        .tolerance = options->tolerance,
        .norm = options->norm,
        .to_self = options->dangling == SPMV_DANGLING_SELF,
        .max_iterations = options->max_iterations,
        .width = start->width,
        .rankings = start->used,
        .fixed = zero,
        .slope = {all.personal - zero.personal, all.uniform - zero.uniform},
        .team = {.gpus = spmv__team_size(g),
                 .me = me,
                 .begin = 0,
                 .end = spmv__team_size(g),
                 .each = g->nodes.each,
                 .blocks = list_blocks(&g->nodes, me, NULL)},
    };
}

/* Memory that starts as 0, and that others of a team reach. */
static spmv_status allocate_box(void **out, spmv__gpu *gpu, int64_t bytes, bool alone,
                                spmv_error *err)
{
    static const char what[] = "the scores";
    if (!alone) return spmv__gpu_alloc_open(gpu, out, bytes, what, err);
    const spmv_status st = spmv__gpu_alloc(out, bytes, what, err);
    return st == SPMV_SUCCESS ? spmv__gpu_clear(gpu, *out, bytes, err) : st;
}

/* Allocate what a GPU has of a group. */
static spmv_status allocate_partner(const spmv__graph_partner *g, spmv__group_partner *k,
                                    const spmv_pagerank_options *options, spmv_error *err)
{
    spmv__pagerank_job *job = &k->job;
    spmv_status st;
    SPMV__TRY(spmv__gpu_select(g->gpu, err));
    SPMV__TRY(spmv__pagerank_blocks(job, err));
    const int64_t bytes = place_job(job, options, NULL), open = place_box(&k->box, job, NULL);
    SPMV__TRY(spmv__gpu_fits(bytes + open, "ranking", err));
    SPMV__TRY(spmv__gpu_alloc(&k->memory, bytes, "the scores", err));
    SPMV__TRY(allocate_box(&k->open, g->gpu, open, job->team.gpus == 1, err));
    place_job(job, options, k->memory);
    place_box(&k->box, job, k->open);
    job->x = k->box.x;
    job->next = k->box.next;
done:
    return st;
}

/* Numbers by source go to the GPU by row. */
static spmv_status upload_numbers(const spmv__graph_partner *g, const double *by_source, int width,
                                  spmv_type type, void *to, void *scratch, spmv_error *err)
{
    const int64_t n = g->host.rows * width;
    for (int64_t i = 0; i < n; i++)
        spmv__set_value(type, scratch, i,
                        by_source[(int64_t)g->host.source[i / width] * width + i % width]);
    return spmv__gpu_upload(g->gpu, to, scratch, n * (int64_t)spmv_type_size(type), err);
}

/* The box of another GPU: of this process, or of another rank, where it is laid out alike. */
static spmv__pagerank_box box_of(const spmv__graph_team *g, const spmv__ranking_group *k, int i)
{
    spmv__pagerank_box box = {0};
    if (g->comm == NULL) return k->partner[i].box;
    if (i == g->comm->rank) return k->partner[0].box;
    if (k->there != NULL) place_box(&box, &k->partner[0].job, k->there[i]);
    return box;
}

/* What a GPU has to know of the others. */
static spmv_status upload_team(const spmv__graph_team *g, const spmv__ranking_group *k, int m,
                               spmv_error *err)
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
    for (int i = 0; i < team->gpus; i++) box[i] = box_of(g, k, i);
    list_blocks(&g->nodes, team->me, list);
    SPMV__TRY(spmv__gpu_upload(gpu, team->box, box, boxes, err));
    SPMV__TRY(spmv__gpu_upload(gpu, team->block, list, blocks, err));
    SPMV__TRY(
        spmv__gpu_clear(gpu, team->state, SPMV__TEAM_WORDS * (int64_t)sizeof *team->state, err));
done:
    free(box);
    free(list);
    return st;
}

static spmv_status upload_start(const spmv__graph_team *parts, spmv__ranking_group *k, int m,
                                spmv_error *err)
{
    const spmv__graph_partner *g = &parts->partner[m];
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
    if (job->team.gpus > 1) SPMV__TRY(upload_team(parts, k, m, err));
done:
    free(scratch);
    return st;
}

/* The state before the first iteration. */
static void begin_state(spmv__ranking_group *k)
{
    const spmv__ranking *start = &k->start;
    k->state.limit = HUGE_VAL;
    for (int v = 0; v < start->width; v++)
        k->state.to[v] = spmv__teleport_of(start->options, start->nodes, start->dangling[v]);
}

/* ---- Other ranks ---------------------------------------------------------------------------- */

/* Where its memory is not open, a GPU writes into its own box only, and a relay carries that on. */
static spmv_status relay_boxes(const spmv__graph_team *g, spmv__ranking_group *k, spmv_error *err)
{
    const spmv__box_ranks ranks = {.comm = g->comm,
                                   .route = g->route,
                                   .gpu = g->partner[0].gpu,
                                   .device = g->device,
                                   .nodes = &g->nodes,
                                   .graph = &g->partner[0].host};
    spmv__pagerank_team *team = &k->partner[0].job.team;
    team->begin = team->me;
    team->end = team->me + 1;
    return spmv__box_relay_create(&k->relay, &ranks, &k->partner[0].job, &k->partner[0].box, err);
}

static spmv_status connect_ranks(const spmv__graph_team *g, spmv__ranking_group *k, spmv_error *err)
{
    if (g->comm == NULL || g->comm->size == 1) return SPMV_SUCCESS;
    if (g->route > SPMV_ROUTE_IPC) return relay_boxes(g, k, err);
    const spmv_status st =
        spmv__rank_memory_open(&k->there, g->comm, g->device, k->partner[0].open, err);
    return spmv__rank_memory_gives_way(g->route, st) ? relay_boxes(g, k, err) : st;
}

/* ---- GPUs that are apart -------------------------------------------------------------------- */

static spmv_status carry_boxes(const spmv__graph_team *g, spmv__ranking_group *k, spmv_error *err)
{
    spmv_status st = spmv__box_carrier_create(&k->carrier, &g->nodes, &k->partner[0].job, err);
    for (int m = 0; m < g->count && st == SPMV_SUCCESS; m++) {
        spmv__pagerank_team *team = &k->partner[m].job.team;
        k->carrier->owner[m] = (spmv__box_owner){g->partner[m].gpu, k->partner[m].box};
        team->begin = team->me;
        team->end = team->me + 1;
    }
    return st;
}

/* ---- A group -------------------------------------------------------------------------------- */

static spmv_status allocate_group(const spmv__graph_team *g, spmv__ranking_group *k,
                                  const spmv_pagerank_options *options, spmv_error *err)
{
    spmv_status st;
    SPMV__TRY(spmv__alloc(&k->partner, g->count, sizeof *k->partner, "rankings", err));
    for (int m = 0; m < g->count; m++) {
        k->partner[m].job = make_job(g, m, options, &k->start);
        SPMV__TRY(allocate_partner(&g->partner[m], &k->partner[m], options, err));
    }
done:
    return st;
}

static spmv_status upload_group(const spmv__graph_team *g, spmv__ranking_group *k, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    for (int m = 0; m < g->count; m++) SPMV__TRY(upload_start(g, k, m, err));
done:
    return st;
}

spmv_status spmv__group_prepare(const spmv__graph_team *g, spmv__ranking_group *k,
                                const spmv_pagerank_options *options, spmv_error *err)
{
    spmv_status st;
    SPMV__TRY(spmv__team_agree(g, allocate_group(g, k, options, err), err));
    SPMV__TRY(connect_ranks(g, k, err));
    if (g->apart) SPMV__TRY(carry_boxes(g, k, err));
    begin_state(k);
    SPMV__TRY(spmv__team_agree(g, upload_group(g, k, err), err));
done:
    return st;
}

void spmv__group_destroy(const spmv__graph_team *g, spmv__ranking_group *k)
{
    spmv_recording_destroy(k->batch);
    if (k->there != NULL) {
        (void)spmv__gpu_select(g->partner[0].gpu, NULL);
        (void)spmv__gpu_synchronize(g->partner[0].gpu, NULL);
        spmv__rank_memory_close(k->there, g->comm);
    }
    spmv__box_relay_destroy(k->relay);
    spmv__box_carrier_destroy(k->carrier);
    for (int m = 0; k->partner != NULL && m < g->count; m++) {
        (void)spmv__gpu_select(g->partner[m].gpu, NULL);
        spmv__gpu_free(k->partner[m].memory);
        spmv__gpu_free(k->partner[m].open);
    }
    free(k->partner);
    spmv__ranking_destroy(&k->start);
}
