/* bench_measure.h -- one candidate on one matrix: what spmv-bench is asked for, the matrix in the
 * format that the candidate takes, its times, and the record of them. */
#ifndef SPMV_CLI_BENCH_MEASURE_BENCH_MEASURE_H
#define SPMV_CLI_BENCH_MEASURE_BENCH_MEASURE_H

#include "cli/json/json_value.h"
#include "cli/measure/form.h"
#include "cli/measure/samples.h"
#include "cli/tool/common.h"
#include "core/multiply/peer.h"

typedef struct bench_options {
    common_options common;
    const char *kernels, *peers; /* names with commas between; peers may be NULL */
    option_words generate;
    int64_t vectors;
    double min_time, max_noise, timeout; /* seconds, per cent, seconds */
    int64_t min_samples, warmup;
    bool warm_only, no_verify, resume;
    int format;           /* of bench_exporters */
    const char *results;  /* show these instead of measuring */
    bool compare, across; /* also what was measured elsewhere */
    double threshold;     /* per cent */
    const char *plot;     /* folder for pictures; NULL: none */
    bool list_peers;
} bench_options;

/* ---- The matrix: bench_form.c ---------------------------------------------------------------- */

/* Seconds that a form takes, of one type and format. */
typedef struct bench_cost {
    double format_s, copy_s;
    bool is_made, is_copied; /* the figures are there */
} bench_cost;

typedef struct bench_matrix {
    const bench_options *options; /* borrowed */
    const char *file;             /* borrowed */
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

/* m->form becomes what is asked for: bench_form.c.  Errors: those of spmv_convert, spmv_to_gpu. */
spmv_status bench_form_make(bench_matrix *m, spmv_type type, spmv_format format, spmv_error *err);
spmv_status bench_form_copy(bench_matrix *m, spmv_context *ctx, spmv_error *err); /* to the GPU */

/* ---- With what: candidates.c ----------------------------------------------------------------- */

/* A kernel of ours, or a peer; a rule (auto, auto-rule) until the matrix is known. */
typedef struct bench_candidate {
    const char *name;
    const spmv_kernel *kernel; /* NULL: a peer, or a rule */
    const spmv_peer *peer;     /* NULL: ours */
    int device;
    spmv_kernel_config config; /* kernel filled in */
    const char *reason;        /* of a rule; NULL: it was named */
    unsigned rules;            /* bit i: kernel_rules[i] chose it */
} bench_candidate;

typedef struct bench_candidates {
    bench_candidate *item; /* [count] */
    int count, room;
} bench_candidates;

/* Word i that --kernel accepts: "all", the rules, then the kernels; NULL at the end. */
const char *bench_kernel_name(int i);

/* A candidate for the rule of this name, or false. */
bool bench_rule_find(const char *name, bench_candidate *out);

/* One that is there already, configured in the same way, is chosen by the rules of both.
 * Errors: OUT_OF_MEMORY. */
spmv_status bench_add_candidate(bench_candidates *all, const bench_candidate *s, spmv_error *err);
/* Rules become the kernels that they choose for a matrix.  Errors: OUT_OF_MEMORY. */
spmv_status bench_resolve(bench_candidates *out, const bench_candidates *from,
                          const spmv_row_stats *stats, spmv_error *err);
void bench_candidates_destroy(bench_candidates *candidates);
/* The names of the rules that chose it, with commas between; "" where it was named. */
enum { BENCH_RULES_TEXT = 32 };
const char *bench_show_rules(const bench_candidate *s, char text[BENCH_RULES_TEXT]);

/* ---- How: measure_case.c, take_samples.c ----------------------------------------------------- */

/* What lasts for the whole run: a context for each kind of device, and the ceilings measured last.
 * All zero is empty. */
typedef struct bench_contexts {
    spmv_context *cpu, *gpu;
    struct {
        bool known;
        int device;
        spmv_type type; /* of x */
        int64_t rows;   /* of x */
        spmv_peak_rates rates;
    } ceilings;
} bench_contexts;

void bench_contexts_destroy(bench_contexts *contexts);

/* A candidate made ready. */
typedef struct bench_work {
    const bench_matrix *matrix; /* in the form that the candidate takes */
    spmv_context *ctx;
    spmv_kernel_config config; /* of a kernel of ours */
    spmv_operator *op;         /* NULL: a peer */
    const spmv_peer *peer;     /* NULL: ours */
    void *plan;                /* the peer's */
    spmv_dense x, y;           /* where the context is */
    spmv_dense blank;      /* on the host, NaN: what y holds before a product that is looked at */
    spmv_dense seen;       /* on the host, a product that was found right; empty before */
    spmv_recording *graph; /* of REPLAY_MOST multiplications, while those are measured */
    double deadline;
} bench_work;

spmv_status bench_multiply(bench_work *work, spmv_error *err);

enum { BENCH_SAMPLES = 1000 };
typedef struct bench_times {
    double samples[BENCH_SAMPLES]; /* seconds of one multiplication */
    int count;
    int64_t batch; /* multiplications behind each sample, which is their mean */
} bench_times;

/* Warm: the caches hold what the multiplication before left.  Cold: they are emptied before each.
 * Graph: warm, and many are recorded as one graph, so that a GPU does not wait for launches. */
typedef enum bench_state { BENCH_WARM, BENCH_COLD, BENCH_GRAPH } bench_state;

/* Multiply until the options are content, or the deadline is over; and once more into a blank y. */
spmv_status bench_take_times(bench_work *work, bench_state state, bench_times *out,
                             spmv_error *err);

/* What it takes to make something ready, by the wall clock: the shortest of a few times, as long as
 * that takes little, since what the machine does beside it only adds.  It is undone before each,
 * also before the first. */
spmv_status bench_time_setup(double *seconds, spmv_context *ctx,
                             spmv_status (*make)(void *work, spmv_error *err),
                             void (*undo)(void *work), void *work, spmv_error *err);

/* All about one candidate on one matrix, before it becomes a record. */
typedef struct bench_measurement {
    const bench_matrix *matrix;
    const bench_candidate *candidate;
    spmv_format format;        /* that the kernel took */
    spmv_kernel_config config; /* as the operator has it */
    double format_s, copy_s, prepare_s, verify_s, measure_s;
    int64_t copy_bytes;
    bench_times warm, cold, graph; /* count 0: not measured */
    spmv_bandwidth bandwidth, cold_bandwidth, graph_bandwidth;
    spmv_peak_rates ceilings;
    spmv_device_info device;
    bool verified;
    spmv_verification verification;
    const char *product; /* that this is about: the first one, or a later one that is wrong */
} bench_measurement;

spmv_status bench_measure(bench_measurement *out, bench_contexts *contexts, bench_matrix *m,
                          const bench_candidate *s, spmv_error *err);

/* ---- Records: bench_record.c ---------------------------------------------------------------- */

/* What is to be measured: all by which a result is known again, and no times. */
report *bench_record_plan(const bench_matrix *m, const bench_candidate *s);
report *bench_record(const bench_measurement *m);
/* Of what could not be measured. */
report *bench_record_failure(const bench_matrix *m, const bench_candidate *s, spmv_status st,
                             const spmv_error *err);
report *bench_record_unreadable(const char *file, spmv_status st, const spmv_error *err);

#endif
