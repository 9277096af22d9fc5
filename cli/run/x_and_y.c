/* x_and_y.c -- x and y of spmv-run: from files, or by rule. */
#include "cli/run/run.h"
#include "cli/tool/fail.h"
#include "cli/tool/message.h"
#include "cli/tool/path.h"
#include "cli/tool/phase.h"
#include "cli/tool/steps.h"

#include <inttypes.h>
#include <string.h>

/* Set v[k] = re + im i, rounded to the type, of which a real one has no im. */
static void set_element(spmv_dense *v, int64_t k, double re, double im)
{
    const bool is_complex = spmv_type_is_complex(v->type);
    const bool single = step_is_single(v->type);
    const double parts[] = {re, im};
    for (int i = 0; i <= is_complex; i++) {
        const int64_t at = is_complex ? 2 * k + i : k;
        if (single)
            ((float *)v->data)[at] = (float)parts[i];
        else
            ((double *)v->data)[at] = parts[i];
    }
}

/* The first column becomes all 1, the second all 2, the third all 3, ... */
static void fill_ones(spmv_dense *v, uint64_t seed)
{
    (void)seed;
    for (int64_t k = 0; k < v->rows * v->cols; k++) set_element(v, k, (double)(k / v->rows + 1), 0);
}

/* The numbers run on from column to column. */
static void fill_index(spmv_dense *v, uint64_t seed)
{
    (void)seed;
    for (int64_t k = 0; k < v->rows * v->cols; k++) set_element(v, k, (double)(k + 1), 0);
}

static void fill_random(spmv_dense *v, uint64_t seed)
{
    spmv_dense_fill_random(v, seed);
}

static const struct vector_rule {
    const char *name;
    void (*fill)(spmv_dense *v, uint64_t seed);
} rules[] = {{"ones", fill_ones}, {"index", fill_index}, {"random", fill_random}};

/* Returns the rule that makes x, or NULL where x is the name of a file. */
static const struct vector_rule *rule_of_x(const run_options *o)
{
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (strcmp(rules[i].name, o->x) == 0) return &rules[i];
    return NULL;
}

bool run_x_is_file(const run_options *o)
{
    return rule_of_x(o) == NULL;
}

bool run_adds_to_y(const run_options *o)
{
    return o->beta.re != 0 || o->beta.im != 0;
}

bool run_reads_y(const run_options *o)
{
    return o->y != NULL && run_adds_to_y(o);
}

/* Change a vector as it was read, f64 or c128, to the type of the multiplication. */
static spmv_status change_type(spmv_dense *v, spmv_type type, const char *path, spmv_error *err)
{
    const bool is_complex = spmv_type_is_complex(v->type);
    const double *from = v->data;
    spmv_losses lost;
    spmv_dense w;
    spmv_status st = SPMV_SUCCESS;
    if (v->type == type) return SPMV_SUCCESS;
    if (step_is_single(type)) {
        st = spmv_dense_single_losses(v, &lost, err);
        if (st != SPMV_SUCCESS) return st;
        step_warn_lost(path, &lost);
    }
    st = spmv_dense_create(&w, type, v->rows, v->cols, err);
    if (st != SPMV_SUCCESS) return st;
    for (int64_t k = 0; k < v->rows * v->cols; k++)
        set_element(&w, k, from[is_complex ? 2 * k : k], is_complex ? from[2 * k + 1] : 0);
    spmv_dense_destroy(v);
    *v = w;
    return SPMV_SUCCESS;
}

static spmv_status read_operand(spmv_dense *out, const char *path, int64_t length, int64_t vectors,
                                const char *side, spmv_error *err)
{
    const spmv_read_options options = {.warn = tool_warn_reader};
    tool_phase_begin("read", tool_input_name(path));
    spmv_status st = spmv_read_vector(out, path, &options, err);
    tool_phase_end(0);
    if (st != SPMV_SUCCESS) return st;
    if (out->rows != length)
        st = tool_fail(err, SPMV_ERROR_INVALID_DIMENSION,
                       "the vector has length %" PRId64 ", but the matrix has %" PRId64 " %s",
                       out->rows, length, side);
    else if (out->cols != vectors)
        st = tool_fail(err, SPMV_ERROR_INVALID_DIMENSION,
                       "the number of columns is %" PRId64 ", but --vectors is %" PRId64, out->cols,
                       vectors);
    if (st != SPMV_SUCCESS) tool_blame_input(path, err);
    return st;
}

static spmv_type complex_of(spmv_type type)
{
    return step_is_single(type) ? SPMV_C64 : SPMV_C128;
}

/* A file that is not there may be a rule that was mistyped. */
static spmv_status check_name_of_x(const run_options *o, spmv_error *err)
{
    suggestion near = {.word = o->x};
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        suggestion_consider(&near, rules[i].name);
    return tool_check_file_name("-x", &near, err);
}

spmv_status run_make_vectors(run_job *job, spmv_error *err)
{
    const run_options *o = job->options;
    spmv_status st;
    /* There are x and y as they were given and as they are multiplied, y also as the answer, and
     * where it is verified as the last product and as what that read. */
    TOOL_TRY(step_check_vectors(&job->stats, o->verify ? 5 : 3, o->vectors, job->precision, err));
    const struct vector_rule *rule = rule_of_x(o);
    if (rule == NULL) TOOL_TRY(check_name_of_x(o, err));
    if (rule == NULL)
        TOOL_TRY(read_operand(&job->x, o->x, job->stats.cols, o->vectors, "columns", err));
    if (run_reads_y(o))
        TOOL_TRY(read_operand(&job->y0, o->y, job->stats.rows, o->vectors, "rows", err));

    if (o->alpha.im != 0 || o->beta.im != 0 || spmv_type_is_complex(job->x.type) ||
        spmv_type_is_complex(job->y0.type))
        job->precision = complex_of(job->precision);
    if (rule == NULL) {
        TOOL_TRY(change_type(&job->x, job->precision, o->x, err));
    } else {
        TOOL_TRY(spmv_dense_create(&job->x, job->precision, job->stats.cols, o->vectors, err));
        rule->fill(&job->x, (uint64_t)o->common.seed);
    }
    if (run_reads_y(o))
        TOOL_TRY(change_type(&job->y0, job->precision, o->y, err));
    else
        TOOL_TRY(spmv_dense_create(&job->y0, job->precision, job->stats.rows, o->vectors, err));
done:
    return st;
}
