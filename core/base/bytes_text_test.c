/* bytes_text_test.c -- sizes in messages have at most four digits and the unit that fits. */
#include "core/base/base.h"

#include <criterion/criterion.h>

Test(bytes_text, the_unit_fits)
{
    static const struct {
        double bytes;
        const char *text;
    } cases[] = {{0, "0 B"},
                 {6, "6 B"},
                 {999, "999 B"},
                 {1000, "1 kB"},
                 {1536, "1.536 kB"},
                 {999949, "999.9 kB"},
                 {999950, "1 MB"},
                 {8589934592, "8.59 GB"},
                 {1.08e14, "108 TB"},
                 {1.6e16, "16 PB"},
                 {9223372036854775807.0 * 8, "73.79 EB"},
                 {1e22, "1e+04 EB"}};
    char text[SPMV__BYTES_TEXT];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        cr_assert_str_eq(spmv__bytes_text(cases[i].bytes, text), cases[i].text, "%g",
                         cases[i].bytes);
}
