/* number_text_test.c -- numbers for people. */
#include "cli/text/number_text.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

static char text[TOOL_NUMBER];

Test(number_text, counts_have_commas)
{
    cr_assert_str_eq(tool_count_text(0, text), "0");
    cr_assert_str_eq(tool_count_text(1643032, text), "1,643,032");
    cr_assert_str_eq(tool_count_text(-100, text), "-100");
}

Test(number_text, times_have_the_unit_that_fits)
{
    setenv("LC_ALL", "C", 1);
    cr_assert_str_eq(tool_time_text(0, text), "0 ns");
    cr_assert_str_eq(tool_time_text(4.2e-11, text), "0.042 ns");
    cr_assert_str_eq(tool_time_text(481e-9, text), "481.0 ns");
    cr_assert_str_eq(tool_time_text(412.34e-6, text), "412.3 us");
    cr_assert_str_eq(tool_time_text(0.99999e-3, text), "1.000 ms");
    cr_assert_str_eq(tool_time_text(12, text), "12.00 s");
    cr_assert_str_eq(tool_time_text(NAN, text), "-");
}

Test(number_text, microseconds_are_written_as_the_locale_can)
{
    setenv("LC_ALL", "C.UTF-8", 1);
    cr_assert_str_eq(tool_time_text(412.34e-6, text), "412.3 \302\265s");
}

Test(number_text, a_locale_that_is_not_installed_writes_ascii)
{
    setenv("LC_ALL", "nowhere.UTF-8", 1);
    cr_assert_str_eq(tool_time_text(412.34e-6, text), "412.3 us");
}

Test(number_text, bytes_have_the_unit_that_fits)
{
    cr_assert_str_eq(tool_bytes_text(0, text), "0 B");
    cr_assert_str_eq(tool_bytes_text(26, text), "26 B");
    cr_assert_str_eq(tool_bytes_text(999.7, text), "1.000 kB");
    cr_assert_str_eq(tool_bytes_text(13.4e6, text), "13.40 MB");
    cr_assert_str_eq(tool_bytes_text(999.96e6, text), "1.000 GB");
    cr_assert_str_eq(tool_bytes_text(1.08e14, text), "108.0 TB");
    cr_assert_str_eq(tool_bytes_text(NAN, text), "-");
}

Test(number_text, numbers_have_four_digits)
{
    cr_assert_str_eq(tool_number_text(0, text), "0");
    cr_assert_str_eq(tool_number_text(0.0123456, text), "0.0123");
    cr_assert_str_eq(tool_number_text(7.97, text), "7.970");
    cr_assert_str_eq(tool_number_text(1234.5, text), "1234");
}

Test(number_text, durations_are_rough)
{
    cr_assert_str_eq(tool_duration_text(4.4, text), "4 s");
    cr_assert_str_eq(tool_duration_text(59.7, text), "1 min 0 s");
    cr_assert_str_eq(tool_duration_text(125, text), "2 min 5 s");
    cr_assert_str_eq(tool_duration_text(1204, text), "20 min");
    cr_assert_str_eq(tool_duration_text(3569, text), "59 min");
    cr_assert_str_eq(tool_duration_text(3599.6, text), "1.0 h");
    cr_assert_str_eq(tool_duration_text(5400, text), "1.5 h");
}
