/* pages_test.c -- releasing memory takes nothing that lies beside it, and making pages makes none.
 */
#define _DEFAULT_SOURCE /* madvise, mincore */
#include "core/base/pages.h"

#include <criterion/criterion.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGES = 16, FILL = 0xa5 };

/* Checks that bytes begin .. end - 1 are what they were. */
static void assert_kept(const unsigned char *p, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++) cr_assert_eq(p[i], FILL, "byte %zu", i);
}

Test(pages, only_whole_ones_are_released)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), size = PAGES * page;
    unsigned char *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq(p, MAP_FAILED);
    memset(p, FILL, size);
    spmv__pages_stay_small(p, (int64_t)size);
    spmv__pages_populate(p, (int64_t)size);
    assert_kept(p, 0, size);

    struct iovec part[] = {{p + page - 1, 2 * page}, {p + 4 * page, 100}, {p + 8 * page, 3 * page}};
    spmv__pages_release(part, 3);
    assert_kept(p, 0, page);
    assert_kept(p, 2 * page, 8 * page);
    assert_kept(p, 11 * page, size);
#ifdef __linux__
    for (size_t i = page; i < 2 * page; i++) cr_assert_eq(p[i], 0, "byte %zu", i);
    for (size_t i = 8 * page; i < 11 * page; i++) cr_assert_eq(p[i], 0, "byte %zu", i);
#endif
    munmap(p, size);
}

/* Whether each of some pages is in memory. */
static void assert_made(unsigned char *p, size_t pages, bool expected)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (size_t i = 0; i < pages; i++) {
        unsigned char made = 0;
        cr_assert_eq(mincore(p + i * page, page, &made), 0);
        cr_assert_eq(made & 1, expected, "page %zu", i);
    }
}

/* Neighbouring parts of an array, which begins behind a page of its own, make each page once. */
Test(pages, parts_make_different_ones)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), huge = SPMV__HUGE_PAGE, size = 4 * huge;
    unsigned char *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq(p, MAP_FAILED);
    unsigned char *first = (unsigned char *)(((uintptr_t)p + huge - 1) & -(uintptr_t)huge);
    unsigned char *array = first + page;
    const int64_t cut = SPMV__HUGE_PAGE / 2, end = (int64_t)(2 * huge) + 1;
    spmv__pages_stay_small(p, (int64_t)size);
    if (madvise(array, page, MADV_POPULATE_WRITE) != 0) cr_skip_test("this system does not do it");

    spmv__pages_make(array, 0, cut);
    assert_made(array + page, huge / page - 2, false);
    spmv__pages_make(array, cut, end);
    assert_made(array, 2 * huge / page - 1, true);
    assert_made(first, 1, false);
    assert_made(first + 2 * huge, huge / page, false);
    for (size_t i = 0; i < 2 * huge - page; i++) cr_assert_eq(array[i], 0);
    munmap(p, size);
}
