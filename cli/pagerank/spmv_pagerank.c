/* spmv_pagerank.c -- spmv-pagerank: from a graph to a ranking of its nodes. */
#include "cli/pagerank/pagerank_job.h"
#include "cli/tool/steps.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

pagerank_options pagerank_opt = {
    .index_base = PAGERANK_UNSET,
    .damping = PAGERANK_UNSET_REAL,
    .tolerance = PAGERANK_UNSET_REAL,
    .max_iterations = PAGERANK_UNSET,
    .tolerance_mode = PAGERANK_UNSET,
    .dangling = PAGERANK_UNSET,
    .preset = PAGERANK_UNSET,
    .top = PAGERANK_UNSET,
};
static pagerank_options *const opt = &pagerank_opt;

#define GRAPH "Graph"
#define RANKING "Ranking"
#define RESULT "Result"
static const option table[] = {
    OPTION(GRAPH, 0, "from", OPTION_NAME, "FMT", &pagerank_opt.from,
           "format of the file [recognised from its content]", .names = step_input_name),
    OPTION(GRAPH, 0, "index-base", OPTION_CHOICE, "0|1", &pagerank_opt.index_base,
           "what Matrix Market [1] and --all-ids [0] count from"),
    OPTION(GRAPH, 0, "labels", OPTION_FILE, "FILE", &pagerank_opt.labels,
           "what nodes are called, a line each, as --map of spmv-convert writes it"),
    OPTION(GRAPH, 0, "undirected", OPTION_FLAG, NULL, &pagerank_opt.undirected,
           "take each edge both ways"),
    OPTION(GRAPH, 0, "all-ids", OPTION_FLAG, NULL, &pagerank_opt.all_ids,
           "edge list: every number up to the largest is a node"),
    OPTION(GRAPH, 0, "count-repeated", OPTION_FLAG, NULL, &pagerank_opt.count_repeated,
           "text: how often an edge without weight is given is its weight"),
    OPTION(GRAPH, 0, "simple", OPTION_FLAG, NULL, &pagerank_opt.simple,
           "leave out loops and repeated edges"),
    OPTION(GRAPH, 0, "unweighted", OPTION_FLAG, NULL, &pagerank_opt.unweighted,
           "treat all edges alike, whatever their values"),
    OPTION(GRAPH, 0, "transpose", OPTION_FLAG, NULL, &pagerank_opt.transpose,
           "turn all edges around"),
    OPTION(RANKING, 'd', "damping", OPTION_REAL, "D", &pagerank_opt.damping,
           "chance to follow an edge [0.85]"),
    OPTION(RANKING, 't', "tolerance", OPTION_REAL, "T", &pagerank_opt.tolerance,
           "stop when the scores change less [1e-6]"),
    OPTION(RANKING, 0, "norm", OPTION_CHOICE, "l1|linf", &pagerank_opt.norm,
           "measure the change in sum, or by the largest [l1]"),
    OPTION(RANKING, 0, "tol-mode", OPTION_CHOICE, "absolute|networkx", &pagerank_opt.tolerance_mode,
           "T as it is, or for each node [absolute]"),
    OPTION(RANKING, 'n', "max-iterations", OPTION_INTEGER, "N", &pagerank_opt.max_iterations,
           "stop in any case after N [100]", .low = 1, .high = INT_MAX),
    OPTION(RANKING, 0, "dangling", OPTION_CHOICE, pagerank_danglings, &pagerank_opt.dangling,
           "where the score of a node without edges goes [uniform]"),
    OPTION(RANKING, 0, "personalization", OPTION_FILE, "FILE", &pagerank_opt.personalization,
           "start anew at these nodes: lines with a node and perhaps a weight"),
    OPTION(RANKING, 0, "sources", OPTION_TEXT, "NODE,...", &pagerank_opt.sources,
           "a ranking for each of these nodes, where it starts anew"),
    OPTION(RANKING, 0, "init", OPTION_FILE, "FILE", &pagerank_opt.init,
           "begin with these scores, of an earlier run"),
    OPTION(RANKING, 0, "acceleration", OPTION_CHOICE, "none|extrapolation",
           &pagerank_opt.acceleration, "guess the limit from the last scores [none]"),
    OPTION(RANKING, 0, "as", OPTION_CHOICE, pagerank_presets, &pagerank_opt.preset,
           "follow the conventions of another program"),
    OPTION(RESULT, 'k', "top", OPTION_INTEGER, "K", &pagerank_opt.top,
           "print the K best, not all [10 on a terminal]", .low = 1, .high = INT64_MAX),
    OPTION(RESULT, 0, "history", OPTION_FLAG, NULL, &pagerank_opt.history,
           "put the change of every iteration into the record"),
    OPTION(RESULT, 0, "plot", OPTION_FILE, "FILE.svg", &pagerank_opt.plot,
           "draw the change of every iteration"),
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

/* Everything that can be refused without reading the graph. */
static spmv_status check_outputs(const char *path, spmv_error *err)
{
    const char *words[4] = {path};
    operands inputs = {1, words};
    spmv_status st;
    if (opt->personalization != NULL) words[inputs.count++] = opt->personalization;
    if (opt->init != NULL) words[inputs.count++] = opt->init;
    if (opt->labels != NULL) words[inputs.count++] = opt->labels;
    TOOL_TRY(tool_check_output(common.output, false, &inputs, err));
    if (common.json != NULL) TOOL_TRY(tool_check_output(common.json, false, &inputs, err));
    if (opt->plot != NULL) TOOL_TRY(tool_check_output(opt->plot, false, &inputs, err));
done:
    return st;
}

/* Two scores can differ by 2 in sum: a tolerance beyond that is met by anything. */
static void set_tolerance(pagerank_job *job)
{
    job->tolerance = opt->tolerance;
    if (opt->tolerance_mode != TOLERANCE_NETWORKX) return;
    job->tolerance *= (double)(job->A.head.rows > 0 ? job->A.head.rows : 1);
    job->tolerance = fmin(job->tolerance, DBL_MAX); /* what the record can hold */
    if (job->tolerance >= 2)
        tool_warn("a tolerance of %g for each of %" PRId64
                  " nodes is met by any scores; --tol-mode absolute takes it as it is",
                  opt->tolerance, job->A.head.rows);
}

/* Before the first iteration the graph was made ready. */
static void follow(void *shown, const spmv_progress *p)
{
    if (p->done == 0) {
        tool_phase_end(0);
        tool_phase_begin("iterate", shown);
    }
    tool_progress_iterations(NULL, p);
}

static spmv_status rank(pagerank_job *job, spmv_error *err)
{
    const char *shown = tool_is_stdio(job->path) ? "<stdin>" : job->path;
    const spmv_pagerank_config config = {
        .damping = opt->damping,
        .tolerance = job->tolerance,
        .norm = (spmv_norm)opt->norm,
        .max_iterations = (int)opt->max_iterations,
        .dangling = (spmv_dangling)opt->dangling,
        .unweighted = opt->unweighted,
        .extrapolate = opt->acceleration == 1,
        .precision = common_precision(SPMV_F64),
        .personalization = job->personalization.data != NULL ? &job->personalization : NULL,
        .start = job->start.data != NULL ? &job->start : NULL,
        .labels = &job->file.labels,
        .threads = (int)common.threads,
        .progress = follow,
        .user = (void *)shown,
    };
    tool_phase_begin("prepare", shown);
    const spmv_status st = pagerank_rank(job, &config, err);
    tool_phase_end(0);
    step_blame_ids(st, opt->all_ids, err);
    if (st != SPMV_SUCCESS && err->file[0] == '\0')
        snprintf(err->file, sizeof err->file, "%s", shown);
    return st;
}

/* In exact numbers the change in sum falls at least by the damping in every plain step; where it
 * does not, and is that small, the changes are those of rounding. */
static bool is_rounding(const spmv_pagerank_result *result)
{
    enum { STEPS = 32 };
    const int last = result->iterations - 1;
    if (last < STEPS || !(result->residual < 1e-10)) return false;
    return result->residual > result->history[last - STEPS] * pow(opt->damping, STEPS);
}

static const char *advice(const pagerank_job *job)
{
    /* Below that the changes may be those of rounding. */
    const bool single =
        common.precision == PRECISION_F32 && job->tolerance < 2e-7 / (1 - opt->damping);
    if (single) return "try --precision f64";
    if (is_rounding(&job->result))
        return "the limit of the precision is reached, only a larger --tolerance can be met";
    return "try a larger --max-iterations";
}

static void summarise(const pagerank_job *job)
{
    const spmv_pagerank_result *result = &job->result;
    if (!result->converged)
        tool_warn("not converged after %d iterations: the scores still change by %.3g, more than "
                  "the tolerance of %.3g; %s",
                  result->iterations, result->residual, job->tolerance, advice(job));
    else if (common.verbose || isatty(STDOUT_FILENO))
        tool_say(true,
                 "%" PRId64 " nodes, %" PRId64 " edges (%s), %" PRId64
                 " dangling: converged after %d iterations, last change %.3g",
                 result->nodes, job->A.head.nnz, result->weighted ? "weighted" : "all alike",
                 result->dangling, result->iterations, result->residual);
}

static spmv_status work(pagerank_job *job, spmv_error *err)
{
    spmv_status st;
    TOOL_TRY(common_device(&job->device, err));
    TOOL_TRY(check_outputs(job->path, err));
    TOOL_TRY(pagerank_read(job, err));
    set_tolerance(job);
    TOOL_TRY(rank(job, err));
    TOOL_TRY(pagerank_find_top(job, err));
    if (job->top > 0) pagerank_print_top(job);
    if (common.output != NULL || (job->top == 0 && opt->top == PAGERANK_UNSET))
        TOOL_TRY(pagerank_write_scores(job, err));
    summarise(job);
    if (opt->plot != NULL) TOOL_TRY(pagerank_write_plot(job, opt->plot, err));
    if (common.json != NULL) TOOL_TRY(pagerank_write_record(job, err));
done:
    return st;
}

static void destroy(pagerank_job *job)
{
    free(job->best);
    free(job->sources);
    spmv_pagerank_destroy(&job->result);
    spmv_dense_destroy(&job->personalization);
    spmv_dense_destroy(&job->start);
    spmv_labels_destroy(&job->file.labels);
    spmv_destroy(&job->A);
}

/* What would go to the same place. */
static void check_destinations(void)
{
    const bool top = opt->top != PAGERANK_UNSET;
    const char *all = common.output != NULL || top ? common.output : "-";
    const tool_output outputs[] = {{all, "the scores"},
                                   {top ? "-" : NULL, "--top"},
                                   {common.json, "--json"},
                                   {opt->plot, "--plot"}};
    tool_check_apart(outputs, sizeof outputs / sizeof outputs[0]);
    if (!tool_is_stdio(common.output) && spmv_file_format_of(common.output) == NULL)
        tool_check_vectors(common.output);
    if (!pagerank_writes_lines(common.output)) tool_check_vectors(common.output);
    if (opt->plot != NULL && !tool_is_stdio(opt->plot) && !tool_has_suffix(opt->plot, ".svg"))
        tool_misuse("--plot draws SVG: name the file .svg, not %.80s", opt->plot);
}

static void check_usage(const operands *files)
{
    if (files->count < 1) tool_misuse("the graph is missing");
    if (files->count > 1) tool_misuse("one graph, not %d files", files->count);
    if (opt->damping != PAGERANK_UNSET_REAL && !(opt->damping > 0 && opt->damping < 1))
        tool_misuse("--damping must lie between 0 and 1, not %g", opt->damping);
    if (opt->tolerance != PAGERANK_UNSET_REAL && !(opt->tolerance > 0 && isfinite(opt->tolerance)))
        tool_misuse("--tolerance must be positive and finite, not %g", opt->tolerance);
    if (opt->sources != NULL && (opt->personalization != NULL || opt->init != NULL))
        tool_misuse("--sources does not go with --personalization and --init");
    const tool_scope unused[] = {{&common.seed, "--seed", ""}};
    tool_refuse_scoped("ranking", unused, 1);
    if (opt->count_repeated && (opt->simple || opt->unweighted))
        tool_misuse("--count-repeated does not go with --simple and --unweighted");
    if (opt->history && common.json == NULL) tool_misuse("--history goes into --json FILE");
    check_destinations();
}

int main(int argc, char **argv)
{
    operands files;
    spmv_error err = {0};

    tool_start(&self, argc, argv, &files);
    check_usage(&files);
    pagerank_complete();
    pagerank_job job = {.path = files.word[0]};
    const spmv_status st = work(&job, &err);
    const bool converged = st != SPMV_SUCCESS || job.result.converged;
    destroy(&job);
    return converged ? tool_finish(st, &err) : tool_finish_with(1);
}
