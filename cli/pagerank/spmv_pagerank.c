/* spmv_pagerank.c -- spmv-pagerank: from a graph to a ranking of its nodes. */
#include "cli/pagerank/pagerank_job.h"
#include "cli/files/outputs.h"
#include "cli/ranks/join_ranks.h"
#include "cli/ranks/routes.h"
#include "cli/tool/choose_device.h"
#include "cli/tool/fail.h"
#include "cli/tool/message.h"
#include "cli/tool/path.h"
#include "cli/tool/phase.h"
#include "cli/tool/progress.h"
#include "cli/tool/ranks.h"
#include "cli/tool/steps.h"
#include "cli/tool/tool.h"
#include "cli/tool/yield_stdout.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GRAPH "Graph"
#define RANKING "Ranking"
#define RESULT "Result"
#define AT(member) offsetof(pagerank_options, member)
static const option table[] = {
    GRAPH_OPTIONS(GRAPH, AT(graph)),
    OPTION(GRAPH, 0, "labels", OPTION_FILE, "FILE", AT(labels),
           "what nodes are called, a line each: --map of spmv-convert, *_nodename.txt"),
    OPTION(GRAPH, 0, "simple", OPTION_FLAG, NULL, AT(simple), "leave out loops and repeated edges"),
    OPTION(GRAPH, 0, "unweighted", OPTION_FLAG, NULL, AT(unweighted),
           "treat all edges alike, whatever their values but 0, which are none"),
    OPTION(GRAPH, 0, "transpose", OPTION_FLAG, NULL, AT(transpose), "turn all edges around"),
    OPTION(RANKING, 'd', "damping", OPTION_REAL, "D", AT(damping),
           "chance to follow an edge [0.85]"),
    OPTION(RANKING, 't', "tolerance", OPTION_REAL, "T", AT(tolerance),
           "stop when the scores change less [1e-6]"),
    OPTION(RANKING, 0, "norm", OPTION_CHOICE, PAGERANK_NORMS, AT(norm),
           "measure the change in sum, or by the largest [l1]"),
    OPTION(RANKING, 0, "tol-mode", OPTION_CHOICE, "absolute|networkx", AT(tolerance_mode),
           "T as it is, or for each node [absolute]"),
    OPTION(RANKING, 'n', "max-iterations", OPTION_INTEGER, "N", AT(max_iterations),
           "stop in any case after N [100]", .low = 1, .high = INT_MAX),
    OPTION(RANKING, 0, "dangling", OPTION_CHOICE, PAGERANK_DANGLING, AT(dangling),
           "where the score of a node without edges goes [uniform]"),
    OPTION(RANKING, 0, "personalization", OPTION_FILE, "FILE", AT(personalization),
           "start anew at these nodes: lines with a node and perhaps a weight"),
    OPTION(RANKING, 0, "sources", OPTION_TEXT, "NODE,...", AT(sources),
           "a ranking for each of these nodes, where it starts anew"),
    OPTION(RANKING, 0, "init", OPTION_FILE, "FILE", AT(init),
           "begin with these scores, of an earlier run"),
    OPTION(RANKING, 0, "acceleration", OPTION_CHOICE, PAGERANK_ACCELERATIONS, AT(acceleration),
           "guess the limit from the last scores [none]"),
    OPTION(RANKING, 0, "as", OPTION_CHOICE, PAGERANK_PRESETS, AT(preset),
           "follow the conventions of another program"),
    OPTION(RANKING, 0, "device", OPTION_TEXT, "auto|cpu|gpu|N|all", AT(common.device),
           "where to rank; N: number of a GPU, all: every GPU has some nodes [auto]"),
    OPTION(RANKING, 0, "comm", OPTION_CHOICE, ROUTES, AT(route), ROUTES_HELP("scores")),
    OPTION(RESULT, 'k', "top", OPTION_INTEGER, "K", AT(top),
           "print the K best, not all [10 on a terminal]", .low = 1, .high = INT64_MAX),
    OPTION(RESULT, 0, "sort", OPTION_CHOICE, PAGERANK_ORDERS, AT(sort),
           "order of all scores: by node, or the best first [node]"),
    OPTION(RESULT, 0, "history", OPTION_FLAG, NULL, AT(history),
           "put the change of every iteration into the record"),
    OPTION(RESULT, 0, "plot", OPTION_FILE, "FILE.svg", AT(plot),
           "draw the change of every iteration"),
};

