/* measure_ranks.c -- y = A x by several ranks: spread, verified, timed.
 *
 * Rank 0 decides what is measured, how often, and when there is enough, and tells the others by
 * numbers that all gather.  A time is that of the slowest rank of a batch that all begin together.
 */
#include "cli/bench/measure/measure_ranks.h"
#include "cli/ranks/join_ranks.h"
#include "cli/ranks/row_shares.h"
#include "cli/tool/fail.h"
#include "cli/tool/phase.h"
#include "cli/tool/steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What one rank has of a measurement. */
typedef struct ranks_work {
    bench_ranks *ranks;
    const bench_options *options;
    int threads;
    bench_matrix *m;        /* on rank 0 ... */
    bench_measurement *out; /* ... and NULL on the others */
    spmv_part part;
    spmv_dense x, y; /* own elements */
    spmv_part_operator *op;
    spmv_dense seen;           /* on rank 0: a product that was found right */
    double exchange_s, time_s; /* of all products that are timed */
    int64_t products;          /* that are timed */
    rank_costs costs;
} ranks_work;

enum { DISMISS, MEASURE };
enum { NUMBERS = 3 }; /* that a rank tells at once, at most */

spmv_status bench_join(bench_ranks *out, spmv_error *err)
{
    spmv_status st = tool_join_ranks(&out->comm, err);
    if (st != SPMV_SUCCESS) return st;
    out->told = calloc((size_t)spmv_comm_size(out->comm) * NUMBERS, sizeof *out->told);
    if (out->told == NULL)
        st = tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot store what %d ranks tell",
                       spmv_comm_size(out->comm));
    return spmv_comm_agree(out->comm, st, err);
}

void bench_leave(bench_ranks *ranks)
{
    spmv_comm_close(ranks->comm);
    free(ranks->told);
}

/* ---- Numbers -------------------------------------------------------------------------------- */

/* What rank 0 says. */
static double lead(const ranks_work *w, double mine)
{
    spmv_comm_gather(w->ranks->comm, &mine, 1, w->ranks->told);
    return w->ranks->told[0];
}

/* number[i] becomes what `join` makes of it over all ranks. */
static void join_all(const ranks_work *w, double *number, int n, double (*join)(double, double))
{
    const double *told = w->ranks->told;
    spmv_comm_gather(w->ranks->comm, number, n, w->ranks->told);
    for (int i = 0; i < n; i++) number[i] = told[i];
    for (int k = 1; k < spmv_comm_size(w->ranks->comm); k++)
        for (int i = 0; i < n; i++) number[i] = join(number[i], told[k * n + i]);
}

static double add(double a, double b)
{
    return a + b;
}

/* ---- Ready to multiply ---------------------------------------------------------------------- */

static spmv_status hand_out(ranks_work *w, spmv_error *err)
{
    const bool leads = w->m != NULL;
    spmv_status st;
    TOOL_TRY(spmv_part_spread(&w->part, w->ranks->comm, leads ? &w->m->A : NULL,
                              tool_first_partition(w->options->partition), err));
    TOOL_TRY(tool_share_rows(&w->part, w->ranks->comm, w->options->partition, err));
    TOOL_TRY(spmv_part_scatter(&w->x, w->ranks->comm, w->part.col_begin, w->part.col_number,
                               leads ? &w->m->x : NULL, err));
    const int k = spmv_comm_rank(w->ranks->comm);
    st = spmv_dense_create(&w->y, w->x.type, w->part.row_begin[k + 1] - w->part.row_begin[k],
                           w->x.cols, err);
    TOOL_TRY(spmv_comm_agree(w->ranks->comm, st, err));
done:
    return st;
}

static spmv_status prepare(ranks_work *w, spmv_error *err)
{
    spmv_status st = hand_out(w, err);
    if (st != SPMV_SUCCESS) return st;
    double seconds = spmv_now();
    st = spmv_part_operator_create(&w->op, w->ranks->comm, &w->part, w->x.type, w->threads, err);
    if (st != SPMV_SUCCESS) return st;
    seconds = spmv_now() - seconds;
    join_all(w, &seconds, 1, fmax);
    if (w->out != NULL) w->out->prepare_s = seconds;
    if (w->x.rows > 0)
        memcpy(spmv_part_operator_x(w->op), w->x.data,
               (size_t)w->x.rows * spmv_type_size(w->x.type));
    return SPMV_SUCCESS;
}

static void release(ranks_work *w)
{
    spmv_part_operator_destroy(w->op);
    spmv_part_destroy(&w->part);
    spmv_dense_destroy(&w->x);
    spmv_dense_destroy(&w->y);
    spmv_dense_destroy(&w->seen);
}

/* ---- What is found out ---------------------------------------------------------------------- */

static void multiply(ranks_work *w)
{
    w->exchange_s += spmv_part_operator_apply_columns(w->op, (spmv_scalar){1, 0}, &w->x,
                                                      (spmv_scalar){0, 0}, &w->y);
}

/* Multiply into a y that shows what is not written, and find out whether the product is right. */
static spmv_status verify(ranks_work *w, const char *product, spmv_error *err)
{
    spmv_dense whole = {0};
    spmv_status st;
    if (w->options->no_verify) return SPMV_SUCCESS;
    step_blank(&w->y);
    multiply(w);
    TOOL_TRY(spmv_part_gather(&whole, w->ranks->comm, w->part.row_begin, w->part.row_number, &w->y,
                              err));
    st = w->out != NULL ? bench_look_at(w->out, &w->seen, &whole, product, err) : SPMV_SUCCESS;
    TOOL_TRY(spmv_comm_agree(w->ranks->comm, st, err));
done:
    spmv_dense_destroy(&whole);
    return st;
}

