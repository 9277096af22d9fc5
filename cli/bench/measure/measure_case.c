/* measure_case.c -- one kernel on one matrix: converted, prepared, verified, timed. */
#include "cli/bench/measure/measure_case.h"
#include "cli/bench/measure/joint_work.h"
#include "cli/bench/measure/time_setup.h"
#include "cli/measure/samples.h"
#include "cli/measure/replay.h"
#include "cli/tool/fail.h"
#include "cli/tool/phase.h"
#include "cli/tool/steps.h"

#include <string.h>

/* ---- Contexts ------------------------------------------------------------------------------- */

static spmv_status context_for(bench_contexts *contexts, spmv_context **out, int device,
                               int64_t threads, spmv_error *err)
{
    spmv_context **kept = device == SPMV_DEVICE_CPU ? &contexts->cpu : &contexts->gpu;
    spmv_status st = SPMV_SUCCESS;
    if (*kept == NULL) st = spmv_context_create(kept, device, (int)threads, err);
    *out = *kept;
    return st;
}

void bench_contexts_destroy(bench_contexts *contexts)
{
    spmv_context_destroy(contexts->cpu);
    spmv_context_destroy(contexts->gpu);
    *contexts = (bench_contexts){0};
}

/* ---- Ready to multiply ---------------------------------------------------------------------- */

static bool is_on_gpu(const bench_work *work)
{
    return spmv_context_device(work->ctx) != SPMV_DEVICE_CPU;
}

/* x, and room for y, where the context is, and by rows when all vectors are multiplied at once; y
 * starts as NaN bits: what is not written will show. */
static spmv_status place_vectors(bench_work *work, const bench_matrix *m, bool by_rows,
                                 spmv_error *err)
{
    spmv_status st;
    spmv_dense x = {0}, y = {0};
    TOOL_TRY(spmv_dense_reorder(&x, &m->x, by_rows, err));
    TOOL_TRY(spmv_dense_create(&y, m->precision, m->stats.rows, m->x.cols, err));
    y.by_rows = by_rows;
    step_blank(&y);
    if (!m->options->no_verify) TOOL_TRY(spmv_dense_reorder(&work->blank, &y, by_rows, err));
    if (is_on_gpu(work)) {
        TOOL_TRY(spmv_dense_to_gpu(&work->x, work->ctx, &x, err));
        TOOL_TRY(spmv_dense_to_gpu(&work->y, work->ctx, &y, err));
    } else {
        work->x = x;
        work->y = y;
        x = y = (spmv_dense){0};
    }
done:
    spmv_dense_destroy(&x);
    spmv_dense_destroy(&y);
    return st;
}

/* Makes the plan, or the operator, or hands the rows out. */
static spmv_status set_up(void *data, spmv_error *err)
{
    bench_work *work = data;
    const form *f = &work->matrix->form;
    if (work->gpu_count > 0) return joint_open(work, err);
    if (work->peer != NULL)
        return work->peer->plan(&work->plan, work->ctx, f->A, f->on_gpu, &work->x, &work->y, err);
    return form_operator(&work->op, work->ctx, f, &work->config, err);
}

static void forget(void *data)
{
    bench_work *work = data;
    if (work->plan != NULL) work->peer->free(work->plan);
    spmv_operator_destroy(work->op);
    spmv_gpus_destroy(work->gpus);
    work->plan = NULL;
    work->op = NULL;
    work->gpus = NULL;
}

/* The form of the matrix, the vectors, and what the candidate makes of them, all that is timed. */
static spmv_status prepare_alone(bench_work *work, bench_measurement *out, bench_matrix *m,
                                 const bench_candidate *s, spmv_error *err)
{
    const bool copied = is_on_gpu(work) && !(s->peer != NULL && s->peer->converts);
    /* A peer gets the values that it would have been given, at no cost. */
    const spmv_type type = s->peer != NULL ? m->precision : m->A.head.type;
    const spmv_format held = s->peer != NULL ? out->format : form_taken(s->kernel, m->A.format);
    spmv_status st;
    TOOL_TRY(bench_form_make(m, type, held, err));
    if (copied)
        TOOL_TRY(bench_form_copy(m, work->ctx, err));
    else
        form_drop(&m->form);
    TOOL_TRY(place_vectors(work, m, s->peer != NULL ? s->peer->spmm : s->kernel->spmm, err));
    TOOL_TRY(bench_time_setup(&out->prepare_s, work->ctx, set_up, forget, work, err));
    out->format_s = m->cost[type][held].format_s;
    if (copied) {
        out->copy_s = m->cost[type][held].copy_s;
        out->copy_bytes = (int64_t)spmv_memory_bytes(m->form.A);
    }
    out->form_bytes = (double)spmv_memory_bytes(m->form.A);
    if (work->op == NULL) goto done;
    out->form_bytes = (double)spmv_operator_bytes(work->op);
    out->config = *spmv_operator_options(work->op);
done:
    return st;
}

