/* row_lanes_test.c -- lanes for a row, at the boundaries of what decides. */
#include "core/multiply/row_lanes.h"

#include <criterion/criterion.h>

Test(lanes, as_many_as_have_a_share_or_shorten_the_longest_row)
{
    static const struct {
        int64_t rows, nnz, loads;
        int batch, lanes;
        const char *why;
    } cases[] = {
        {0, 0, 0, 2, 2, "no rows"},
        {10000000, 10000000 * INT64_C(23), 1000, 2, 2, "5.75 entries for each of 4 lanes"},
        {10000000, 10000000 * INT64_C(24), 1000, 2, 4, "6 entries for each"},
        {10000000, 10000000 * INT64_C(191), 1000, 2, 16, "5.97 for each of 32"},
        {10000000, 10000000 * INT64_C(5000), 1000, 2, 32, "never more than a warp"},
        {INT64_MAX, 0, 1000, 2, 2, "as many rows as there can be"},
        {1000, 1000, 4, 2, 2, "one step"},
        {1000, 1000, 5, 2, 4, "two steps with 2 lanes"},
        {1000, 1000, 5, 1, 8, "a load at a time"},
        {1000, 1000, 1000, 2, 32, "a warp at most"},
        {65536, 65536, 9, 2, 4, "no room for 8 lanes"},
        {65536, 65536, 24, 2, 4, "three steps are not worth the wait for it"},
        {65536, 65536, 25, 2, 8, "four are"},
        {65536, 65536, 1000, 2, 8, "twice the room at most"},
        {131072, 131072, 12, 2, 2, "2 lanes fill it, three steps"},
        {131072, 131072, 13, 2, 4, "2 lanes fill it, four"},
        {131073, 131073, 1000, 2, 2, "and more"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        cr_assert_eq(spmv__row_lanes(cases[i].rows, cases[i].nnz, cases[i].loads, cases[i].batch),
                     cases[i].lanes, "%s", cases[i].why);
}

Test(lanes, steps_of_a_row)
{
    cr_assert_eq(spmv__row_steps(0, 2, 2), 0);
    cr_assert_eq(spmv__row_steps(4, 2, 2), 1);
    cr_assert_eq(spmv__row_steps(5, 2, 2), 2);
    cr_assert_eq(spmv__row_steps(5, 8, 1), 1);
}

/* Rows of three entries, which take two loads where they begin behind the second of four, and a
 * long one at the end. */
Test(lanes, longest_row_of_few_and_of_many)
{
    static int64_t row_ptr[200002];
    for (int i = 0; i <= 200000; i++) row_ptr[i] = INT64_C(3) * i;
    row_ptr[200001] = row_ptr[200000] + 41;
    cr_assert_eq(spmv__longest_loads(row_ptr, 0), 0);
    cr_assert_eq(spmv__longest_loads(row_ptr, 1), 1, "entries 0 to 2");
    cr_assert_eq(spmv__longest_loads(row_ptr, 2), 2, "entries 3 to 5");
    cr_assert_eq(spmv__longest_loads(row_ptr, 200000), 2);
    cr_assert_eq(spmv__longest_loads(row_ptr, 200001), 11, "41 from the beginning of a load");
}
