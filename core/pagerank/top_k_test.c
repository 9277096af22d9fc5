/* top_k_test.c -- the best k against a full sort. */
#include "spmv.h"
#include "core/base/random.h"

#include <criterion/criterion.h>
#include <math.h>

Test(top_k, ties_go_to_the_lower_node)
{
    static const double scores[] = {1, 3, 2, 3, 3, 0, 2};
    static const int64_t expected[] = {1, 3, 4, 2, 6, 0, 5};
    int64_t nodes[7];
    for (int64_t k = 0; k <= 7; k++) {
        for (int i = 0; i < 7; i++) nodes[i] = -1;
        cr_assert_eq(spmv_top_k(scores, 7, k, nodes, NULL), SPMV_SUCCESS);
        for (int i = 0; i < 7; i++)
            cr_assert_eq(nodes[i], i < k ? expected[i] : -1, "k %d, place %d", (int)k, i);
    }
}

Test(top_k, not_a_number_comes_last)
{
    static const double scores[] = {NAN, -HUGE_VAL, NAN, HUGE_VAL, -1};
    static const int64_t expected[] = {3, 4, 1, 0, 2};
    int64_t nodes[5];
    cr_assert_eq(spmv_top_k(scores, 5, 9, nodes, NULL), SPMV_SUCCESS);
    cr_assert_arr_eq(nodes, expected, sizeof expected);
}

Test(top_k, arguments)
{
    double score = 1;
    int64_t node;
    spmv_error err;
    cr_assert_eq(spmv_top_k(&score, -1, 1, &node, &err), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_str_eq(err.message, "spmv_top_k requires n >= 0 && k >= 0");
    cr_assert_eq(spmv_top_k(&score, 1, -1, &node, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_top_k(NULL, 1, 1, &node, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_top_k(&score, 1, 1, NULL, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_top_k(NULL, 0, 5, NULL, NULL), SPMV_SUCCESS);
}

static const double *sorted_by;
static int compare(const void *a, const void *b)
{
    int64_t i = *(const int64_t *)a, j = *(const int64_t *)b;
    if (sorted_by[i] != sorted_by[j]) return sorted_by[i] > sorted_by[j] ? -1 : 1;
    return i < j ? -1 : i > j;
}

Test(top_k, falling_order_and_nothing_outside_scores_higher)
{
    enum { MOST = 400 };
    for (uint64_t seed = 0; seed < 300; seed++) {
        int64_t n = (int64_t)(spmv__uniform(seed, 0) * MOST), k;
        /* A third of the cases has few distinct scores, and so many ties. */
        double steps = seed % 3 ? 1e9 : 5, scores[MOST];
        int64_t order[MOST], nodes[MOST];
        k = (int64_t)(spmv__uniform(seed, 1) * (double)(n + 2));
        for (int64_t i = 0; i < n; i++) {
            scores[i] = floor(spmv__uniform(seed, 2 + (uint64_t)i) * steps);
            order[i] = i;
        }
        sorted_by = scores;
        qsort(order, (size_t)n, sizeof *order, compare);
        cr_assert_eq(spmv_top_k(scores, n, k, nodes, NULL), SPMV_SUCCESS);
        for (int64_t i = 0; i < k && i < n; i++)
            cr_assert_eq(nodes[i], order[i], "seed %d, place %d", (int)seed, (int)i);
    }
}
