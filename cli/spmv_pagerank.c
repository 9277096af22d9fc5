/* spmv_pagerank.c -- spmv-pagerank: from a graph to a ranking of its nodes. */
#include "record.h"
#include "steps.h"
#include "tool.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TOP_ON_TERMINAL = 10, TOP_UNSET = -1 };

static struct {
    double damping, tolerance;
    int64_t max_iterations, top;
    int index_base; /* one less than enum spmv_index_base */
    bool unweighted, transpose, undirected, compact;
} opt = {
    .index_base = -1, .damping = 0.85, .tolerance = 1e-6, .max_iterations = 100, .top = TOP_UNSET};

#define GRAPH "Graph"
#define RANKING "Ranking"
#define RESULT "Result"
static const option table[] = {
    OPTION(GRAPH, 0, "index-base", OPTION_CHOICE, "0|1", &opt.index_base,
           "what text counts from [1; edge lists: 0]"),
    OPTION(GRAPH, 0, "undirected", OPTION_FLAG, NULL, &opt.undirected,
           "edge list: take each edge both ways"),
    OPTION(GRAPH, 0, "compact", OPTION_FLAG, NULL, &opt.compact,
           "edge list: rank nodes with edges only"),
    OPTION(RANKING, 'd', "damping", OPTION_REAL, "D", &opt.damping,
           "chance to follow an edge [0.85]"),
    OPTION(RANKING, 't', "tolerance", OPTION_REAL, "T", &opt.tolerance,
           "stop when the scores change less in sum [1e-6]"),
    OPTION(RANKING, 'n', "max-iterations", OPTION_INTEGER, "N", &opt.max_iterations,
           "stop in any case after N [100]", .low = 1, .high = INT_MAX),
    OPTION(RANKING, 0, "unweighted", OPTION_FLAG, NULL, &opt.unweighted,
           "treat all edges alike, whatever their values"),
    OPTION(RANKING, 0, "transpose", OPTION_FLAG, NULL, &opt.transpose, "turn all edges around"),
    OPTION(RESULT, 'k', "top", OPTION_INTEGER, "K", &opt.top,
           "print the K best, not all [10 on a terminal]", .low = 1, .high = INT64_MAX),
};

static const tool self = {
    .name = "spmv-pagerank",
    .operands = "GRAPH",
    .summary = "Rank the nodes of a graph by PageRank",
    .examples = {"spmv-pagerank web.mtx --top 20", "spmv-pagerank web.csr -t 1e-10 -o scores.txt",
                 "spmv-pagerank social.mtx --unweighted --json run.json -o scores.mtx"},
    .options = table,
    .option_count = sizeof table / sizeof table[0],
};

/* ---- The graph ------------------------------------------------------------------------------ */

typedef struct graph {
    const char *path;
    spmv_matrix A;
    spmv_file_info file; /* with the labels of the nodes */
} graph;

static spmv_status read_graph(graph *g, spmv_error *err)
{
    const spmv_read_options options = {
        .index_base = (spmv_index_base)(opt.index_base + 1),
        .undirected = opt.undirected,
        .compact = opt.compact,
    };
    spmv_status st = step_read(&g->A, g->path, &options, &g->file, err);
    if (st != SPMV_SUCCESS || !opt.transpose) return st;
    tool_phase_begin("convert", "transpose");
    st = step_apply(&g->A, spmv_transpose, err);
    tool_phase_end(0);
    return st;
}

/* Only the CPU can rank: say so to whoever asks for a GPU. */
static spmv_status check_device(spmv_error *err)
{
    int device;
    if (strcmp(common.device, "auto") == 0) return SPMV_SUCCESS;
    const spmv_status st = common_device(&device, err);
    if (st != SPMV_SUCCESS || device == SPMV_DEVICE_CPU) return st;
    return tool_fail(err, SPMV_ERROR_NO_DEVICE,
                     "PageRank runs on the CPU only; leave out --device");
}

