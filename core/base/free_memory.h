/* free_memory.h -- how much memory may still be had. */
#pragma once

#include "spmv.h"

/* Bytes; INT64_MAX where the system tells nothing.  `root` stands before the paths of the system:
 * "" but in tests. */
int64_t spmv__free_memory(const char *root);
