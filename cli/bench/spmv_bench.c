/* spmv_bench.c -- spmv-bench: times kernels over matrices, beside other libraries. */
#include "cli/bench/bench.h"
#include "cli/bench/measure/measure_ranks.h"
#include "cli/bench/show/compare.h"
#include "cli/bench/show/export.h"
#include "cli/bench/peers/peers.h"
#include "cli/files/outputs.h"
#include "cli/gen/generate_spec.h"
#include "cli/ranks/row_shares.h"
#include "cli/tool/choose_device.h"
#include "cli/tool/fail.h"
#include "cli/tool/path.h"
#include "cli/tool/ranks.h"
#include "cli/tool/signals.h"
#include "cli/tool/tool.h"

#include <string.h>

#define WHAT "What is measured"
#define HOW "How"
#define SHOW "How it is shown"
#define INSTEAD "Instead of measuring"
#define AT(member) offsetof(bench_options, member)
static const option table[] = {
    OPTION(WHAT, 0, "op", OPTION_CHOICE, BENCH_OPERATIONS, AT(op),
           "products with vectors, or of two sparse matrices: A A, or A A^T where A is not square "
           "[spmv]"),
    OPTION(WHAT, 0, "generate", OPTION_WORDS, "SPEC", AT(generate),
           "also a matrix as spmv-gen makes it, such as stencil27:100; may be repeated",
           .names = generate_kind_name),
    OPTION(WHAT, 0, "match", OPTION_WORDS, "GLOB", AT(match),
           "only matrices with such a name, as in 'HB/*'; may be repeated"),
    OPTION(WHAT, 0, "exclude", OPTION_WORDS, "GLOB", AT(exclude),
           "no matrices with such a name; may be repeated"),
    OPTION(WHAT, 'k', "kernel", OPTION_NAMES, "LIST", AT(kernels),
           "kernels with commas between, auto, auto-rule or all [all]", .names = bench_kernel_name),
    OPTION(WHAT, 0, "peer", OPTION_NAMES, "LIST", AT(peers),
           "beside them other libraries: cusparse, graphblas, mkl, one of --list-peers, or all",
           .names = bench_peer_name),
    OPTION(WHAT, 0, "max-nnz", OPTION_INTEGER, "N", AT(max_nnz),
           "no matrices with more than N nonzeros", .low = 1, .high = INT64_MAX),
    OPTION(WHAT, 0, "vectors", OPTION_INTEGERS, "K,...", AT(vector_counts),
           "multiply with K vectors; kernels that can take all at once [1]", .low = 1,
           .high = 1 << 20),
    OPTION(WHAT, 0, "precision", OPTION_CHOICES, "f32|f64", AT(precisions),
           "of values, or both with a comma between [as in a binary file; text: f64]"),
    OPTION(WHAT, 0, "device", OPTION_TEXT, "auto|cpu|gpu|N|all", AT(common.device),
           "where to compute; N: number of a GPU, all: the first GPU, and all of them together "
           "[auto]"),
    OPTION(WHAT, 0, "threads", OPTION_INTEGERS, "N,...", AT(thread_counts),
           "CPU threads, one number after the other; 0 for all [0]", .low = 0,
           .high = SPMV_MAX_THREADS),
    OPTION(HOW, 0, "min-time", OPTION_REAL, "S", AT(min_time),
           "multiply for at least S seconds [0.2]", .low = 0, .high = 86400),
    OPTION(HOW, 0, "min-samples", OPTION_INTEGER, "N", AT(min_samples),
           "and take at least N times [10]", .low = 1, .high = BENCH_SAMPLES),
    OPTION(HOW, 0, "max-noise", OPTION_REAL, "P", AT(max_noise),
           "go on, up to 5 times as long, until the median is known to P per cent [2]", .low = 0,
           .high = 100),
    OPTION(HOW, 0, "warmup", OPTION_INTEGER, "N", AT(warmup), "multiply N times before [3]",
           .low = 0, .high = 1000000),
    OPTION(HOW, 0, "timeout", OPTION_REAL, "S", AT(timeout), "leave a matrix after S seconds [300]",
           .low = 0, .high = INT32_MAX),
    OPTION(HOW, 0, "warm-only", OPTION_FLAG, NULL, AT(warm_only),
           "do not measure with empty caches, too"),
    OPTION(HOW, 0, "no-verify", OPTION_FLAG, NULL, AT(no_verify),
           "do not compare results with the exact one"),
    OPTION(SHOW, 0, "format", OPTION_CHOICE, BENCH_FORMATS, AT(format),
           "of the results [by the suffix of --output; table]"),
    OPTION(SHOW, 0, "summary", OPTION_FLAG, NULL, AT(summary),
           "only what the results say together, in any format"),
    OPTION(SHOW, 0, "resume", OPTION_FLAG, NULL, AT(resume),
           "continue the JSON lines in the output file: skip what is there"),
    OPTION(SHOW, 0, "plot", OPTION_FILE, "FOLDER", AT(plot),
           "also draw charts as SVG, and a page with all of them, report.html"),
    OPTION(INSTEAD, 0, "results", OPTION_FILE, "FILE", AT(results),
           "show the results of an earlier run (json, jsonl)"),
    OPTION(INSTEAD, 0, "compare", OPTION_FLAG, NULL, AT(compare),
           "compare the results in two files, OLD and NEW; status 1 if some are slower, "
           "wrong or missing"),
    OPTION(INSTEAD, 0, "across", OPTION_FLAG, NULL, AT(across),
           "with --compare: also results of different devices, hosts and numbers of threads"),
    OPTION(INSTEAD, 0, "threshold", OPTION_REAL, "P", AT(threshold),
           "changes of P per cent and less are none [3]", .low = 0, .high = 1000),
    OPTION(INSTEAD, 0, "dry-run", OPTION_FLAG, NULL, AT(dry_run),
           "print what would be measured, and how long it takes, about"),
    OPTION(INSTEAD, 0, "model", OPTION_WORDS, "P,ALPHA,BETA[,MEMORY]", AT(models),
           "predict the time on P ranks: ALPHA for a message, BETA between ranks, MEMORY of each "
           "[measured here]; 64,5us,50GB/s; may be repeated"),
    OPTION(INSTEAD, 0, "partition", OPTION_FILE, "nnz|rows|metis|FILE", AT(partition),
           "of --model and under mpirun: give each rank rows with equal numbers of nonzeros, or "
           "equal numbers of rows, those that METIS finds, so that ranks exchange little, or those "
           "that FILE says, a number of a rank on each line [nnz]"),
    OPTION(INSTEAD, 0, "list-peers", OPTION_FLAG, NULL, AT(list_peers),
           "print the other libraries, or with --json a record of them"),
};

