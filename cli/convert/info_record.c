/* info_record.c -- a description as a part of a JSON record. */
#include "cli/convert/info.h"

static void record_structure(report *r, const description *d)
{
    const spmv_structure *s = &d->structure;
    report *o = report_object(r, "structure");
    report_text(o, "symmetry", description_found(d));
    report_real(o, "density", description_density(d));
    report_integer(o, "lower_bandwidth", s->lower_bandwidth);
    report_integer(o, "upper_bandwidth", s->upper_bandwidth);
    report_integer(o, "profile", s->profile);
    report_integer(o, "diagonal", s->diagonal);
    report_integer(o, "diagonal_zeros", s->diagonal_zeros);
    if (spmv_type_is_complex(d->type))
        report_integer(o, "diagonal_imaginary", s->diagonal_imaginary);
    report_integer(o, "empty_rows", s->empty_rows);
    report_integer(o, "empty_cols", s->empty_cols);
    if (d->stats.rows != d->stats.cols) return;
    report_real(o, "mirrored", description_share(d, s->mirrored));
    report_real(o, "equal", description_share(d, s->equal));
    report_real(o, "opposite", description_share(d, s->opposite));
    if (spmv_type_is_complex(d->type))
        report_real(o, "conjugate", description_share(d, s->conjugate));
}

static void record_values(report *r, const spmv_structure *s)
{
    report *o = report_object(r, "values");
    report_real(o, "min_abs", s->min_abs);
    report_real(o, "max_abs", s->max_abs);
    if (s->distinct <= SPMV_DISTINCT_VALUES) report_integer(o, "distinct", s->distinct);
    report_integer(o, "zeros", s->zeros);
    report_integer(o, "nan", s->nan);
    report_integer(o, "inf", s->inf);
    report_flag(o, "integers", s->integers);
    report_flag(o, "ones", s->ones);
}

static void record_histogram(report *r, const spmv_row_stats *s)
{
    report *bins = report_array(r, "histogram");
    for (int b = 0; b < SPMV_HISTOGRAM_BINS; b++) {
        if (s->histogram[b] == 0) continue;
        report *bin = report_object(bins, NULL);
        report_integer(bin, "from", description_bin_start(b));
        report_integer(bin, "to", description_bin_end(b));
        report_integer(bin, "rows", s->histogram[b]);
    }
}

static void record_kernel(report *r, const description *d, bool gpu)
{
    const char *reason = "";
    const spmv_kernel_config c = spmv_kernel_config_auto(&d->stats, gpu, &reason);
    report *o = report_object(r, gpu ? "gpu" : "cpu");
    report_text(o, "kernel", c.kernel);
    report_integer(o, "block_size", c.block_size);
    report_text(o, "reason", reason);
}

/* The fill of formats that a conversion refuses. */
static void record_refused(report *r, const description *d)
{
    report *refused = report_object(r, "refused");
    for (int f = 0; f < SPMV_FORMATS; f++)
        if (d->sizes[f].refused)
            report_real(refused, spmv_format_name((spmv_format)f), d->sizes[f].fill);
}

void description_record(const description *d, report *r)
{
    report_text(r, "file_format", d->file.file_format);
    if (d->file.compression != NULL) report_text(r, "compression", d->file.compression);
    if (d->file.member[0] != '\0') report_text(r, "member", d->file.member);
    report_text(r, "field", description_field(d));
    report_text(r, "symmetry", description_declared(d));
    report_integer(r, "entries", d->file.entries);
    report_integer(r, "duplicates", d->file.duplicates);
    report_integer(r, "skipped", d->file.skipped);
    if (d->file.smallest_id >= 0) {
        report_integer(r, "smallest_id", d->file.smallest_id);
        report_integer(r, "loops", d->file.loops);
    }
    record_matrix(r, d->path, &d->stats, d->type, d->format);
    record_structure(r, d);
    record_values(r, &d->structure);
    record_histogram(r, &d->stats);
    report *bytes = report_object(r, "bytes");
    for (int f = 0; f < SPMV_FORMATS; f++)
        if (d->sizes[f].bytes > 0)
            report_real(bytes, spmv_format_name((spmv_format)f), d->sizes[f].bytes);
    record_refused(r, d);
    report *automatic = report_object(r, "automatic");
    record_kernel(automatic, d, true);
    record_kernel(automatic, d, false);
}
