/* draw_spy.c -- spmv-convert --spy: a picture of the pattern. */
#include "cli/convert/convert_job.h"
#include "cli/picture/spy.h"
#include "cli/tool/fail.h"
#include "cli/tool/outputs.h"
#include "cli/tool/path.h"
#include "cli/tool/phase.h"
#include "cli/tool/steps.h"
#include "cli/tool/tool.h"

#include <stdlib.h>
#include <string.h>

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

enum { LEAST_BLOCKS = 25 }; /* along the shorter side of a long matrix, if it has as many */

static int64_t count_blocks(int64_t length, int64_t step)
{
    return length / step + (length % step > 0);
}

/* Blocks are square, so that the picture has the shape of the matrix, unless it is so long that
 * its shorter side would be next to nothing. */
static void choose_blocks(spy_picture *p)
{
    const int64_t longer = p->rows > p->cols ? p->rows : p->cols;
    const int64_t step = longer > 0 ? count_blocks(longer, SPY_BLOCKS) : 1;
    p->row_step = p->col_step = step;
    if (count_blocks(p->rows, step) < LEAST_BLOCKS && p->rows > 0)
        p->row_step = count_blocks(p->rows, LEAST_BLOCKS);
    if (count_blocks(p->cols, step) < LEAST_BLOCKS && p->cols > 0)
        p->col_step = count_blocks(p->cols, LEAST_BLOCKS);
    p->height = count_blocks(p->rows, p->row_step);
    p->width = count_blocks(p->cols, p->col_step);
}

static spmv_status out_of_memory(spmv_error *err)
{
    return tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot allocate memory for a picture");
}

static spmv_status draw_pattern(const convert_options *o, const spmv_matrix *A, const char *in,
                                spy_writer *write, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    const spmv_write_options options = {.overwrite = o->common.force, .unchanged = true};
    spy_picture p = {.title = tool_is_stdio(in) ? "standard input" : tool_base_name(in),
                     .rows = A->head.rows,
                     .cols = A->head.cols,
                     .nnz = A->head.nnz};
    char *text = NULL;
    size_t length = 0;
    choose_blocks(&p);
    int64_t *count = calloc((size_t)(p.height * p.width) + 1, sizeof *count);
    FILE *f = open_memstream(&text, &length);

    if (count == NULL || f == NULL) {
        st = out_of_memory(err);
        goto done;
    }
    TOOL_TRY(spmv_block_counts(A, p.row_step, p.col_step, count, err));
    p.count = count;
    const bool drawn = write(&p, f), complete = fclose(f) == 0 && drawn;
    f = NULL;
    st = complete ? spmv_write_bytes(text, length, o->spy, &options, err) : out_of_memory(err);
done:
    if (f != NULL) fclose(f);
    free(text);
    free(count);
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
