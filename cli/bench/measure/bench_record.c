/* bench_record.c -- a measurement as a JSON record, see spmv-1.schema.json. */
#include "cli/bench/measure/bench_record.h"
#include "cli/json/record.h"
#include "cli/tool/phase.h"

#include <inttypes.h>

static void record_rates(report *r, const spmv_bandwidth *b)
{
    report_real(r, "gflops", b->flops_per_second * 1e-9);
    report_real(r, "bandwidth_bytes_per_s", b->achieved);
    report_real(r, "efficiency", b->efficiency);
}

/* The multiplications of another state than the warm one, where they were measured. */
static void record_state(report *r, const char *key, const bench_times *t, const spmv_bandwidth *b)
{
    if (t->count == 0) return;
    report *state = report_object(r, key);
    record_time(state, t->samples, t->count);
    record_rates(state, b);
}

/* All by which a result is known again; device NULL: it cannot be described. */
static report *record_identity(const bench_matrix *m, const bench_candidate *s,
                               const spmv_device_info *device)
{
    char sum[17], rules[BENCH_RULES_TEXT], title[64];
    report *r = record_create();
    report *matrix = record_matrix_named(r, m->file, m->name, &m->stats,
                                         s->method != NULL ? m->precision : m->A.head.type,
                                         bench_candidate_format(s));
    snprintf(sum, sizeof sum, "%016" PRIx64, m->checksum);
    report_text(matrix, "checksum", sum);
    report_text(r, "kernel", s->name);
    if (s->gpus > 0) {
        snprintf(title, sizeof title, "%d x %s", s->gpus, s->name);
        report_integer(r, "gpus", s->gpus);
        report_text(r, "title", title);
    }
    if (s->rules != 0) report_text(r, "chosen_by", bench_show_rules(s, rules));
    if (s->reason != NULL) report_text(r, "reason", s->reason);
    report_text(r, "precision", spmv_type_name(m->precision));
    if (s->method != NULL)
        report_text(r, "operation", "spgemm");
    else
        report_integer(r, "vectors", m->x.cols);
    if (device != NULL) record_device(report_object(r, "device"), device);
    record_host(r);
    return r;
}

report *bench_record_plan(const bench_matrix *m, const bench_candidate *s)
{
    spmv_device_info device;
    const bool known = bench_candidate_device(s, &device, NULL) == SPMV_SUCCESS;
    return record_identity(m, s, known ? &device : NULL);
}

static void record_setup(report *r, const bench_measurement *m)
{
    const tool_phase phases[] = {
        {"read", m->matrix->read_s, m->matrix->read_bytes},
        {"convert", m->matrix->convert_s + m->format_s, 0},
        {"upload", m->copy_s, m->copy_bytes}, /* on a CPU nothing */
        {"prepare", m->prepare_s, 0},
        {"verify", m->verify_s, 0},
        {"multiply", m->measure_s, 0},
    };
    record_phase_list(r, phases, sizeof phases / sizeof phases[0]);
    report_real(r, "setup_s", m->format_s + m->copy_s + m->prepare_s);
    report_real(r, "convert_s", m->format_s);
    report_real(r, "copy_s", m->copy_s);
}

report *bench_record(const bench_measurement *m)
{
    report *r = record_identity(m->matrix, m->candidate, &m->device);
    report_integer(r, "block_size", m->config.block_size);
    report_flag(r, "x_readonly", m->config.x_readonly);
    report_integer(r, "seed", m->matrix->options->common.seed);
    record_setup(r, m);

    record_time(r, m->warm.samples, m->warm.count);
    report_integer(r, "batch", m->warm.batch);
    record_bandwidth(r, &m->bandwidth);
    record_state(r, "cold", &m->cold, &m->cold_bandwidth);
    record_state(r, "graph", &m->graph, &m->graph_bandwidth);
    report *ceilings = report_object(r, "ceilings");
    report_real(ceilings, "stream_bytes_per_s", m->ceilings.stream);
    report_real(ceilings, "gather_per_s", m->ceilings.gather);
    if (m->verified) record_verification(r, &m->verification, m->product);
    return r;
}

report *bench_record_failure(const bench_matrix *m, const bench_candidate *s, spmv_status st,
                             const spmv_error *err)
{
    report *r = bench_record_plan(m, s);
    report *failure = record_failure(r, st, err);
    spmv_size size;
    if (st == SPMV_ERROR_UNSUPPORTED && s->method == NULL &&
        spmv_size_of(&m->A, bench_candidate_format(s), NULL, &size, NULL) == SPMV_SUCCESS &&
        size.refused)
        report_real(failure, "fill", size.fill);
    return r;
}

report *bench_record_unreadable(const char *file, const char *name, spmv_status st,
                                const spmv_error *err)
{
    report *r = record_create();
    report *matrix = report_object(r, "matrix");
    report_text(matrix, "file", file);
    report_text(matrix, "name", name);
    record_host(r);
    record_failure(r, st, err);
    return r;
}
