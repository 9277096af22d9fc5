/* plot_test.c -- pictures and the page are whole, or it is told that there was too little memory.
 */
#include "cli/bench/plot/plot.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static int callocs_left = 1 << 20;

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size)
{
    return callocs_left-- > 0 ? __real_calloc(count, size) : NULL;
}

/* Two results of each matrix. */
static void add_results(bench_results *all, int matrices)
{
    static const char *const kinds[] = {"cpu", "gpu"};
    char text[512];
    for (int i = 0; i < 2 * matrices; i++) {
        const char *p = text;
        snprintf(
            text, sizeof text,
            "{\"matrix\":{\"file\":\"a\",\"name\":\"%d\"},\"kernel\":\"k\",\"precision\":\"f64\","
            "\"device\":{\"kind\":\"%s\"},\"time_s\":{\"median\":1e-3},\"gflops\":2,"
            "\"bandwidth_bytes_per_s\":1e9,\"useful_bytes\":%d,"
            "\"ceilings\":{\"stream_bytes_per_s\":1e10}}",
            i / 2, kinds[i % 2], i % 2 << 30);
        cr_assert_eq(bench_results_add(all, report_parse(&p, p + strlen(p)), NULL), SPMV_SUCCESS);
    }
}

static size_t drawn(bool (*draw)(const bench_results *, FILE *), const bench_results *all, int left,
                    bool *whole)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    cr_assert_not_null(out);
    callocs_left = left;
    *whole = draw(all, out);
    callocs_left = 1 << 20;
    cr_assert_eq(fclose(out), 0);
    free(text);
    return size;
}

static void expect_told(bool (*draw)(const bench_results *, FILE *), const bench_results *all,
                        const char *name)
{
    bool whole;
    const size_t size = drawn(draw, all, 1 << 20, &whole);
    cr_assert(whole && size > 0, "%s", name);
    for (int left = 0; left < 20; left++) {
        const size_t found = drawn(draw, all, left, &whole);
        cr_assert(!whole || found == size, "%s: nobody is told, allocation %d", name, left);
    }
}

Test(plot, too_little_memory_is_told)
{
    static const int matrices[] = {1, 13}; /* as bars, and as a heat map */
    for (int k = 0; k < 2; k++) {
        bench_results all = {0};
        add_results(&all, matrices[k]);
        for (int i = 0; i < plot_count; i++) expect_told(plots[i].draw, &all, plots[i].name);
        expect_told(plot_page, &all, "page");
        bench_results_destroy(&all);
    }
}

/* Nothing to show is no failure. */
Test(plot, no_results)
{
    bench_results all = {0};
    bool whole;
    for (int i = 0; i < plot_count; i++) {
        cr_assert_eq(drawn(plots[i].draw, &all, 1 << 20, &whole), 0, "%s", plots[i].name);
        cr_assert(whole, "%s", plots[i].name);
    }
}