static const tool self = {
    .name = "spmv-bench",
    .operands = "MATRIX|FOLDER...",
    .summary = "Time kernels over matrices, beside other libraries",
    .examples = {"spmv-bench web.csr --generate stencil27:100 --peer all",
                 "spmv-bench downloads/ -o results.jsonl --resume",
                 "spmv-bench --compare old.jsonl new.jsonl"},
    .options = table,
    .option_count = sizeof table / sizeof table[0],
    .ranks = true,
};

/* One of the numbers of vectors is more than 1. */
static bool has_several(const option_list *vectors)
{
    int i = 0;
    while (i < vectors->count && vectors->value[i] == 1) i++;
    return i < vectors->count;
}

/* --format, or else what the suffix of --output says: .txt, .json, .jsonl, .csv, .md.  A record on
 * standard output takes the place of results that would go there. */
static void choose_format(bench_options *o)
{
    const char *path = o->common.output;
    char suffix[SPMV_SUFFIX_SIZE];
    if (path == NULL && !common_prints(&o->common)) {
        o->format = BENCH_JSON;
        o->common.json = NULL;
    }
    if (option_given(&o->common, &o->format) || tool_is_stdio(path)) return;
    if (*spmv_path_suffix(path, suffix) == '\0') return;
    o->format = bench_format_of(suffix);
    if (o->format < 0)
        tool_misuse("%.200s: no format has the suffix %s; --format says what to write", path,
                    suffix);
}

/* What a product of two sparse matrices has no use for. */
static void check_operation(const bench_options *o)
{
    const tool_output unused[] = {{has_several(&o->vector_counts) ? "" : NULL, "--vectors"},
                                  {o->warm_only ? "" : NULL, "--warm-only"}};
    if (o->op == BENCH_SPGEMM)
        tool_refuse_unused("--op spgemm", unused, sizeof unused / sizeof unused[0]);
}

