/* bench_run.c -- every matrix with every kernel.  A failure becomes a record, and the run goes on.
 */
#include "cli/bench/bench.h"
#include "cli/bench/measure/measure_ranks.h"
#include "cli/bench/show/export.h"
#include "cli/bench/plot/page_spy.h"
#include "cli/bench/plot/plot.h"
#include "cli/bench/spgemm/product_record.h"
#include "cli/files/outputs.h"
#include "cli/ranks/row_shares.h"
#include "cli/tool/exit_status.h"
#include "cli/tool/fail.h"
#include "cli/tool/message.h"
#include "cli/tool/path.h"
#include "cli/tool/progress.h"
#include "cli/tool/signals.h"
#include "cli/tool/team.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct bench_job {
    const bench_options *options; /* those of the variant at hand */
    bench_contexts contexts;
    int64_t threads; /* that the contexts are made with */
    bench_results *all;
    bench_output *output;
    int *exit_status;
    int earlier;   /* of the results: from the file that is resumed */
    bool *claimed; /* [earlier]: known again */
    int wanted, there;
    int matrix, matrices;  /* the one at hand, of so many */
    int variant, variants; /* likewise */
    bool later_threads;    /* the number of threads is not the first one */
    bool pictured;         /* a record of the matrix at hand has its picture */
} bench_job;

static void raise_status(bench_job *r, int status)
{
    if (status > *r->exit_status) *r->exit_status = status;
}

/* ---- What is there already ------------------------------------------------------------------ */

/* The earlier result i is known again.  What was wrong or failed then still is: the run ends as one
 * without a break would. */
static void claim(bench_job *r, int i)
{
    const bench_result *o = &r->all->item[i];
    const spmv_status failed = bench_result_failure(o);
    r->claimed[i] = true;
    r->there++;
    if (o->verified && !o->pass && !bench_result_is_peer(o)) raise_status(r, 1);
    if (!tool_cannot_hold(failed)) raise_status(r, tool_exit_status(failed));
}

static bool was_warm_only(const bench_result *o)
{
    const report *arguments = report_member(o->record, "arguments");
    for (int i = 0; i < report_length(arguments); i++)
        if (strcmp(report_text_at(report_item(arguments, i), NULL), "--warm-only") == 0)
            return true;
    return false;
}

/* Of other runs, what has no times with cold caches has none. */
static bool lacks_cold_times(const bench_job *r, const bench_result *o)
{
    return !r->options->warm_only && !(o->cold.median > 0) && o->gpus == 0 && was_warm_only(o);
}

/* A time that was not verified is no result, unless none is to be verified, nor is one without cold
 * caches where these are asked for. */
static bool stands(const bench_job *r, const bench_result *o)
{
    if (!bench_result_measured(o)) return true;
    return (r->options->no_verify || o->verified) && !lacks_cold_times(r, o);
}

/* Returns whether the result of what is planned is among the earlier ones.  Each answers for one
 * measurement, so that copies of a matrix under several names have a result each, as without a
 * break.  One that is configured alike goes first. */
static bool find_earlier(bench_job *r, const bench_result *planned)
{
    for (bench_match how = BENCH_ALIKE; how <= BENCH_SAME; how++)
        for (int i = 0; i < r->earlier; i++) {
            const bench_result *o = &r->all->item[i];
            if (r->claimed[i] || !stands(r, o) || !bench_result_same(o, planned, how)) continue;
            claim(r, i);
            return true;
        }
    return false;
}

static bool is_done(bench_job *r, const bench_matrix *m, const bench_candidate *s)
{
    r->wanted++;
    if (r->earlier == 0) return false;
    bench_result planned = bench_result_view(bench_record_plan(m, s));
    planned.block_size = s->config.block_size;
    planned.x_readonly = s->config.x_readonly;
    const bool done = find_earlier(r, &planned);
    report_destroy(planned.record);
    return done;
}

/* A file that cannot be read has no content to know it by: the file stands for it, in a record that
 * names no kernel. */
static bool is_unreadable(bench_job *r, const char *file)
{
    char *name = report_valid_text(file);
    bool found = false;
    r->wanted++;
    for (int i = 0; i < r->earlier && name != NULL && !found; i++) {
        const bench_result *o = &r->all->item[i];
        found = !r->claimed[i] && o->kernel[0] == '\0' && strcmp(o->file, name) == 0;
        if (found) claim(r, i);
    }
    free(name);
    return found;
}

