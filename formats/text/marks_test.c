/* marks_test.c -- marks of bytes are those that a loop over them makes, and numbers between marks
 * those that the C library reads. */
#include "formats/text/marks.h"
#include "core/base/random.h"
#include "formats/text/plain_number.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

Test(marks, each_byte_that_is_no_digit_has_one)
{
    unsigned char text[SPMV__MARKED];
    for (uint64_t seed = 0; seed < 2000; seed++) {
        for (uint64_t k = 0; k < SPMV__MARKED; k++) {
            const uint64_t drawn = spmv__mix(spmv__mix(seed) ^ k);
            text[k] = (unsigned char)(drawn % 3 > 0 ? '0' + drawn / 3 % 10 : drawn >> 8);
        }
        const uint64_t marks = spmv__marks_of_digits(text);
        uint64_t left = marks;
        for (int k = 0; k < SPMV__MARKED; k++) {
            const bool other = text[k] < '0' || text[k] > '9';
            cr_assert_eq(marks >> k & 1, other, "seed %" PRIu64 ", byte %d is %d", seed, k,
                         text[k]);
            if (other) cr_assert_eq(spmv__next_mark(&left), k);
        }
        cr_assert_eq(left, 0);
        cr_assert_eq(spmv__next_mark(&left), SPMV__MARKED - 1, "the last place where none is left");
    }
}

Test(marks, what_lies_behind_the_text_is_marked)
{
    const uint64_t marks = UINT64_C(0x8000000000000005);
    cr_assert_eq(spmv__marks_behind(marks, 0), marks);
    cr_assert_eq(spmv__marks_behind(marks, 1), UINT64_C(0xc000000000000002));
    cr_assert_eq(spmv__marks_behind(marks, 62), UINT64_C(0xfffffffffffffffe));
    for (int64_t n = SPMV__MARKED; n < 4 * SPMV__MARKED; n++)
        cr_assert_eq(spmv__marks_behind(0, n), UINT64_MAX);
}

Test(marks, every_byte_alone_is_told)
{
    unsigned char text[SPMV__MARKED];
    for (int byte = 0; byte < 256; byte++) {
        memset(text, byte, sizeof text);
        const bool digit = byte >= '0' && byte <= '9';
        cr_assert_eq(spmv__marks_of_digits(text), digit ? 0 : UINT64_MAX, "byte %d", byte);
    }
}

Test(marks, digits_up_to_nineteen_are_a_number)
{
    for (uint64_t seed = 0; seed < 20000; seed++) {
        char text[SPMV__MARKED] = "";
        const int digits = 1 + (int)(seed % SPMV__PLAIN_DIGITS);
        for (int k = 0; k < SPMV__MARKED - 1; k++) { /* what comes behind does not count */
            const int drawn = (int)(spmv__mix(seed * SPMV__MARKED + (uint64_t)k) % 90);
            text[k] = (char)(k < digits ? '0' + drawn % 10 : '!' + drawn);
        }
        const uint64_t value = spmv__plain_value((const unsigned char *)text, digits);
        text[digits] = '\0';
        cr_assert_eq(value, strtoull(text, NULL, 10), "%s", text);
    }
}
