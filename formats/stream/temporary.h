/* temporary.h -- the file that is to become an output, under a name that no other file has. */
#pragma once

#include "core/base/base.h"

#include <sys/types.h>

/* Such a file, in a folder that stays open as long as it is there.  spmv_abandon_writes removes it
 * in a signal handler, at any time. */
typedef struct spmv__temporary spmv__temporary;

/* *fd: opened for reading and writing; `mode` as open() takes it.
 * Errors: those of errno, FILE_IO (too many at once), without the name of the output. */
spmv_status spmv__temporary_create(spmv__temporary **out, int *fd, int folder, mode_t mode,
                                   spmv_error *err);
const char *spmv__temporary_name(const spmv__temporary *temp);

/* Give it the name that it is to have in the folder, and release it: from then on its old name is
 * free.  Without `overwrite` what has appeared under that name meanwhile is not replaced, where
 * the file system can promise that.  Returns 0, or an errno: nothing has changed then. */
int spmv__temporary_publish(spmv__temporary *temp, const char *name, bool overwrite);

/* Remove it, and release it.  Returns whether the folder may be closed: a signal handler in another
 * thread may still be about to remove the file from it. */
bool spmv__temporary_discard(spmv__temporary *temp);
