/* convert_info.c -- spmv-convert --info: what a file holds and what would be made of it. */
#include "convert.h"
#include "steps.h"

#include <inttypes.h>

typedef struct description {
    const char *path;
    spmv_file_info file;
    spmv_row_stats stats;
    spmv_type type;
    spmv_format format;
    double bytes[SPMV_FORMATS]; /* in memory; 0 where the format cannot hold the matrix */
} description;

static const char *symmetry_name(spmv_symmetry s)
{
    static const char *const names[] = {"general", "symmetric", "skew-symmetric"};
    return names[s];
}

/* Bytes of a format that follow from the lengths of the rows.  Only the overflow of HYB does not:
 * it is built, which never takes more than about three slots per nonzero. */
static spmv_status measure(description *d, const spmv_matrix *A, spmv_error *err)
{
    const double rows = (double)d->stats.rows, nnz = (double)d->stats.nnz;
    const double longest = (double)d->stats.max, value = (double)spmv_type_size(d->type);
    spmv_matrix hyb = {0};

    d->bytes[SPMV_COO] = nnz * (16 + value);
    if (d->stats.cols > INT32_MAX) return SPMV_SUCCESS;
    d->bytes[SPMV_CSR] = (rows + 1) * 8 + nnz * (4 + value);
    d->bytes[SPMV_ELL] = rows * longest * (4 + value);
    if (d->stats.rows <= INT32_MAX) {
        d->bytes[SPMV_CSC] = ((double)d->stats.cols + 1) * 8 + nnz * (4 + value);
        d->bytes[SPMV_JDS] = rows * 4 + (longest + 1) * 8 + nnz * (4 + value);
    }
    const spmv_status st = spmv_convert(&hyb, A, SPMV_HYB, NULL, err);
    if (st == SPMV_SUCCESS) d->bytes[SPMV_HYB] = (double)spmv_bytes(&hyb);
    spmv_destroy(&hyb);
    return st;
}

static spmv_status describe(description *d, const char *path, spmv_error *err)
{
    spmv_status st;
    spmv_matrix A = {0};
    *d = (description){.path = path};
    TOOL_TRY(convert_read(&A, path, false, &d->file, err));
    d->format = A.format;
    d->type = A.head.type;
    if (A.head.symmetry != SPMV_GENERAL) TOOL_TRY(step_apply(&A, spmv_expand, err));
    TOOL_TRY(spmv_row_statistics(&A, &d->stats, err));
    TOOL_TRY(measure(d, &A, err));
done:
    spmv_destroy(&A);
    return st;
}

/* ---- As text -------------------------------------------------------------------------------- */

/* The lengths that bin b counts: 0, 1, 2..3, 4..7, ... */
static int64_t bin_start(int b)
{
    return b == 0 ? 0 : INT64_C(1) << (b - 1);
}

static int64_t bin_end(int b)
{
    return b == 0 ? 0 : bin_start(b) + (bin_start(b) - 1);
}

/* "4..7  1234 ######" for each length that occurs. */
static void print_histogram(const spmv_row_stats *s)
{
    enum { BAR = 40 };
    int64_t most = 1;
    for (int b = 0; b < SPMV_HISTOGRAM_BINS; b++)
        if (s->histogram[b] > most) most = s->histogram[b];
    printf("  %-21s %12s\n", "Entries in a row", "Rows");
    for (int b = 0; b < SPMV_HISTOGRAM_BINS; b++) {
        const int64_t low = bin_start(b), high = bin_end(b);
        const int bar = (int)((double)s->histogram[b] / (double)most * BAR + 0.999);
        char range[48];
        if (s->histogram[b] == 0) continue;
        snprintf(range, sizeof range, low == high ? "%" PRId64 : "%" PRId64 "..%" PRId64, low,
                 high);
        printf("  %-21s %12" PRId64 " %.*s\n", range, s->histogram[b], bar,
               "########################################");
    }
}

static void print_kernel(const description *d, bool gpu)
{
    const char *reason = "";
    const spmv_config c = spmv_config_auto(&d->stats, gpu, &reason);
    printf("  on the %s: %s (%s)\n", gpu ? "GPU" : "CPU", c.kernel, reason);
}

