/* plot_write.c -- a folder of pictures. */
#include "cli/bench/plot/plot.h"
#include "cli/files/composed.h"
#include "cli/files/outputs.h"
#include "cli/tool/fail.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What is drawn, and of what. */
typedef struct plot_drawing {
    bool (*draw)(const bench_results *all, FILE *out);
    const bench_results *all;
} plot_drawing;

static bool draw(const void *what, FILE *out)
{
    const plot_drawing *d = what;
    return d->draw(d->all, out);
}

/* There is no file where there is nothing to show. */
static spmv_status write_one(const plot_drawing *d, const char *folder, const char *name,
                             bool force, spmv_error *err)
{
    const spmv_write_options options = {.overwrite = force, .unchanged = true};
    const size_t room = strlen(folder) + strlen(name) + 2;
    char *text = NULL, *path = malloc(room);
    size_t size;
    spmv_status st;
    if (path == NULL) return tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot name %s", name);
    snprintf(path, room, "%s/%s", folder, name);
    TOOL_TRY(tool_compose(&text, &size, draw, d, err));
    if (size > 0) st = spmv_write_bytes(text, size, path, &options, err);
done:
    free(text);
    free(path);
    return st;
}

/* ---- The folder ----------------------------------------------------------------------------- */

enum { NAME = 64 };
static const char page_name[] = "report.html";

static const char *picture_name(int i, char name[NAME])
{
    snprintf(name, NAME, "%s.svg", plots[i].name);
    return name;
}

static spmv_status check_one(const char *folder, const char *name, const operands *inputs,
                             const common_options *common, spmv_error *err)
{
    const size_t room = strlen(folder) + strlen(name) + 2;
    char *path = malloc(room);
    if (path == NULL) return tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot name %s", name);
    snprintf(path, room, "%s/%s", folder, name);
    const tool_output outputs[] = {
        {common->output, "--output"}, {common->json, "--json"}, {path, "a picture of --plot"}};
    tool_check_apart(outputs, 3);
    const spmv_status st = tool_check_output(path, false, common->force, inputs, err);
    free(path);
    return st;
}

spmv_status plot_check(const char *folder, const operands *inputs, const common_options *common,
                       spmv_error *err)
{
    struct stat info;
    char name[NAME];
    spmv_status st = SPMV_SUCCESS;
    if (stat(folder, &info) != 0) return tool_check_folder(folder, err); /* it will be made */
    if (!S_ISDIR(info.st_mode)) return tool_fail_on(folder, ENOTDIR, err);
    for (int i = 0; i < plot_count; i++)
        TOOL_TRY(check_one(folder, picture_name(i, name), inputs, common, err));
    TOOL_TRY(check_one(folder, page_name, inputs, common, err));
done:
    return st;
}

spmv_status plot_write(const bench_results *all, const char *folder, bool force, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    char name[NAME];
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) return tool_fail_on(folder, errno, err);
    for (int i = 0; i < plot_count; i++)
        TOOL_TRY(write_one(&(plot_drawing){plots[i].draw, all}, folder, picture_name(i, name),
                           force, err));
    TOOL_TRY(write_one(&(plot_drawing){plot_page, all}, folder, page_name, force, err));
done:
    return st;
}
