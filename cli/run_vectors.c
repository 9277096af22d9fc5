/* run_vectors.c -- x and y of spmv-run: from files, or by rule. */
#include "run.h"

#include <inttypes.h>
#include <string.h>

static void fill_ones(spmv_dense *v)
{
    for (int64_t k = 0; k < v->rows; k++)
        if (v->type == SPMV_F32)
            ((float *)v->data)[k] = 1;
        else
            ((double *)v->data)[k] = 1;
}

static void fill_index(spmv_dense *v)
{
    for (int64_t k = 0; k < v->rows; k++)
        if (v->type == SPMV_F32)
            ((float *)v->data)[k] = (float)(k + 1);
        else
            ((double *)v->data)[k] = (double)(k + 1);
}

static void fill_random(spmv_dense *v)
{
    spmv_dense_fill_random(v, (uint64_t)common.seed);
}

static const struct rule {
    const char *name;
    void (*fill)(spmv_dense *v);
} rules[] = {{"ones", fill_ones}, {"index", fill_index}, {"random", fill_random}};

/* NULL: x is the name of a file. */
static const struct rule *rule_of_x(void)
{
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (strcmp(rules[i].name, run_opt.x) == 0) return &rules[i];
    return NULL;
}

bool run_x_is_file(void)
{
    return rule_of_x() == NULL;
}

/* The same numbers in another precision. */
static spmv_status change_precision(spmv_dense *v, spmv_type type, spmv_error *err)
{
    spmv_dense w;
    if (v->type == type) return SPMV_SUCCESS;
    const spmv_status st = spmv_dense_create(&w, type, v->rows, v->cols, err);
    if (st != SPMV_SUCCESS) return st;
    for (int64_t k = 0; k < v->rows * v->cols; k++)
        if (type == SPMV_F32)
            ((float *)w.data)[k] = (float)((const double *)v->data)[k];
        else
            ((double *)w.data)[k] = (double)((const float *)v->data)[k];
    spmv_dense_destroy(v);
    *v = w;
    return SPMV_SUCCESS;
}

static spmv_status read_vector(spmv_dense *out, const char *path, spmv_type type, int64_t length,
                               const char *side, spmv_error *err)
{
    const spmv_read_options options = {.warn = tool_warn_reader};
    tool_phase_begin("read", tool_is_stdio(path) ? "<stdin>" : path);
    const spmv_status st = spmv_read_vector(out, path, &options, err);
    tool_phase_end(0);
    if (st != SPMV_SUCCESS) return st;
    if (out->rows != length) {
        tool_fail(err, SPMV_ERROR_INVALID_DIMENSION,
                  "the vector has length %" PRId64 ", but the matrix has %" PRId64 " %s", out->rows,
                  length, side);
        snprintf(err->file, sizeof err->file, "%s", tool_is_stdio(path) ? "<stdin>" : path);
        return SPMV_ERROR_INVALID_DIMENSION;
    }
    return change_precision(out, type, err);
}

static spmv_status make_x(run_job *job, spmv_error *err)
{
    const int64_t length = job->stats.cols;
    const struct rule *rule = rule_of_x();
    if (rule == NULL)
        return read_vector(&job->x, run_opt.x, job->precision, length, "columns", err);
    const spmv_status st = spmv_dense_create(&job->x, job->precision, length, 1, err);
    if (st == SPMV_SUCCESS) rule->fill(&job->x);
    return st;
}

spmv_status run_make_vectors(run_job *job, spmv_error *err)
{
    spmv_status st;
    const int64_t length = job->stats.rows;
    TOOL_TRY(make_x(job, err));
    if (run_opt.y != NULL && run_opt.beta != 0)
        TOOL_TRY(read_vector(&job->y0, run_opt.y, job->precision, length, "rows", err));
    else
        TOOL_TRY(spmv_dense_create(&job->y0, job->precision, length, 1, err));
done:
    return st;
}