static void check_usage(const bench_options *o, const operands *words)
{
    const char *out = o->common.output != NULL ? o->common.output : "-";
    const tool_output outputs[] = {{out, "the results"}, {o->common.json, "--json"}};
    const bool earlier = o->results != NULL || o->compare;
    const bool stdin_named = words->count > 0 && strcmp(words->word[0], "-") == 0;
    if (o->compare && words->count != 2)
        tool_misuse("--compare takes two files, not %d", words->count);
    if (o->results != NULL && words->count + o->generate.count > 0)
        tool_misuse("--results shows an earlier run: it takes no matrices");
    if (!earlier && words->count + o->generate.count == 0)
        tool_misuse("the matrix is missing; see --generate to make one");
    if (o->resume && (o->format != BENCH_JSONL || tool_is_stdio(o->common.output)))
        tool_misuse("--resume needs -o FILE.jsonl, or --format jsonl and -o FILE");
    if (o->resume && o->summary)
        tool_misuse("--summary leaves nothing that --resume could continue");
    tool_check_apart(outputs, 2);
    if (stdin_named && words->count > 1 && strcmp(words->word[1], "-") == 0)
        tool_misuse("only one input can be standard input");
}

/* All GPUs multiply with one vector. */
static void check_gpus(const bench_options *o)
{
    if (!common_wants_all(&o->common)) return;
    if (has_several(&o->vector_counts)) tool_misuse("--device all multiplies with one vector");
    if (o->models.count > 0) tool_misuse("--model is for one device, not for --device all");
}

/* Several ranks measure on the CPU; what needs no measurement, one process does. */
static void check_ranks(const bench_options *o)
{
    const char *mode = o->results != NULL    ? "--results"
                       : o->compare          ? "--compare"
                       : o->dry_run          ? "--dry-run"
                       : o->list_peers       ? "--list-peers"
                       : o->models.count > 0 ? "--model"
                       : o->op != BENCH_SPMV ? "--op spgemm"
                       : o->peers != NULL    ? "--peer"
                                             : NULL;
    if (tool_rank_count() == 1) return;
    if (mode != NULL) tool_misuse("%s is for one process, not for %d", mode, tool_rank_count());
    common_check_several(&o->common, "multiply");
}

/* Results of an earlier run are not measured again, and predictions are not measured at all. */
static void check_measuring(const bench_options *o, const char *mode)
{
    static const char predicting[] = " --model ";
    const tool_scope measuring[] = {
        {&o->kernels, "--kernel", ""},
        {&o->peers, "--peer", ""},
        {&o->max_nnz, "--max-nnz", predicting},
        {&o->vector_counts, "--vectors", predicting},
        {&o->precisions, "--precision", predicting},
        {&o->common.device, "--device", predicting},
        {&o->thread_counts, "--threads", predicting},
        {&o->min_time, "--min-time", ""},
        {&o->min_samples, "--min-samples", ""},
        {&o->warmup, "--warmup", ""},
        {&o->timeout, "--timeout", ""},
        {&o->warm_only, "--warm-only", ""},
        {&o->no_verify, "--no-verify", ""},
        {&o->max_noise, "--max-noise", " --results "},
        {&o->common.seed, "--seed", predicting},
        {&o->common.from, "--from", predicting},
        {&o->common.member, "--member", predicting},
    };
    tool_refuse_scoped(&o->common, mode, measuring, sizeof measuring / sizeof measuring[0]);
}

