/* bench_record_test.c -- measurements to records and back. */
#include "cli/bench/measure/bench_record.h"
#include "cli/bench/show/export.h"
#include "cli/bench/measure/started_bench_test.h"

#include <cJSON.h>
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bench_options opt = {.common = COMMON_DEFAULTS};

static void start_tool(void)
{
    bench_test_start(&opt);
}

TestSuite(bench_record, .init = start_tool);

/* xorshift64*: any finite double that is not negative. */
static double any_double(uint64_t *state)
{
    double value;
    do {
        *state ^= *state >> 12;
        *state ^= *state << 25;
        *state ^= *state >> 27;
        const uint64_t bits = *state * 0x2545f4914f6cdd1du & INT64_MAX;
        memcpy(&value, &bits, sizeof value);
    } while (!isfinite(value));
    return value;
}

static void fill_times(bench_times *t, uint64_t *state)
{
    t->count = 1 + (int)(*state % 40);
    t->batch = (int64_t)(*state % 1000);
    /* Beyond 1e150 the squares of a standard deviation would overflow. */
    for (int i = 0; i < t->count; i++) t->samples[i] = fmod(any_double(state), 1e3) + 1e-9;
}

static void fill_bandwidth(spmv_bandwidth *b, uint64_t *state)
{
    b->flops_per_second = any_double(state);
    b->achieved = any_double(state);
    b->efficiency = any_double(state);
    b->theoretical = any_double(state);
    b->useful_bytes = any_double(state);
    b->moved_bytes = any_double(state);
}

static void fill(bench_measurement *m, bench_matrix *matrix, uint64_t *state)
{
    matrix->stats.rows = (int64_t)(*state >> 1);
    matrix->stats.cols = (int64_t)(*state >> 20);
    matrix->stats.nnz = INT64_MAX - (int64_t)(*state % 1000);
    matrix->stats.mean = any_double(state);
    fill_times(&m->warm, state);
    fill_times(&m->cold, state);
    fill_times(&m->graph, state);
    fill_bandwidth(&m->bandwidth, state);
    fill_bandwidth(&m->cold_bandwidth, state);
    fill_bandwidth(&m->graph_bandwidth, state);
    m->ceilings.stream = any_double(state);
    m->ceilings.gather = any_double(state);
    m->format_s = fmod(any_double(state), 1e6);
    m->copy_s = fmod(any_double(state), 1e6);
    m->prepare_s = fmod(any_double(state), 1e6);
    m->verified = true;
    m->verification.max_abs_error = any_double(state);
    m->verification.max_rel_error = any_double(state);
    m->verification.pass = *state % 2 == 0;
}

static char *csv_of(const bench_result *r)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    bench_export_csv.matrix(r, 1, out);
    fclose(out);
    return text;
}

/* What was measured is what the view shows, to the bit. */
static void expect_view(const bench_result *r, const bench_measurement *m, int k)
{
    cr_assert_eq(r->rows, m->matrix->stats.rows, "seed 14, case %d", k);
    cr_assert_eq(r->nnz, m->matrix->stats.nnz, "seed 14, case %d", k);
    cr_assert_eq(r->row_mean, m->matrix->stats.mean, "seed 14, case %d", k);
    cr_assert_eq(r->warm.samples, m->warm.count, "seed 14, case %d", k);
    cr_assert_eq(r->warm.gflops, m->bandwidth.flops_per_second * 1e-9, "seed 14, case %d", k);
    cr_assert_eq(r->cold.bandwidth, m->cold_bandwidth.achieved, "seed 14, case %d", k);
    cr_assert_eq(r->cold.efficiency, m->cold_bandwidth.efficiency, "case %d", k);
    cr_assert_eq(r->graph.efficiency, m->graph_bandwidth.efficiency, "case %d", k);
    cr_assert_eq(r->moved_bytes, m->bandwidth.moved_bytes, "seed 14, case %d", k);
    cr_assert_eq(r->stream, m->ceilings.stream, "seed 14, case %d", k);
    cr_assert_eq(r->gather, m->ceilings.gather, "seed 14, case %d", k);
    cr_assert_eq(r->setup_s, m->format_s + m->copy_s + m->prepare_s, "case %d", k);
    cr_assert_eq(r->max_rel_error, m->verification.max_rel_error, "case %d", k);
    cr_assert_eq(r->pass, m->verification.pass, "seed 14, case %d", k);
    cr_assert_str_eq(r->file, m->matrix->file);
    cr_assert_str_eq(r->kernel, m->candidate->name);
}

