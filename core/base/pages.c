/* pages.c -- madvise, where there is any. */
#define _DEFAULT_SOURCE /* madvise, syscall */
#include "core/base/pages.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The whole pages of bytes. */
static struct iovec whole_pages(const void *p, int64_t bytes)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t begin = ((uintptr_t)p + page - 1) & -page;
    const uintptr_t end = ((uintptr_t)p + (uintptr_t)bytes) & -page;
    return (struct iovec){(void *)begin, end > begin ? end - begin : 0};
}

static void advise(const void *p, int64_t bytes, int advice)
{
    const struct iovec pages = whole_pages(p, bytes);
    if (pages.iov_len > 0) madvise(pages.iov_base, pages.iov_len, advice);
}

void spmv__pages_populate(const void *p, int64_t bytes)
{
#ifdef MADV_POPULATE_READ
    advise(p, bytes, MADV_POPULATE_READ);
#else
    (void)p;
    (void)bytes;
#endif
}

void spmv__pages_make(void *array, int64_t begin, int64_t end)
{
#ifdef MADV_POPULATE_WRITE
    const uintptr_t base = (uintptr_t)array, page = SPMV__HUGE_PAGE;
    const uintptr_t first = (base + (uintptr_t)begin) & -page,
                    last = (base + (uintptr_t)end) & -page;
    const uintptr_t from = first > base ? first : base;
    if (from < last)
        advise((char *)array + (from - base), (int64_t)(last - from), MADV_POPULATE_WRITE);
#else
    (void)array;
    (void)begin;
    (void)end;
#endif
}

void spmv__pages_leave(const void *p, int64_t bytes)
{
    advise(p, bytes, MADV_DONTNEED);
}

void spmv__pages_stay_small(void *p, int64_t bytes)
{
#ifdef MADV_NOHUGEPAGE
    advise(p, bytes, MADV_NOHUGEPAGE);
#else
    (void)p;
    (void)bytes;
#endif
}

/* All at once, as each time all processors are told: 96 MB in pieces of 64 KB take 3 ms so and 19
 * ms one by one.  Linux before 6.13 has it one by one. */
void spmv__pages_release(struct iovec *part, int n)
{
    long released = -1;
    for (int i = 0; i < n; i++) part[i] = whole_pages(part[i].iov_base, (int64_t)part[i].iov_len);
#if defined SYS_pidfd_open && defined SYS_process_madvise
    const int self = (int)syscall(SYS_pidfd_open, getpid(), 0);
    if (self >= 0) {
        released = syscall(SYS_process_madvise, self, part, n, MADV_DONTNEED, 0);
        close(self);
    }
#endif
    for (int i = 0; released < 0 && i < n; i++)
        advise(part[i].iov_base, (int64_t)part[i].iov_len, MADV_DONTNEED);
}
