/* failing_test.h -- for tests: make allocation number k fail, for every k; count what is allocated.
 *
 * The linker sends every calloc, free and fmemopen of the library here (-Wl,--wrap); the sanitizer
 * of the debug build sees what is not released.  Included by one file of a test. */
#pragma once

#include "formats/text/read_text_test.h"

#include <malloc.h>
#include <stdatomic.h>

static long until_failure = -1; /* so many more succeed; negative: all do */
static bool failed;

void *__real_calloc(size_t count, size_t size);
FILE *__real_fmemopen(void *buffer, size_t size, const char *mode);
void __real_free(void *p);
void *__wrap_calloc(size_t count, size_t size);
void __wrap_free(void *p);
FILE *__wrap_fmemopen(void *buffer, size_t size, const char *mode);

static inline bool refuse(void)
{
    if (until_failure < 0 || until_failure-- > 0) return false;
    failed = true;
    return true;
}

static bool counting;
static atomic_long in_use, most_in_use;

void *__wrap_calloc(size_t count, size_t size)
{
    void *p = refuse() ? NULL : __real_calloc(count, size);
    if (counting && p != NULL) {
        const long now = atomic_fetch_add(&in_use, (long)(count * size)) + (long)(count * size);
        if (now > atomic_load(&most_in_use)) atomic_store(&most_in_use, now);
    }
    return p;
}

void __wrap_free(void *p)
{
    if (counting && p != NULL) atomic_fetch_sub(&in_use, (long)malloc_usable_size(p));
    __real_free(p);
}

/* From here on, what the library holds at most... */
static inline void count_bytes(void)
{
    in_use = most_in_use = 0;
    counting = true;
}

/* ...until here. */
static inline long most_bytes(void)
{
    counting = false;
    return most_in_use;
}

FILE *__wrap_fmemopen(void *buffer, size_t size, const char *mode)
{
    return refuse() ? NULL : __real_fmemopen(buffer, size, mode);
}

/* Returns how many allocations failed, one by one, before all was well. */
static inline long fail_each(spmv_status (*run)(const char *file, spmv_error *err),
                             const char *file)
{
    for (long k = 0;; k++) {
        spmv_error err = {.message = ""};
        failed = false;
        until_failure = k;
        spmv_status st = run(file, &err);
        until_failure = -1;
        if (!failed) {
            cr_assert_eq(st, SPMV_SUCCESS, "%s: %s", file, err.message);
            return k;
        }
        cr_assert_eq(st, SPMV_ERROR_OUT_OF_MEMORY, "%s, allocation %ld: %s", file, k, err.message);
        cr_assert_str_not_empty(err.message, "%s, allocation %ld", file, k);
    }
}
