/* show_json.c -- results as one JSON document: what was run, and a list of records. */
#include "cli/bench/show/export.h"
#include "cli/json/record.h"

#include <stdlib.h>
#include <string.h>

/* The records are printed one by one into the list: they stay where they are. */
static bool write_list(const bench_results *all, FILE *out)
{
    for (int i = 0; i < all->count; i++) {
        char *text = report_print(all->item[i].record, false);
        if (text == NULL) return false;
        fprintf(out, "%s\n%s", i > 0 ? "," : "", text);
        free(text);
    }
    return true;
}

static bool end(const bench_results *all, FILE *out)
{
    report *r = record_create();
    record_host(r);
    char *head = report_print(r, false);
    bool whole = head != NULL;
    if (whole) {
        fprintf(out, "%.*s,\"results\":[", (int)(strlen(head) - 1), head);
        whole = write_list(all, out);
        fputs("\n]}\n", out);
    }
    free(head);
    report_destroy(r);
    return whole;
}

const bench_exporter bench_export_json = {.name = "json", .end = end};
