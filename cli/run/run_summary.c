/* run_summary.c -- what spmv-run says about a multiplication: in one line, and as JSON. */
#include "cli/measure/samples.h"
#include "cli/run/run.h"
#include "cli/tool/choose_device.h"
#include "cli/tool/message.h"
#include "cli/text/number_text.h"

/* Work out the bandwidth, where the time could be measured at all. */
static spmv_status compute_bandwidth(run_job *job, const sample_stats *s, spmv_error *err)
{
    spmv_status st = spmv_device_describe(job->device, &job->info, err);
    if (st == SPMV_SUCCESS && job->gpus > 0) common_add_up(&job->info, job->gpus);
    if (st != SPMV_SUCCESS || s->median <= 0 || job->info.bandwidth <= 0) return st;
    st = spmv_bandwidth_compute(&job->A, job->precision, job->options->vectors, s->median,
                                job->info.bandwidth, &job->bandwidth, err);
    if (job->stored > 0)
        job->bandwidth.moved_bytes += (double)job->stored - (double)spmv_memory_bytes(&job->A);
    return st;
}

static void tell_samples(const sample_stats *s, const run_times *times)
{
    const struct {
        const char *name;
        double seconds;
    } shown[] = {{"min", s->min},       {"median", s->median}, {"mean", s->mean}, {"max", s->max},
                 {"stddev", s->stddev}, {"p5", s->p5},         {"p95", s->p95}};
    char text[256] = "", time[TOOL_NUMBER];
    size_t used = 0;
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s %s", i > 0 ? ", " : "",
                                 shown[i].name, tool_time_text(shown[i].seconds, time));
    tool_note("%lld times%s: %s", (long long)(s->count * times->batch),
              times->batch > 1 ? " in graphs" : "", text);
}

spmv_status run_summarise(run_job *job, spmv_error *err)
{
    const run_options *o = job->options;
    const spmv_bandwidth *b = &job->bandwidth;
    char time[TOOL_NUMBER], rate[TOOL_NUMBER];
    const bool wanted = o->repeat > 1 || o->common.verbose;

    /* Describing the CPU means measuring it, which only those who asked should wait for. */
    if (!wanted && o->common.json == NULL) return SPMV_SUCCESS;
    const sample_stats s = samples_summarise(job->times.samples, job->times.count);
    const spmv_status st = compute_bandwidth(job, &s, err);
    if (st != SPMV_SUCCESS || !wanted) return st;
    tool_note("%s on %s: %s, %.4g GFLOP/s, %s/s, %.3g %% of its bandwidth", job->kernel->name,
              job->info.name, tool_time_text(s.median, time), b->flops_per_second * 1e-9,
              tool_bytes_text(b->achieved, rate), b->efficiency * 100);
    if (o->repeat > 1) tell_samples(&s, &job->times);
    return st;
}

static void record_factor(report *r, const char *key, spmv_scalar factor)
{
    if (factor.im == 0) {
        report_real(r, key, factor.re);
        return;
    }
    report *o = report_object(r, key);
    report_real(o, "re", factor.re);
    report_real(o, "im", factor.im);
}

static void record_product(report *r, const run_job *job)
{
    const run_options *o = job->options;
    report_text(r, "kernel", job->kernel->name);
    report_text(r, "reason", job->reason);
    report_integer(r, "block_size", job->config.block_size);
    report_flag(r, "x_readonly", job->config.x_readonly);
    report_text(r, "precision", spmv_type_name(job->precision));
    record_factor(r, "alpha", o->alpha);
    record_factor(r, "beta", o->beta);
    report_text(r, "x", o->x);
    report_integer(r, "vectors", o->vectors);
    report_flag(r, "transpose", o->transpose);
    report_integer(r, "seed", o->common.seed);
}

static void record_tried(report *r, const run_job *job)
{
    report *all = report_array(r, "tried");
    for (int i = 0; i < job->tried_count; i++) {
        report *o = report_object(all, NULL);
        report_text(o, "kernel", job->tried[i].kernel);
        report_real(o, "time_s", job->tried[i].seconds);
    }
}

report *run_record(const run_job *job)
{
    const run_options *o = job->options;
    report *r = record_create();
    record_matrix(r, job->path, &job->stats, job->A.head.type, job->kernel->format);
    record_product(r, job);
    if (job->tried_count > 0) record_tried(r, job);
    run_record_weighed(r, job);
    record_device(report_object(r, "device"), &job->info);
    record_host(r);
    record_phases(r);
    report_real(r, "setup_s", job->setup);
    record_time(r, job->times.samples, job->times.count);
    report_integer(r, "batch", job->times.batch);
    record_bandwidth(r, &job->bandwidth);
    if (o->verify)
        record_verification(r, &job->verification, job->last_is_wrong ? "last" : "first");
    return r;
}

spmv_status run_write_record(const run_job *job, const report *r, spmv_error *err)
{
    return report_write(r, job->options->common.json, job->options->common.force, err);
}
