/* convert_steps.c -- from the matrix as it was read to the one that is written. */
#include "cli/convert/convert_job.h"
#include "cli/files/outputs.h"
#include "cli/tool/fail.h"
#include "cli/tool/path.h"
#include "cli/tool/steps.h"

/* ---- Reading -------------------------------------------------------------------------------- */

/* Warn of options that only other file formats make use of. */
static void warn_of_reading_options(const convert_options *o, const char *path,
                                    const spmv_file_info *info)
{
    const tool_scope scopes[] = {
        {&o->duplicates, "--duplicates", TOOL_REPEATING_FORMATS},
        {&o->skip_invalid, "--skip-invalid", " mtx el "},
        {&o->trust, "--trust", " binary "},
    };
    tool_warn_scoped(&o->common, path, info->file_format, scopes, sizeof scopes / sizeof scopes[0]);
    graph_options_warn(&o->graph, &o->common, path, info);
}

spmv_status convert_read(const convert_options *o, spmv_matrix *out, const char *path, bool keep,
                         spmv_file_info *info, spmv_error *err)
{
    spmv_read_options options = {
        .duplicates = (spmv_duplicates)o->duplicates,
        .complex_values = (spmv_complex_part)(o->complex_part + 1),
        .keep_symmetry = keep,
        .skip_invalid = o->skip_invalid,
        .strict = o->strict,
        .trust = o->trust,
    };
    graph_options_apply(&o->graph, &options);
    spmv_status st = step_read_stored(out, path, &o->common, &options, info, err);
    if (st == SPMV_SUCCESS) warn_of_reading_options(o, path, info);
    /* Where no entry is repeated a pattern was read: each is given once. */
    if (st == SPMV_SUCCESS && o->graph.count_repeated && out->head.type == SPMV_PATTERN &&
        tool_in_scope(TOOL_REPEATING_FORMATS, info->file_format))
        st = step_type(out, SPMV_F64, path, err);
    if (st == SPMV_SUCCESS && o->graph.undirected) st = step_check_kinds(info, err);
    if (st == SPMV_SUCCESS && o->graph.undirected)
        st = step_undirected(out, o->graph.count_repeated, path, err);
    if (st != SPMV_SUCCESS) tool_blame_input(path, err);
    step_warn_skipped(tool_input_name(path), info);
    return st;
}

/* ---- Converting ----------------------------------------------------------------------------- */

static spmv_type wanted_type(const convert_options *o, spmv_type present)
{
    static const spmv_type types[] = {SPMV_F32, SPMV_F64, SPMV_PATTERN, SPMV_C64, SPMV_C128};
    if (o->values != VALUES_KEEP) return types[o->values];
    return present == SPMV_PATTERN ? present : common_precision(&o->common, present);
}

/* On the command line a width of 0 means none; in spmv_convert_options it means the default, and -1
 * none. */
static int64_t hyb_width(const convert_options *o)
{
    if (o->hyb_width < 0) return 0;
    return o->hyb_width > 0 ? o->hyb_width : -1;
}

/* Dropping and narrowing come first, so that what follows has less to move. */
spmv_status convert_matrix(const convert_options *o, spmv_matrix *A, spmv_format format,
                           const char *path, spmv_error *err)
{
    spmv_status st;
    const spmv_convert_options build = {.ell_width = o->ell_width,
                                        .hyb_width = hyb_width(o),
                                        .sell_slice = o->sell_slice,
                                        .sell_window = o->sell_window,
                                        .bsr_block = o->bsr_block};
    if (o->symmetric == SYMMETRIC_EXPAND && A->head.symmetry != SPMV_GENERAL)
        TOOL_TRY(step_apply(A, spmv_expand, err));
    if (o->drop_zeros) TOOL_TRY(step_apply(A, spmv_drop_zeros, err));
    TOOL_TRY(step_type(A, wanted_type(o, A->head.type), path, err));
    if (o->transpose) TOOL_TRY(step_apply(A, spmv_transpose, err));
    TOOL_TRY(step_format(A, format, &build, err));
done:
    return st;
}
