/* output_file.h -- a file that appears whole or not at all, and what else can be written to. */
#pragma once

#include "formats/stream/temporary.h"

/* What is open for writing; first nothing, by spmv__output_none. */
typedef struct spmv__output_file {
    int fd;
    bool is_stdout;
    bool overwrite;        /* what stands there may be replaced */
    bool syncs;            /* another process will commit it, and cannot sync what this one wrote */
    char name[256];        /* as the user wrote it; "<stdout>" for "-" */
    char *path;            /* owned: where it is to appear; NULL: it is written to directly */
    int folder;            /* of the path */
    const char *base;      /* the rest of the path */
    spmv__temporary *temp; /* its file until then; NULL: there is none any more */
} spmv__output_file;

void spmv__output_none(spmv__output_file *out, const char *name, bool overwrite);

/* Put words and the name of the output into *err. */
spmv_status spmv__output_fail(const spmv__output_file *out, spmv_error *err, spmv_status status,
                              const char *what, const char *why);

/* Write bytes at a place of an open file.  Returns 0, or the errno of what failed. */
int spmv__write_at(int fd, const void *data, size_t size, int64_t at);

/* Whether the path is "-" or "/dev/stdout": bytes go after those that are there, if it is a file.
 */
bool spmv__is_stdout(const char *path);

/* Open what has the path, which may be standard output.  Errors: FILE_IO and others of errno; the
 * caller discards in any case. */
spmv_status spmv__output_open(spmv__output_file *out, const char *path, spmv_error *err);

/* Let other processes write to such a file: `path` gets what they join by.  Errors: FILE_IO. */
spmv_status spmv__output_share(const spmv__output_file *out, char *path, size_t size,
                               spmv_error *err);
spmv_status spmv__output_join(spmv__output_file *out, const char *path, spmv_error *err);

/* Sync what was written if it is to last; standard output is left open. */
spmv_status spmv__output_close(spmv__output_file *out, bool good, spmv_error *err);
spmv_status spmv__output_publish(spmv__output_file *out, spmv_error *err); /* once it is closed */
void spmv__output_discard(spmv__output_file *out); /* what was not published is taken back */
