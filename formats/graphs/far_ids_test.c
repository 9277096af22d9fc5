/* far_ids_test.c -- ids that several threads meet become nodes in their order, however many there
 * are and however unevenly they lie. */
#include "formats/graphs/far_ids.h"
#include "core/base/random.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum { THREADS = 3, ASKED = 20000 };

static uint64_t id[THREADS][ASKED];
static uint32_t number[THREADS][ASKED];

/* One of `ids` ids: spread evenly, close together, nearly all of them small, or but a few bits
 * apart. */
static uint64_t make_id(uint64_t seed, uint64_t ids, uint64_t drawn)
{
    const uint64_t k = spmv__mix(seed ^ drawn) % ids, even = spmv__mix(seed + k) >> 1;
    const uint64_t kinds[] = {even, INT64_MAX - 2 - k, even >> k % 60, even & 0x7000000000000f00};
    const uint64_t made = kinds[seed % 4];
    return made < INT64_MAX - 1 ? made : 0;
}

static int ascending(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Each thread but the last asks for its ids in batches of all sizes; that one has none. */
static void ask(uint64_t seed, uint64_t ids, int asked, spmv__far_ids *far)
{
    for (int t = 0; t < THREADS - 1; t++) {
        int n;
        for (int k = 0; k < asked; k++) id[t][k] = make_id(seed, ids, (uint64_t)(t * ASKED + k));
        for (int k = 0; k < asked; k += n) {
            n = (int)(spmv__mix(seed + (uint64_t)k) % SPMV__FAR_BATCH) + 1;
            n = asked - k < n ? asked - k : n;
            cr_assert_eq(spmv__far_ids_number(&far[t], &id[t][k], n, &number[t][k]), SPMV_SUCCESS);
        }
    }
}

/* All ids that were asked for, in order, each once. */
static int64_t list_ids(int asked, uint64_t *list)
{
    int64_t n = 0;
    for (int t = 0; t < THREADS - 1; t++)
        memcpy(list + t * asked, id[t], sizeof **id * (size_t)asked);
    qsort(list, (size_t)((THREADS - 1) * asked), sizeof *list, ascending);
    for (int64_t i = 0; i < (THREADS - 1) * asked; i++)
        if (i == 0 || list[i] != list[n - 1]) list[n++] = list[i];
    return n;
}

static void assert_ordered(uint64_t seed, uint64_t ids, int asked)
{
    static uint64_t list[THREADS * ASKED];
    spmv__far_ids far[THREADS] = {{0}};
    spmv__far_order order;
    spmv_error err;
    ask(seed, ids, asked, far);
    const int64_t n = list_ids(asked, list);
    cr_assert_eq(spmv__far_ids_order(far, THREADS, list[0], list[n - 1], &order, &err),
                 SPMV_SUCCESS);
    cr_assert_eq(order.nodes, n, "seed %d: %d, not %d", (int)seed, (int)order.nodes, (int)n);
    cr_assert_arr_eq(order.id, list, (size_t)n * sizeof *list, "seed %d", (int)seed);
    for (int t = 0; t < THREADS - 1; t++)
        for (int k = 0; k < asked; k++)
            cr_assert_eq((uint64_t)order.id[far[t].rank[number[t][k]]], id[t][k], "seed %d",
                         (int)seed);
    free(order.id);
    free(order.rank);
    for (int t = 0; t < THREADS; t++) spmv__far_ids_destroy(&far[t]);
}

Test(far_ids, ids_of_all_threads_are_in_order)
{
    static const uint64_t ids[] = {1, 2, 30, 1000, 50000};
    static const int asked[] = {1, 40, 3000, ASKED};
    for (uint64_t seed = 0; seed < 80; seed++)
        assert_ordered(seed, ids[seed / 4 % 5], asked[seed / 20]);
}
