/* mapping.h -- a file as memory. */
#ifndef SPMV_FORMATS_MAPPING_H
#define SPMV_FORMATS_MAPPING_H

#include "io.h"

/* Make data, size and storage of *src those of the file behind fd, which has `size` > 0 bytes and
 * may be closed afterwards.  Errors: FILE_IO, OUT_OF_MEMORY. */
spmv_status spmv__map_file(spmv__source *src, int fd, int64_t size, spmv_error *err);

#endif
