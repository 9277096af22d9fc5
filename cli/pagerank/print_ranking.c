/* print_ranking.c -- the ranking on the terminal, all scores in a file, and the record. */
#include "cli/pagerank/pagerank_job.h"
#include "cli/json/record.h"
#include "cli/tool/choose_device.h"
#include "cli/tool/fail.h"
#include "cli/tool/message.h"
#include "cli/tool/path.h"
#include "cli/tool/phase.h"
#include "cli/tool/progress.h"
#include "cli/tool/ranks.h"
#include "cli/text/utf8.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TOP_ON_TERMINAL = 10 };

/* ---- The best ------------------------------------------------------------------------------- */

/* Returns how many lines of the ranking are wanted. */
static int64_t wanted_top(const pagerank_options *o, int64_t nodes)
{
    int64_t k = o->top;
    if (k == PAGERANK_UNSET) {
        const bool taken = (o->common.output != NULL && tool_is_stdio(o->common.output)) ||
                           !common_prints(&o->common);
        k = tool_is_terminal(STDOUT_FILENO) && !taken && o->sort == SORT_NODE ? TOP_ON_TERMINAL : 0;
    }
    return k < nodes ? k : nodes;
}

static const double *scores_of(const pagerank_job *job, int64_t ranking)
{
    return job->result.ranks + ranking * job->result.nodes;
}

spmv_status pagerank_find_top(pagerank_job *job, spmv_error *err)
{
    const spmv_pagerank_result *result = &job->result;
    job->top = wanted_top(job->options, result->nodes);
    if (job->top == 0) return SPMV_SUCCESS;
    job->best = calloc((size_t)(job->top * result->rankings), sizeof *job->best);
    if (job->best == NULL)
        return tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot hold the %" PRId64 " best",
                         job->top);
    spmv_status st = SPMV_SUCCESS;
    tool_phase_begin("select", NULL);
    for (int64_t v = 0; v < result->rankings && st == SPMV_SUCCESS; v++)
        st = spmv_top_k(scores_of(job, v), result->nodes, job->top, job->best + v * job->top, err);
    tool_phase_end(0);
    return st;
}

static const char *node_text(const pagerank_job *job, int64_t node, char out[SPMV_LABEL_SIZE])
{
    return spmv_label_text(&job->file.labels, node, out);
}

/* Returns the columns that the names of the best take. */
static int name_width(const pagerank_job *job, const int64_t *best)
{
    enum { LEAST = 12, MOST = 60 };
    char text[SPMV_LABEL_SIZE];
    int width = LEAST;
    for (int64_t i = 0; i < job->top && width < MOST; i++) {
        const int columns = utf8_columns(node_text(job, best[i], text));
        if (columns > width) width = columns < MOST ? columns : MOST;
    }
    return width;
}

static void print_row(const pagerank_job *job, int64_t rank, int64_t node, double score, int width)
{
    char text[SPMV_LABEL_SIZE];
    const char *name = node_text(job, node, text);
    const int blanks = width - utf8_columns(name);
    printf("%8" PRId64 " %*s", rank, blanks > 0 ? blanks : 0, "");
    tool_print_visible(name, stdout);
    printf("  %#.10g\n", score);
}

void pagerank_print_top(const pagerank_job *job)
{
    char text[SPMV_LABEL_SIZE];
    for (int64_t v = 0; v < job->result.rankings; v++) {
        const int64_t *best = job->best + v * job->top;
        const int width = name_width(job, best);
        if (job->sources != NULL) {
            printf("%sFrom node ", v > 0 ? "\n" : "");
            tool_print_visible(node_text(job, job->sources[v], text), stdout);
            printf("\n");
        }
        printf("%8s %*s  %s\n", "Rank", width, "Node", "Score");
        for (int64_t i = 0; i < job->top; i++)
            print_row(job, i + 1, best[i], scores_of(job, v)[best[i]], width);
    }
}

/* ---- All of them ---------------------------------------------------------------------------- */

/* A suffix of matrices or vectors asks for a vector; that of edge lists is one of any text. */
bool pagerank_writes_lines(const char *path)
{
    char suffix[SPMV_SUFFIX_SIZE];
    if (tool_is_stdio(path) || *spmv_path_suffix(path, suffix) == '\0') return true;
    const spmv_file_format *format = spmv_file_format_of(path);
    return strcmp(suffix, ".json") == 0 || (format != NULL && strcmp(format->name, "el") == 0);
}

/* Find the order of the lines: the best first, nodes of equal score by number. */
static spmv_status sort_nodes(const pagerank_job *job, int64_t **order, spmv_error *err)
{
    const int64_t n = job->result.nodes;
    if (job->options->sort != SORT_SCORE || n == 0) return SPMV_SUCCESS;
    *order = calloc((size_t)n, sizeof **order);
    if (*order == NULL)
        return tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot hold the order of the nodes");
    return spmv_top_k(scores_of(job, 0), n, n, *order, err);
}

static spmv_status write_scores_to(const pagerank_job *job, const spmv_dense *scores,
                                   const char *path, spmv_error *err)
{
    const spmv_write_options options = {.overwrite = job->options->common.force,
                                        .unchanged = true,
                                        .progress = tool_progress_bytes};
    int64_t *order = NULL;
    spmv_status st;
    if (!pagerank_writes_lines(path)) return spmv_write_vector(scores, path, &options, err);
    TOOL_TRY(sort_nodes(job, &order, err));
    const spmv_score_layout layout = {.order = order, .sources = job->sources};
    st = spmv_write_scores(scores, &job->file.labels, &layout, path, &options, err);
done:
    free(order);
    return st;
}