static const tool self = {
    .name = "spmv-pagerank",
    .operands = "GRAPH",
    .summary = "Rank the nodes of a graph by PageRank",
    .examples = {"spmv-pagerank web.mtx --top 20",
                 "spmv-pagerank friends.csv -t 1e-10 --sort score -o scores.csv",
                 "spmv-pagerank social.mtx --unweighted --json run.json -o scores.mtx"},
    .options = table,
    .option_count = sizeof table / sizeof table[0],
    .unused = " seed ",
    .ranks = true,
};

/* Refuse outputs, which needs no graph. */
static spmv_status check_ranking_outputs(const pagerank_job *job, spmv_error *err)
{
    const pagerank_options *o = job->options;
    const char *words[4] = {job->path};
    operands inputs = {1, words};
    spmv_status st;
    if (o->personalization != NULL) words[inputs.count++] = o->personalization;
    if (o->init != NULL) words[inputs.count++] = o->init;
    if (o->labels != NULL) words[inputs.count++] = o->labels;
    TOOL_TRY(tool_check_output(o->common.output, false, o->common.force, &inputs, err));
    TOOL_TRY(tool_check_side_output(o->common.json, &o->common, &inputs, err));
    TOOL_TRY(tool_check_side_output(o->plot, &o->common, &inputs, err));
done:
    return st;
}

/* Two scores can differ by 2 in sum: a tolerance beyond that is met by anything. */
static void set_tolerance(pagerank_job *job)
{
    const pagerank_options *o = job->options;
    job->tolerance = o->tolerance;
    if (o->tolerance_mode != TOLERANCE_NETWORKX) return;
    job->tolerance *= (double)(job->A.head.rows > 0 ? job->A.head.rows : 1);
    job->tolerance = fmin(job->tolerance, DBL_MAX); /* what the record can hold */
    if (job->tolerance >= 2)
        tool_warn("a tolerance of %g for each of %" PRId64
                  " nodes is met by any scores; --tol-mode absolute takes it as it is",
                  o->tolerance, job->A.head.rows);
}

/* End the phase that has made the graph ready before the first iteration. */
static void begin_iterating(void *shown, const spmv_progress *p)
{
    if (p->done == 0) {
        tool_phase_end(0);
        tool_phase_begin("iterate", shown);
    }
    tool_progress_iterations(NULL, p);
}

static spmv_status rank_graph(pagerank_job *job, spmv_error *err)
{
    const pagerank_options *o = job->options;
    const char *shown = tool_input_name(job->path);
    const spmv_pagerank_options config = {
        .damping = o->damping,
        .tolerance = job->tolerance,
        .norm = (spmv_norm)o->norm,
        .max_iterations = (int)o->max_iterations,
        .dangling = (spmv_dangling)o->dangling,
        .unweighted = o->unweighted,
        .extrapolate = o->acceleration == 1,
        .precision = common_precision(&o->common, SPMV_F64),
        .personalization = job->personalization.data != NULL ? &job->personalization : NULL,
        .start = job->start.data != NULL ? &job->start : NULL,
        .labels = &job->file.labels,
        .threads = (int)o->common.threads,
        .progress = begin_iterating,
        .user = (void *)shown,
    };
    tool_phase_begin("prepare", shown);
    const spmv_status st = pagerank_rank(job, &config, err);
    tool_phase_end(0);
    step_blame_ids(st, o->graph.all_ids, err);
    if (st != SPMV_SUCCESS) tool_blame_input(job->path, err);
    return st;
}

static bool is_single(const pagerank_job *job)
{
    return job->options->common.precision == PRECISION_F32;
}

/* Returns whether the changes are those of rounding: in exact numbers the change in sum falls at
 * least by the damping in every plain step; here it falls by less than half of that in many steps,
 * and is small. */
static bool is_rounding(const pagerank_job *job)
{
    enum { STEPS_BACK = 32 };
    const spmv_pagerank_result *result = &job->result;
    const double falls = pow(job->options->damping, STEPS_BACK),
                 small = is_single(job) ? 2e-7 / (1 - job->options->damping) : 1e-10;
    const int last = result->iterations - 1;
    if (last < STEPS_BACK || !(result->residual < small)) return false;
    return result->residual > (1 + falls) / 2 * result->history[last - STEPS_BACK];
}

