/* record.c -- the sections of the JSON record, as spmv-1.schema.json describes them. */
#include "cli/json/record.h"
#include "cli/measure/samples.h"
#include "cli/tool/message.h"
#include "cli/tool/path.h"
#include "cli/tool/phase.h"
#include "cli/tool/ranks.h"
#include "cli/tool/self.h"
#include "cli/tool/version.h"

#include <sys/utsname.h>
#include <unistd.h>

report *record_create(void)
{
    return record_create_of(time(NULL));
}

report *record_create_of(time_t when)
{
    char utc[32];
    struct tm calendar;
    int count;
    const char *const *words = tool_arguments(&count);
    report *r = report_create();

    report_text(r, "schema", "spmv/1");
    report_text(r, "tool", tool_name());
    report_text(r, "version", SPMV_VERSION);
    report_text(r, "commit", version_commit());
    report *arguments = report_array(r, "arguments");
    for (int i = 1; i < count; i++) report_text(arguments, NULL, words[i]);
    strftime(utc, sizeof utc, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&when, &calendar));
    report_text(r, "time_utc", utc);
    return r;
}

void record_reading(report *r, const spmv_file_info *info)
{
    report_text(r, "file_format", info->file_format);
    if (info->compression != NULL) report_text(r, "compression", info->compression);
    if (info->member[0] != '\0') report_text(r, "member", info->member);
    report_integer(r, "entries", info->entries);
    report_integer(r, "duplicates", info->duplicates);
    report_integer(r, "skipped", info->skipped);
    if (info->smallest_id >= 0) {
        report_integer(r, "smallest_id", info->smallest_id);
        report_integer(r, "loops", info->loops);
    }
    if (info->headings) report_flag(r, "headings", true);
}

report *record_matrix(report *r, const char *file, const spmv_row_stats *stats, spmv_type type,
                      spmv_format format)
{
    return record_matrix_named(r, file, tool_base_name(file), stats, type, format);
}

report *record_matrix_named(report *r, const char *file, const char *name,
                            const spmv_row_stats *stats, spmv_type type, spmv_format format)
{
    report *m = report_object(r, "matrix");
    report_text(m, "file", file);
    report_text(m, "name", name);
    report_integer(m, "rows", stats->rows);
    report_integer(m, "cols", stats->cols);
    report_integer(m, "nnz", stats->nnz);
    report_text(m, "format", spmv_format_name(format));
    report_text(m, "type", spmv_type_name(type));
    report *lengths = report_object(m, "row_length");
    report_integer(lengths, "min", stats->min);
    report_real(lengths, "mean", stats->mean);
    report_integer(lengths, "max", stats->max);
    report_real(lengths, "stddev", stats->stddev);
    report_integer(lengths, "empty", stats->empty);
    return m;
}

void record_device(report *d, const spmv_device_info *device)
{
    const bool gpu = device->device != SPMV_DEVICE_CPU;
    report_text(d, "kind", gpu ? "gpu" : "cpu");
    report_text(d, "name", device->name);
    report_integer(d, gpu ? "multiprocessors" : "threads", device->multiprocessors);
    report_integer(d, "memory_bytes", device->memory);
    report_integer(d, "cache_bytes", device->cache);
    report_real(d, "bandwidth_bytes_per_s", device->bandwidth);
    if (!gpu) return;
    report_integer(d, "number", device->device);
    report_real(d, "clock_hz", device->clock_khz * 1e3);
    report_real(d, "memory_clock_hz", device->memory_clock_khz * 1e3);
    report_integer(d, "driver_version", device->driver_version);
    report_integer(d, "runtime_version", device->runtime_version);
    report_integer(d, "compute_capability", device->compute_capability);
}

void record_host(report *r)
{
    struct utsname u;
    report *h = report_object(r, "host");
    if (uname(&u) != 0) return;
    report_text(h, "name", u.nodename);
    report_text(h, "system", u.sysname);
    report_text(h, "release", u.release);
    report_text(h, "machine", u.machine);
    report_integer(h, "processors", sysconf(_SC_NPROCESSORS_ONLN));
    if (tool_rank_count() > 1) report_integer(h, "processes", tool_rank_count());
}

void record_phase_list(report *r, const tool_phase *phases, int count)
{
    report *all = report_array(r, "phases");
    for (int i = 0; i < count; i++) {
        report *p = report_object(all, NULL);
        report_text(p, "name", phases[i].name);
        report_real(p, "time_s", phases[i].seconds);
        report_integer(p, "bytes", phases[i].bytes);
    }
}

void record_phases(report *r)
{
    record_phase_list(r, tool_phase_at(0), tool_phase_count());
}

void record_time(report *r, const double *samples, int count)
{
    const sample_stats s = samples_summarise(samples, count);
    report *t = report_object(r, "time_s");
    report *all = report_array(t, "samples");
    for (int i = 0; i < count; i++) report_real(all, NULL, samples[i]);
    report_real(t, "min", s.min);
    report_real(t, "median", s.median);
    report_real(t, "mean", s.mean);
    report_real(t, "max", s.max);
    report_real(t, "stddev", s.stddev);
    report_real(t, "p5", s.p5);
    report_real(t, "p95", s.p95);
    report_real(t, "median_low", s.median_low);
    report_real(t, "median_high", s.median_high);
    report_real(t, "noise", s.noise);
    report_real(t, "fence", s.fence);
    report_integer(t, "outliers", s.outliers);
}

void record_bandwidth(report *r, const spmv_bandwidth *bandwidth)
{
    report_real(r, "gflops", bandwidth->flops_per_second * 1e-9);
    report_real(r, "useful_bytes", bandwidth->useful_bytes);
    report_real(r, "moved_bytes", bandwidth->moved_bytes);
    report_real(r, "bandwidth_bytes_per_s", bandwidth->achieved);
    report_real(r, "theoretical_bytes_per_s", bandwidth->theoretical);
    report_real(r, "efficiency", bandwidth->efficiency);
}

report *record_verification(report *r, const spmv_verification *v, const char *product)
{
    report *o = report_object(r, "verify");
    report_real(o, "max_abs_error", v->max_abs_error);
    report_real(o, "max_rel_error", v->max_rel_error);
    report_real(o, "excess", v->excess);
    report_integer(o, "wrong", v->wrong);
    report_integer(o, "mismatches", v->mismatches);
    report_integer(o, "worst_row", v->worst_row);
    report_real(o, "scaled_error", v->scaled_error);
    report_real(o, "tolerance", v->tolerance);
    report_flag(o, "pass", v->pass);
    report_text(o, "product", product);
    return o;
}

report *record_failure(report *r, spmv_status st, const spmv_error *err)
{
    report *failure = report_object(r, "failure");
    char message[sizeof err->message];
    report_text(failure, "status", spmv_status_name(st));
    tool_spell_options(err->message[0] != '\0' ? err->message : spmv_error_string(st), message,
                       sizeof message);
    report_text(failure, "message", message);
    if (err->line > 0) report_integer(failure, "line", err->line);
    if (err->column > 0) report_integer(failure, "column", err->column);
    return failure;
}
