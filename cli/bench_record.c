/* bench_record.c -- a measurement as a JSON record, see spmv-1.schema.json. */
#include "bench.h"
#include "record.h"

static void record_rates(report *r, const spmv_bandwidth *b)
{
    report_real(r, "gflops", b->gflops);
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

static void record_subject(report *r, const bench_subject *s, const spmv_config *config)
{
    report_text(r, "kernel", s->name);
    if (s->reason != NULL) report_text(r, "reason", s->reason);
    report_integer(r, "block_size", config->block_size);
    report_flag(r, "x_readonly", config->x_readonly);
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
    report *r = record_create();
    record_matrix(r, m->matrix->file, &m->matrix->stats, m->matrix->A.head.type, m->format);
    record_subject(r, m->subject, &m->config);
    report_text(r, "precision", spmv_type_name(m->matrix->precision));
    report_integer(r, "vectors", m->matrix->x.cols);
    report_integer(r, "seed", common.seed);
    record_device(report_object(r, "device"), &m->device);
    record_host(r);
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

report *bench_record_failure(const char *file, const bench_matrix *m, const bench_subject *s,
                             spmv_status st, const spmv_error *err)
{
    report *r = record_create();
    if (m != NULL) {
        const spmv_format format = s == NULL           ? SPMV_CSR
                                   : s->kernel != NULL ? s->kernel->format
                                                       : s->peer->format;
        record_matrix(r, file, &m->stats, m->A.head.type, format);
        report_text(r, "precision", spmv_type_name(m->precision));
        report_integer(r, "vectors", m->x.cols);
    } else {
        report *matrix = report_object(r, "matrix");
        report_text(matrix, "file", file);
        report_text(matrix, "name", tool_base_name(file));
    }
    if (s != NULL) report_text(r, "kernel", s->name);
    report *failure = report_object(r, "failure");
    report_text(failure, "status", spmv_status_name(st));
    report_text(failure, "message", err->message[0] != '\0' ? err->message : spmv_error_string(st));
    if (err->line > 0) report_integer(failure, "line", err->line);
    if (err->column > 0) report_integer(failure, "column", err->column);
    return r;
}
