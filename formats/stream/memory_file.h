/* memory_file.h -- writing to a file that lies in memory, as those in /dev/shm do. */
#pragma once

#include "core/base/base.h"

/* Whether the file is one, open for reading, too. */
bool spmv__memory_file_is(int fd);

/* Let such a file reach to `size` bytes from `at` on, for which there is memory then.  Returns 0,
 * or the errno of what failed. */
int spmv__memory_file_extend(int fd, size_t size, int64_t at);

/* Put bytes at a place that the file reaches; different threads may put theirs at the same time.
 * Returns the same. */
int spmv__memory_file_fill(int fd, const void *data, size_t size, int64_t at);

/* Both by all threads. */
int spmv__memory_file_put(int fd, const void *data, size_t size, int64_t at);
