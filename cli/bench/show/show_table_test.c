/* show_table_test.c -- the table of a matrix, for people. */
#include "cli/bench/show/export.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* The row of a result in the table. */
static const char *row_of(const char *record, char *text, size_t size)
{
    bench_results all = {0};
    const char *p = record;
    cr_assert_eq(bench_results_add(&all, report_parse(&p, p + strlen(p)), NULL), SPMV_SUCCESS);
    FILE *out = fmemopen(text, size, "w");
    cr_assert_not_null(out);
    cr_assert(bench_export_table.matrix(all.item, all.count, out));
    cr_assert_eq(fclose(out), 0);
    bench_results_destroy(&all);
    return strstr(text, "\nk ");
}

/* A rate that is all digits behind the point is longer than its column. */
Test(show_table, long_numbers_stand_apart)
{
    char text[2000];
    const char *row = row_of("{\"matrix\":{\"file\":\"a\",\"name\":\"a\"},\"kernel\":\"k\","
                             "\"precision\":\"f64\",\"device\":{\"kind\":\"cpu\"},"
                             "\"time_s\":{\"median\":0.5886},\"gflops\":0.000826,"
                             "\"bandwidth_bytes_per_s\":813e3}",
                             text, sizeof text);
    cr_assert_not_null(row, "%s", text);
    cr_assert_not_null(strstr(row, " 588.6 ms 0.000826 0.000813 "), "%s", row);
}