Test(bench_record, json_round_trip_is_exact)
{
    static bench_measurement m;
    bench_matrix matrix = {
        .options = &opt, .file = "a \"b\"\\\n.mtx", .name = "a", .precision = SPMV_F64};
    bench_candidate candidate = {.name = "cpu-csr", .kernel = spmv_kernel_find("cpu-csr")};
    uint64_t state = 14;
    m.matrix = &matrix;
    m.candidate = &candidate;
    for (int k = 0; k < 200; k++) {
        bench_results all = {0};
        fill(&m, &matrix, &state);
        cr_assert_eq(bench_results_add(&all, bench_record(&m), NULL), SPMV_SUCCESS);
        char *text = report_print(all.item[0].record, k % 2 == 0);
        const char *p = text;
        report *back = report_parse(&p, p + strlen(p));
        cr_assert_not_null(back, "seed 14, case %d: %s", k, text);
        char *again = report_print(back, k % 2 == 0);
        cr_assert_str_eq(again, text, "seed 14, case %d", k);
        cr_assert_eq(bench_results_add(&all, back, NULL), SPMV_SUCCESS);
        expect_view(&all.item[1], &m, k);
        char *first = csv_of(&all.item[0]), *second = csv_of(&all.item[1]);
        cr_assert_str_eq(first, second, "seed 14, case %d", k);
        free(first);
        free(second);
        free(text);
        free(again);
        bench_results_destroy(&all);
    }
}

/* The schema of what a path leads to, or NULL. */
static const report *described(const report *schema, const char *path)
{
    const report *node = schema;
    char key[64];
    for (size_t n; node != NULL && *path != '\0'; path += n + (path[n] == '.')) {
        n = strcspn(path, ".");
        snprintf(key, sizeof key, "%.*s", (int)n, path);
        node = report_member(report_member(node, "properties"), key);
        const char *reference = report_text_at(node, "$ref");
        if (strncmp(reference, "#/$defs/", 8) == 0)
            node = report_member(report_member(schema, "$defs"), reference + 8);
    }
    return node;
}

Test(bench_record, the_schema_has_every_metric)
{
    FILE *file = fopen(SPMV_TESTDATA "/../cli/json/spmv-1.schema.json", "r");
    static char text[1 << 16];
    const char *p = text;
    cr_assert_not_null(file);
    cr_assert_gt(fread(text, 1, sizeof text - 1, file), 0);
    fclose(file);
    report *schema = report_parse(&p, p + strlen(p));
    cr_assert_not_null(schema);
    for (int i = 0; i < BENCH_METRICS; i++)
        cr_expect_not_null(described(schema, bench_metrics[i].path), "%s", bench_metrics[i].path);
    cr_assert_null(described(schema, "time_s.medium"));
    report_destroy(schema);
}

/* ---- What results say together -------------------------------------------------------------- */

static void add(bench_results *all, const char *kernel, const char *format, double median,
                double setup)
{
    char text[512];
    const char *p = text;
    snprintf(
        text, sizeof text,
        "{\"matrix\":{\"file\":\"a\",\"format\":\"%s\"},\"kernel\":\"%s\",\"precision\":\"f64\","
        "\"device\":{\"kind\":\"cpu\"},\"setup_s\":%g,\"time_s\":{\"median\":%g}}",
        format, kernel, setup, median);
    cr_assert_eq(bench_results_add(all, report_parse(&p, p + strlen(p)), NULL), SPMV_SUCCESS);
}

static void add_kernels(bench_results *all)
{
    add(all, "cpu-csr", "csr", 5e-3, 1e-3);
    add(all, "cpu-other", "csr", 6e-3, 1e-3);
    add(all, "cpu-jds", "jds", 3e-3, 10e-3);
}

