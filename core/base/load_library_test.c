/* load_library_test.c -- libraries that are there, and such that are not. */
#include "core/base/load_library.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>
#include <sys/resource.h>

Test(load_library, functions_are_found_by_their_names)
{
    static const char *const names[] = {"ldexp", "floor"};
    union {
        struct {
            double (*ldexp)(double, int);
            double (*floor)(double);
        };
        void *all[2];
    } m = {.all = {NULL}};
    spmv_error err;
    for (int twice = 0; twice < 2; twice++) {
        cr_assert_eq(spmv__load_library("libm.so.6", names, m.all, 2, &err), SPMV_SUCCESS, "%s",
                     err.message);
        cr_assert(m.ldexp(3, 4) == 48 && m.floor(2.5) == 2);
    }
}

Test(load_library, a_symbol_may_be_there_or_not)
{
    cr_assert_null(spmv__find_symbol("libnosuch.so.1", "floor"));
    cr_assert_null(spmv__find_symbol("libc.so.6", "no_such_function"));
    int (*const absolute)(int) = (int (*)(int))spmv__find_symbol("libc.so.6", "abs");
    cr_assert_not_null(absolute);
    cr_assert_eq(absolute(-3), 3);
}

Test(load_library, what_is_missing_is_named)
{
    static const char *const names[] = {"ldexp", "no_such_function"};
    void *found[2] = {NULL};
    spmv_error err;
    cr_assert_eq(spmv__load_library("libnosuch.so.1", names, found, 2, &err),
                 SPMV_ERROR_UNSUPPORTED);
    cr_assert_eq(strncmp(err.message, "libnosuch.so.1 cannot be loaded: ", 33), 0, "%s",
                 err.message);
    cr_assert_eq(spmv__load_library("libm.so.6", names, found, 2, &err), SPMV_ERROR_UNSUPPORTED);
    cr_assert_str_eq(err.message, "libm.so.6 has no no_such_function");
    cr_assert_null(found[0]);
}

/* A library that is there, and not in use, where no further file can be opened. */
Test(load_library, too_many_open_files_are_no_lack_of_a_library)
{
    static const char *const names[] = {"getaddrinfo_a"};
    void *found[1] = {NULL};
    spmv_error err;
    struct rlimit old, few;
    cr_assert_eq(getrlimit(RLIMIT_NOFILE, &old), 0);
    few = old;
    few.rlim_cur = 0;
    cr_assert_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
    const spmv_status st = spmv__load_library("libanl.so.1", names, found, 1, &err);
    setrlimit(RLIMIT_NOFILE, &old);
    cr_assert_eq(st, SPMV_ERROR_FILE_IO, "%s", err.message);
}
