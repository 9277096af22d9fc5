/* metrics.h -- what is known of a measurement, and the one table of it: JSON records are read, and
 * CSV, Markdown, HTML and the table in a terminal are written by this table. */
#pragma once

#include "cli/bench/show/show_number.h"
#include "cli/json/json_value.h"

/* Times in one state of the caches; all NaN where it was not measured. */
typedef struct bench_times_view {
    double median, gflops, bandwidth, efficiency;
} bench_times_view;

/* More of the times that count, those with warm caches. */
typedef struct bench_warm_view {
    double median, gflops, bandwidth, efficiency;
    double median_low, median_high, noise, min, mean, max, stddev, p5, p95;
    int64_t outliers, samples;
} bench_warm_view;

/* A view of a JSON record, whether it was measured just now or read from a file.  Numbers that the
 * record does not hold are NaN here, texts "". */
typedef struct bench_result {
    report *record;     /* owned; the texts below live in it */
    const char *kernel; /* as rows are called: of several GPUs with their number before it */
    const char *file, *matrix, *checksum, *chosen_by, *precision, *format, *error;
    const char *operation; /* "": y = A x */
    const char *device, *device_kind, *host;
    int64_t rows, cols, nnz, row_min, row_max, vectors, threads, block_size;
    bool x_readonly;
    double row_mean;
    bench_warm_view warm;
    bench_times_view cold, graph;
    double setup_s, useful_bytes, moved_bytes, theoretical, stream, gather;
    bool verified, pass;
    double max_abs_error, max_rel_error;
    double wrong, worst_row; /* elements of the result that are wrong; a row of one, from 0 */
    double products, product_nnz, memory_bytes, equal_bits; /* of a sparse product; 1: yes, 0: no */
    int64_t ranks;                                          /* 0: one process */
    int64_t gpus;                    /* that multiplied together; 0: one device */
    double speedup;                  /* over the same kernel on one of these; NaN: not known */
    double imbalance, communication; /* of several ranks */
    double fill;       /* slots per nonzero that were too many; NaN: it was not refused for them */
    double break_even; /* multiplications until the set-up has paid; NaN: never, or not known */
    double peer_ratio; /* time of the fastest peer / this time; NaN: there is none */
    double max_noise;  /* of the list that it is in */
    bool other_hosts;  /* it is in a list with results of others, too */
    bool new_device;   /* no result before it in the list is of this device and host */
    int first, next; /* in the list, of those of its matrix, by name and size; next -1: the last */
    int last;        /* of the first one: the last of them */
} bench_result;

/* The kinds of members of bench_result: text, integer, number, flag, the length of an array,
 * whether there is such a member in the record, a number that is 1 or 0 for a flag and NaN where
 * the record has none. */
typedef enum bench_kind {
    IS_TEXT,
    IS_COUNT,
    IS_REAL,
    IS_FLAG,
    IS_LENGTH,
    IS_PRESENT,
    IS_ANSWER
} bench_kind;

typedef struct bench_metric {
    const char *path;    /* in the record; members with dots between */
    const char *column;  /* of CSV, with its unit; NULL: it is none */
    bench_kind kind;     /* of the member */
    size_t offset;       /* of the member in bench_result */
    const char *heading; /* of a column for people; NULL: it is none */
    int width;           /* of this column in a terminal; 0: only where there is more room */
    const char *(*show)(double value, char text[BENCH_TEXT]);
} bench_metric;

enum { BENCH_METRICS = 69 };
extern const bench_metric bench_metrics[BENCH_METRICS]; /* in the order of the columns of CSV */

/* The member that a metric names, as it is shown to people; "-" or a word where it is not known. */
const char *bench_metric_show(const bench_metric *m, const bench_result *r, char text[BENCH_TEXT]);
/* Returns whether a metric is a column for people: one of the results has a number there. */
bool bench_metric_is_shown(const bench_metric *m, const bench_result *item, int count);

bench_result bench_result_view(report *record); /* which is taken over: destroy it */
