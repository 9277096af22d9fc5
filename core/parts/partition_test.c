/* partition_test.c -- rows are shared out by what they cost. */
#include "core/parts/partition.h"

#include <criterion/criterion.h>

enum { SIZE = 4 };

static void assert_shares(const int64_t *begin, const int64_t *expected)
{
    for (int k = 0; k <= SIZE; k++)
        cr_assert_eq(begin[k], expected[k], "share %d begins at %lld, not %lld", k,
                     (long long)begin[k], (long long)expected[k]);
}

Test(partition, equal_numbers_of_rows)
{
    int64_t begin[SIZE + 1];
    spmv__share_out(begin, SIZE, 10, NULL);
    assert_shares(begin, (int64_t[]){0, 3, 5, 8, 10});
}

/* Row 0 costs 24 + 12 * 22 = 288 bytes, the others 24 + 12 * 3 = 60 each: shares end nearest to
 * 132, 264 and 396. */
Test(partition, a_long_row_counts_as_many_short_ones)
{
    const int64_t ptr[] = {0, 22, 25, 28, 31, 34};
    int64_t begin[SIZE + 1];
    spmv__share_out(begin, SIZE, 5, ptr);
    assert_shares(begin, (int64_t[]){0, 0, 1, 3, 5});
}

Test(partition, empty_rows_cost_something_too)
{
    const int64_t ptr[9] = {0};
    int64_t begin[SIZE + 1];
    spmv__share_out(begin, SIZE, 8, ptr);
    assert_shares(begin, (int64_t[]){0, 2, 4, 6, 8});
}

Test(partition, more_ranks_than_rows)
{
    const int64_t ptr[] = {0, 1, 2};
    int64_t begin[SIZE + 1];
    spmv__share_out(begin, SIZE, 2, ptr);
    for (int k = 0; k < SIZE; k++)
        cr_assert(begin[k] <= begin[k + 1] && begin[k + 1] - begin[k] <= 1);
    cr_assert(begin[0] == 0 && begin[SIZE] == 2);
    spmv__share_out(begin, SIZE, 0, ptr);
    assert_shares(begin, (int64_t[]){0, 0, 0, 0, 0});
}

Test(partition, pointers_of_a_damaged_file_lead_nowhere_else)
{
    const int64_t ptr[] = {INT64_MAX, -1, INT64_MIN, 7, INT64_MAX, 0};
    int64_t begin[SIZE + 1];
    spmv__share_out(begin, SIZE, 5, ptr);
    cr_assert(begin[0] == 0 && begin[SIZE] == 5);
    for (int k = 0; k < SIZE; k++) cr_assert(begin[k] <= begin[k + 1]);
}
