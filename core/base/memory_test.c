/* memory_test.c -- what is allocated can be written, resized and released, and what cannot be had
 * is refused. */
#include "core/base/base.h"

#include <criterion/criterion.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef spmv_status allocation(void *out, int64_t count, size_t size, const char *what,
                               spmv_error *err);
static allocation *const ways[] = {spmv__alloc, spmv__alloc_unset};

enum { LARGE = 3 << 19, HUGE_PAGE = 1 << 21 };

Test(memory, all_of_it_can_be_written_and_resized)
{
    const int64_t counts[] = {0, 1, 1000, LARGE, 3 * LARGE};
    for (int way = 0; way < 2; way++) {
        for (int k = 0; k < 5; k++) {
            char *p, *q;
            cr_assert_eq(ways[way](&p, counts[k], 1, "a test", NULL), SPMV_SUCCESS);
            memset(p, 7, (size_t)counts[k]);
            q = realloc(p, (size_t)counts[k] / 2 + 1);
            cr_assert_not_null(q);
            for (int64_t i = 0; i < counts[k] / 2; i++) cr_assert_eq(q[i], 7);
            free(q);
        }
    }
}

Test(memory, zeros_and_whole_huge_pages)
{
    char *p, *q;
    cr_assert_eq(spmv__alloc(&p, LARGE, 1, "a test", NULL), SPMV_SUCCESS);
    for (int i = 0; i < LARGE; i++) cr_assert_eq(p[i], 0);
    cr_assert_eq(spmv__alloc_unset(&q, LARGE, 1, "a test", NULL), SPMV_SUCCESS);
    cr_assert_eq((uintptr_t)q % HUGE_PAGE, 0);
    free(p);
    free(q);
}

Test(memory, refusals_name_what_was_wanted)
{
    for (int way = 0; way < 2; way++) {
        char text[2], *p = text;
        spmv_error err;
        cr_assert_eq(ways[way](&p, INT64_MAX, 8, "a test", &err), SPMV_ERROR_OUT_OF_MEMORY);
        cr_assert_null(p);
        cr_assert_str_eq(err.message, "a test needs 73.79 EB, more than can be addressed");
        p = text;
        cr_assert_eq(ways[way](&p, INT64_MAX, 1, "a test", &err), SPMV_ERROR_OUT_OF_MEMORY);
        cr_assert_null(p);
    }
}
