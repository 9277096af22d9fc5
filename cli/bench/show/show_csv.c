/* show_csv.c -- results as comma-separated values (RFC 4180), with SI units in the heads. */
#include "cli/bench/show/export.h"
#include "cli/text/cell_text.h"

#include <inttypes.h>
#include <math.h>

/* A number that is not known leaves its field empty. */
static void write_field(const bench_result *r, const bench_metric *m, FILE *out)
{
    const void *member = (const char *)r + m->offset;
    char text[REPORT_REAL_SIZE];
    switch (m->kind) {
    case IS_TEXT:
        tool_csv_text(*(const char *const *)member, out);
        break;
    case IS_COUNT:
    case IS_LENGTH:
        fprintf(out, "%" PRId64, *(const int64_t *)member);
        break;
    case IS_REAL:
        if (!isnan(*(const double *)member))
            fputs(report_show_real(*(const double *)member, text), out);
        break;
    case IS_ANSWER:
        if (!isnan(*(const double *)member))
            fputs(*(const double *)member != 0 ? "true" : "false", out);
        break;
    case IS_FLAG:
    case IS_PRESENT:
        fputs(*(const bool *)member ? "true" : "false", out);
        break;
    }
}

/* A line of names, or of the members of r. */
static void write_line(const bench_result *r, FILE *out)
{
    for (int i = 0; i < BENCH_METRICS; i++) {
        const bench_metric *m = &bench_metrics[i];
        if (m->column == NULL) continue;
        if (i > 0) fputc(',', out);
        if (r != NULL)
            write_field(r, m, out);
        else
            fputs(m->column, out);
    }
    fputs("\r\n", out);
}

static void begin(FILE *out)
{
    write_line(NULL, out);
}

static bool matrix(const bench_result *item, int count, FILE *out)
{
    for (int i = 0; i < count; i++) write_line(&item[i], out);
    return true;
}

const bench_exporter bench_export_csv = {
    .name = "csv", .suffix = ".csv", .begin = begin, .matrix = matrix};
