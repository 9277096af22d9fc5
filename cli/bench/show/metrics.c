/* metrics.c -- the table of what is known of a measurement, and the view of a record by it. */
#include "cli/bench/show/metrics.h"

#include <math.h>
#include <stddef.h>

#define METRIC(path_, column_, kind_, member)                                                     \
    {                                                                                             \
        .path = path_, .column = column_, .kind = kind_, .offset = offsetof(bench_result, member) \
    }
#define SHOWN(path_, column_, member, heading_, width_, show_) \
    SHOWN_AS(IS_REAL, path_, column_, member, heading_, width_, show_)
#define SHOWN_AS(kind_, path_, column_, member, heading_, width_, show_)                           \
    {                                                                                              \
        .path = path_, .column = column_, .kind = kind_, .offset = offsetof(bench_result, member), \
        .heading = heading_, .width = width_, .show = show_                                        \
    }

const bench_metric bench_metrics[BENCH_METRICS] = {
    METRIC("matrix.name", "matrix", IS_TEXT, matrix),
    METRIC("matrix.file", "file", IS_TEXT, file),
    METRIC("matrix.rows", "rows", IS_COUNT, rows),
    METRIC("matrix.cols", "cols", IS_COUNT, cols),
    METRIC("matrix.nnz", "nnz", IS_COUNT, nnz),
    METRIC("kernel", "kernel", IS_TEXT, kernel),
    METRIC("precision", "precision", IS_TEXT, precision),
    METRIC("vectors", "vectors", IS_COUNT, vectors),
    METRIC("device.name", "device", IS_TEXT, device),
    SHOWN("time_s.median", "median_s", warm.median, "median", 8, tool_time_text),
    METRIC("time_s.min", "min_s", IS_REAL, warm.min),
    METRIC("time_s.mean", "mean_s", IS_REAL, warm.mean),
    METRIC("time_s.max", "max_s", IS_REAL, warm.max),
    METRIC("time_s.stddev", "stddev_s", IS_REAL, warm.stddev),
    METRIC("time_s.p5", "p5_s", IS_REAL, warm.p5),
    METRIC("time_s.p95", "p95_s", IS_REAL, warm.p95),
    SHOWN("time_s.noise", "noise", warm.noise, "noise", 0, bench_show_percent),
    METRIC("time_s.samples", "samples", IS_LENGTH, warm.samples),
    METRIC("time_s.outliers", "outliers", IS_COUNT, warm.outliers),
    SHOWN("gflops", "gflops", warm.gflops, "GFLOP/s", 8, tool_number_text),
    METRIC("useful_bytes", "useful_bytes", IS_REAL, useful_bytes),
    METRIC("moved_bytes", "moved_bytes", IS_REAL, moved_bytes),
    SHOWN("bandwidth_bytes_per_s", "bandwidth_bytes_per_s", warm.bandwidth, "GB/s", 6,
          bench_show_gigabytes),
    METRIC("theoretical_bytes_per_s", "theoretical_bytes_per_s", IS_REAL, theoretical),
    SHOWN("efficiency", "efficiency", warm.efficiency, "peak", 6, bench_show_percent),
    METRIC("ceilings.stream_bytes_per_s", "stream_bytes_per_s", IS_REAL, stream),
    METRIC("ceilings.gather_per_s", "gather_per_s", IS_REAL, gather),
    SHOWN("cold.time_s.median", "cold_median_s", cold.median, "cold", 8, tool_time_text),
    METRIC("cold.gflops", "cold_gflops", IS_REAL, cold.gflops),
    METRIC("cold.bandwidth_bytes_per_s", "cold_bandwidth_bytes_per_s", IS_REAL, cold.bandwidth),
    METRIC("cold.efficiency", "cold_efficiency", IS_REAL, cold.efficiency),
    METRIC("graph.time_s.median", "graph_median_s", IS_REAL, graph.median),
    SHOWN("setup_s", "setup_s", setup_s, "set-up", 8, tool_time_text),
    SHOWN("break_even.multiplications", "break_even", break_even, "break-even", 10,
          bench_show_break_even),
    SHOWN("product.products", "products", products, "products", 0, bench_show_whole),
    SHOWN("product.nnz", "product_nnz", product_nnz, "nnz(C)", 0, bench_show_whole),
    SHOWN("product.memory_bytes", "memory_bytes", memory_bytes, "memory", 9, tool_bytes_text),
    SHOWN_AS(IS_ANSWER, "verify.equal_bits", "equal_bits", equal_bits, "bits", 6, bench_show_equal),
    SHOWN("distribution.imbalance", "imbalance", imbalance, "imbalance", 10, bench_show_ratio),
    SHOWN("distribution.communication", "communication", communication, "comm", 6,
          bench_show_percent),
    SHOWN("best_peer.ratio", "peer_ratio", peer_ratio, "peer", 6, bench_show_ratio),
    METRIC("verify", "verified", IS_PRESENT, verified),
    METRIC("verify.pass", "pass", IS_FLAG, pass),
    METRIC("verify.max_abs_error", "max_abs_error", IS_REAL, max_abs_error),
    METRIC("verify.max_rel_error", "max_rel_error", IS_REAL, max_rel_error),
    METRIC("verify.wrong", "wrong", IS_REAL, wrong),
    METRIC("verify.worst_row", "worst_row", IS_REAL, worst_row),
    METRIC("failure.message", "error", IS_TEXT, error),
    METRIC("chosen_by", "chosen_by", IS_TEXT, chosen_by),
    METRIC("matrix.checksum", "checksum", IS_TEXT, checksum),
    METRIC("host.name", "host", IS_TEXT, host),
    METRIC("device.threads", "threads", IS_COUNT, threads),
    METRIC("distribution.ranks", "ranks", IS_COUNT, ranks),
    METRIC("operation", "operation", IS_TEXT, operation),
    METRIC("gpus", "gpus", IS_COUNT, gpus),
    SHOWN("speedup", "speedup", speedup, "speed-up", 0, bench_show_ratio),
    /* No columns. */
    METRIC("matrix.format", NULL, IS_TEXT, format),
    METRIC("matrix.row_length.min", NULL, IS_COUNT, row_min),
    METRIC("matrix.row_length.mean", NULL, IS_REAL, row_mean),
    METRIC("matrix.row_length.max", NULL, IS_COUNT, row_max),
    METRIC("failure.fill", NULL, IS_REAL, fill),
    METRIC("device.kind", NULL, IS_TEXT, device_kind),
    METRIC("block_size", NULL, IS_COUNT, block_size),
    METRIC("x_readonly", NULL, IS_FLAG, x_readonly),
    METRIC("time_s.median_low", NULL, IS_REAL, warm.median_low),
    METRIC("time_s.median_high", NULL, IS_REAL, warm.median_high),
    METRIC("graph.gflops", NULL, IS_REAL, graph.gflops),
    METRIC("graph.bandwidth_bytes_per_s", NULL, IS_REAL, graph.bandwidth),
    METRIC("graph.efficiency", NULL, IS_REAL, graph.efficiency),
};

