/* convert_steps.c -- from the matrix as it was read to the one that is written. */
#include "cli/convert/convert_job.h"
#include "cli/tool/steps.h"
#include "cli/tool/fail.h"

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
                                        .sell_window = o->sell_window};
    if (o->symmetric == SYMMETRIC_EXPAND && A->head.symmetry != SPMV_GENERAL)
        TOOL_TRY(step_apply(A, spmv_expand, err));
    if (o->drop_zeros) TOOL_TRY(step_apply(A, spmv_drop_zeros, err));
    TOOL_TRY(step_type(A, wanted_type(o, A->head.type), path, err));
    if (o->transpose) TOOL_TRY(step_apply(A, spmv_transpose, err));
    TOOL_TRY(step_format(A, format, &build, err));
done:
    return st;
}
