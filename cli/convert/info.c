/* info.c -- spmv-convert --info: what a file holds and what would be made of it, as text or JSON.
 */
#include "cli/convert/description.h"
#include "cli/tool/fail.h"
#include "cli/tool/message.h"
#include "cli/text/number_text.h"
#include "cli/text/wrap.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- As text -------------------------------------------------------------------------------- */

enum { INDENT = 14, BAR_COLUMN = 38, LONGEST_BAR = 40 };

/* Returns a percentage that is 100 only where nothing is missing. */
static double percent(double share)
{
    return share < 1 && share > 0.9999 ? 99.99 : 100 * share;
}

/* Print " (gzip, bfly/bfly.mtx)". */
static void print_packing(const spmv_file_info *file)
{
    const bool packed = file->compression != NULL, member = file->member[0] != '\0';
    if (!packed && !member) return;
    printf(" (%s%s", packed ? file->compression : "", packed && member ? ", " : "");
    tool_print_visible(file->member, stdout);
    putchar(')');
}

static bool is_binary(const description *d)
{
    return strcmp(d->file.file_format, "binary") == 0;
}

/* A binary file says which storage format it holds. */
static void print_head(const description *d)
{
    tool_print_visible(d->path, stdout);
    printf(": %s%s%s, %s, %s", d->file.file_format, is_binary(d) ? " " : "",
           is_binary(d) ? spmv_format_name(d->format) : "", description_field(d),
           description_declared(d));
    print_packing(&d->file);
    putchar('\n');
}

static void print_size(const description *d)
{
    const spmv_row_stats *s = &d->stats;
    printf("  Size        %" PRId64 " x %" PRId64 ", %" PRId64 " nonzeros", s->rows, s->cols,
           s->nnz);
    if (s->nnz > 0) printf(" (%.4g %% of all places)", percent(description_density(d)));
    putchar('\n');
    if (d->file.entries != s->nnz)
        printf("  Entries     %" PRId64 " in the file, %" PRId64 " duplicates, %" PRId64
               " skipped\n",
               d->file.entries, d->file.duplicates, d->file.skipped);
    if (d->file.smallest_id >= 0)
        printf("  Nodes       from %" PRId64 ", %" PRId64 " loops\n", d->file.smallest_id,
               d->file.loops);
    if (d->file.headings) puts("  Headings    in the first line, which is no edge");
}

static void print_value_range(const description *d)
{
    const spmv_structure *s = &d->structure;
    if (d->type == SPMV_PATTERN || d->stats.nnz == 0) return;
    printf("  Values      ");
    if (s->max_abs > 0) printf("%.6g <= |a| <= %.6g, ", s->min_abs, s->max_abs);
    if (s->distinct > SPMV_DISTINCT_VALUES)
        printf("more than %d different", SPMV_DISTINCT_VALUES);
    else
        printf("%d different", s->distinct);
    printf("%s\n", s->ones ? ", all 1" : s->integers ? ", all integers" : "");
    printf("  Zeros       %" PRId64 " stored", s->zeros);
    if (s->nan > 0) printf("; %" PRId64 " NaN", s->nan);
    if (s->inf > 0) printf("; %" PRId64 " infinite", s->inf);
    putchar('\n');
}

static void print_symmetry(const description *d)
{
    const spmv_structure *s = &d->structure;
    const char *found = description_found(d), *kind = "equal";
    int64_t part = s->equal;
    if (d->stats.rows != d->stats.cols) return;
    if (d->stats.nnz == s->diagonal) {
        printf("  Symmetry    symmetric; nothing lies off the diagonal\n");
        return;
    }
    if (strcmp(found, "skew-symmetric") == 0) {
        kind = "opposite";
        part = s->opposite;
    } else if (strcmp(found, "hermitian") == 0) {
        kind = "conjugate";
        part = s->conjugate;
    }
    printf("  Symmetry    %s; of the entries off the diagonal,\n%*s%.4g %% have a mirror image",
           found, INDENT, "", percent(description_share(d, s->mirrored)));
    if (d->type != SPMV_PATTERN)
        printf(", %.4g %% one of %s value", percent(description_share(d, part)), kind);
    putchar('\n');
}

static void print_places(const description *d)
{
    const spmv_structure *s = &d->structure;
    const spmv_row_stats *rows = &d->stats;
    printf("  Bandwidth   %" PRId64 " below, %" PRId64 " above the diagonal; profile %" PRId64 "\n",
           s->lower_bandwidth, s->upper_bandwidth, s->profile);
    printf("  Diagonal    %" PRId64 " of %" PRId64 " stored", s->diagonal,
           rows->rows < rows->cols ? rows->rows : rows->cols);
    if (s->diagonal_zeros > 0) printf(", %" PRId64 " of them zero", s->diagonal_zeros);
    putchar('\n');
    printf("  Empty       %" PRId64 " rows, %" PRId64 " columns\n", s->empty_rows, s->empty_cols);
    printf("  Row length  min %" PRId64 ", mean %.4g, max %" PRId64 ", stddev %.4g\n", rows->min,
           rows->mean, rows->max, rows->stddev);
}

/* Print "4..7  1234 ######" for the lengths that occur. */
static void print_histogram(const spmv_row_stats *s)
{
    static const char full[] = "########################################";
    const int room = wrap_width(stdout) - BAR_COLUMN;
    const int longest = room < LONGEST_BAR ? room : LONGEST_BAR;
    int64_t most = 1;
    if (s->rows == 0) return;
    for (int b = 0; b < SPMV_HISTOGRAM_BINS; b++)
        if (s->histogram[b] > most) most = s->histogram[b];
    printf("  %-21s %12s\n", "Entries in a row", "Rows");
    for (int b = 0; b < SPMV_HISTOGRAM_BINS; b++) {
        const int64_t low = description_bin_start(b), high = description_bin_end(b);
        const double part = (double)s->histogram[b] / (double)most;
        const int bar = (int)ceil(part * longest);
        char range[48];
        if (s->histogram[b] == 0) continue;
        snprintf(range, sizeof range, low == high ? "%" PRId64 : "%" PRId64 "..%" PRId64, low,
                 high);
        printf("  %-21s %12" PRId64 " %.*s\n", range, s->histogram[b], bar, full);
    }
}