/* jds costs 9 ms more to set up than the faster of the two on CSR and saves 2 ms each time; the
 * slower one on CSR costs the same and saves nothing. */
Test(bench_record, break_even_against_our_own)
{
    bench_results all = {0};
    add_kernels(&all);
    bench_relate(&all, 0);
    cr_assert_eq(all.item[0].break_even, 0);
    cr_assert(isnan(all.item[1].break_even));
    cr_assert_eq(all.item[2].break_even, 5);
    cr_assert(isnan(all.item[2].peer_ratio));
    cr_assert_str_eq(report_text_at(all.item[2].record, "break_even.kernel"), "cpu-csr");
    cr_assert_eq(report_real_at(all.item[2].record, "break_even.setup_multiplications"), 2);
    bench_results_destroy(&all);
}

/* The peer takes CSR in 8 ms: jds saves its 10 ms of set-up in two multiplications, the others
 * theirs in one.  Its best takes COO. */
Test(bench_record, break_even_and_the_best_peer)
{
    bench_results all = {0};
    add_kernels(&all);
    add(&all, "peer:csr", "csr", 8e-3, 0);
    add(&all, "peer:fast", "coo", 4e-3, 0);
    bench_relate(&all, 0);
    cr_assert_eq(all.item[0].break_even, 1);
    cr_assert_eq(all.item[1].break_even, 1);
    cr_assert_eq(all.item[2].break_even, 2);
    cr_assert_eq(all.item[3].break_even, 0);
    cr_assert_float_eq(all.item[0].peer_ratio, 0.8, 1e-12);
    cr_assert_float_eq(all.item[2].peer_ratio, 4.0 / 3, 1e-12);
    cr_assert_float_eq(all.item[3].peer_ratio, 0.5, 1e-12);
    cr_assert_str_eq(report_text_at(all.item[2].record, "best_peer.kernel"), "peer:fast");
    cr_assert_str_eq(report_text_at(all.item[2].record, "break_even.kernel"), "peer:csr");
    bench_results_destroy(&all);
}

static void add_on_gpus(bench_results *all, const char *more, const char *device, double median)
{
    char text[300];
    const char *p = text;
    snprintf(
        text, sizeof text,
        "{\"matrix\":{\"file\":\"a\",\"format\":\"csr\"},\"kernel\":\"k\",%s\"precision\":\"f64\","
        "\"device\":{\"kind\":\"gpu\",\"name\":\"%s\"},\"time_s\":{\"median\":%g}}",
        more, device, median);
    cr_assert_eq(bench_results_add(all, report_parse(&p, p + strlen(p)), NULL), SPMV_SUCCESS);
}

/* Several GPUs are compared with one of them, and what a rule chose with what the rule chose. */
Test(bench_record, the_speedup_of_several_gpus)
{
    bench_results all = {0};
    add_on_gpus(&all, "", "another", 100);
    add_on_gpus(&all, "", "a x b", 6);
    add_on_gpus(&all, "\"chosen_by\":\"auto\",", "a x b", 4);
    add_on_gpus(&all, "\"gpus\":2,\"title\":\"2 x k\",", "2 x a x b", 3);
    add_on_gpus(&all, "\"gpus\":2,\"title\":\"2 x k\",\"chosen_by\":\"auto\",", "2 x a x b", 2.5);
    add_on_gpus(&all, "\"gpus\":2,\"title\":\"2 x k\",", "2 x c", 1);
    bench_relate(&all, 0);
    for (int i = 0; i < 3; i++) cr_assert(isnan(all.item[i].speedup));
    cr_assert_eq(all.item[3].speedup, 2);
    cr_assert_eq(all.item[4].speedup, 1.6);
    cr_assert(isnan(all.item[5].speedup));
    cr_assert_eq(report_real_at(all.item[3].record, "speedup"), 2);
    bench_results_destroy(&all);
}

/* ---- Nothing is left out in silence --------------------------------------------------------- */

