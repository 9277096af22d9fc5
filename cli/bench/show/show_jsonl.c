/* show_jsonl.c -- results as JSON lines: a record a line, each complete in itself. */
#include "cli/bench/show/export.h"

#include <stdlib.h>

static bool matrix(const bench_result *item, int count, FILE *out)
{
    for (int i = 0; i < count; i++) {
        char *text = report_print(item[i].record, false);
        if (text == NULL) return false;
        fprintf(out, "%s\n", text);
        free(text);
    }
    return true;
}

const bench_exporter bench_export_jsonl = {.name = "jsonl", .matrix = matrix};
