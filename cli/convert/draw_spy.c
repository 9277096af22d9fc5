/* draw_spy.c -- spmv-convert --spy: a picture of the pattern. */
#include "cli/convert/convert_job.h"
#include "cli/files/composed.h"
#include "cli/files/outputs.h"
#include "cli/picture/spy.h"
#include "cli/tool/fail.h"
#include "cli/tool/path.h"
#include "cli/tool/phase.h"
#include "cli/tool/steps.h"
#include "cli/tool/tool.h"

#include <stdlib.h>

/* The kinds of pictures; the first is also that of standard output. */
static const struct picture_kind {
    const char *suffix;
    spy_writer *write;
} kinds[] = {
    {".svg", spy_write_svg},
#if SPMV_HAVE_PNG
    {".png", spy_write_png},
#endif
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

enum { BLOCKS = 500 }; /* along a side of the picture, at most */

/* A picture, and how it is written. */
typedef struct drawing {
    spy_picture picture;
    spy_writer *write;
} drawing;

static bool draw(const void *what, FILE *out)
{
    const drawing *d = what;
    return d->write(&d->picture, out);
}

static spmv_status draw_pattern(const convert_options *o, const spmv_matrix *A, const char *in,
                                spy_writer *write, spmv_error *err)
{
    drawing d = {.write = write};
    spmv_status st;
    TOOL_TRY(spy_count(&d.picture, A, BLOCKS, err));
    d.picture.title = tool_is_stdio(in) ? "standard input" : tool_base_name(in);
    st = tool_write_composed(o->spy, o->common.force, draw, &d, err);
done:
    free(d.picture.count);
    return st;
}

static spy_writer *choose_writer(const char *out, const char *in)
{
    if (tool_is_stdio(out)) return kinds[0].write;
    for (int i = 0; i < KINDS; i++)
        if (tool_has_suffix(out, kinds[i].suffix)) return kinds[i].write;
    for (int i = 0; i < KINDS; i++)
        if (tool_has_suffix(in, kinds[i].suffix))
            tool_misuse("the picture comes first: --spy %.200s %.200s", in, out);
    tool_misuse("--spy draws SVG%s: name the file .svg%s, not %.80s", KINDS > 1 ? " and PNG" : "",
                KINDS > 1 ? " or .png" : "", out);
}

int convert_spy(const convert_options *o, const operands *files)
{
    spmv_status st;
    spmv_error err = {0};
    spmv_matrix A = {0};
    spmv_file_info info = {0};
    const char *out = o->spy;

    spy_writer *write = choose_writer(out, files->word[0]);
    TOOL_TRY(tool_check_output(out, false, o->common.force, files, &err));
    TOOL_TRY(convert_read(o, &A, files->word[0], false, &info, &err));
    if (!o->trust) TOOL_TRY(spmv_own_indices(&A, &err));
    if (A.head.symmetry != SPMV_GENERAL) TOOL_TRY(step_apply(&A, spmv_expand, &err));
    tool_phase_begin("draw", out);
    st = draw_pattern(o, &A, files->word[0], write, &err);
    tool_phase_end(st == SPMV_SUCCESS ? tool_file_bytes(out) : 0);
done:
    spmv_labels_destroy(&info.labels);
    spmv_destroy(&A);
    return tool_finish(st, &err);
}
