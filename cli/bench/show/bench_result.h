/* bench_result.h -- results of spmv-bench: what a result is worth, the list of them, and what they
 * say together. */
#pragma once

#include "cli/bench/show/metrics.h"

typedef struct bench_results {
    bench_result *item; /* [count] */
    int count, room;
    double max_noise; /* share of the median beyond which the noise of a time is told */
    const char *host; /* of the first result that names one; NULL: none does */
    int *first;       /* [2 * room], by name and size: the first result of each matrix; -1: free */
} bench_results;

bool bench_result_is_peer(const bench_result *r);
bool bench_result_measured(const bench_result *r); /* it has a time */
bool bench_result_works(const bench_result *r);    /* and its product was not found wrong */

/* Why it has no time; SPMV_SUCCESS where no reason is recorded. */
spmv_status bench_result_failure(const bench_result *r);

/* A time counts when the product was found right: it is not the time of anything else. */
bool bench_result_counts(const bench_result *r);
/* Whether its samples are enough to bound the median, or nobody knows how many they are. */
bool bench_result_has_interval(const bench_result *r);
/* Whether of two results of one kernel on one matrix the later one stands for both: unless only the
 * earlier one counts. */
bool bench_result_replaces(const bench_result *later, const bench_result *earlier);

/* Why a time does not count, in a few words; NULL where it does, or there is none. */
const char *bench_result_doubt(const bench_result *r, char text[BENCH_TEXT]);
/* Why there is no time, in a few words: "n/a (fill 15500)". */
const char *bench_result_reason(const bench_result *r, char text[BENCH_TEXT]);
const char *bench_result_tell_wrong(const bench_result *r, char text[BENCH_TEXT]); /* how much */

/* How it was measured: "f64, 4 vectors, 2 threads"; the precision as the record has it. */
enum { BENCH_WAY = 256 };
const char *bench_result_way(const bench_result *r, char text[BENCH_WAY]);
/* Writes the device, and its host where the list has results of several. */
void bench_write_place(const bench_result *r, void (*write)(const char *text, FILE *out),
                       FILE *out);

/* What of that tells it apart from other results of its matrix: of a sweep "4 vectors, 2 threads",
 * "" where the matrix was measured in one way. */
const char *bench_result_point(const bench_results *all, const bench_result *r,
                               char text[BENCH_WAY]);

/* Same matrix, by name and size, however it was measured. */
bool bench_result_one_matrix(const bench_result *a, const bench_result *b);

/* Same matrix and operation in the same precision and with equally many vectors and threads: what
 * stands in one table. */
bool bench_result_same_matrix(const bench_result *a, const bench_result *b);

/* Returns whether two results are of the same measurement: of the same matrix by its content
 * (shape, number of entries and checksum; where a record holds no checksum, its name), the same
 * kernel, precision, number of vectors and kind of device?  What only one of the records holds
 * tells nothing. */
typedef enum bench_match {
    BENCH_ALIKE,     /* on the same device, host and number of threads, and configured alike */
    BENCH_SAME,      /* on the same device, host and number of threads */
    BENCH_ELSEWHERE, /* anywhere */
} bench_match;
bool bench_result_same(const bench_result *a, const bench_result *b, bench_match how);

/* Takes a record over; it is destroyed when there is no memory for it.  Errors: OUT_OF_MEMORY. */
spmv_status bench_results_add(bench_results *all, report *record, spmv_error *err);

/* Reads what --format json or jsonl wrote.
 * Errors: FILE_IO, INVALID_FORMAT with the line, OUT_OF_MEMORY. */
spmv_status bench_results_load(bench_results *all, const char *path, spmv_error *err);

/* Read lines that are to be continued: nothing but records of spmv-bench, a line each.  A last one
 * that breaks off is left out, and *torn: *kept is the number of bytes before it, or else of all.
 * Errors: as above. */
spmv_status bench_results_resume(bench_results *all, const char *path, int64_t *kept, bool *torn,
                                 spmv_error *err);
void bench_results_destroy(bench_results *all);

/* Compare results from `first` on with all of their matrix: fill in break_even, peer_ratio and
 * speedup, in the records too. */
void bench_relate(bench_results *all, int first);

/* The fastest peer and the fastest kernel of ours among item[first .. first + count - 1], on the
 * same device kind; NULL where there is none. */
const bench_result *bench_fastest(const bench_result *item, int count, bool peer,
                                  const char *device_kind);

/* The first of the list whose matrix is that of all->item[k], which may be k; and whether it is
 * all->item[i]. */
int bench_group_of(const bench_results *all, int k);
bool bench_is_in_group(const bench_results *all, int i, int k);

/* The results of the group of all->item[i], as copies of the views; out is [all->count].  Returns
 * how many, and 0 when the matrix occurs before i. */
int bench_gather(const bench_results *all, int i, bench_result *out);