static spmv_status rank(spmv_pagerank_result *out, const graph *g, spmv_error *err)
{
    const char *shown = tool_is_stdio(g->path) ? "<stdin>" : g->path;
    const spmv_pagerank_config config = {
        .damping = opt.damping,
        .tolerance = opt.tolerance,
        .max_iterations = (int)opt.max_iterations,
        .progress = tool_progress_iterations,
        .unweighted = opt.unweighted,
        .threads = (int)common.threads,
    };
    tool_phase_begin("rank", shown);
    const spmv_status st = spmv_pagerank(out, &g->A, &config, err);
    tool_phase_end(0);
    step_suggest_compact(st, &g->file, opt.compact, err);
    if (st != SPMV_SUCCESS && err->file[0] == '\0')
        snprintf(err->file, sizeof err->file, "%s", shown);
    return st;
}

/* ---- The answer ----------------------------------------------------------------------------- */

/* Does this output go where the ranking would be printed? */
static bool takes_stdout(const char *path)
{
    return path != NULL && tool_is_stdio(path);
}

/* How many lines of the ranking are wanted on standard output. */
static int64_t wanted_top(const spmv_pagerank_result *result)
{
    int64_t k = opt.top;
    if (k == TOP_UNSET) {
        const bool taken = takes_stdout(common.output) || takes_stdout(common.json);
        k = isatty(STDOUT_FILENO) && !taken ? TOP_ON_TERMINAL : 0;
    }
    return k < result->nodes ? k : result->nodes;
}

static spmv_status find_top(const spmv_pagerank_result *result, int64_t k, int64_t **out,
                            spmv_error *err)
{
    *out = malloc(((size_t)k + 1) * sizeof **out);
    if (*out == NULL)
        return tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot hold the %" PRId64 " best", k);
    return spmv_top_k(result->ranks, result->nodes, k, *out);
}

static void print_top(const spmv_pagerank_result *result, const spmv_labels *labels,
                      const int64_t *nodes, int64_t k)
{
    printf("%8s %12s  %s\n", "Rank", "Node", "Score");
    for (int64_t i = 0; i < k; i++)
        printf("%8" PRId64 " %12" PRId64 "  %.10g\n", i + 1, spmv_label_at(labels, nodes[i]),
               result->ranks[nodes[i]]);
}

/* All scores go to the output file, or to standard output when no ranking is wanted there. */
static spmv_status write_scores(const spmv_pagerank_result *result, const spmv_labels *labels,
                                spmv_error *err)
{
    const char *path = common.output != NULL ? common.output : "-";
    const spmv_write_options options = {.overwrite = common.force, .progress = tool_progress_bytes};
    const spmv_dense vector = {SPMV_F64, result->nodes, 1, result->ranks, false};
    tool_phase_begin("write", tool_is_stdio(path) ? "<stdout>" : path);
    const spmv_status st = tool_has_suffix(path, ".mtx")
                               ? spmv_write_vector(&vector, path, &options, err)
                               : spmv_write_scores(result->ranks, labels, path, &options, err);
    tool_phase_end(st == SPMV_SUCCESS ? tool_file_bytes(path) : 0);
    return st;
}

static void record_ranking(report *r, const spmv_pagerank_result *result, const spmv_labels *labels,
                           const int64_t *nodes, int64_t k)
{
    report *p = report_object(r, "pagerank");
    report_real(p, "damping", opt.damping);
    report_real(p, "tolerance", opt.tolerance);
    report_integer(p, "max_iterations", opt.max_iterations);
    report_integer(p, "nodes", result->nodes);
    report_integer(p, "dangling", result->dangling);
    report_flag(p, "weighted", result->weighted);
    report_integer(p, "iterations", result->iterations);
    report_real(p, "residual", result->residual);
    report_real(p, "error_bound", opt.damping / (1 - opt.damping) * result->residual);
    report_flag(p, "converged", result->converged);
    report *top = report_array(p, "top");
    for (int64_t i = 0; i < k; i++) {
        report *node = report_object(top, NULL);
        report_integer(node, "node", spmv_label_at(labels, nodes[i]));
        report_real(node, "score", result->ranks[nodes[i]]);
    }
}

