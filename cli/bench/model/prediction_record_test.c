/* prediction_record_test.c -- what records say of a prediction that was made before. */
#include "cli/bench/measure/started_bench_test.h"
#include "cli/bench/model/show_predictions.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static bench_options opt = {.common = COMMON_DEFAULTS};

static void start_tool(void)
{
    bench_test_start(&opt);
}

TestSuite(prediction_record, .init = start_tool);

/* Written into a document and as a line, and however much later, a record is the same. */
Test(prediction_record, tells_the_time_of_the_prediction)
{
    static spmv_part_costs costs = {.rows = 4, .nnz = 9, .owned = 4};
    prediction p = {.file = "a.mtx",
                    .name = "a",
                    .stats = {.rows = 4, .cols = 4, .nnz = 9},
                    .type = SPMV_F64,
                    .precision = SPMV_F64,
                    .machine = {.ranks = 1, .memory = 1e9},
                    .costs = &costs,
                    .made = 1000000000};
    const prediction_list all = {.item = &p, .count = 1};
    char *line, *document;
    size_t bytes;
    FILE *out = open_memstream(&line, &bytes);
    cr_assert(prediction_write_jsonl(&all, out));
    fclose(out);
    out = open_memstream(&document, &bytes);
    cr_assert(prediction_write_json(&all, out));
    fclose(out);
    cr_expect_not_null(strstr(line, "\"time_utc\":\"2001-09-09T01:46:40Z\""), "%s", line);
    line[strcspn(line, "\n")] = '\0';
    cr_expect_not_null(strstr(document, line), "%s is not in %s", line, document);
    free(line);
    free(document);
}