static const char *advice(const pagerank_job *job)
{
    if (!is_rounding(job)) return "try a larger --max-iterations";
    return is_single(job) ? "the limit of the precision is reached; try --precision f64"
                          : "the limit of the precision is reached, only a larger --tolerance can "
                            "be met";
}

static void summarise(const pagerank_job *job)
{
    const spmv_pagerank_result *result = &job->result;
    if (!result->converged)
        tool_warn("the ranking has not converged after %d iterations: the scores still change by "
                  "%.3g, more than the tolerance of %.3g; %s",
                  result->iterations, result->residual, job->tolerance, advice(job));
    else if (job->options->common.verbose || tool_is_terminal(STDOUT_FILENO))
        tool_note("%" PRId64 " nodes, %" PRId64 " edges (%s), %" PRId64
                  " dangling: converged after %d iterations, last change %.3g",
                  result->nodes, job->A.head.nnz, result->weighted ? "weighted" : "all alike",
                  result->dangling, result->iterations, result->residual);
}

/* Rank a graph that has been read, and show and write what has come of it. */
static spmv_status rank_and_tell(pagerank_job *job, spmv_error *err)
{
    const pagerank_options *o = job->options;
    spmv_status st;
    set_tolerance(job);
    TOOL_TRY(rank_graph(job, err));
    TOOL_TRY(pagerank_find_top(job, err));
    if (job->top > 0 && common_prints(&o->common)) pagerank_print_top(job);
    if (o->common.output != NULL ||
        (job->top == 0 && o->top == PAGERANK_UNSET && common_prints(&o->common)))
        TOOL_TRY(pagerank_write_scores(job, err));
    summarise(job);
    if (o->plot != NULL) TOOL_TRY(pagerank_write_plot(job, o->plot, err));
    if (o->common.json != NULL) TOOL_TRY(pagerank_write_record(job, err));
done:
    return st;
}

static spmv_status rank_file(pagerank_job *job, spmv_error *err)
{
    spmv_status st;
    TOOL_TRY(common_named_device(&job->options->common, &job->device, &job->gpus, err));
    TOOL_TRY(check_ranking_outputs(job, err));
    TOOL_TRY(pagerank_read(job, err));
    TOOL_TRY(rank_and_tell(job, err));
done:
    return st;
}

/* All ranks read and rank together, and choose their devices in between; rank 0 does all else. */
static spmv_status rank_together(pagerank_job *job, spmv_error *err)
{
    const bool root = tool_rank() == 0;
    spmv_status st;
    TOOL_TRY(tool_join_ranks(&job->comm, err));
    st = root ? check_ranking_outputs(job, err) : SPMV_SUCCESS;
    TOOL_TRY(spmv_comm_agree(job->comm, st, err));
    TOOL_TRY(pagerank_read_part(job, err));
    TOOL_TRY(root ? rank_and_tell(job, err) : pagerank_follow(job, err));
done:
    spmv_comm_close(job->comm);
    return st;
}

static void destroy_ranking(pagerank_job *job)
{
    free(job->best);
    free(job->sources);
    spmv_pagerank_destroy(&job->result);
    spmv_dense_destroy(&job->personalization);
    spmv_dense_destroy(&job->start);
    spmv_labels_destroy(&job->file.labels);
    spmv_part_destroy(&job->part);
    spmv_destroy(&job->A);
}

/* Refuse outputs that would go to the same place, or whose format does not fit. */
static void check_destinations(const pagerank_options *o)
{
    const bool top = o->top != PAGERANK_UNSET;
    const char *shown = top && common_prints(&o->common) ? "-" : NULL;
    const char *all =
        o->common.output != NULL || top ? o->common.output : common_output(&o->common);
    const tool_output outputs[] = {
        {all, "the scores"}, {shown, "--top"}, {o->common.json, "--json"}, {o->plot, "--plot"}};
    tool_check_apart(outputs, sizeof outputs / sizeof outputs[0]);
    if (!pagerank_writes_lines(o->common.output)) {
        tool_check_vectors(o->common.output, ".txt, .csv, .tsv, .json, .mtx or .npy");
        if (o->sort == SORT_SCORE)
            tool_misuse("--sort score orders lines of text; a vector has its scores by node");
    }
    if (o->plot != NULL && !tool_is_stdio(o->plot) && !tool_has_suffix(o->plot, ".svg"))
        tool_misuse("--plot draws SVG: name the file .svg, not %.80s", o->plot);
}

