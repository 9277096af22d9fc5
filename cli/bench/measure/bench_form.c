/* bench_form.c -- the matrix as a candidate takes it: values, format, and where the candidate runs.
 *
 * One form is held at a time, for as many candidates as take it.  What a form costs is found out
 * once: so the set-ups of all that share it differ by what is their own alone. */
#include "cli/bench/measure/bench_form.h"
#include "cli/bench/measure/time_setup.h"
#include "cli/tool/fail.h"

/* A as it was read, or m->form.made. */
static spmv_status make(bench_matrix *m, spmv_type type, spmv_format format, double *seconds,
                        spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    spmv_matrix values = {0};
    const spmv_matrix *A = &m->A;
    *seconds = 0;
    if (type != A->head.type) {
        TOOL_TRY(spmv_convert_values(&values, A, type, err));
        A = &values;
    }
    if (format != A->format) {
        const double start = spmv_now();
        TOOL_TRY(spmv_convert(&m->form.made, A, format, NULL, err));
        *seconds = spmv_now() - start;
        A = &m->form.made;
    } else if (A == &values) {
        m->form.made = values;
        values = (spmv_matrix){0};
        A = &m->form.made;
    }
    m->form.A = A;
done:
    spmv_destroy(&values);
    return st;
}

spmv_status bench_form_make(bench_matrix *m, spmv_type type, spmv_format format, spmv_error *err)
{
    bench_cost *cost = &m->cost[type][format];
    double seconds;
    if (form_is(&m->form, type, format)) return SPMV_SUCCESS;
    form_destroy(&m->form);
    const spmv_status st = make(m, type, format, &seconds, err);
    if (st == SPMV_SUCCESS && !cost->is_made) {
        cost->is_made = true;
        cost->format_s = seconds;
    }
    return st;
}

void bench_matrix_destroy(bench_matrix *m)
{
    form_destroy(&m->form);
    spmv_destroy(&m->A);
    spmv_destroy(&m->original);
    spmv_dense_destroy(&m->x);
}

/* ---- On the GPU ----------------------------------------------------------------------------- */

typedef struct copying {
    form *form;
    spmv_context *ctx;
} copying;

static spmv_status copy(void *work, spmv_error *err)
{
    const copying *c = work;
    return form_copy(c->form, c->ctx, err);
}

static void drop(void *work)
{
    const copying *c = work;
    form_drop(c->form);
}

spmv_status bench_form_copy(bench_matrix *m, spmv_context *ctx, spmv_error *err)
{
    copying work = {&m->form, ctx};
    bench_cost *cost = &m->cost[m->form.A->head.type][m->form.A->format];
    if (m->form.on_gpu != NULL) return SPMV_SUCCESS;
    if (cost->is_copied) return form_copy(&m->form, ctx, err);
    const spmv_status st = bench_time_setup(&cost->copy_s, ctx, copy, drop, &work, err);
    cost->is_copied = st == SPMV_SUCCESS;
    return st;
}
