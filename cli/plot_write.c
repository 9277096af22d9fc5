/* plot_write.c -- which pictures there are, and a folder full of them. */
#include "plot.h"
#include "tool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const plot plots[] = {
    {"small", plot_small, "Matrices that fit the last-level cache."},
    {"large", plot_large, "Matrices that do not fit the last-level cache."},
    {"roofline-gpu", plot_roofline_gpu,
     "The line is what reading memory allows, a bar what gathering from x does."},
    {"roofline-cpu", plot_roofline_cpu,
     "The line is what reading memory allows, a bar what gathering from x does."},
    {"profile-gpu", plot_profile_gpu,
     "For how many matrices a kernel takes at most so many times as long as the fastest."},
    {"profile-cpu", plot_profile_cpu,
     "For how many matrices a kernel takes at most so many times as long as the fastest."},
};
const int plot_count = sizeof plots / sizeof plots[0];

static bool draw_page(const bench_results *all, FILE *out)
{
    plot_page(all, out);
    return true;
}

/* Into memory first: a file appears whole, or not at all where there is nothing to show. */
static spmv_status write_one(const bench_results *all, const char *folder, const char *name,
                             bool (*draw)(const bench_results *all, FILE *out), spmv_error *err)
{
    const spmv_write_options options = {.overwrite = common.force};
    const size_t room = strlen(folder) + strlen(name) + 2;
    spmv_status st = SPMV_SUCCESS;
    char *text = NULL, *path = malloc(room);
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    bool shown = false;
    if (out != NULL) shown = draw(all, out);
    if (out == NULL || fclose(out) != 0 || path == NULL)
        st = tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot draw %s", name);
    if (st == SPMV_SUCCESS && shown) {
        snprintf(path, room, "%s/%s", folder, name);
        st = spmv_write_bytes(text, size, path, &options, err);
    }
    free(text);
    free(path);
    return st;
}

spmv_status plot_write(const bench_results *all, const char *folder, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        tool_fail(err, SPMV_ERROR_FILE_IO, "%s", strerror(errno));
        snprintf(err->file, sizeof err->file, "%s", folder);
        return SPMV_ERROR_FILE_IO;
    }
    for (int i = 0; i < plot_count; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s.svg", plots[i].name);
        TOOL_TRY(write_one(all, folder, name, plots[i].draw, err));
    }
    TOOL_TRY(write_one(all, folder, "report.html", draw_page, err));
done:
    return st;
}
