/* bench_json.c -- results as one JSON document: what was run, and a list of records. */
#include "bench_export.h"
#include "record.h"

#include <stdlib.h>
#include <string.h>

/* The records are printed one by one into the list: they stay where they are. */
static void end(const bench_results *all, FILE *out)
{
    report *r = record_create();
    record_host(r);
    char *head = report_print(r, false);
    if (head != NULL) {
        fprintf(out, "%.*s,\"results\":[", (int)(strlen(head) - 1), head);
        for (int i = 0; i < all->count; i++) {
            char *text = report_print(all->item[i].record, false);
            fprintf(out, "%s\n%s", i > 0 ? "," : "", text != NULL ? text : "null");
            free(text);
        }
        fputs("\n]}\n", out);
    }
    free(head);
    report_destroy(r);
}

const bench_exporter bench_export_json = {.name = "json", .end = end};
