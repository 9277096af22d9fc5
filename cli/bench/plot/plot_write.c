/* plot_write.c -- a folder of pictures. */
#include "cli/bench/plot/plot.h"
#include "cli/files/outputs.h"
#include "cli/tool/fail.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Pictures are drawn into memory first: a file appears whole, or not at all where there is nothing
 * to show. */
static spmv_status write_one(const bench_results *all, const char *folder, const char *name,
                             bool (*draw)(const bench_results *all, FILE *out), bool force,
                             spmv_error *err)
{
    const spmv_write_options options = {.overwrite = force, .unchanged = true};
    const size_t room = strlen(folder) + strlen(name) + 2;
    spmv_status st = SPMV_SUCCESS;
    char *text = NULL, *path = malloc(room);
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    const bool whole = out != NULL && draw(all, out);
    if (out == NULL || fclose(out) != 0 || path == NULL || !whole)
        st = tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot draw %s", name);
    if (st == SPMV_SUCCESS && size > 0) {
        snprintf(path, room, "%s/%s", folder, name);
        st = spmv_write_bytes(text, size, path, &options, err);
    }
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
        TOOL_TRY(write_one(all, folder, picture_name(i, name), plots[i].draw, force, err));
    TOOL_TRY(write_one(all, folder, page_name, plot_page, force, err));
done:
    return st;
}
