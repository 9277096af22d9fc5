/* verify_product.c -- products compared with the matrix as it was read. */
#include "cli/run/run.h"
#include "cli/tool/fail.h"
#include "cli/tool/message.h"
#include "cli/tool/phase.h"
#include "cli/tool/steps.h"

#include <inttypes.h>
#include <stdio.h>

/* Returns A with the same arrays, which stay with their owner. */
static spmv_matrix view_of(const spmv_matrix *A)
{
    spmv_matrix view = *A;
    view.head.storage = SPMV_BORROWED;
    return view;
}

spmv_status run_keep_original(run_job *job, spmv_error *err)
{
    const spmv_status st = spmv_own_indices(&job->A, err);
    job->original = job->A;
    job->A = view_of(&job->original);
    return st;
}

/* Make what was read, in the direction that was multiplied; the caller destroys it. */
static spmv_status make_reference(spmv_matrix *out, const run_job *job, spmv_error *err)
{
    spmv_coo *coo = &out->coo;
    if (!job->options->transpose) {
        *out = view_of(&job->original);
        return SPMV_SUCCESS;
    }
    const spmv_status st = spmv_convert(out, &job->original, SPMV_COO, NULL, err);
    if (st != SPMV_SUCCESS) return st;
    int64_t *row_idx = coo->row_idx, rows = coo->rows;
    coo->row_idx = coo->col_idx;
    coo->col_idx = row_idx;
    coo->rows = coo->cols;
    coo->cols = rows;
    return SPMV_SUCCESS;
}

/* Writes an element of y, both parts of a complex one: either may be wrong. */
static const char *element_text(const run_job *job, spmv_scalar v, char text[64])
{
    if (spmv_type_is_complex(job->precision))
        snprintf(text, 64, "%.17g%+.17gi", v.re, v.im);
    else
        snprintf(text, 64, "%.17g", v.re);
    return text;
}

static void say_verified(const run_job *job)
{
    const spmv_verification *v = &job->verification;
    char found[64], expected[64];
    if (v->pass)
        tool_note("verified: max abs error %.3g, max rel error %.3g, at most %.3g of what "
                  "rounding may do",
                  v->max_abs_error, v->max_rel_error, v->excess);
    else
        tool_note("verification failed%s: %" PRId64 " of %" PRId64 " elements are wrong, as in row "
                  "%" PRId64 ": %s, not %s",
                  job->last_is_wrong ? " after the first product" : "", v->wrong,
                  job->y.rows * job->y.cols, v->worst_row + 1,
                  element_text(job, v->worst_found, found),
                  element_text(job, v->worst_expected, expected));
}

spmv_status run_verify(run_job *job, spmv_error *err)
{
    const run_options *o = job->options;
    const spmv_rounding rounding = {.single_values =
                                        step_rounds(job->original.head.type, job->precision)};
    spmv_verification *v = &job->verification;
    spmv_matrix reference = {0};
    spmv_status st;
    tool_phase_begin("verify", NULL);
    TOOL_TRY(make_reference(&reference, job, err));
    TOOL_TRY(spmv_verify_complex(&reference, o->alpha, &job->x, o->beta, &job->y0, &job->y,
                                 &rounding, v, err));
    if (v->pass) {
        const spmv_dense *before = job->last.before.data != NULL ? &job->last.before : &job->y0;
        TOOL_TRY(spmv_verify_complex(&reference, o->alpha, &job->x, o->beta, before,
                                     &job->last.after, &rounding, v, err));
        job->last_is_wrong = !v->pass;
    }
    say_verified(job);
done:
    tool_phase_end(0);
    spmv_destroy(&reference);
    return st;
}
