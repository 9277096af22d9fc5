/* bench_result.h -- one record of spmv-bench as the exporters, the pictures and --compare see it.
 *
 * The JSON record is the whole truth, whether it was measured just now or read from a file; a
 * result is a view of it.  Numbers that a record does not hold are NaN here, texts "". */
#ifndef SPMV_CLI_BENCH_SHOW_BENCH_RESULT_H
#define SPMV_CLI_BENCH_SHOW_BENCH_RESULT_H

#include "cli/json/json_value.h"

/* Times of one state of the caches; all NaN when it was not measured. */
typedef struct bench_view {
    double median, median_low, median_high, noise, min, mean, max, stddev, p5, p95, fence;
    int64_t outliers, samples;
    double gflops, bandwidth, efficiency;
} bench_view;

typedef struct bench_result {
    report *record; /* owned; the texts below live in it */
    const char *file, *matrix, *checksum, *kernel, *chosen_by, *precision, *format, *error;
    const char *device, *device_kind, *host;
    int64_t rows, cols, nnz, row_min, row_max, vectors, threads, block_size;
    bool x_readonly;
    double row_mean;
    bench_view warm, cold, graph;
    double setup_s, useful_bytes, moved_bytes, theoretical, stream, gather;
    bool verified, pass;
    double max_abs_error, max_rel_error;
    double wrong, worst_row; /* elements of y that are wrong; a row of one, from 0 */
    double break_even; /* multiplications until the set-up has paid; NaN: never, or not known */
    double peer_ratio; /* time of the fastest peer / this time; NaN: there is none */
    double max_noise;  /* of the list that it is in */
} bench_result;

typedef struct bench_results {
    bench_result *item; /* [count] */
    int count, room;
    double max_noise; /* share of the median beyond which the noise of a time is told */
} bench_results;

bool bench_result_is_peer(const bench_result *r);
bool bench_result_measured(const bench_result *r); /* it has a time */
bool bench_result_works(const bench_result *r);    /* and nobody found the product wrong */

/* A time counts when the product was found right: it is not the time of anything else. */
bool bench_result_counts(const bench_result *r);

/* Room for a number in text, or a few with words between. */
enum { BENCH_TEXT = 96 };

/* Why a time does not count, in a few words; NULL where it does, or there is none. */
const char *bench_result_doubt(const bench_result *r, char text[BENCH_TEXT]);
const char *bench_result_tell_wrong(const bench_result *r, char text[BENCH_TEXT]); /* how much */

/* Same matrix in the same precision and with as many vectors: what stands in one table. */
bool bench_result_same_matrix(const bench_result *a, const bench_result *b);

/* Are two results of the same measurement: of the same matrix by its content (shape, number of
 * entries and checksum; where a record holds no checksum, its name), the same kernel, precision,
 * number of vectors and kind of device?  What only one of the records holds tells nothing. */
typedef enum bench_match {
    BENCH_ALIKE,     /* on the same device, host and number of threads, and configured alike */
    BENCH_SAME,      /* on the same device, host and number of threads */
    BENCH_ELSEWHERE, /* anywhere */
} bench_match;
bool bench_result_same(const bench_result *a, const bench_result *b, bench_match how);

bench_result bench_result_view(report *record); /* which is taken over: destroy it */

/* Take a record over; it is destroyed when there is no memory for it.  Errors: OUT_OF_MEMORY. */
spmv_status bench_results_add(bench_results *all, report *record, spmv_error *err);

/* Read what --format json or jsonl wrote.
 * Errors: FILE_IO, INVALID_FORMAT with the line, OUT_OF_MEMORY. */
spmv_status bench_results_load(bench_results *all, const char *path, spmv_error *err);

/* Read lines that are to be continued: nothing but records of spmv-bench, a line each.  A last one
 * that breaks off is left out, and *torn: *kept is the number of bytes before it, or else of all.
 * Errors: as above. */
spmv_status bench_results_resume(bench_results *all, const char *path, int64_t *kept, bool *torn,
                                 spmv_error *err);
void bench_results_destroy(bench_results *all);

/* Compare results from `first` on with all of their matrix: fill in break_even and peer_ratio, in
 * the records too. */
void bench_relate(bench_results *all, int first);

/* The fastest peer and the fastest kernel of ours among item[first .. first + count - 1], on the
 * same device kind; NULL where there is none. */
const bench_result *bench_fastest(const bench_result *item, int count, bool peer,
                                  const char *device_kind);

/* The results of the matrix of all->item[i] from there on, as copies of the views; out is
 * [all->count].  Returns how many, and 0 when the matrix occurs before i. */
int bench_gather(const bench_results *all, int i, bench_result *out);

#endif