/* The same on several GPUs, each of which converts and plans for its rows; the bytes are those of
 * the whole in one piece.  What the first GPU has of the matrix would be in the way. */
static spmv_status prepare_together(bench_work *work, bench_measurement *out, bench_matrix *m,
                                    spmv_error *err)
{
    spmv_size size;
    spmv_status st;
    form_drop(&m->form);
    TOOL_TRY(spmv_size_of(&m->A, out->format, NULL, &size, err));
    out->form_bytes = size.bytes;
    TOOL_TRY(bench_time_setup(&out->prepare_s, work->ctx, set_up, forget, work, err));
    TOOL_TRY(joint_set_vectors(work, err));
    out->config = work->config;
done:
    return st;
}

static spmv_status prepare(bench_work *work, bench_measurement *out, bench_matrix *m,
                           const bench_candidate *s, spmv_error *err)
{
    tool_phase_begin("prepare", s->name);
    const spmv_status st =
        s->gpus > 0 ? prepare_together(work, out, m, err) : prepare_alone(work, out, m, s, err);
    tool_phase_end(0);
    return st;
}

static void release(bench_work *work)
{
    forget(work);
    spmv_dense_destroy(&work->x);
    spmv_dense_destroy(&work->y);
    spmv_dense_destroy(&work->blank);
    spmv_dense_destroy(&work->seen);
}

/* ---- What is found out ---------------------------------------------------------------------- */

/* Copies what y holds now to the host. */
static spmv_status fetch_y(bench_work *work, spmv_dense *out, spmv_error *err)
{
    spmv_status st;
    if (work->gpus != NULL) return joint_fetch_y(work, out, err);
    if (work->peer != NULL && work->peer->fetch != NULL)
        TOOL_TRY(work->peer->fetch(work->plan, &work->y, err));
    st = work->y.on_gpu ? spmv_dense_from_gpu(out, work->ctx, &work->y, err)
                        : spmv_dense_reorder(out, &work->y, work->y.by_rows, err);
done:
    return st;
}

/* Compare with the matrix as it was read, entry by entry on the CPU. */
static spmv_status compare(const bench_measurement *of, const spmv_dense *y, spmv_verification *out,
                           spmv_error *err)
{
    const bench_matrix *m = of->matrix;
    const spmv_matrix *A = m->has_original ? &m->original : &m->A;
    const bool peer = of->candidate->peer != NULL;
    const spmv_rounding rounding = {.single_sums = peer && step_is_single(m->precision),
                                    .single_values = step_rounds(A->head.type, m->precision)};
    return spmv_verify_complex(A, (spmv_scalar){1, 0}, &m->x, (spmv_scalar){0, 0}, NULL, y,
                               &rounding, out, err);
}

spmv_status bench_look_at(bench_measurement *out, spmv_dense *seen, spmv_dense *y,
                          const char *product, spmv_error *err)
{
    spmv_verification v;
    const size_t bytes = (size_t)(y->rows * y->cols) * spmv_type_size(y->type);
    if (seen->data != NULL && memcmp(y->data, seen->data, bytes) == 0) return SPMV_SUCCESS;
    const spmv_status st = compare(out, y, &v, err);
    if (st != SPMV_SUCCESS) return st;
    if (!out->verified || (out->verification.pass && !v.pass)) {
        out->verification = v;
        out->product = product;
    }
    out->verified = true;
    if (v.pass && seen->data == NULL) {
        *seen = *y;
        *y = (spmv_dense){0};
    }
    return SPMV_SUCCESS;
}

/* Find out whether y holds the right product. */
static spmv_status look_at(bench_work *work, bench_measurement *out, const char *product,
                           spmv_error *err)
{
    spmv_dense y = {0};
    spmv_status st = fetch_y(work, &y, err);
    if (st == SPMV_SUCCESS) st = bench_look_at(out, &work->seen, &y, product, err);
    spmv_dense_destroy(&y);
    return st;
}

/* The first multiplication. */
static spmv_status verify(bench_work *work, bench_measurement *out, spmv_error *err)
{
    spmv_status st;
    const double start = spmv_now();
    tool_phase_begin("verify", out->candidate->name);
    TOOL_TRY(bench_multiply(work, err));
    TOOL_TRY(spmv_context_synchronize(work->ctx, err));
    TOOL_TRY(look_at(work, out, "first", err));
done:
    tool_phase_end(0);
    out->verify_s = spmv_now() - start;
    return st;
}

/* Times of one state, and the product that came after them. */
static spmv_status take_times(bench_work *work, bench_measurement *out, bench_state state,
                              bench_times *times, spmv_error *err)
{
    static const char *const after[] = {
        [BENCH_WARM] = "warm", [BENCH_COLD] = "cold", [BENCH_GRAPH] = "graph"};
    spmv_status st = bench_take_times(work, state, times, err);
    if (st == SPMV_SUCCESS && !out->matrix->options->no_verify)
        st = look_at(work, out, after[state], err);
    return st;
}

/* The ceilings depend on the device and on the length and type of x: what was measured last is
 * taken again where these are the same.  Those of several GPUs are so many times those of one. */
