/* serialize.c -- spmv_csr_serialize, spmv_csr_deserialize and the like for each format. */
#include "formats/binary/binary.h"

#include <stdio.h>

/* Read a binary file as it is, and only in the given format. */
static spmv_status deserialize(spmv_matrix *out, spmv_format format, const char *path,
                               spmv_error *err)
{
    const spmv_read_options options = {.file_format = "binary", .keep_symmetry = true};
    spmv_matrix A = {0};
    spmv_status st;

    SPMV__TRY(spmv_read(&A, path, &options, NULL, err));
    if (A.format != format) {
        st = spmv__fail(err, SPMV_ERROR_INVALID_FORMAT, "the file holds a %s matrix, expected %s",
                        spmv_format_name(A.format), spmv_format_name(format));
        if (err != NULL) snprintf(err->file, sizeof err->file, "%s", path);
        spmv_destroy(&A);
        goto done;
    }
    *out = A;
done:
    return st;
}

#define X(id, name, meaning)                                                                     \
    spmv_status spmv_##name##_serialize(const spmv_##name *A, const char *path, spmv_error *err) \
    {                                                                                            \
        spmv_matrix matrix = {.format = id};                                                     \
        SPMV__REQUIRE(A != NULL, err);                                                           \
        matrix.name = *A;                                                                        \
        return spmv_write_binary(&matrix, path, NULL, err);                                      \
    }                                                                                            \
    spmv_status spmv_##name##_deserialize(spmv_##name *out, const char *path, spmv_error *err)   \
    {                                                                                            \
        spmv_matrix matrix = {0};                                                                \
        SPMV__REQUIRE(out != NULL, err);                                                         \
        spmv_status st = deserialize(&matrix, id, path, err);                                    \
        *out = matrix.name;                                                                      \
        return st;                                                                               \
    }
SPMV_FORMAT_TABLE(X)
#undef X
