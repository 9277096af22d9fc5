/* keep_memory_test.c -- freed memory stays with the process. */
#include "cli/measure/keep_memory.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#if defined __GLIBC__ && !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
#include <malloc.h>

static size_t bytes_of_process(void)
{
    const struct mallinfo2 m = mallinfo2();
    return m.arena + m.hblkhd;
}

/* A block that glibc would map for itself, and one at the end of the heap. */
Test(keep_memory, what_is_freed_stays)
{
    const size_t sizes[] = {20 << 20, 100 << 10};
    keep_memory();
    for (int k = 0; k < 2; k++) {
        void *block = malloc(sizes[k]);
        cr_assert_not_null(block);
        const size_t before = bytes_of_process();
        free(block);
        cr_assert_eq(bytes_of_process(), before, "%zu bytes", sizes[k]);
    }
}

Test(keep_memory, large_blocks_go_back)
{
    const size_t size = 64 << 20;
    keep_memory();
    void *block = malloc(size);
    cr_assert_not_null(block);
    const size_t before = bytes_of_process();
    free(block);
    cr_assert_leq(bytes_of_process() + size, before);
}
#else
Test(keep_memory, does_nothing)
{
    keep_memory();
    cr_skip("the C library does not tell what it keeps");
}
#endif