Test(bench_record, any_number_of_candidates)
{
    enum { MANY = 1000 };
    static char name[MANY][24];
    bench_candidates all = {0};
    for (int i = 0; i < MANY; i++) {
        snprintf(name[i], sizeof name[i], "kernel%d", i);
        cr_assert_eq(bench_add_candidate(&all, &(bench_candidate){.name = name[i]}, NULL),
                     SPMV_SUCCESS);
    }
    cr_assert_eq(all.count, MANY);
    cr_assert_str_eq(all.item[MANY - 1].name, name[MANY - 1]);
    bench_candidates_destroy(&all);
}

/* A kernel that was named and chosen is one, unless it is chosen with another block size. */
Test(bench_record, rules_that_chose_a_named_kernel)
{
    char text[BENCH_RULES_TEXT];
    bench_candidates all = {0};
    const bench_candidate items[] = {{.name = "k"},
                                     {.name = "k", .rules = 1, .reason = "short rows"},
                                     {.name = "k", .rules = 2, .reason = "a rule"},
                                     {.name = "k", .rules = 2, .config.block_size = 64},
                                     {.name = "other"}};
    for (int i = 0; i < 5; i++)
        cr_assert_eq(bench_add_candidate(&all, &items[i], NULL), SPMV_SUCCESS);
    cr_assert_eq(all.count, 3);
    cr_assert_str_eq(bench_show_rules(&all.item[0], text), "auto,auto-rule");
    cr_assert_str_eq(all.item[0].reason, "short rows");
    cr_assert_str_eq(bench_show_rules(&all.item[1], text), "auto-rule");
    cr_assert_str_eq(bench_show_rules(&all.item[2], text), "");
    bench_candidates_destroy(&all);
}

static int allocations_left;

static void *scarce(size_t size)
{
    return allocations_left-- > 0 ? malloc(size) : NULL;
}

static spmv_status export_with(const bench_exporter *exporter, const bench_results *all, int left)
{
    cJSON_Hooks hooks = {.malloc_fn = scarce, .free_fn = free};
    spmv_error err;
    allocations_left = left;
    cJSON_InitHooks(&hooks);
    const spmv_status st = bench_export_all(exporter, all, "/dev/null", true, &err);
    cJSON_InitHooks(NULL);
    return st;
}

/* Whichever allocation fails while they are printed: it is an error, and not a record less. */
Test(bench_record, records_that_cannot_be_printed)
{
    bench_results all = {0};
    int left = 0;
    add_kernels(&all);
    while (export_with(&bench_export_jsonl, &all, left) != SPMV_SUCCESS) left++;
    cr_assert_gt(left, all.count);
    bench_results_destroy(&all);
}

/* A record that could not be built as a whole is never printed, and leaves others alone. */
Test(bench_record, records_that_cannot_be_built)
{
    cJSON_Hooks hooks = {.malloc_fn = scarce, .free_fn = free};
    report *r = report_create();
    report *inner = report_object(report_array(r, "list"), NULL);
    allocations_left = 1;
    cJSON_InitHooks(&hooks);
    report_text(inner, "kernel", "cpu-csr");
    cJSON_InitHooks(NULL);
    cr_assert_null(report_print(inner, false));
    cr_assert_null(report_print(r, false));
    report_destroy(r);
    report *other = report_create();
    char *text = report_print(other, false);
    cr_assert_str_eq(text, "{}");
    free(text);
    report_destroy(other);
}

Test(bench_record, integers_with_an_exponent)
{
    const char *text = "{\"a\": 1e15, \"b\": 1e300, \"c\": -1e300, \"d\": \"9223372036854775807\"}";
    report *r = report_parse(&text, text + strlen(text));
    cr_assert_eq(report_integer_at(r, "a"), 1000000000000000);
    cr_assert_eq(report_integer_at(r, "b"), INT64_MAX);
    cr_assert_eq(report_integer_at(r, "c"), INT64_MIN);
    cr_assert_eq(report_integer_at(r, "d"), INT64_MAX);
    report_destroy(r);
}

Test(bench_record, numbers_for_people)
{
    char text[BENCH_TEXT];
    cr_assert_str_eq(bench_show_percent(0.861, text), "86%");
    cr_assert_str_eq(bench_show_percent(0.0123, text), "1.2%");
}