/* The file to resume, when there is one: *kept is its length but for a last line that breaks off,
 * and -1 where there is none. */
static spmv_status load_earlier(bench_job *r, int64_t *kept, spmv_error *err)
{
    const char *path = r->options->common.output;
    bool torn;
    *kept = -1;
    if (!r->options->resume || access(path, F_OK) != 0) return SPMV_SUCCESS;
    const spmv_status st = bench_results_resume(r->all, path, kept, &torn, err);
    if (st == SPMV_SUCCESS && torn)
        tool_warn("%s: the last line breaks off; it is taken away", path);
    r->earlier = r->all->count;
    r->claimed = calloc((size_t)r->earlier + 1, sizeof *r->claimed);
    if (st == SPMV_SUCCESS && r->claimed == NULL)
        return tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot look through %d results",
                         r->earlier);
    return st;
}

/* ---- One matrix ----------------------------------------------------------------------------- */

/* *out = the record of a product with vectors. */
static spmv_status measure_spmv(report **out, bench_job *r, bench_matrix *m,
                                const bench_candidate *s, spmv_error *err)
{
    static bench_measurement measured; /* large, and one at a time */
    const bench_options *o = r->options;
    rank_costs costs = {0};
    const spmv_status st = o->ranks != NULL ? bench_measure_ranks(&measured, &costs, m, s, err)
                                            : bench_measure(&measured, &r->contexts, m, s, err);
    if (st == SPMV_SUCCESS) *out = bench_record(&measured);
    if (st == SPMV_SUCCESS && o->ranks != NULL)
        record_rank_costs(*out, &costs, tool_partition_name(o->partition), NULL);
    rank_costs_destroy(&costs);
    return st;
}

/* *out = the record of a sparse product. */
static spmv_status measure_spgemm(report **out, bench_product *p, bench_matrix *m,
                                  const bench_candidate *s, spmv_error *err)
{
    static product_measurement measured; /* likewise */
    const spmv_status st = bench_measure_product(&measured, p, m, s, err);
    if (st == SPMV_SUCCESS) *out = bench_product_record(&measured);
    return st;
}

/* The first record of a matrix takes its picture along. */
static spmv_status keep_record(bench_job *r, const bench_matrix *m, report *record, spmv_error *err)
{
    const spmv_status st = r->pictured ? SPMV_SUCCESS : page_spy_record(record, &m->A, err);
    r->pictured = true;
    if (st == SPMV_SUCCESS) return bench_results_add(r->all, record, err);
    report_destroy(record);
    return st;
}

/* The result that was added last is wrong, and it is ours. */
static bool is_wrong(const bench_results *all)
{
    const bench_result *o = &all->item[all->count - 1];
    return o->verified && !o->pass && !bench_result_is_peer(o);
}

static spmv_status measure(bench_job *r, bench_matrix *m, bench_product *p,
                           const bench_candidate *s, spmv_error *err)
{
    report *record = NULL;
    spmv_error why = {0};
    if (spmv_now() > m->deadline) { /* as was asked for: no failure of the run */
        tool_fail(&why, SPMV_ERROR_UNSUPPORTED, "not measured: the %g s of --timeout were over",
                  r->options->timeout);
        return bench_results_add(r->all, bench_record_failure(m, s, SPMV_ERROR_UNSUPPORTED, &why),
                                 err);
    }
    spmv_status st = s->method != NULL ? measure_spgemm(&record, p, m, s, &why)
                                       : measure_spmv(&record, r, m, s, &why);
    if (tool_end_wanted()) { /* there may be too few samples to stand for a measurement */
        report_destroy(record);
        return SPMV_SUCCESS;
    }
    if (st != SPMV_SUCCESS) {
        if (!tool_cannot_hold(st)) {
            tool_print_error(st, &why);
            raise_status(r, tool_exit_status(st));
        }
        return bench_results_add(r->all, bench_record_failure(m, s, st, &why), err);
    }
    st = keep_record(r, m, record, err);
    if (st == SPMV_SUCCESS && is_wrong(r->all)) raise_status(r, 1);
    return st;
}

