/* spmv/status.h -- what a call reports; a chapter of spmv.h, which has the conventions. */
#ifndef SPMV_STATUS_H
#define SPMV_STATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of this header.  Functions and structs stay as they are while the first number does. */
#define SPMV_VERSION_MAJOR 0
#define SPMV_VERSION_MINOR 1
#define SPMV_VERSION_PATCH 0
#define SPMV_VERSION "0.1.0"

const char *spmv_version(void); /* SPMV_VERSION of the library that was linked or loaded */

enum { SPMV_MAX_THREADS = 4096 };

/* X(name, code, meaning) */
#define SPMV_STATUS_TABLE(X)                                                           \
    X(SPMV_SUCCESS, 0, "success")                                                      \
    X(SPMV_ERROR_INVALID_DIMENSION, -1, "dimensions do not match or are out of range") \
    X(SPMV_ERROR_CUDA_MALLOC, -2, "out of device memory")                              \
    X(SPMV_ERROR_CUDA_MEMCPY, -3, "copying to or from the GPU failed")                 \
    X(SPMV_ERROR_KERNEL_LAUNCH, -4, "a GPU kernel failed")                             \
    X(SPMV_ERROR_INVALID_FORMAT, -5, "input is not valid for its format")              \
    X(SPMV_ERROR_FILE_IO, -6, "reading or writing failed")                             \
    X(SPMV_ERROR_OUT_OF_MEMORY, -7, "out of memory")                                   \
    X(SPMV_ERROR_INVALID_ARGUMENT, -8, "invalid argument")                             \
    X(SPMV_ERROR_UNSUPPORTED, -9, "valid input that is not supported")                 \
    X(SPMV_ERROR_NO_DEVICE, -10, "no usable GPU")

typedef enum spmv_status {
#define X(name, code, meaning) name = code,
    SPMV_STATUS_TABLE(X)
#undef X
} spmv_status;

/* The place and the reason of a failure; success leaves it alone.  The caller owns it; it holds no
 * pointers.  Where a member of the options would help, the sentence names it: `index_base`. */
typedef struct spmv_error {
    int64_t line;      /* 1-based line of the input, 0 if not about a line */
    int64_t column;    /* 1-based byte in that line, 0 if not known */
    char file[256];    /* as the caller named it, "" if not about a file */
    char message[256]; /* one sentence, no newline */
} spmv_error;

const char *spmv_error_string(spmv_status status); /* the meaning above; never NULL */
const char *spmv_status_name(spmv_status status);  /* "SPMV_SUCCESS", ...; never NULL */

#ifdef __cplusplus
}
#endif
#endif
