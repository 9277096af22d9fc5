/* show_csv.c -- results as comma-separated values (RFC 4180), with SI units in the heads. */
#include "cli/bench/show/export.h"
#include "cli/tool/utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

typedef enum kind { TEXT, COUNT, REAL, FLAG } kind;

typedef struct csv_column {
    const char *head;
    kind kind;
    size_t offset;
} csv_column;

#define COLUMN(head, kind, member)                 \
    {                                              \
        head, kind, offsetof(bench_result, member) \
    }
static const csv_column columns[] = {
    COLUMN("matrix", TEXT, matrix),
    COLUMN("file", TEXT, file),
    COLUMN("rows", COUNT, rows),
    COLUMN("cols", COUNT, cols),
    COLUMN("nnz", COUNT, nnz),
    COLUMN("kernel", TEXT, kernel),
    COLUMN("precision", TEXT, precision),
    COLUMN("vectors", COUNT, vectors),
    COLUMN("device", TEXT, device),
    COLUMN("median_s", REAL, warm.median),
    COLUMN("min_s", REAL, warm.min),
    COLUMN("mean_s", REAL, warm.mean),
    COLUMN("max_s", REAL, warm.max),
    COLUMN("stddev_s", REAL, warm.stddev),
    COLUMN("p5_s", REAL, warm.p5),
    COLUMN("p95_s", REAL, warm.p95),
    COLUMN("noise", REAL, warm.noise),
    COLUMN("samples", COUNT, warm.samples),
    COLUMN("outliers", COUNT, warm.outliers),
    COLUMN("gflops", REAL, warm.gflops),
    COLUMN("useful_bytes", REAL, useful_bytes),
    COLUMN("moved_bytes", REAL, moved_bytes),
    COLUMN("bandwidth_bytes_per_s", REAL, warm.bandwidth),
    COLUMN("theoretical_bytes_per_s", REAL, theoretical),
    COLUMN("efficiency", REAL, warm.efficiency),
    COLUMN("stream_bytes_per_s", REAL, stream),
    COLUMN("gather_per_s", REAL, gather),
    COLUMN("cold_median_s", REAL, cold.median),
    COLUMN("cold_gflops", REAL, cold.gflops),
    COLUMN("cold_bandwidth_bytes_per_s", REAL, cold.bandwidth),
    COLUMN("cold_efficiency", REAL, cold.efficiency),
    COLUMN("graph_median_s", REAL, graph.median),
    COLUMN("setup_s", REAL, setup_s),
    COLUMN("break_even", REAL, break_even),
    COLUMN("peer_ratio", REAL, peer_ratio),
    COLUMN("verified", FLAG, verified),
    COLUMN("pass", FLAG, pass),
    COLUMN("max_abs_error", REAL, max_abs_error),
    COLUMN("max_rel_error", REAL, max_rel_error),
    COLUMN("wrong", REAL, wrong),
    COLUMN("worst_row", REAL, worst_row),
    COLUMN("error", TEXT, error),
    COLUMN("chosen_by", TEXT, chosen_by),
    COLUMN("checksum", TEXT, checksum),
    COLUMN("host", TEXT, host),
    COLUMN("threads", COUNT, threads),
};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

/* What a spreadsheet would take for a formula begins with an apostrophe, which it hides; a sign
 * alone is none.  Line ends and tabs are control characters like others. */
static void write_text(const char *text, FILE *out)
{
    const bool quoted = strpbrk(text, ",\"") != NULL;
    char shown[UTF8_SHOWN];
    if (quoted) fputc('"', out);
    if (*text != '\0' && strchr("=+-@", *text) != NULL && text[1] != '\0') fputc('\'', out);
    while (*text != '\0') {
        utf8_show(&text, shown);
        fputs(*shown == '"' ? "\"\"" : shown, out);
    }
    if (quoted) fputc('"', out);
}

/* A number that is not known leaves its field empty. */
static void write_field(const bench_result *r, const csv_column *c, FILE *out)
{
    const void *member = (const char *)r + c->offset;
    char text[REPORT_REAL_SIZE];
    switch (c->kind) {
    case TEXT:
        write_text(*(const char *const *)member, out);
        break;
    case COUNT:
        fprintf(out, "%" PRId64, *(const int64_t *)member);
        break;
    case REAL:
        if (!isnan(*(const double *)member))
            fputs(report_show_real(*(const double *)member, text), out);
        break;
    case FLAG:
        fputs(*(const bool *)member ? "true" : "false", out);
        break;
    }
}

static void begin(FILE *out)
{
    for (int c = 0; c < COLUMNS; c++)
        fprintf(out, "%s%s", columns[c].head, c + 1 < COLUMNS ? "," : "\r\n");
}

static bool matrix(const bench_result *item, int count, FILE *out)
{
    for (int i = 0; i < count; i++)
        for (int c = 0; c < COLUMNS; c++) {
            write_field(&item[i], &columns[c], out);
            fputs(c + 1 < COLUMNS ? "," : "\r\n", out);
        }
    return true;
}

const bench_exporter bench_export_csv = {.name = "csv", .begin = begin, .matrix = matrix};
