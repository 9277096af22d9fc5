/* composed.c -- see composed.h. */
#include "cli/files/composed.h"
#include "cli/tool/fail.h"

#include <stdlib.h>

spmv_status tool_compose(char **text, size_t *size, tool_composer *compose, const void *what,
                         spmv_error *err)
{
    *text = NULL;
    FILE *out = open_memstream(text, size);
    const bool whole = out != NULL && compose(what, out) && ferror(out) == 0;
    const bool closed = out != NULL && fclose(out) == 0;
    if (whole && closed) return SPMV_SUCCESS;
    return tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot hold what is to be written");
}

spmv_status tool_write_composed(const char *path, bool overwrite, tool_composer *compose,
                                const void *what, spmv_error *err)
{
    const spmv_write_options options = {.overwrite = overwrite, .unchanged = true};
    char *text;
    size_t size;
    spmv_status st = tool_compose(&text, &size, compose, what, err);
    if (st == SPMV_SUCCESS) st = spmv_write_bytes(text, size, path, &options, err);
    free(text);
    return st;
}