static spmv_status write_record(const graph *g, const spmv_pagerank_result *result,
                                const int64_t *nodes, int64_t k, spmv_error *err)
{
    spmv_row_stats stats;
    spmv_device_info cpu;
    report *r = NULL;
    spmv_status st;
    TOOL_TRY(spmv_row_statistics(&g->A, &stats, err));
    TOOL_TRY(spmv_device_describe(SPMV_DEVICE_CPU, &cpu, err));
    r = record_create();
    record_matrix(r, g->path, &stats, g->A.head.type, g->A.format);
    record_ranking(r, result, &g->file.labels, nodes, k);
    record_device(report_object(r, "device"), &cpu);
    record_host(r);
    record_phases(r);
    st = report_write(r, common.json, err);
done:
    report_destroy(r);
    return st;
}

static void summarise(const spmv_matrix *A, const spmv_pagerank_result *result)
{
    if (!result->converged)
        tool_warn("not converged after %d iterations: the scores still change by %.3g, more than "
                  "the tolerance of %.3g; try a larger --max-iterations",
                  result->iterations, result->residual, opt.tolerance);
    else if (common.verbose || isatty(STDOUT_FILENO))
        tool_say(true,
                 "%" PRId64 " nodes, %" PRId64 " edges (%s), %" PRId64
                 " dangling: converged after %d iterations, last change %.3g",
                 result->nodes, A->head.nnz, result->weighted ? "weighted" : "all alike",
                 result->dangling, result->iterations, result->residual);
}

static spmv_status work(const char *path, bool *converged, spmv_error *err)
{
    const operands inputs = {1, &path};
    graph g = {.path = path};
    spmv_pagerank_result result = {0};
    int64_t *nodes = NULL, k;
    spmv_status st;

    TOOL_TRY(check_device(err));
    TOOL_TRY(tool_check_output(common.output, false, &inputs, err));
    if (common.json != NULL) TOOL_TRY(tool_check_output(common.json, false, &inputs, err));
    TOOL_TRY(read_graph(&g, err));
    TOOL_TRY(rank(&result, &g, err));
    *converged = result.converged;
    k = wanted_top(&result);
    TOOL_TRY(find_top(&result, k, &nodes, err));
    if (k > 0) print_top(&result, &g.file.labels, nodes, k);
    if (common.output != NULL || (k == 0 && opt.top == TOP_UNSET))
        TOOL_TRY(write_scores(&result, &g.file.labels, err));
    summarise(&g.A, &result);
    if (common.json != NULL) TOOL_TRY(write_record(&g, &result, nodes, k, err));
done:
    free(nodes);
    spmv_pagerank_destroy(&result);
    spmv_labels_destroy(&g.file.labels);
    spmv_destroy(&g.A);
    return st;
}

static void check_usage(const operands *files)
{
    if (files->count < 1) tool_misuse("the graph is missing");
    if (files->count > 1) tool_misuse("one graph, not %d files", files->count);
    if (!(opt.damping > 0 && opt.damping < 1))
        tool_misuse("--damping must lie between 0 and 1, not %g", opt.damping);
    if (!(opt.tolerance > 0)) tool_misuse("--tolerance must be positive, not %g", opt.tolerance);
    if (takes_stdout(common.output) && opt.top != TOP_UNSET)
        tool_misuse("all scores and the best %" PRId64 " would both go to standard output",
                    opt.top);
    if (takes_stdout(common.json) && (tool_is_stdio(common.output) || opt.top != TOP_UNSET))
        tool_misuse("the scores and --json - would both go to standard output");
    if (common.json != NULL && common.output != NULL && strcmp(common.json, common.output) == 0)
        tool_misuse("--output and --json name the same file");
    if (common.precision == PRECISION_F32)
        tool_warn("--precision f32 is not used: scores are computed in double precision");
}

int main(int argc, char **argv)
{
    operands files;
    spmv_error err = {0};
    bool converged = true;

    tool_start(&self, argc, argv, &files);
    check_usage(&files);
    const spmv_status st = work(files.word[0], &converged, &err);
    return st == SPMV_SUCCESS && !converged ? tool_finish_with(1) : tool_finish(st, &err);
}