/* " (gzip, bfly/bfly.mtx)" */
static void print_packing(const spmv_file_info *file)
{
    const bool packed = file->compression != NULL, member = file->member[0] != '\0';
    if (!packed && !member) return;
    printf(" (%s%s", packed ? file->compression : "", packed && member ? ", " : "");
    tool_print_visible(file->member, stdout);
    putchar(')');
}

static void print_description(const description *d)
{
    const spmv_row_stats *s = &d->stats;
    tool_print_visible(d->path, stdout);
    printf(": %s, %s, %s", d->file.file_format, spmv_type_name(d->type),
           symmetry_name(d->file.symmetry));
    print_packing(&d->file);
    putchar('\n');
    printf("  %" PRId64 " x %" PRId64 ", %" PRId64 " nonzeros", s->rows, s->cols, s->nnz);
    if (d->file.entries != s->nnz)
        printf(" from %" PRId64 " entries (%" PRId64 " duplicates, %" PRId64 " skipped)",
               d->file.entries, d->file.duplicates, d->file.skipped);
    printf("\n  row lengths: min %" PRId64 ", mean %.4g, max %" PRId64 ", stddev %.4g; %" PRId64
           " empty\n",
           s->min, s->mean, s->max, s->stddev, s->empty);
    print_histogram(s);
    printf("  MB in memory:");
    for (int f = 0; f < SPMV_FORMATS; f++)
        if (d->bytes[f] > 0)
            printf(" %s %.4g", spmv_format_name((spmv_format)f), d->bytes[f] * 1e-6);
    putchar('\n');
    print_kernel(d, true);
    print_kernel(d, false);
}

/* ---- As JSON -------------------------------------------------------------------------------- */

static void record_histogram(report *r, const spmv_row_stats *s)
{
    report *bins = report_array(r, "histogram");
    for (int b = 0; b < SPMV_HISTOGRAM_BINS; b++) {
        if (s->histogram[b] == 0) continue;
        report *bin = report_object(bins, NULL);
        report_integer(bin, "from", bin_start(b));
        report_integer(bin, "to", bin_end(b));
        report_integer(bin, "rows", s->histogram[b]);
    }
}

static void record_kernel(report *r, const description *d, bool gpu)
{
    const char *reason = "";
    const spmv_config c = spmv_config_auto(&d->stats, gpu, &reason);
    report *o = report_object(r, gpu ? "gpu" : "cpu");
    report_text(o, "kernel", c.kernel);
    report_integer(o, "block_size", c.block_size);
    report_text(o, "reason", reason);
}

static void record_description(report *r, const description *d)
{
    report_text(r, "file_format", d->file.file_format);
    if (d->file.compression != NULL) report_text(r, "compression", d->file.compression);
    if (d->file.member[0] != '\0') report_text(r, "member", d->file.member);
    report_text(r, "symmetry", symmetry_name(d->file.symmetry));
    report_integer(r, "entries", d->file.entries);
    report_integer(r, "duplicates", d->file.duplicates);
    report_integer(r, "skipped", d->file.skipped);
    record_matrix(r, d->path, &d->stats, d->type, d->format);
    record_histogram(r, &d->stats);
    report *bytes = report_object(r, "bytes");
    for (int f = 0; f < SPMV_FORMATS; f++)
        if (d->bytes[f] > 0) report_real(bytes, spmv_format_name((spmv_format)f), d->bytes[f]);
    report *automatic = report_object(r, "automatic");
    record_kernel(automatic, d, true);
    record_kernel(automatic, d, false);
}

int convert_info(const operands *files)
{
    spmv_status st = SPMV_SUCCESS;
    spmv_error err = {0};
    report *r = common.json != NULL ? record_create() : NULL;
    report *all = r != NULL ? report_array(r, "files") : NULL;

    if (r != NULL) TOOL_TRY(tool_check_output(common.json, false, files, &err));
    for (int i = 0; i < files->count; i++) {
        description d;
        TOOL_TRY(describe(&d, files->word[i], &err));
        if (r != NULL)
            record_description(report_object(all, NULL), &d);
        else
            print_description(&d);
    }
    if (r != NULL) st = report_write(r, common.json, &err);
done:
    report_destroy(r);
    return tool_finish(st, &err);
}
