/* team_iterate.c -- iterations of PageRank on GPUs, in batches.
 *
 * A batch of iterations is recorded once and replayed; the kernels of those that are not needed any
 * more see that and return at once.  So the host looks at the state once a batch. */
#include "core/matrix/value.h"
#include "cuda/pagerank/graph_team.h"

#include <math.h>
#include <stdlib.h>

/* Returns where the scores lie after so many iterations: in one place, unless the last ones are
 * wanted. */
static void *scores_after(const spmv__ranking_group *k, int m, int iterations)
{
    const int place = spmv__extrapolation_place(iterations + SPMV__PERIOD - 1);
    const bool one_place = place < 0 || !k->start.options->extrapolate;
    return k->partner[m].job.seen[one_place ? SPMV__EXTRAPOLATED : place];
}

/* The job of a GPU in iteration number i of a batch. */
static spmv__pagerank_job job_of(const spmv__ranking_group *k, int m, int i)
{
    const spmv__group_partner *partner = &k->partner[m];
    spmv__pagerank_job job = partner->job;
    job.odd = i % 2 != 0;
    job.x = job.odd ? partner->box.next : partner->box.x;
    job.next = job.odd ? partner->box.x : partner->box.next;
    job.score = scores_after(k, m, i);
    job.renewed = scores_after(k, m, i + 1);
    return job;
}

/* After a step in which GPUs that are apart have written for each other. */
static spmv_status carry_round(const spmv__ranking_group *k, int i, int step, bool guess,
                               spmv_error *err)
{
    const int last = (guess ? SPMV__GUESS_STEPS : SPMV__PULL_STEPS) - 1;
    if (k->carrier == NULL || step == last) return SPMV_SUCCESS;
    return spmv__box_carry(k->carrier, step == last - 1, job_of(k, 0, i).odd, err);
}

/* Enqueue the steps of iteration number i, or of the guess behind it: each one on all GPUs before
 * the next one, as it waits for what the others do in that. */
static spmv_status enqueue_steps(const spmv__graph_team *g, const spmv__ranking_group *k, int i,
                                 bool guess, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    for (int step = 0; step < (guess ? SPMV__GUESS_STEPS : SPMV__PULL_STEPS); step++) {
        for (int m = 0; m < g->count; m++) {
            const spmv__pagerank_job job = job_of(k, m, i);
            spmv__gpu *gpu = g->partner[m].gpu;
            SPMV__TRY(spmv__gpu_select(gpu, err));
            SPMV__TRY(guess ? spmv__pagerank_guess(gpu, &job, step, err)
                            : spmv__pagerank_enqueue(gpu, &job, step, err));
        }
        SPMV__TRY(carry_round(k, i, step, guess, err));
    }
done:
    return st;
}

/* The other GPUs begin behind what is enqueued on the first one, which then waits for them. */
static spmv_status enqueue_batch(const spmv__graph_team *g, const spmv__ranking_group *k,
                                 spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    for (int m = 1; m < g->count; m++)
        SPMV__TRY(spmv__gpu_follow(g->partner[m].gpu, g->partner[0].gpu, err));
    for (int i = 0; i < SPMV__BATCH; i++) {
        SPMV__TRY(enqueue_steps(g, k, i, false, err));
        if (k->start.options->extrapolate && spmv__extrapolation_place(i) == SPMV__EXTRAPOLATED)
            SPMV__TRY(enqueue_steps(g, k, i, true, err));
    }
    for (int m = 1; m < g->count; m++)
        SPMV__TRY(spmv__gpu_follow(g->partner[0].gpu, g->partner[m].gpu, err));
done:
    return st;
}

/* The same of one rank with a relay: others wait for what comes from this one, whatever fails
 * here. */
static spmv_status enqueue_relayed_batch(const spmv__ranking_group *k, spmv__gpu *gpu,
                                         spmv_error *err)
{
    spmv_status st = spmv__gpu_select(gpu, err);
    for (int i = 0; i < SPMV__BATCH; i++) {
        const spmv__pagerank_job job = job_of(k, 0, i);
        if (st == SPMV_SUCCESS) st = spmv__pagerank_enqueue(gpu, &job, 0, err);
        spmv__box_relay_exchange(k->relay, &job, &st, err);
        if (st == SPMV_SUCCESS) st = spmv__pagerank_enqueue(gpu, &job, 1, err);
    }
    return st;
}

/* The hosts have a part in it. */
static bool by_hosts(const spmv__ranking_group *k)
{
    return k->carrier != NULL || (k->relay != NULL && k->relay->relay->way->by_hosts);
}

static spmv_status enqueue_whole_batch(const spmv__graph_team *g, const spmv__ranking_group *k,
                                       spmv_error *err)
{
    return k->relay != NULL ? enqueue_relayed_batch(k, g->partner[0].gpu, err)
                            : enqueue_batch(g, k, err);
}

