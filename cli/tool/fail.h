/* fail.h -- a failure as a status and a sentence. */
#pragma once

#include "cli/text/suggest.h"
#include "spmv.h"

#if defined(__GNUC__)
#define TOOL_PRINTF(text, first) __attribute__((format(printf, text, first)))
#define TOOL_NORETURN __attribute__((noreturn))
#else
#define TOOL_PRINTF(text, first)
#define TOOL_NORETURN
#endif

/* Leave for the label `done` of the enclosing function when call fails; `st` holds the status. */
#define TOOL_TRY(call)                     \
    do {                                   \
        st = (call);                       \
        if (st != SPMV_SUCCESS) goto done; \
    } while (0)

/* Fill *err with what the system says of a file, `number` in errno; returns FILE_IO. */
spmv_status tool_fail_on(const char *path, int number, spmv_error *err);

/* Refuse the file near->word that `option` names, where there is none and it looks like a word that
 * the option takes; reading it says what else may be wrong. */
spmv_status tool_check_file_name(const char *option, const suggestion *near, spmv_error *err);

/* A failure that names no file, as those of the steps after the reading, is of this input. */
void tool_blame_input(const char *path, spmv_error *err);

/* Whether another device, or a way that needs less, may do better after such a failure. */
bool tool_lacks_memory(spmv_status status);

/* Fill *err (when not NULL) with a sentence and return status. */
spmv_status tool_fail(spmv_error *err, spmv_status status, const char *format, ...)
    TOOL_PRINTF(3, 4);
