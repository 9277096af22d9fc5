/* load_library.h -- libraries that are loaded when they are first needed. */
#pragma once

#include "core/base/base.h"

/* Point pointers[i] to what the library calls names[i], unless they point there already.  Several
 * threads may ask at once.  The library stays loaded.  Errors: UNSUPPORTED (it is not there),
 * FILE_IO and OUT_OF_MEMORY (the system cannot open it now). */
spmv_status spmv__load_library(const char *soname, const char *const *names, void **pointers,
                               size_t count, spmv_error *err);

/* Returns where a library that is loaded has what it may have or not, or NULL. */
void *spmv__find_symbol(const char *soname, const char *name);

/* Declares what a file uses of a library: the static object `library`, which has a pointer called
 * as each name that `list` applies its argument to, and the function library_load, which loads
 * `soname` and sets them.  Names may be macros for others, as in headers that give functions new
 * names with each version. */
#define SPMV__LIBRARY(library, list, soname)                                                      \
    static union {                                                                                \
        struct {                                                                                  \
            list(SPMV__LIBRARY_POINTER)                                                           \
        };                                                                                        \
        void *all[1];                                                                             \
    } library;                                                                                    \
    static inline spmv_status library##_load(spmv_error *err)                                     \
    {                                                                                             \
        static const char *const names[] = {list(SPMV__LIBRARY_NAME)};                            \
        return spmv__load_library(soname, names, library.all, sizeof names / sizeof *names, err); \
    }
#define SPMV__LIBRARY_POINTER(name) __typeof__(name) *name;
#define SPMV__LIBRARY_NAME(name) SPMV__LIBRARY_TEXT(name),
#define SPMV__LIBRARY_TEXT(name) #name