spmv_status pagerank_write_scores(const pagerank_job *job, spmv_error *err)
{
    const pagerank_options *o = job->options;
    const char *path = o->common.output != NULL ? o->common.output : "-";
    const spmv_pagerank_result *result = &job->result;
    const int64_t n = result->nodes * result->rankings;
    const spmv_dense wide = {
        .type = SPMV_F64, .rows = result->nodes, .cols = result->rankings, .data = result->ranks};
    spmv_dense narrow = {0};
    spmv_status st = SPMV_SUCCESS;

    tool_phase_begin("write", tool_output_name(path));
    if (o->common.precision == PRECISION_F32) {
        TOOL_TRY(spmv_dense_create(&narrow, SPMV_F32, wide.rows, wide.cols, err));
        for (int64_t i = 0; i < n; i++) ((float *)narrow.data)[i] = (float)result->ranks[i];
    }
    st = write_scores_to(job, narrow.data != NULL ? &narrow : &wide, path, err);
done:
    tool_phase_end(st == SPMV_SUCCESS ? tool_file_bytes(path) : 0);
    spmv_dense_destroy(&narrow);
    return st;
}

/* ---- The record ----------------------------------------------------------------------------- */

static void record_word(report *r, const char *key, const char *words, int which)
{
    char word[32];
    int length;
    const char *text = option_word(words, which, &length);
    snprintf(word, sizeof word, "%.*s", length, text);
    report_text(r, key, word);
}

static void record_configuration(report *p, const pagerank_job *job)
{
    const pagerank_options *o = job->options;
    if (o->preset != PAGERANK_UNSET) record_word(p, "as", PAGERANK_PRESETS, o->preset);
    report_real(p, "damping", o->damping);
    report_real(p, "tolerance", job->tolerance);
    record_word(p, "norm", PAGERANK_NORMS, o->norm);
    report_integer(p, "max_iterations", o->max_iterations);
    record_word(p, "dangling_to", PAGERANK_DANGLING, o->dangling);
    report_text(p, "precision", spmv_type_name(common_precision(&o->common, SPMV_F64)));
    record_word(p, "acceleration", PAGERANK_ACCELERATIONS, o->acceleration);
}

static void record_node(report *r, const char *key, const pagerank_job *job, int64_t node)
{
    const spmv_labels *labels = &job->file.labels;
    if (labels->name_ptr != NULL)
        report_text(r, key, labels->names + labels->name_ptr[node]);
    else
        report_integer(r, key, spmv_label_at(labels, node));
}

static void record_top(report *p, const pagerank_job *job)
{
    report *top = report_array(p, "top");
    for (int64_t v = 0; v < job->result.rankings; v++)
        for (int64_t i = v * job->top; i < (v + 1) * job->top; i++) {
            report *node = report_object(top, NULL);
            if (job->sources != NULL) record_node(node, "source", job, job->sources[v]);
            record_node(node, "node", job, job->best[i]);
            report_real(node, "score", scores_of(job, v)[job->best[i]]);
        }
}

static void record_result(report *p, const pagerank_job *job)
{
    const spmv_pagerank_result *result = &job->result;
    const double seconds = result->seconds;
    const double edges =
        (double)job->A.head.nnz * (double)result->iterations * (double)result->rankings;
    double sum = 0;
    for (int64_t j = 0; j < result->nodes; j++) sum += result->ranks[j];
    report_integer(p, "nodes", result->nodes);
    report_integer(p, "edges", job->A.head.nnz);
    report_integer(p, "dangling", result->dangling);
    report_flag(p, "weighted", result->weighted);
    report_integer(p, "rankings", result->rankings);
    report_integer(p, "iterations", result->iterations);
    report_real(p, "residual", result->residual);
    report_real(p, "error_bound", result->error_bound);
    report_flag(p, "converged", result->converged);
    report_real(p, "sum", sum);
    report_real(p, "iterate_s", seconds);
    report_real(p, "edges_per_s", seconds > 0 ? edges / seconds : 0);
    if (!job->options->history) return;
    report *history = report_array(p, "history");
    for (int i = 0; i < result->iterations; i++) report_real(history, NULL, result->history[i]);
}

spmv_status pagerank_write_record(const pagerank_job *job, spmv_error *err)
{
    const pagerank_options *o = job->options;
    spmv_row_stats stats = job->stats;
    spmv_device_info device;
    report *r = NULL;
    spmv_status st;
    tool_phase_begin("describe", "graph and device");
    if (job->comm == NULL) TOOL_TRY(spmv_row_stats_compute(&job->A, &stats, err));
    TOOL_TRY(spmv_device_describe(job->device, &device, err));
    if (job->gpus > 0) common_add_up(&device, job->gpus);
    tool_phase_end(0);
    r = record_create();
    record_matrix(r, job->path, &stats, job->A.head.type, job->A.format);
    report *p = report_object(r, "pagerank");
    record_configuration(p, job);
    record_result(p, job);
    record_top(p, job);
    record_device(report_object(r, "device"), &device);
    record_host(r);
    record_phases(r);
    st = report_write(r, o->common.json, o->common.force, err);
done:
    report_destroy(r);
    return st;
}
