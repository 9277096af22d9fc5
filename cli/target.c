/* target.c -- which format a matrix is written in, and writing it. */
#include "target.h"
#include "tool.h"

#include <string.h>

const char *target_name(int i)
{
    if (i == 0) return "mtx";
    return i <= SPMV_FORMATS ? spmv_format_name((spmv_format)(i - 1)) : NULL;
}

static bool suffix_is_text(const char *path)
{
    return tool_has_suffix(path, ".mtx") || tool_has_suffix(path, ".mm");
}

target target_of(const char *path, const char *to, const char *otherwise)
{
    target t = {.format = SPMV_COO, .name = to};
    const char *dot = strrchr(tool_base_name(path), '.');

    if (t.name == NULL && suffix_is_text(path)) t.name = "mtx";
    if (t.name == NULL && dot != NULL && spmv_format_find(dot + 1, &t.format)) t.name = dot + 1;
    if (t.name == NULL) t.name = otherwise;
    t.text = strcmp(t.name, "mtx") == 0;
    if (!t.text) spmv_format_find(t.name, &t.format);
    return t;
}

spmv_status target_write(const target *t, const spmv_matrix *A, const char *path, spmv_error *err)
{
    const spmv_write_options options = {.overwrite = common.force};
    tool_phase_begin("write", tool_is_stdio(path) ? "<stdout>" : path);
    const spmv_status st = t->text ? spmv_write_mtx(A, path, &options, err)
                                   : spmv_write_binary(A, path, &options, err);
    tool_phase_end(st == SPMV_SUCCESS ? tool_file_bytes(path) : 0);
    return st;
}
