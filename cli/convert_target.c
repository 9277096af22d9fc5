/* convert_target.c -- which format an output is written in. */
#include "convert.h"

#include <string.h>

/* --from takes the file formats that can be read, --to `mtx` and the binary formats. */
const char *convert_input_name(int i)
{
    const spmv_file_format *f;
    for (int k = 0; (f = spmv_file_format_at(k)) != NULL; k++)
        if (f->reads && i-- == 0) return f->name;
    return NULL;
}

const char *convert_output_name(int i)
{
    if (i == 0) return "mtx";
    return i <= SPMV_FORMATS ? spmv_format_name((spmv_format)(i - 1)) : NULL;
}

static bool suffix_is_text(const char *path)
{
    return tool_has_suffix(path, ".mtx") || tool_has_suffix(path, ".mm");
}

convert_target convert_target_of(const char *path)
{
    convert_target t = {.format = SPMV_CSR, .name = convert_opt.to};
    const char *dot = strrchr(tool_base_name(path), '.');

    if (t.name == NULL && suffix_is_text(path)) t.name = "mtx";
    if (t.name == NULL && dot != NULL && spmv_format_find(dot + 1, &t.format)) t.name = dot + 1;
    if (t.name == NULL) t.name = spmv_format_name(SPMV_CSR);
    t.text = strcmp(t.name, "mtx") == 0;
    if (t.text)
        t.format = SPMV_COO;
    else
        spmv_format_find(t.name, &t.format);
    return t;
}
