/* convert_file.c -- from one file to another. */
#include "cli/convert/convert_job.h"
#include "cli/files/outputs.h"
#include "cli/files/target.h"
#include "cli/tool/fail.h"
#include "cli/tool/message.h"
#include "cli/tool/path.h"
#include "cli/tool/phase.h"
#include "cli/tool/steps.h"

/* Say in r what has been converted. */
static spmv_status record_conversion(report *r, const spmv_matrix *A, const char *in,
                                     const char *out, const char *format,
                                     const spmv_file_info *info, spmv_error *err)
{
    spmv_row_stats stats;
    const spmv_status st = spmv_row_stats_compute(A, &stats, err);
    if (st != SPMV_SUCCESS) return st;
    record_matrix(r, in, &stats, A->head.type, A->format);
    record_reading(report_object(r, "input"), info);
    if (out != NULL) {
        report *result = report_object(r, "output");
        report_text(result, "file", out);
        report_text(result, "format", format);
    }
    return SPMV_SUCCESS;
}

/* Warn of labels of the input that the output cannot hold, and that go nowhere else. */
static void warn_of_labels(const convert_options *o, const tool_target *t, const spmv_matrix *A,
                           const char *in, const spmv_labels *labels)
{
    if (t->file->labels || o->map != NULL || A->head.rows != A->head.cols) return;
    if (spmv_labels_are_usual(labels)) return;
    char first[SPMV_LABEL_SIZE], last[SPMV_LABEL_SIZE];
    tool_warn("%s: nodes are called %s to %s and a file of the format %s cannot hold that: they "
              "count from 1 there%s",
              tool_input_name(in), spmv_label_text(labels, 0, first),
              spmv_label_text(labels, labels->n - 1, last), t->file->name,
              o->output_dir == NULL ? "; --map FILE writes what they are called" : "");
}

static spmv_status write_map(const convert_options *o, const spmv_labels *labels, spmv_error *err)
{
    const spmv_write_options options = {.overwrite = o->common.force, .unchanged = true};
    tool_phase_begin("write", tool_output_name(o->map));
    const spmv_status st = spmv_write_labels(labels, o->map, &options, err);
    tool_phase_end(st == SPMV_SUCCESS ? tool_file_bytes(o->map) : 0);
    return st;
}

/* Refuse widths of formats that are not written. */
static void check_widths(const convert_options *o, const tool_target *t)
{
    const tool_scope scopes[] = {
        {&o->ell_width, "--ell-width", " ell "},
        {&o->hyb_width, "--hyb-width", " hyb "},
        {&o->sell_slice, "--sell-slice", " sell csell "},
        {&o->sell_window, "--sell-window", " sell csell "},
        {&o->bsr_block, "--bsr-block", " bsr "},
    };
    tool_refuse_scoped(&o->common, t->name, scopes, sizeof scopes / sizeof scopes[0]);
}

spmv_status convert_file(const convert_options *o, const char *in, const char *out, report *record,
                         spmv_error *err)
{
    spmv_status st;
    spmv_matrix A = {0};
    spmv_file_info info = {0};
    const operands inputs = {1, &in};
    const tool_target t = target_of(out, o->to, "csr");
    check_widths(o, &t);
    if (out != NULL) TOOL_TRY(tool_check_output(out, !t.file->text, o->common.force, &inputs, err));
    TOOL_TRY(tool_check_side_output(o->map, &o->common, &inputs, err));
    TOOL_TRY(convert_read(o, &A, in, o->symmetric == SYMMETRIC_KEEP, &info, err));
    tool_phase_begin("convert", t.name);
    if (!o->trust) st = spmv_own_indices(&A, err);
    if (st == SPMV_SUCCESS && o->transpose) st = step_before_transpose(&A, err);
    if (st == SPMV_SUCCESS) st = convert_matrix(o, &A, target_format(&t, &A), in, err);
    tool_phase_end(0);
    step_blame_ids(st, o->graph.all_ids, err);
    if (st == SPMV_SUCCESS) warn_of_labels(o, &t, &A, in, &info.labels);
    if (st == SPMV_SUCCESS) st = target_write(&t, &A, &info.labels, out, o->common.force, err);
    if (st == SPMV_SUCCESS && o->map != NULL) st = write_map(o, &info.labels, err);
    if (st == SPMV_SUCCESS && record != NULL)
        st = record_conversion(record, &A, in, out, t.name, &info, err);
done:
    spmv_labels_destroy(&info.labels);
    spmv_destroy(&A);
    return st;
}

spmv_status convert_one(const convert_options *o, const char *in, const char *out, spmv_error *err)
{
    const common_options *common = &o->common;
    const operands inputs = {1, &in};
    spmv_status st;
    if (common->json == NULL) return convert_file(o, in, out, NULL, err);
    report *r = record_create();
    TOOL_TRY(tool_check_side_output(common->json, common, &inputs, err));
    TOOL_TRY(convert_file(o, in, out, r, err));
    record_host(r);
    record_phases(r);
    st = report_write(r, common->json, common->force, err);
done:
    report_destroy(r);
    return st;
}
