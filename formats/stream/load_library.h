/* load_library.h -- libraries that are loaded when they are first needed. */
#pragma once

#include "core/base/base.h"

/* Point pointers[i] to what the library calls names[i], unless they point there already.  Several
 * threads may ask at once.  The library stays loaded.  Errors: UNSUPPORTED (it is not there). */
spmv_status spmv__load_library(const char *soname, const char *const *names, void **pointers,
                               size_t count, spmv_error *err);

/* The name behind a macro, as in headers that give functions new names with each version. */
#define SPMV__LIBRARY_NAME(name) SPMV__LIBRARY_TEXT(name)
#define SPMV__LIBRARY_TEXT(name) #name