/* Returns the seconds that the slowest rank takes for each of `batch` products. */
static double time_batch(ranks_work *w, int64_t batch)
{
    spmv_comm_agree(w->ranks->comm, SPMV_SUCCESS, NULL); /* all begin together */
    const double start = spmv_now();
    for (int64_t i = 0; i < batch; i++) multiply(w);
    double seconds = spmv_now() - start;
    w->time_s += seconds;
    w->products += batch;
    join_all(w, &seconds, 1, fmax);
    return seconds / (double)batch;
}

/* Returns how many products make a batch. */
static int64_t warm_up(ranks_work *w)
{
    const bench_options *o = w->options;
    const double enough = spmv_now() + o->min_time / 10;
    double fastest = INFINITY, again = 1;
    for (int64_t i = 0; again != 0; i++) {
        fastest = fmin(fastest, time_batch(w, 1));
        again = lead(w, i + 1 < o->warmup || spmv_now() < enough);
    }
    w->exchange_s = w->time_s = 0;
    w->products = 0;
    const double left = w->m != NULL ? bench_time_left(w->m->deadline) : 0;
    return (int64_t)lead(w, (double)bench_batch_of(bench_least_sample(o), left, fastest, 1));
}

static spmv_status take_times(ranks_work *w, spmv_error *err)
{
    static bench_times unused; /* of ranks that have no measurement */
    bench_times *t = w->out != NULL ? &w->out->warm : &unused;
    int next = 0;
    t->count = 0;
    t->batch = warm_up(w);
    const double start = spmv_now();
    do t->samples[t->count++] = time_batch(w, t->batch);
    while (lead(w, w->m != NULL && bench_time_left(w->m->deadline) > 0 &&
                       !bench_is_enough(w->options, t, spmv_now() - start, &next)) != 0);
    const spmv_part_costs mine = spmv_part_operator_costs(w->op);
    const double products = (double)w->products;
    return rank_costs_gather(&w->costs, w->ranks->comm, &mine,
                             spmv_type_size(w->x.type) * (size_t)w->x.cols,
                             w->exchange_s / products, w->time_s / products, err);
}

/* What the memories of all ranks can do together, while all use them. */
static spmv_status find_ceilings(ranks_work *w, spmv_error *err)
{
    spmv_context *ctx = NULL;
    spmv_device_info info = {0};
    spmv_peak_rates rates = {0};
    spmv_status st = spmv_device_describe(SPMV_DEVICE_CPU, &info, err);
    if (st == SPMV_SUCCESS) st = spmv_context_create(&ctx, SPMV_DEVICE_CPU, w->threads, err);
    TOOL_TRY(spmv_comm_agree(w->ranks->comm, st, err));
    st = spmv_context_ceilings(ctx, w->x.type, w->x.rows, &rates, err);
    TOOL_TRY(spmv_comm_agree(w->ranks->comm, st, err));
    double sum[] = {info.bandwidth, rates.stream, rates.gather};
    join_all(w, sum, 3, add);
    if (w->out == NULL) goto done;
    w->out->device = info;
    w->out->device.bandwidth = sum[0];
    w->out->ceilings = (spmv_peak_rates){.stream = sum[1], .gather = sum[2]};
done:
    spmv_context_destroy(ctx);
    return st;
}

/* All ranks together; rank 0 has the figures then. */
static spmv_status measure_together(ranks_work *w, spmv_error *err)
{
    spmv_status st;
    const double start = spmv_now();
    TOOL_TRY(prepare(w, err));
    TOOL_TRY(find_ceilings(w, err));
    TOOL_TRY(verify(w, "first", err));
    TOOL_TRY(take_times(w, err));
    TOOL_TRY(verify(w, "warm", err));
    if (w->out != NULL) w->out->measure_s = spmv_now() - start;
done:
    release(w);
    return st;
}

/* ---- Leading and following ------------------------------------------------------------------ */

/* Returns what rank 0 wants; *threads as it says. */
static int take_order(bench_ranks *ranks, int order, int *threads)
{
    const double mine[] = {order, *threads};
    spmv_comm_gather(ranks->comm, mine, 2, ranks->told);
    *threads = (int)ranks->told[1];
    return (int)ranks->told[0];
}

spmv_status bench_measure_ranks(bench_measurement *out, rank_costs *costs, bench_matrix *m,
                                const bench_candidate *s, spmv_error *err)
{
    int threads = (int)m->options->common.threads;
    memset(out, 0, sizeof *out);
    out->matrix = m;
    out->candidate = s;
    out->format = SPMV_CSR;
    out->form_bytes = (double)spmv_memory_bytes(&m->A);
    out->config = s->config;
    ranks_work w = {
        .ranks = m->options->ranks, .options = m->options, .threads = threads, .m = m, .out = out};
    take_order(w.ranks, MEASURE, &threads);
    tool_phase_begin("measure", m->name);
    spmv_status st = measure_together(&w, err);
    tool_phase_end(0);
    if (st == SPMV_SUCCESS) st = bench_rate(out, &out->warm, &out->bandwidth, err);
    *costs = w.costs;
    return st;
}

void bench_follow(const bench_options *options)
{
    int threads = 0;
    while (take_order(options->ranks, DISMISS, &threads) != DISMISS) {
        ranks_work w = {.ranks = options->ranks, .options = options, .threads = threads};
        spmv_error err = {0};
        measure_together(&w, &err);
        rank_costs_destroy(&w.costs);
    }
}

void bench_dismiss(bench_ranks *ranks)
{
    int threads = 0;
    take_order(ranks, DISMISS, &threads);
}
