/* read_bytes.c -- all that a file holds, unpacked. */
#include "formats/file/any_file.h"

#include <stdlib.h>
#include <string.h>

spmv_status spmv_read_bytes(char **out, size_t *size, const char **compression, const char *path,
                            spmv_error *err)
{
    spmv__source src = {0};
    char *text = NULL;
    spmv_status st;
    SPMV__REQUIRE(out != NULL, err);
    *out = NULL;
    SPMV__REQUIRE(size != NULL && path != NULL, err);
    *size = 0;
    SPMV__TRY(spmv__source_read(&src, path, &spmv__known_files, &spmv__read_defaults, err));
    SPMV__TRY(spmv__alloc(&text, src.size + 1, 1, "a text", err));
    if (src.size > 0) memcpy(text, src.data, (size_t)src.size);
    SPMV__TRY(spmv__source_remark(&src, &spmv__read_defaults, err));
    if (compression != NULL) *compression = src.compression;
    *size = (size_t)src.size;
    *out = text;
    text = NULL;
done:
    free(text);
    spmv__source_close(&src);
    return st;
}