static spmv_status find_ceilings(bench_contexts *contexts, bench_work *work, bench_measurement *out,
                                 spmv_error *err)
{
    const int device = spmv_context_device(work->ctx);
    const spmv_dense *x = &work->matrix->x;
    const double count = work->gpu_count > 0 ? work->gpu_count : 1;
    spmv_status st;
    TOOL_TRY(bench_candidate_device(out->candidate, &out->device, err));
    if (!contexts->ceilings.known || contexts->ceilings.device != device ||
        contexts->ceilings.type != x->type || contexts->ceilings.rows != x->rows) {
        contexts->ceilings.known = false;
        TOOL_TRY(
            spmv_context_ceilings(work->ctx, x->type, x->rows, &contexts->ceilings.rates, err));
        contexts->ceilings.known = true;
        contexts->ceilings.device = device;
        contexts->ceilings.type = x->type;
        contexts->ceilings.rows = x->rows;
    }
    const spmv_peak_rates *one = &contexts->ceilings.rates;
    out->ceilings = (spmv_peak_rates){.stream = count * one->stream, .gather = count * one->gather};
done:
    return st;
}

spmv_status bench_rate(const bench_measurement *out, const bench_times *t,
                       spmv_bandwidth *bandwidth, spmv_error *err)
{
    const bench_matrix *m = out->matrix;
    const sample_stats s = samples_summarise(t->samples, t->count);
    const double seconds = s.median > 0 ? s.median : 1e-9; /* below what any clock tells */
    const double theoretical = out->device.bandwidth > 0 ? out->device.bandwidth : 1;
    const spmv_status st = spmv_bandwidth_compute(&m->A, m->precision, m->x.cols, seconds,
                                                  theoretical, bandwidth, err);
    const spmv_kernel *kernel = spmv_kernel_find(out->candidate->name); /* NULL: of a peer */
    const bool in_turn = kernel != NULL && !kernel->spmm;
    const double passes = in_turn ? (double)m->x.cols : 1; /* over the matrix */
    if (st == SPMV_SUCCESS)
        bandwidth->moved_bytes += passes * out->form_bytes - (double)spmv_memory_bytes(&m->A);
    return st;
}

/* Says whether it is worth while to record multiplications; the host has no part in these. */
static bool pays_in_graphs(const bench_work *work, const bench_times *warm)
{
    if (work->gpus != NULL && spmv_gpus_route(work->gpus) != SPMV_ROUTE_IPC) return false;
    return replay_pays(work->ctx, samples_summarise(warm->samples, warm->count).median);
}

/* The caches of several GPUs are not emptied. */
static spmv_status take_all_times(bench_work *work, bench_measurement *out, spmv_error *err)
{
    spmv_status st;
    char title[256];
    const double start = spmv_now();
    snprintf(title, sizeof title, "%.128s with %s", out->matrix->name, out->candidate->name);
    tool_phase_begin("measure", title);
    TOOL_TRY(take_times(work, out, BENCH_WARM, &out->warm, err));
    TOOL_TRY(bench_rate(out, &out->warm, &out->bandwidth, err));
    if (work->gpus == NULL && !out->matrix->options->warm_only &&
        bench_time_left(work->deadline) > 0) {
        TOOL_TRY(take_times(work, out, BENCH_COLD, &out->cold, err));
        TOOL_TRY(bench_rate(out, &out->cold, &out->cold_bandwidth, err));
    }
    if (pays_in_graphs(work, &out->warm) && bench_time_left(work->deadline) > 0) {
        st = take_times(work, out, BENCH_GRAPH, &out->graph, err);
        /* Another library may do what cannot be recorded: then there is no such time. */
        if (st != SPMV_SUCCESS && work->peer != NULL) st = SPMV_SUCCESS;
        TOOL_TRY(st);
        if (out->graph.count > 0)
            TOOL_TRY(bench_rate(out, &out->graph, &out->graph_bandwidth, err));
    }
done:
    tool_phase_end(0);
    out->measure_s = spmv_now() - start;
    return st;
}

spmv_status bench_measure(bench_measurement *out, bench_contexts *contexts, bench_matrix *m,
                          const bench_candidate *s, spmv_error *err)
{
    spmv_status st;
    bench_work work = {.matrix = m,
                       .peer = s->peer,
                       .gpu_count = s->gpus,
                       .config = s->config,
                       .deadline = m->deadline};

    memset(out, 0, sizeof *out);
    out->matrix = m;
    out->candidate = s;
    out->format = bench_candidate_format(s);
    work.config.vector_type = m->precision;
    TOOL_TRY(context_for(contexts, &work.ctx, s->device, m->options->common.threads, err));
    TOOL_TRY(prepare(&work, out, m, s, err));
    TOOL_TRY(find_ceilings(contexts, &work, out, err));
    if (!m->options->no_verify) TOOL_TRY(verify(&work, out, err));
    TOOL_TRY(take_all_times(&work, out, err));
done:
    release(&work);
    return st;
}