static bool ends_with_comma(const char *list)
{
    return list != NULL && *list != '\0' && list[strlen(list) - 1] == ',';
}

static void check_joint_usage(const pagerank_options *o)
{
    if (o->acceleration != 0)
        tool_misuse("--acceleration is for a run of one process, not of %d", tool_rank_count());
    if (o->sources != NULL && pagerank_count_sources(o->sources) > 1)
        tool_misuse("several processes compute one ranking, not one for each of --sources");
    common_check_rank_device(&o->common, "rank");
}

static void check_inputs(const pagerank_options *o, const char *graph)
{
    const char *const inputs[] = {graph, o->labels, o->personalization, o->init};
    int standard = 0;
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++)
        standard += inputs[i] != NULL && tool_is_stdio(inputs[i]);
    if (standard > 1) tool_misuse("only one input can be standard input");
}

static void check_ranking_usage(const pagerank_options *o, const operands *files)
{
    if (files->count < 1) tool_misuse("the graph is missing");
    if (files->count > 1)
        tool_misuse("one graph is ranked at a time, not %d%s", files->count,
                    ends_with_comma(o->sources) ? "; --sources takes nodes without blanks between"
                                                : "");
    check_inputs(o, files->word[0]);
    if (o->damping != PAGERANK_UNSET_REAL && !(o->damping > 0 && o->damping < 1))
        tool_misuse("--damping must be more than 0 and less than 1, not %g", o->damping);
    if (o->tolerance != PAGERANK_UNSET_REAL && !(o->tolerance > 0 && isfinite(o->tolerance)))
        tool_misuse("--tolerance must be positive and finite, not %g", o->tolerance);
    if (o->sources != NULL && (o->personalization != NULL || o->init != NULL))
        tool_misuse("--sources does not go with --personalization and --init");
    if (o->sort == SORT_SCORE && o->sources != NULL && pagerank_count_sources(o->sources) > 1)
        tool_misuse("--sort score orders one ranking, not several");
    if (o->graph.count_repeated && (o->simple || o->unweighted))
        tool_misuse("--count-repeated does not go with --simple and --unweighted");
    if (o->graph.count_repeated && pagerank_is_simple(o))
        tool_misuse("--count-repeated does not go with --as gap, which takes each edge once");
    if (tool_rank_count() > 1)
        check_joint_usage(o);
    else if (option_given(&o->common, &o->route))
        tool_warn("--comm has no effect on a run of one process");
    if (option_given(&o->common, &o->dangling) && o->dangling == SPMV_DANGLING_PERSONALIZED &&
        o->sources == NULL && o->personalization == NULL)
        tool_warn("--dangling personalized is uniform without --personalization or --sources");
    if (option_given(&o->common, &o->sort) && o->top != PAGERANK_UNSET && o->common.output == NULL)
        tool_warn("--sort has no effect on the table of --top, which is all that is written");
    if (o->history && o->common.json == NULL)
        tool_misuse("--history needs --json FILE, which holds it");
    check_destinations(o);
}

int main(int argc, char **argv)
{
    pagerank_options options = {
        .common = COMMON_DEFAULTS,
        .graph = GRAPH_DEFAULTS,
        .damping = PAGERANK_UNSET_REAL,
        .tolerance = PAGERANK_UNSET_REAL,
        .max_iterations = PAGERANK_UNSET,
        .tolerance_mode = PAGERANK_UNSET,
        .dangling = PAGERANK_UNSET,
        .preset = PAGERANK_UNSET,
        .top = PAGERANK_UNSET,
    };
    operands files;
    spmv_error err = {0};

    tool_start(&self, argc, argv, &options.common, &files);
    tool_take_pipe(&files);
    tool_yield_stdout(&options.plot, "the picture", &options.common);
    check_ranking_usage(&options, &files);
    pagerank_complete(&options);
    pagerank_job job = {.options = &options, .path = files.word[0]};
    const bool alone = tool_rank_count() == 1;
    const spmv_status st = alone ? rank_file(&job, &err) : rank_together(&job, &err);
    const bool converged = st != SPMV_SUCCESS || tool_rank() > 0 || job.result.converged;
    destroy_ranking(&job);
    return converged ? tool_finish(st, &err) : tool_finish_with(1);
}