/* Tells the reader of another format than the table what the table would show. */
static void say_fastest(const bench_results *all, int first)
{
    char time[BENCH_TEXT];
    for (int peer = 0; peer < 2; peer++) {
        const bench_result *best = NULL;
        for (int i = first; i < all->count && best == NULL; i++)
            best = bench_fastest(&all->item[first], all->count - first, peer != 0,
                                 all->item[i].device_kind);
        if (best != NULL)
            tool_detail("%s: %s %s, %s%s", best->matrix, peer ? "best peer" : "fastest",
                        best->kernel, tool_time_text(best->warm.median, time),
                        bench_result_counts(best) ? "" : ", not verified");
    }
}

/* It is a record, too. */
static spmv_status keep_unreadable(bench_job *r, const tool_input *input, spmv_status failed,
                                   spmv_error *why, spmv_error *err)
{
    tool_blame_input(input->path, why);
    tool_print_error(failed, why);
    raise_status(r, tool_exit_status(failed));
    if (is_unreadable(r, input->path)) return SPMV_SUCCESS;
    return bench_results_add(r->all, bench_record_unreadable(input->path, input->name, failed, why),
                             err);
}

/* What is being measured when an interrupt comes is dropped. */
static void defer_end(const bench_job *r)
{
    tool_defer_end(r->all->count > 0
                       ? "the results so far are written; a second interrupt ends at once"
                       : "there is no result yet; a second interrupt ends at once");
}

/* `part` of the matrix at hand is measured. */
static void tell_progress(const bench_job *r, double part)
{
    tool_progress_batch(r->matrix, r->matrices, r->matrix + (r->variant + part) / r->variants);
}

/* Every candidate of the variant that is not there already.  What is on a GPU knows nothing of
 * threads: it is measured with the first number of them. */
static spmv_status measure_all(bench_job *r, bench_matrix *m, spmv_error *err)
{
    spmv_status st;
    bench_product product = {0};
    bench_candidates chosen = {0}, candidates = {0};
    const kernel_task task = {
        .stats = &m->stats, .vectors = r->options->vectors, .precision = m->precision};
    TOOL_TRY(bench_choose(&chosen, r->options, err));
    TOOL_TRY(bench_resolve(&candidates, &chosen, task, err));
    for (int i = 0; i < candidates.count && !tool_end_wanted(); i++) {
        const bench_candidate *s = &candidates.item[i];
        tell_progress(r, (double)i / candidates.count);
        defer_end(r);
        if (s->device != SPMV_DEVICE_CPU && r->later_threads) continue;
        if (!is_done(r, m, s)) TOOL_TRY(measure(r, m, &product, s, err));
    }
done:
    bench_candidates_destroy(&chosen);
    bench_candidates_destroy(&candidates);
    bench_product_destroy(&product);
    return st;
}

/* In one way.  *skip: there is no use in other ways. */
static spmv_status run_variant(bench_job *r, const tool_input *input, bench_stream *stream,
                               bool *skip, spmv_error *err)
{
    spmv_status st;
    bench_matrix m = {0};
    spmv_error why = {0};
    const int first = r->all->count;

    tell_progress(r, 0);
    const spmv_status loaded = bench_load(&m, input, stream, r->options, &why);
    *skip = loaded != SPMV_SUCCESS || bench_leaves_out(input, m.stats.nnz, r->options);
    if (!*skip) TOOL_TRY(measure_all(r, &m, err));
    /* Who was asked to end may have been given no more to read. */
    if (loaded != SPMV_SUCCESS && !tool_end_wanted())
        TOOL_TRY(keep_unreadable(r, input, loaded, &why, err));
    bench_relate(r->all, first);
    TOOL_TRY(bench_output_add(r->output, r->all, first, err));
    defer_end(r);
    say_fastest(r->all, first);
done:
    bench_matrix_destroy(&m);
    return st;
}

/* As many threads as the variant wants: contexts of other numbers are of no more use. */
static spmv_status set_threads(bench_job *r, bench_options *variant, spmv_error *err)
{
    const spmv_status st = tool_set_threads(&variant->common.threads, err);
    if (st == SPMV_SUCCESS && variant->common.threads != r->threads) {
        bench_contexts_destroy(&r->contexts);
        r->threads = variant->common.threads;
    }
    return st;
}

