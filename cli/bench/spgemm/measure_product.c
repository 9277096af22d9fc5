/* measure_product.c -- see measure_product.h. */
#include "cli/bench/spgemm/measure_product.h"
#include "cli/tool/fail.h"
#include "cli/tool/phase.h"

#include <stdio.h>
#include <string.h>

/* A method at work. */
typedef struct product_work {
    const bench_options *options;
    const spmv_spgemm_method *method;
    spmv_context *ctx;
    void *data; /* the method's; NULL: not open */
    double deadline;
} product_work;

/* ---- Ready to multiply ----------------------------------------------------------------------- */

/* Returns whether a method has A, B and C on one GPU. */
static bool stays_on_gpu(const spmv_spgemm_method *method)
{
    return method->gpu && !method->joint;
}

static spmv_status copy_operands(bench_product *p, spmv_context *ctx, spmv_error *err)
{
    form *A = bench_product_a(p), *B = bench_product_b(p);
    spmv_status st = SPMV_SUCCESS;
    if (A->on_gpu == NULL) TOOL_TRY(form_copy(A, ctx, err));
    if (B->on_gpu == NULL) TOOL_TRY(form_copy(B, ctx, err));
done:
    return st;
}

static spmv_status prepare(product_work *w, product_measurement *out, spmv_error *err)
{
    form *A = bench_product_a(out->product), *B = bench_product_b(out->product);
    const int gpus = out->candidate->gpus;
    spmv_status st = SPMV_SUCCESS;
    tool_phase_begin("prepare", w->method->name);
    if (stays_on_gpu(w->method)) {
        const double start = spmv_now();
        TOOL_TRY(copy_operands(out->product, w->ctx, err));
        out->copy_s += spmv_now() - start;
    }
    const spmv_spgemm_operands in = {.A = A->A,
                                     .B = B->A,
                                     .A_on_gpu = stays_on_gpu(w->method) ? A->on_gpu : NULL,
                                     .B_on_gpu = stays_on_gpu(w->method) ? B->on_gpu : NULL,
                                     .threads = (int)w->options->common.threads,
                                     .gpus = gpus > 0 ? gpus : 1};
    st = w->method->open(&w->data, w->method, w->ctx, &in, err);
done:
    tool_phase_end(0);
    return st;
}

static void release(product_work *w)
{
    if (w->data != NULL) w->method->close(w->data);
    spmv_context_destroy(w->ctx);
    w->data = NULL;
    w->ctx = NULL;
}

static spmv_status begin(product_work *w, product_measurement *out, spmv_error *err)
{
    const int threads = (int)w->options->common.threads;
    spmv_status st;
    TOOL_TRY(spmv_context_create(&w->ctx, out->candidate->device, threads, err));
    st = prepare(w, out, err);
done:
    return st;
}

/* Makes a product that is not looked at: it loads kernels, whose memory would count as that of the
 * next one. */
static spmv_status rehearse(product_work *w, product_measurement *out, spmv_error *err)
{
    spmv_status st;
    TOOL_TRY(begin(w, out, err));
    st = w->method->multiply(w->data, err);
done:
    release(w);
    return st;
}

/* ---- What is found out ----------------------------------------------------------------------- */

/* What was made counts, and is compared; a product that is wrong is told before one that is right.
 */
static spmv_status look_at(product_work *w, product_measurement *out, const char *which,
                           spmv_error *err)
{
    const bool exact = strchr(w->method->name, ':') == NULL; /* ours */
    spmv_matrix C = {0};
    product_check check;
    spmv_status st;
    TOOL_TRY(w->method->fetch(w->data, &C, err));
    out->nnz = C.head.nnz;
    if (w->options->no_verify) goto done;
    TOOL_TRY(bench_compare_product(out->product, &C, exact, &check, err));
    const bool equal_bits = check.equal_bits && (!out->verified || out->check.equal_bits);
    if (!out->verified || (out->check.verification.pass && !check.verification.pass)) {
        out->check = check;
        out->checked = which;
    }
    out->check.equal_bits = equal_bits;
    out->verified = true;
done:
    spmv_destroy(&C);
    return st;
}

/* The first product. */
static spmv_status verify(product_work *w, product_measurement *out, spmv_error *err)
{
    const double start = spmv_now();
    spmv_status st;
    out->memory_bytes = -1;
    tool_phase_begin("verify", w->method->name);
    if (stays_on_gpu(w->method)) TOOL_TRY(spmv_context_memory_start(w->ctx, err));
    st = w->method->multiply(w->data, err);
    if (stays_on_gpu(w->method)) { /* ends after a failure, too, and does not hide it */
        const bool made = st == SPMV_SUCCESS;
        const spmv_status told =
            spmv_context_memory_stop(w->ctx, &out->memory_bytes, made ? err : NULL);
        if (made) st = told;
    }
    if (st == SPMV_SUCCESS) st = look_at(w, out, "first", err);
done:
    tool_phase_end(0);
    out->verify_s = spmv_now() - start;
    return st;
}

/* A whole call.  C of the one before is released without being timed. */
static spmv_status time_call(product_work *w, double *seconds, spmv_error *err)
{
    w->method->drop(w->data);
    const double start = spmv_now();
    const spmv_status st = w->method->multiply(w->data, err);
    *seconds = spmv_now() - start;
    return st;
}

static spmv_status warm_up(product_work *w, spmv_error *err)
{
    const double enough = spmv_now() + w->options->min_time / 10;
    spmv_status st = SPMV_SUCCESS;
    double seconds;
    for (int64_t i = 0; i < w->options->warmup || spmv_now() < enough; i++) {
        if (bench_time_left(w->deadline) <= 0) break;
        TOOL_TRY(time_call(w, &seconds, err));
    }
done:
    return st;
}

static spmv_status take_times(product_work *w, product_measurement *out, spmv_error *err)
{
    bench_times *t = &out->times;
    const double begun = spmv_now();
    char title[256];
    spmv_status st;
    int next = 0;
    snprintf(title, sizeof title, "%.128s with %s", out->product->matrix->name, w->method->name);
    tool_phase_begin("measure", title);
    TOOL_TRY(warm_up(w, err));
    t->batch = 1;
    const double start = spmv_now();
    do {
        TOOL_TRY(time_call(w, &t->samples[t->count], err));
        t->count++;
    } while (bench_time_left(w->deadline) > 0 &&
             !bench_is_enough(w->options, t, spmv_now() - start, &next));
    st = look_at(w, out, "last", err);
done:
    tool_phase_end(0);
    out->measure_s = spmv_now() - begun;
    return st;
}

spmv_status bench_measure_product(product_measurement *out, bench_product *p, bench_matrix *m,
                                  const bench_candidate *s, spmv_error *err)
{
    product_work w = {.options = m->options, .method = s->method, .deadline = m->deadline};
    spmv_status st;
    memset(out, 0, sizeof *out);
    out->product = p;
    out->candidate = s;
    TOOL_TRY(bench_product_make(p, m, err));
    TOOL_TRY(bench_candidate_device(s, &out->device, err));
    if (stays_on_gpu(s->method)) TOOL_TRY(rehearse(&w, out, err));
    TOOL_TRY(begin(&w, out, err));
    TOOL_TRY(verify(&w, out, err));
    TOOL_TRY(take_times(&w, out, err));
done:
    release(&w);
    return st;
}
