/* info_line.c -- spmv-convert --info with a line for each file: to read, and as comma-separated
 * values. */
#include "cli/convert/description.h"
#include "cli/text/cell_text.h"
#include "cli/tool/message.h"
#include "cli/text/utf8.h"

#include <inttypes.h>

enum { NAME = 22 };

void info_heading(int format)
{
    if (format == INFO_LINE)
        printf("%-*s %10s %10s %12s  %-8s %s\n", NAME, "matrix", "rows", "columns", "nonzeros",
               "values", "symmetry");
    if (format == INFO_CSV)
        fputs(
            "matrix,file,file_format,format,field,symmetry,structure,rows,cols,nnz,entries,density,"
            "min_row,mean_row,max_row,lower_bandwidth,upper_bandwidth\r\n",
            stdout);
}

void info_line(const description *d)
{
    const spmv_row_stats *s = &d->stats;
    const int rest = NAME - utf8_columns(d->name);
    tool_print_visible(d->name, stdout);
    printf("%*s %10" PRId64 " %10" PRId64 " %12" PRId64 "  %-8s %s\n", rest > 0 ? rest : 0, "",
           s->rows, s->cols, s->nnz, description_field(d), description_found(d));
}

void info_csv(const description *d)
{
    const spmv_row_stats *s = &d->stats;
    const char *const texts[] = {d->path,
                                 d->file.file_format,
                                 spmv_format_name(d->format),
                                 description_field(d),
                                 description_declared(d),
                                 description_found(d)};
    const int64_t counts[] = {s->rows, s->cols, s->nnz, d->file.entries};
    char real[REPORT_REAL_SIZE];
    tool_csv_text(d->name, stdout);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        putchar(',');
        tool_csv_text(texts[i], stdout);
    }
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) printf(",%" PRId64, counts[i]);
    printf(",%s", report_show_real(description_density(d), real));
    printf(",%" PRId64 ",%s", s->min, report_show_real(s->mean, real));
    printf(",%" PRId64 ",%" PRId64 ",%" PRId64 "\r\n", s->max, d->structure.lower_bandwidth,
           d->structure.upper_bandwidth);
}
