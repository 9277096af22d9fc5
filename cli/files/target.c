/* target.c -- which format a matrix is written in, and writing it. */
#include "cli/files/target.h"
#include "cli/tool/path.h"
#include "cli/tool/phase.h"
#include "cli/tool/progress.h"
#include "cli/tool/steps.h"
#include "cli/tool/tool.h"

#include <string.h>

/* Binary files go by the name of the storage format that they hold. */
static bool is_binary(const spmv_file_format *file)
{
    return strcmp(file->name, "binary") == 0;
}

const char *target_name(int i)
{
    const spmv_file_format *file;
    for (int k = 0; (file = spmv_file_format_at(k)) != NULL; k++) {
        if (!file->writes && file->reads) continue; /* one that this build lacks says so */
        if (is_binary(file) && i < SPMV_FORMATS) return spmv_format_name((spmv_format)i);
        if (!is_binary(file) && i == 0) return file->name;
        i -= is_binary(file) ? SPMV_FORMATS : 1;
    }
    return spmv_file_format_variant(i);
}

/* Returns the name, as --to knows it, that the suffix of path stands for; NULL when it is
 * unknown. */
static const char *name_of_suffix(const char *path)
{
    const spmv_file_format *file = spmv_file_format_of(path);
    char suffix[SPMV_SUFFIX_SIZE];
    spmv_format format;
    if (file == NULL) return NULL;
    if (!is_binary(file)) return file->name;
    spmv_path_suffix(path, suffix);
    return spmv_format_find(suffix + 1, &format) ? spmv_format_name(format) : NULL;
}

const char *target_suffix(const char *name, char suffix[SPMV_SUFFIX_SIZE])
{
    const spmv_file_format *file;
    snprintf(suffix, SPMV_SUFFIX_SIZE, ".%s", name);
    for (int k = 0; (file = spmv_file_format_at(k)) != NULL; k++)
        if (strcmp(file->name, name) == 0)
            snprintf(suffix, SPMV_SUFFIX_SIZE, "%.*s", (int)strcspn(file->suffixes, " "),
                     file->suffixes);
    return suffix;
}

static void refuse_suffix(const char *path)
{
    char suffix[SPMV_SUFFIX_SIZE];
    if (!tool_is_stdio(path) && *spmv_path_suffix(path, suffix) != '\0')
        tool_misuse("%.200s: no format has the suffix %s; --to says what to write", path, suffix);
}

/* What is only read is noticed before any work, as what has no format is. */
static void refuse_read_only(const spmv_file_format *file, const char *path)
{
    if (file->reads && !file->writes)
        tool_misuse("%.200s: files of the format %s are read, not written; --to says what to write",
                    path, file->name);
}

tool_target target_of(const char *path, const char *to, const char *otherwise)
{
    tool_target t = {.name = to};
    if (t.name == NULL && !tool_is_stdio(path)) t.name = name_of_suffix(path);
    if (t.name == NULL) refuse_suffix(path);
    if (t.name == NULL) t.name = otherwise;
    t.takes_any = !spmv_format_find(t.name, &t.format);
    t.file_format = t.takes_any ? t.name : "binary";
    t.file = spmv_file_format_named(t.file_format);
    if (to == NULL) refuse_read_only(t.file, path);
    return t;
}

spmv_format target_format(const tool_target *t, const spmv_matrix *A)
{
    return t->takes_any ? A->format : t->format;
}

spmv_status target_convert(const tool_target *t, spmv_matrix *A, spmv_error *err)
{
    if (t->takes_any) return SPMV_SUCCESS;
    tool_phase_begin("convert", t->name);
    const spmv_status st = step_format(A, t->format, NULL, err);
    tool_phase_end(0);
    return st;
}

spmv_status target_write(const tool_target *t, const spmv_matrix *A, const spmv_labels *labels,
                         const char *path, bool overwrite, spmv_error *err)
{
    const spmv_write_options options = {.overwrite = overwrite,
                                        .unchanged = true,
                                        .file_format = t->file_format,
                                        .labels = labels,
                                        .progress = tool_progress_bytes};
    if (path == NULL) return SPMV_SUCCESS;
    tool_phase_begin("write", tool_output_name(path));
    const spmv_status st = spmv_write(A, path, &options, err);
    tool_phase_end(st == SPMV_SUCCESS ? tool_file_bytes(path) : 0);
    return st;
}
