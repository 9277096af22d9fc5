/* text_report_test.c -- line ends are counted as one would by hand. */
#include "core/base/random.h"
#include "formats/text/text.h"

#include <criterion/criterion.h>

/* LF, CR LF and CR alone end a line; a CR LF that is cut in two ends one behind the cut. */
static int64_t count_naively(const unsigned char *text, int64_t begin, int64_t end, int64_t size)
{
    int64_t n = 0;
    for (int64_t i = begin; i < end; i++) {
        if (text[i] == '\n') n++;
        if (text[i] == '\r' && (i + 1 == size || text[i + 1] != '\n')) n++;
    }
    return n;
}

Test(text_report, line_ends_are_counted_in_any_part_of_a_text)
{
    enum { SIZE = 1500 };
    static const char bytes[] = "1\n\r 2";
    unsigned char text[SIZE];
    for (uint64_t seed = 0; seed < 200; seed++) {
        const uint64_t kinds =
            2 + seed % 4; /* of bytes: at first few, so that all ends are there */
        for (int i = 0; i < SIZE; i++)
            text[i] = (unsigned char)bytes[spmv__mix(seed * SIZE + (uint64_t)i) % kinds];
        for (uint64_t k = 0; k < 100; k++) {
            const uint64_t draw = spmv__mix(~(seed * 100 + k));
            const int64_t begin = (int64_t)(draw % SIZE);
            const int64_t end = begin + (int64_t)((draw >> 32) % (uint64_t)(SIZE - begin + 1));
            const int64_t size = k % 2 == 0 ? SIZE : end;
            cr_assert_eq(spmv__text_count_ends(text + begin, text + end, text + size),
                         count_naively(text, begin, end, size), "seed %llu, bytes %lld to %lld",
                         (unsigned long long)seed, (long long)begin, (long long)end);
        }
    }
}
