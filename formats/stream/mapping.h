/* mapping.h -- a file as memory. */
#pragma once

#include "formats/stream/input.h"

struct stat;

/* Make data, size and storage of *src those of the file behind fd, which is not empty and may be
 * closed afterwards; nothing happens to *src where the file cannot be mapped, as in /sys and on
 * some file systems.  Errors: OUT_OF_MEMORY. */
spmv_status spmv__map_file(spmv__source *src, int fd, const struct stat *file, spmv_error *err);

/* Is this the storage of a mapped file, and the address in it? */
bool spmv__is_mapping(const spmv_storage *storage, const void *address);