static double real_of(const bench_metric *m, const bench_result *r)
{
    return *(const double *)(const void *)((const char *)r + m->offset);
}

const char *bench_metric_show(const bench_metric *m, const bench_result *r, char text[BENCH_TEXT])
{
    return m->show(real_of(m, r), text);
}

bool bench_metric_is_shown(const bench_metric *m, const bench_result *item, int count)
{
    if (m->heading == NULL) return false;
    for (int i = 0; i < count; i++)
        if (isfinite(real_of(m, &item[i]))) return true;
    return false;
}

bench_result bench_result_view(report *record)
{
    bench_result r = {.record = record};
    for (int i = 0; i < BENCH_METRICS; i++) {
        const bench_metric *m = &bench_metrics[i];
        void *member = (char *)&r + m->offset;
        switch (m->kind) {
        case IS_TEXT:
            *(const char **)member = report_text_at(record, m->path);
            break;
        case IS_COUNT:
            *(int64_t *)member = report_integer_at(record, m->path);
            break;
        case IS_REAL:
            *(double *)member = report_real_at(record, m->path);
            break;
        case IS_FLAG:
            *(bool *)member = report_flag_at(record, m->path);
            break;
        case IS_LENGTH:
            *(int64_t *)member = report_length(report_member(record, m->path));
            break;
        case IS_PRESENT:
            *(bool *)member = report_member(record, m->path) != NULL;
            break;
        case IS_ANSWER:
            *(double *)member =
                report_member(record, m->path) != NULL ? report_flag_at(record, m->path) : NAN;
            break;
        }
    }
    if (r.vectors == 0) r.vectors = 1; /* records of early versions do not tell */
    const char *title = report_text_at(record, "title");
    if (title[0] != '\0') r.kernel = title;
    return r;
}
