/* pull_window_test.c -- what windows pull, with all instruction sets. */
#include "core/base/random.h"
#include "core/matrix/value.h"
#include "core/multiply/multiply.h"
#include "core/pagerank/ranking.h"

#include <criterion/criterion.h>

/* The first columns have a slice each, then come slices of eight; each has up to 40 steps. */
enum {
    NODES = 300,
    ALONE = 41,
    SLICES = 2 * ALONE,
    STEPS = ALONE * (ALONE - 1),
    EDGES = STEPS * SPMV__ABREAST,
    COLUMNS = ALONE + ALONE * SPMV__ABREAST
};

typedef struct edge_sample {
    spmv__columns columns;
    spmv__node_window window[2];
    int32_t steps[SLICES], source[EDGES];
    double share[EDGES], given[(NODES + 1) * SPMV__RANKINGS];
} edge_sample;

/* Numbers are small integers, or any; one edge in eight is padding. */
static void fill(edge_sample *s, spmv_type type, spmv_type x_type, int width, bool integers)
{
    *s = (edge_sample){.columns = {.windows = 1,
                                   .window = s->window,
                                   .steps = s->steps,
                                   .source = s->source,
                                   .share = type == SPMV_PATTERN ? NULL : s->share},
                       .window = {{.alone = ALONE}, {COLUMNS, SLICES, STEPS, 0}}};
    for (int i = 0; i < SLICES; i++) s->steps[i] = i % ALONE;
    for (int p = 0; p < EDGES; p++) {
        const bool padding = p * 5 % 8 == 3;
        const double any = spmv__uniform(1, (uint64_t)p);
        s->source[p] = padding ? NODES : p * 37 % NODES;
        if (type != SPMV_PATTERN)
            spmv__set_value(type, s->share, p, padding ? 0 : integers ? p % 7 : any);
    }
    for (int i = 0; i < NODES * width; i++)
        spmv__set_value(x_type, s->given, i, integers ? i % 11 : spmv__uniform(2, (uint64_t)i));
}

/* What edge p of a sample hands on, of ranking v. */
static double handed(const edge_sample *s, spmv_type type, spmv_type x_type, int width, int p,
                     int v)
{
    return spmv__value(type, s->share, p) *
           spmv__value(x_type, s->given, (int64_t)s->source[p] * width + v);
}

/* Sums of small integers are exact. */
static void expect_exact(const edge_sample *s, spmv_type type, spmv_type x_type, int width,
                         const double *sum)
{
    static double expected[COLUMNS * SPMV__RANKINGS];
    memset(expected, 0, sizeof expected);
    for (int i = 0, p = 0, first = 0; i < SLICES; i++) {
        for (int end = p + s->steps[i] * SPMV__ABREAST; p < end; p++)
            for (int v = 0; v < width; v++)
                expected[(first + (i < ALONE ? 0 : p % SPMV__ABREAST)) * width + v] +=
                    handed(s, type, x_type, width, p, v);
        first += i < ALONE ? 1 : SPMV__ABREAST;
    }
    for (int i = 0; i < COLUMNS * width; i++)
        cr_assert_eq(sum[i], expected[i], "%s, %d rankings, sum %d", spmv_type_name(type), width,
                     i);
}

static void compare(spmv_type type, spmv_type x_type, int width)
{
    static double sum[2][(COLUMNS + SPMV__ABREAST) * SPMV__RANKINGS];
    static edge_sample s;
    for (int avx2 = 0; avx2 <= spmv__use_avx2(); avx2++) {
        const spmv__pull pull = spmv__pull_for(type, x_type, width, avx2);
        fill(&s, type, x_type, width, true);
        pull(&s.columns, s.window, s.given, sum[avx2]);
        expect_exact(&s, type, x_type, width, sum[avx2]);
        fill(&s, type, x_type, width, false);
        pull(&s.columns, s.window, s.given, sum[avx2]);
        cr_assert_arr_eq(sum[avx2], sum[0], (size_t)(COLUMNS * width) * sizeof sum[0][0],
                         "%s, %d rankings", spmv_type_name(type), width);
    }
}

Test(pull_window, has_the_same_bits_with_all_instruction_sets)
{
    for (int width = 1; width <= SPMV__RANKINGS; width *= 2) {
        compare(SPMV_PATTERN, SPMV_F64, width);
        compare(SPMV_PATTERN, SPMV_F32, width);
        compare(SPMV_F64, SPMV_F64, width);
        compare(SPMV_F32, SPMV_F32, width);
    }
}
