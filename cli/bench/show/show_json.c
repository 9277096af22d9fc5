/* show_json.c -- results as JSON lines, a record each, and as one document: what was run, and a
 * list of records. */
#include "cli/bench/show/export.h"
#include "cli/json/record.h"

#include <stdlib.h>
#include <string.h>

/* Records are printed one by one: they stay where they are. */
static bool write_records(const bench_result *item, int count, const char *between,
                          const char *behind, FILE *out)
{
    for (int i = 0; i < count; i++) {
        char *text = report_print(item[i].record, false);
        if (text == NULL) return false;
        fprintf(out, "%s%s%s", i > 0 ? between : "", text, behind);
        free(text);
    }
    return true;
}

static bool write_lines(const bench_result *item, int count, FILE *out)
{
    return write_records(item, count, "", "\n", out);
}

static bool end(const bench_results *all, FILE *out)
{
    report *r = record_create();
    record_host(r);
    char *head = bench_record_summary(r, all) ? report_print(r, false) : NULL;
    bool whole = head != NULL;
    if (whole) {
        fprintf(out, "%.*s,\"results\":[%s", (int)(strlen(head) - 1), head,
                all->count > 0 ? "\n" : "");
        whole = write_records(all->item, all->count, ",\n", "", out);
        fputs("\n]}\n", out);
    }
    free(head);
    report_destroy(r);
    return whole;
}

const bench_exporter bench_export_json = {.name = "json", .suffix = ".json", .end = end};
const bench_exporter bench_export_jsonl = {
    .name = "jsonl", .suffix = ".jsonl", .matrix = write_lines};
