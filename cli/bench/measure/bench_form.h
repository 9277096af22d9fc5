/* bench_form.h -- what spmv-bench is asked for, and the matrix in the form that a
 * candidate takes. */
#pragma once

#include "cli/measure/form.h"
#include "cli/tool/common.h"

typedef enum bench_operation { BENCH_SPMV, BENCH_SPGEMM } bench_operation; /* as BENCH_OPERATIONS */
#define BENCH_OPERATIONS "spmv|spgemm"

typedef struct bench_options {
    common_options common;
    int op;                      /* bench_operation */
    const char *kernels, *peers; /* names with commas between; peers may be NULL */
    option_words generate, match, exclude;
    option_list thread_counts, precisions, vector_counts; /* of a sweep; empty: what is usual */
    int64_t vectors;                                      /* of the sweep, those at hand */
    int64_t max_nnz;                                      /* 0: any number */
    double min_time, max_noise, timeout;                  /* seconds, per cent, seconds */
    int64_t min_samples, warmup;
    bool warm_only, no_verify, resume;
    int format;           /* of bench_exporters */
    const char *results;  /* show these instead of measuring */
    bool summary;         /* instead of each result */
    bool compare, across; /* also what was measured elsewhere */
    double threshold;     /* per cent */
    const char *plot;     /* folder for pictures; NULL: none */
    bool list_peers, dry_run;
    option_words models;       /* machines to predict times for instead: see model_machine_parse */
    const char *partition;     /* of their ranks, or those of mpirun: a rule, or a file; NULL: the
                                  first rule */
    struct bench_ranks *ranks; /* those of mpirun; NULL: this process is alone */
} bench_options;

/* Seconds that a form takes, of one type and format. */
typedef struct bench_cost {
    double format_s, copy_s;
    bool is_made, is_copied; /* the figures are there */
} bench_cost;

typedef struct bench_matrix {
    const bench_options *options; /* borrowed */
    const char *file, *name;      /* borrowed */
    spmv_matrix A;                /* CSR, its values in the fewest bytes */
    spmv_matrix original;         /* as it was read, for the verification, where A is another one */
    bool has_original;
    form form; /* that was multiplied last */
    bench_cost cost[SPMV_TYPES][SPMV_FORMATS];
    spmv_row_stats stats;
    uint64_t checksum;   /* of A */
    spmv_type precision; /* of the vectors */
    spmv_dense x;        /* on the host, by columns */
    double read_s, convert_s;
    int64_t read_bytes;
    double deadline; /* on the clock of spmv_now */
} bench_matrix;

void bench_matrix_destroy(bench_matrix *m);

/* m->form becomes what is asked for.  Errors: those of spmv_convert, spmv_to_gpu. */
spmv_status bench_form_make(bench_matrix *m, spmv_type type, spmv_format format, spmv_error *err);
spmv_status bench_form_copy(bench_matrix *m, spmv_context *ctx, spmv_error *err); /* to the GPU */