static void print_memory(const description *d)
{
    const int width = wrap_width(stdout);
    int column = printf("  Memory    ");
    for (int f = 0; f < SPMV_FORMATS; f++) {
        char word[64], bytes[TOOL_NUMBER];
        const int length = snprintf(word, sizeof word, "  %s %s", spmv_format_name((spmv_format)f),
                                    tool_bytes_text(d->sizes[f].bytes, bytes));
        if (d->unsized[f] != SPMV_SUCCESS || d->sizes[f].refused) continue;
        if (column + length > width) column = printf("\n%*s", INDENT - 2, "") - 1;
        column += printf("%s", word);
    }
    putchar('\n');
}

/* Print the formats that a conversion refuses, with what they would take. */
static void print_refused(const description *d)
{
    char bytes[TOOL_NUMBER];
    for (int f = 0; f < SPMV_FORMATS; f++) {
        const spmv_size *s = &d->sizes[f];
        if (s->refused)
            printf("  Refused     %s, %s: fill %.3g above limit %.3g\n",
                   spmv_format_name((spmv_format)f), tool_bytes_text(s->bytes, bytes), s->fill,
                   s->limit);
    }
}

/* Print the formats that have no size, and why. */
static void print_unsized(const description *d, spmv_status why, const char *text)
{
    int count = 0;
    for (int f = 0; f < SPMV_FORMATS; f++)
        if (d->unsized[f] == why)
            printf("%s%s", count++ == 0 ? "  No size     " : ", ",
                   spmv_format_name((spmv_format)f));
    if (count > 0) printf(": %s\n", text);
}

static void print_kernel(const description *d, bool gpu)
{
    const char *reason = "";
    const spmv_kernel_options c = spmv_kernel_options_auto(&d->stats, gpu, &reason);
    const wrap how = {stdout, wrap_width(stdout), INDENT, ""};
    char text[160];
    snprintf(text, sizeof text, "%s: %s", c.kernel, reason);
    wrap_words(&how, printf("  On the %s  ", gpu ? "GPU" : "CPU"), text);
}

static void print_description(const description *d)
{
    print_head(d);
    print_size(d);
    print_value_range(d);
    print_symmetry(d);
    print_places(d);
    print_histogram(&d->stats);
    print_memory(d);
    print_refused(d);
    print_unsized(d, SPMV_ERROR_INVALID_DIMENSION, "too many rows or columns");
    print_unsized(d, SPMV_ERROR_UNSUPPORTED, "not worked out, far more rows than entries");
    print_kernel(d, true);
    print_kernel(d, false);
}

/* ---- As a part of a JSON record ------------------------------------------------------------- */

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
    const spmv_kernel_options c = spmv_kernel_options_auto(&d->stats, gpu, &reason);
    report *o = report_object(r, gpu ? "gpu" : "cpu");
    report_text(o, "kernel", c.kernel);
    report_integer(o, "block_size", c.block_size);
    report_text(o, "reason", reason);
}

/* Record the fill of the formats that a conversion refuses. */
static void record_refused(report *r, const description *d)
{
    report *refused = report_object(r, "refused");
    for (int f = 0; f < SPMV_FORMATS; f++)
        if (d->sizes[f].refused)
            report_real(refused, spmv_format_name((spmv_format)f), d->sizes[f].fill);
}

static void record_description(const description *d, report *r)
{
    record_reading(r, &d->file);
    report_text(r, "field", description_field(d));
    report_text(r, "symmetry", description_declared(d));
    record_matrix(r, d->path, &d->stats, d->type, d->format);
    record_structure(r, d);
    record_values(r, &d->structure);
    record_histogram(r, &d->stats);
    report *bytes = report_object(r, "bytes");
    for (int f = 0; f < SPMV_FORMATS; f++)
        if (d->unsized[f] == SPMV_SUCCESS)
            report_real(bytes, spmv_format_name((spmv_format)f), d->sizes[f].bytes);
    record_refused(r, d);
    report *automatic = report_object(r, "automatic");
    record_kernel(automatic, d, true);
    record_kernel(automatic, d, false);
}

/* ---- All files ------------------------------------------------------------------------------ */

static spmv_status begin(convert_task *task, spmv_error *err)
{
    (void)err;
    if (task->all == NULL) info_heading(task->options->format);
    return SPMV_SUCCESS;
}

static spmv_status describe(convert_task *task, const tool_input *input, spmv_error *err)
{
    static void (*const print[])(const description *d) = {
        [INFO_TEXT] = print_description, [INFO_LINE] = info_line, [INFO_CSV] = info_csv};
    description d;
    const spmv_status st = description_make(&d, task->options, input, err);
    if (task->all != NULL) {
        report *r = report_object(task->all, NULL);
        report_text(r, "file", input->path);
        convert_record_outcome(r, st, err);
        if (st == SPMV_SUCCESS) record_description(&d, r);
    } else if (st == SPMV_SUCCESS) {
        print[task->options->format](&d);
    }
    return st;
}

int convert_info(const convert_options *o, const operands *files)
{
    convert_task task = {
        .options = o, .array = "files", .prints = true, .begin = begin, .work = describe};
    return convert_run(&task, files);
}