/* A mode that does not measure takes no options of measuring, as far as they are files. */
static void check_mode(const bench_options *o)
{
    /* The first six are of what is shown, which --dry-run does not. */
    const tool_output unused[] = {{option_given(&o->common, &o->format) ? "" : NULL, "--format"},
                                  {o->common.output, "--output"},
                                  {o->common.json, "--json"},
                                  {o->plot, "--plot"},
                                  {o->results, "--results"},
                                  {o->summary ? "" : NULL, "--summary"},
                                  {o->generate.word[0], "--generate"},
                                  {o->match.word[0], "--match"},
                                  {o->exclude.word[0], "--exclude"},
                                  {o->op != BENCH_SPMV ? "" : NULL, "--op"},
                                  {o->resume ? "" : NULL, "--resume"}};
    const tool_output no_prediction[] = {
        {o->plot, "--plot"},
        {o->results, "--results"},
        {has_several(&o->vector_counts) ? "" : NULL, "--vectors"},
        {o->precisions.count > 1 ? "" : NULL, "--precision twice"},
        {o->thread_counts.count > 1 ? "" : NULL, "--threads twice"},
        {o->summary ? "" : NULL, "--summary"},
        {o->op != BENCH_SPMV ? "" : NULL, "--op"},
        {o->resume ? "" : NULL, "--resume"}};
    enum {
        UNUSED = sizeof unused / sizeof unused[0],
        NO_PREDICTION = sizeof no_prediction / sizeof no_prediction[0]
    };
    const bool model = o->models.count > 0;
    if (o->list_peers + o->compare + o->dry_run + model > 1)
        tool_misuse("only one of --compare, --dry-run, --list-peers and --model at a time");
    if (option_given(&o->common, &o->partition) && !model && tool_rank_count() == 1)
        tool_misuse("--partition needs --model or several processes");
    if (tool_partition(o->partition) == SPMV_PARTITION_NONZEROS)
        tool_misuse("--partition nonzeros is for spmv-run; this takes nnz, rows, metis or a file");
    if (o->across && !o->compare) tool_misuse("--across needs --compare");
    if (option_given(&o->common, &o->threshold) && !o->compare)
        tool_misuse("--threshold needs --compare");
    if (o->compare) tool_refuse_unused("--compare", &unused[3], UNUSED - 3);
    if (o->dry_run) tool_refuse_unused("--dry-run", unused, 6);
    if (model) tool_refuse_unused("--model", no_prediction, NO_PREDICTION);
    if (o->results != NULL) tool_refuse_unused("--results", &unused[UNUSED - 4], 4);
    if (o->compare) check_measuring(o, "--compare");
    if (o->results != NULL) check_measuring(o, "--results");
    if (model) check_measuring(o, "--model");
}

/* A document is treated alike whether it was measured now or read. */
static spmv_status show_earlier(bench_results *all, const bench_options *o, spmv_error *err)
{
    const char *words[] = {o->results};
    const operands inputs = {1, words};
    spmv_status st;
    TOOL_TRY(bench_check_outputs(&inputs, o, err));
    TOOL_TRY(bench_results_load(all, o->results, err));
    TOOL_TRY(bench_export_all(bench_exporter_of(o->format, o->summary), all, o->common.output,
                              o->common.force, err));
    TOOL_TRY(bench_show_extras(all, o, err));
done:
    return st;
}

/* Rank 0 does what one process does, but for the products, which all make together. */
static spmv_status run_on_ranks(bench_results *all, const operands *words, bench_options *o,
                                int *exit_status, spmv_error *err)
{
    bench_ranks ranks = {0};
    spmv_status st;
    TOOL_TRY(bench_join(&ranks, err));
    o->ranks = &ranks;
    if (tool_rank() > 0) {
        bench_follow(o);
    } else {
        st = bench_run(all, words, o, exit_status, err);
        bench_dismiss(&ranks);
    }
done:
    bench_leave(&ranks);
    return st;
}

int main(int argc, char **argv)
{
    bench_options o = {.common = COMMON_DEFAULTS,
                       .kernels = "all",
                       .min_time = 0.2,
                       .max_noise = 2,
                       .timeout = 300,
                       .min_samples = 10,
                       .warmup = 3,
                       .threshold = 3};
    operands words;
    spmv_error err = {0};
    int exit_status = 0;

    tool_start(&self, argc, argv, &o.common, &words);
    bench_results all = {.max_noise = o.max_noise / 100};
    check_mode(&o);
    check_ranks(&o);
    check_gpus(&o);
    if (o.list_peers) {
        tool_check_listing("--list-peers", &o.common, &words);
        return bench_list_peers(&o.common);
    }
    choose_format(&o);
    if (o.results == NULL && !o.compare && o.generate.count == 0) tool_take_pipe(&words);
    check_usage(&o, &words);
    check_operation(&o);
    if (o.compare) return bench_compare(&words, &o.common, o.format, o.threshold / 100, o.across);
    const spmv_status st = o.results != NULL    ? show_earlier(&all, &o, &err)
                           : o.dry_run          ? bench_plan(&words, &o, &err)
                           : o.models.count > 0 ? bench_predict(&words, &o, &exit_status, &err)
                           : tool_rank_count() > 1
                               ? run_on_ranks(&all, &words, &o, &exit_status, &err)
                               : bench_run(&all, &words, &o, &exit_status, &err);
    bench_results_destroy(&all);
    exit_status = st != SPMV_SUCCESS ? tool_finish(st, &err) : tool_finish_with(exit_status);
    tool_end_deferred();
    return exit_status;
}
