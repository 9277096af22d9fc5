/* load_library.c -- see load_library.h. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "core/base/load_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

/* Returns where `name` is.  A program that is linked with the library itself may have copies of its
 * variables, and then these are the ones in use. */
static void *find(void *library, bool linked, const char *name)
{
    void *found = linked ? dlsym(RTLD_DEFAULT, name) : NULL;
    return found != NULL ? found : dlsym(library, name);
}

void *spmv__find_symbol(const char *soname, const char *name)
{
    void *library = dlopen(soname, RTLD_NOW | RTLD_NOLOAD);
    return library != NULL ? find(library, true, name) : NULL;
}

/* That a library is not there is one thing, and what the system lacks to load it is another: glibc
 * says it in words. */
static spmv_status status_of(const char *why)
{
    static const struct {
        const char *words;
        spmv_status status;
    } lacking[] = {
        {"failed to map segment", SPMV_ERROR_OUT_OF_MEMORY},
        {"annot allocate memory", SPMV_ERROR_OUT_OF_MEMORY},
        {"oo many open files", SPMV_ERROR_FILE_IO},
    };
    for (size_t i = 0; i < sizeof lacking / sizeof lacking[0]; i++)
        if (strstr(why, lacking[i].words) != NULL) return lacking[i].status;
    return SPMV_ERROR_UNSUPPORTED;
}

/* The first pointer is set last: where it is, all are. */
static spmv_status load(const char *soname, const char *const *names, void **pointers, size_t count,
                        spmv_error *err)
{
    const bool linked = dlopen(soname, RTLD_NOW | RTLD_NOLOAD) != NULL;
    void *library = dlopen(soname, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        const char *why = dlerror();
        return spmv__fail(err, status_of(why), "%s cannot be loaded: %.150s", soname, why);
    }
    for (size_t i = count; i-- > 0;) {
        void *found = find(library, linked, names[i]);
        if (found == NULL)
            return spmv__fail(err, SPMV_ERROR_UNSUPPORTED, "%s has no %s", soname, names[i]);
        pointers[i] = found;
    }
    return SPMV_SUCCESS;
}

spmv_status spmv__load_library(const char *soname, const char *const *names, void **pointers,
                               size_t count, spmv_error *err)
{
    static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;
    spmv_status st = SPMV_SUCCESS;
    pthread_mutex_lock(&loading);
    if (pointers[0] == NULL) st = load(soname, names, pointers, count, err);
    pthread_mutex_unlock(&loading);
    return st;
}
