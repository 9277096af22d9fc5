/* base.h -- what every file of the library needs: failing, memory, threads.
 *
 * Names that begin with spmv__ (two underscores) are shared inside the library; callers of it see
 * spmv.h alone. */
#pragma once

#include "spmv.h"

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Leave for the label `done` of the enclosing function when call fails; `st` holds the status. */
#define SPMV__TRY(call)                    \
    do {                                   \
        st = (call);                       \
        if (st != SPMV_SUCCESS) goto done; \
    } while (0)

/* Leave a public function at once when an argument is not what it must be. */
#define SPMV__REQUIRE(condition, err)                                                         \
    do {                                                                                      \
        if (!(condition))                                                                     \
            return spmv__fail((err), SPMV_ERROR_INVALID_ARGUMENT, "%s requires %s", __func__, \
                              #condition);                                                    \
    } while (0)

#if defined(__GNUC__)
#define SPMV__PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define SPMV__PRINTF(text, first)
#endif

/* Tell a callback, which may be NULL, how far long work has come; SPMV__PORTION entries apart. */
static inline void spmv__report(spmv_progress_callback *progress, void *user, const char *stage,
                                int64_t done, int64_t total)
{
    const spmv_progress now = {stage, done, total};
    if (progress != NULL) progress(user, &now);
}

/* A function that is specialised by being inlined with constant arguments. */
#if defined(__GNUC__)
#define SPMV__INLINE static inline __attribute__((always_inline))
#else
#define SPMV__INLINE static inline
#endif

/* Fill *err (when not NULL) with a sentence and return status.  Place and file are cleared. */
spmv_status spmv__fail(spmv_error *err, spmv_status status, const char *format, ...)
    SPMV__PRINTF(3, 4);

/* Returns bytes for people, in the unit that fits: "16.03 GB". */
enum { SPMV__BYTES_TEXT = 16 };
const char *spmv__bytes_text(double bytes, char text[SPMV__BYTES_TEXT]);

/* out = a * b, or false when that exceeds int64_t or either is negative. */
bool spmv__product(int64_t a, int64_t b, int64_t *out);

/* The one way to allocate: *out (a pointer to any object pointer) = count * size bytes, zeroed;
 * a count of 0 gives a pointer that can be freed.  Refuses, with the number of bytes and `what` in
 * the message, what overflows or is more than the memory that is free. */
spmv_status spmv__alloc(void *out, int64_t count, size_t size, const char *what, spmv_error *err);

/* The same for what is written before it is read: not cleared.  From 512 KB on it begins at a huge
 * page of Linux (2 MiB): writing the first megabyte takes 0.04 ms then, and 0.3 ms in small pages.
 */
spmv_status spmv__alloc_unset(void *out, int64_t count, size_t size, const char *what,
                              spmv_error *err);

/* Conversions and checks of fewer nonzeros stay on one thread: starting others takes longer. */
enum { SPMV__PARALLEL_NNZ = 1 << 16, SPMV__PARALLEL_CHECK_NNZ = 1 << 19, SPMV__PORTION = 1 << 18 };

/* Threads to use: `threads`, or all of OpenMP when it is 0, SPMV_MAX_THREADS at most. */
int spmv__threads(int threads);

/* As many of the threads as there are processors: of more, some would wait in the midst of their
 * work, with the memory that it needs. */
int spmv__threads_at_once(int threads);

/* The number of the calling thread in its team, from 0. */
int spmv__thread(void);

/* To be called before parallel work of milliseconds: the first call starts a thread on each
 * processor. */
void spmv__threads_start(void);

#ifdef __cplusplus
}
#endif