static spmv_status record_batch(const spmv__graph_team *g, spmv__ranking_group *k, spmv_error *err)
{
    spmv__gpu *first = g->partner[0].gpu;
    spmv_status st = spmv__gpu_select(first, err);
    if (st == SPMV_SUCCESS) st = spmv__gpu_record_begin(first, err);
    if (st != SPMV_SUCCESS) return st;
    st = enqueue_whole_batch(g, k, err);
    const spmv_status ended =
        spmv__gpu_record_end(first, &k->batch, st == SPMV_SUCCESS ? err : NULL);
    return st != SPMV_SUCCESS ? st : ended;
}

/* Fails where a GPU has waited for another one in vain. */
static spmv_status check_team(const spmv__graph_team *g, const spmv__ranking_group *k,
                              spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    for (int m = 0; m < g->count && spmv__team_size(g) > 1; m++) {
        uint32_t state[SPMV__TEAM_WORDS];
        SPMV__TRY(spmv__gpu_select(g->partner[m].gpu, err));
        SPMV__TRY(spmv__gpu_download(g->partner[m].gpu, state, k->partner[m].job.team.state,
                                     sizeof state, err));
        if (state[SPMV__TEAM_LATE] != 0)
            SPMV__TRY(spmv__fail(err, SPMV_ERROR_KERNEL_LAUNCH,
                                 "GPU %d of %d has waited for another one in vain",
                                 spmv__team_number(g, m), spmv__team_size(g)));
    }
done:
    return st;
}

/* One batch, after iteration number *i. */
static spmv_status run_batch(const spmv__graph_team *g, spmv__ranking_group *k,
                             spmv__pagerank_run *run, int *i, spmv_error *err)
{
    spmv__gpu *first = g->partner[0].gpu;
    spmv_status st;
    SPMV__TRY(by_hosts(k) ? enqueue_whole_batch(g, k, err)
                          : spmv__gpu_replay(first, k->batch, err));
    SPMV__TRY(spmv__gpu_select(first, err));
    SPMV__TRY(spmv__gpu_download(first, &k->state, k->partner[0].job.state, sizeof k->state, err));
    for (; *i < k->state.iterations; (*i)++)
        SPMV__TRY(spmv__pagerank_note(run, *i, k->state.residual[*i % SPMV__BATCH], err));
done:
    return st;
}

/* Batches until the state says stop. */
static spmv_status iterate(const spmv__graph_team *g, spmv__ranking_group *k,
                           spmv__pagerank_run *run, spmv_error *err)
{
    spmv__gpu *first = g->partner[0].gpu;
    double seconds = 0;
    spmv_status st;
    spmv__report(run->options.progress, run->options.user, "ranking", 0,
                 run->options.max_iterations);
    st = spmv__gpu_select(first, err);
    if (st == SPMV_SUCCESS) st = spmv__gpu_timer_start(first, err);
    SPMV__TRY(spmv__team_agree(g, st, err));
    for (int i = 0; k->state.stop == 0;)
        SPMV__TRY(spmv__team_agree(g, run_batch(g, k, run, &i, err), err));
    st = spmv__gpu_timer_stop(first, &seconds, err);
    run->result.seconds += seconds;
    if (st == SPMV_SUCCESS) st = check_team(g, k, err);
    SPMV__TRY(spmv__team_agree(g, st, err));
done:
    return st;
}

/* The scores of the rows of a GPU. */
static spmv_status take_rows(const spmv__graph_team *parts, const spmv__ranking_group *k, int m,
                             spmv__pagerank_run *run, spmv_error *err)
{
    const spmv__graph_partner *g = &parts->partner[m];
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

static spmv_status take_scores(const spmv__graph_team *g, const spmv__ranking_group *k,
                               spmv__pagerank_run *run, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    for (int m = 0; m < g->count; m++) SPMV__TRY(take_rows(g, k, m, run, err));
done:
    return st;
}

void spmv__team_settle(const spmv__ranking_group *k, spmv__pagerank_run *run)
{
    const int last = k->state.iterations - 1;
    double change = 0;
    for (int v = 0; v < k->start.used; v++) change = fmax(change, k->state.sums[v].change);
    spmv__pagerank_settle(run, k->start.used, k->state.residual[last % SPMV__BATCH], change);
}

spmv_status spmv__team_rank(const spmv__graph_team *g, spmv__ranking_group *k,
                            spmv__pagerank_run *run, spmv_error *err)
{
    spmv_status st;
    SPMV__TRY(spmv__group_prepare(g, k, &run->options, err));
    if (!by_hosts(k)) SPMV__TRY(spmv__team_agree(g, record_batch(g, k, err), err));
    SPMV__TRY(iterate(g, k, run, err));
    SPMV__TRY(spmv__team_agree(g, take_scores(g, k, run, err), err));
done:
    return st;
}