static spmv_status run_matrix(bench_job *r, const tool_input *input, const bench_options *options,
                              spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    bool skip = false;
    bench_stream stream = {0};
    const bool comes_once = r->variants > 1 && !input->generated && tool_is_stream(input->path);
    r->pictured = false;
    for (r->variant = 0; r->variant < r->variants && !skip && !tool_end_wanted(); r->variant++) {
        bench_options variant = bench_variant(options, r->variant);
        if (options->thread_counts.count > 0) TOOL_TRY(set_threads(r, &variant, err));
        r->later_threads = options->thread_counts.count > 1 &&
                           variant.common.threads != options->thread_counts.value[0];
        r->options = &variant;
        TOOL_TRY(run_variant(r, input, comes_once ? &stream : NULL, &skip, err));
    }
done:
    spmv_destroy(&stream.A);
    r->options = options;
    return st;
}

/* ---- All of them ---------------------------------------------------------------------------- */

spmv_status bench_check_outputs(const operands *inputs, const bench_options *options,
                                spmv_error *err)
{
    const common_options *common = &options->common;
    const char *words[] = {options->partition};
    const operands shares = {tool_partition_is_file(words[0]), words};
    spmv_status st = SPMV_SUCCESS;
    TOOL_TRY(tool_check_side_output(common->json, common, inputs, err));
    TOOL_TRY(tool_check_side_output(common->json, common, &shares, err));
    TOOL_TRY(tool_check_output(common->output, false, true, &shares, err));
    if (options->plot != NULL) TOOL_TRY(plot_check(options->plot, inputs, common, err));
    TOOL_TRY(
        tool_check_output(common->output, false, common->force || options->resume, inputs, err));
    if (!tool_is_stdio(common->output) && access(common->output, F_OK) == 0 &&
        access(common->output, W_OK) != 0)
        st = tool_fail_on(common->output, errno, err);
done:
    return st;
}

/* The files themselves: what a folder holds is an input, too. */
static spmv_status check_against(const tool_inputs *inputs, const bench_options *options,
                                 spmv_error *err)
{
    operands files;
    spmv_status st = tool_inputs_files(&files, inputs, err);
    if (st == SPMV_SUCCESS) st = bench_check_outputs(&files, options, err);
    free(files.word);
    return st;
}

/* Refuse kernels and peers that cannot be, before any work. */
static spmv_status check_choice(const bench_options *options, spmv_error *err)
{
    bench_candidates chosen = {0};
    const bench_options variant = bench_variant(options, 0);
    const spmv_status st = bench_choose(&chosen, &variant, err);
    bench_candidates_destroy(&chosen);
    return st;
}

spmv_status bench_show_extras(const bench_results *all, const bench_options *options,
                              spmv_error *err)
{
    const common_options *common = &options->common;
    spmv_status st = SPMV_SUCCESS;
    if (common->json != NULL)
        TOOL_TRY(bench_export_all(&bench_export_json, all, common->json, common->force, err));
    if (options->plot != NULL) TOOL_TRY(plot_write(all, options->plot, common->force, err));
done:
    return st;
}

spmv_status bench_run(bench_results *all, const operands *words, const bench_options *options,
                      int *exit_status, spmv_error *err)
{
    const common_options *common = &options->common;
    bench_job r = {.options = options, .all = all, .exit_status = exit_status};
    tool_inputs inputs = {0};
    int64_t kept;
    spmv_status st;

    TOOL_TRY(check_choice(options, err));
    TOOL_TRY(bench_find_inputs(&inputs, words, options, err));
    raise_status(&r, tool_exit_status(inputs.unread));
    TOOL_TRY(check_against(&inputs, options, err));
    TOOL_TRY(load_earlier(&r, &kept, err));
    TOOL_TRY(bench_output_open(&r.output, bench_exporter_of(options->format, options->summary),
                               common->output, kept, common->force, options->resume, err));
    r.matrices = inputs.count;
    r.variants = bench_variant_count(options);
    defer_end(&r);
    for (; r.matrix < r.matrices && !tool_end_wanted(); r.matrix++)
        TOOL_TRY(run_matrix(&r, &inputs.item[r.matrix], options, err));
done:;
    const bool shown = st == SPMV_SUCCESS && (all->count > 0 || !tool_end_wanted());
    if (shown)
        st = bench_output_close(r.output, all, err);
    else
        bench_output_discard(r.output);
    if (shown && st == SPMV_SUCCESS) st = bench_show_extras(all, options, err);
    if (st == SPMV_SUCCESS && r.claimed != NULL)
        tool_note("%s: %d of %d measurements were there", common->output, r.there, r.wanted);
    tool_inputs_destroy(&inputs);
    bench_contexts_destroy(&r.contexts);
    free(r.claimed);
    return st;
}
