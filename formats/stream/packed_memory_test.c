/* packed_memory_test.c -- when allocation number k fails, or no thread can be started, reading and
 * writing packed files report it and give back what they had.
 *
 * The linker sends every calloc and pthread_create of the library here. */
#include "formats/codecs/tar_test.h"

#include <errno.h>
#include <pthread.h>
#include <unistd.h>

static long until_failure = -1; /* so many more succeed; negative: all do */
static bool failed, no_threads;

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *argument);

void *__wrap_calloc(size_t count, size_t size)
{
    if (until_failure < 0 || until_failure-- > 0) return __real_calloc(count, size);
    failed = true;
    return NULL;
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *argument)
{
    return no_threads ? EAGAIN : __real_pthread_create(thread, attributes, run, argument);
}

static char path[64];

/* Every allocation of run fails in turn. */
static void fail_each(spmv_status (*run)(spmv_error *err), int least)
{
    for (int k = 0;; k++) {
        spmv_error err = {.message = ""};
        failed = false;
        until_failure = k;
        const spmv_status st = run(&err);
        until_failure = -1;
        if (!failed) {
            cr_assert_eq(st, SPMV_SUCCESS, "%s", err.message);
            cr_assert_geq(k, least);
            return;
        }
        cr_assert_eq(st, SPMV_ERROR_OUT_OF_MEMORY, "allocation %d: %s", k, err.message);
        cr_assert_str_not_empty(err.message, "allocation %d", k);
    }
}

static spmv_status read_matrix(spmv_error *err)
{
    spmv_matrix A;
    const spmv_status st = spmv_read(&A, path, NULL, NULL, err);
    if (st == SPMV_SUCCESS) spmv_destroy(&A);
    return st;
}

static const char text[] = "%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1\n";

Test(packed_memory, reading)
{
    snprintf(path, sizeof path, "/tmp/spmv-packed-memory-%ld", (long)getpid());
    for (int c = 0; c < 2 * CODECS; c++) {
        bytes b = c < CODECS ? copy_bytes(text, sizeof text - 1)
                             : tar_end(tar_file(tar_begin(), "only.mtx", text));
        bytes packed = codecs[c % CODECS].pack(b.data, b.size);
        FILE *f = fopen(path, "wb");
        fwrite(packed.data, 1, packed.size, f);
        fclose(f);
        fail_each(read_matrix, 7);
        free(packed.data);
        free(b.data);
    }
    unlink(path);
}

static const char *suffix;

static spmv_status write_matrix(spmv_error *err)
{
    int64_t row = 0, col = 0;
    const spmv_matrix A = {.coo = {SPMV_PATTERN, SPMV_GENERAL, 1, 1, 1, NULL, &row, &col, NULL}};
    const spmv_write_options options = {.overwrite = true};
    snprintf(path, sizeof path, "/tmp/spmv-packed-memory-%ld.mtx%s", (long)getpid(), suffix);
    return spmv_write(&A, path, &options, err);
}

Test(packed_memory, writing)
{
    static const char *const suffixes[] = {".gz", ".zst"};
    for (int i = 0; i < 2; i++) {
        suffix = suffixes[i];
        fail_each(write_matrix, 4);
        unlink(path);
    }
}

/* The first MiB are given without a thread, and then there is none to be had. */
Test(packed_memory, no_thread)
{
    bytes zeros = {calloc(9, 1 << 20), (size_t)9 << 20};
    memset(zeros.data, '\n', zeros.size);
    bytes packed = pack_gzip(zeros.data, zeros.size);
    spmv__source src = {.name = "file", .data = packed.data, .size = (int64_t)packed.size};
    spmv__piece piece;
    spmv_error err;
    cr_assert_eq(spmv__source_unpack(&src, &spmv__known_files, &(spmv_read_options){0}, &err),
                 SPMV_SUCCESS);
    cr_assert_eq(spmv__source_next(&src, &piece, &err), SPMV_SUCCESS);
    spmv__source_release(&src, &piece);
    until_failure = 0;
    cr_assert_eq(spmv__source_next(&src, &piece, &err), SPMV_ERROR_OUT_OF_MEMORY);
    until_failure = -1;
    no_threads = true;
    cr_assert_eq(spmv__source_next(&src, &piece, &err), SPMV_ERROR_OUT_OF_MEMORY);
    cr_assert_not_null(strstr(err.message, "thread"), "%s", err.message);
    no_threads = false;
    cr_assert_eq(spmv__source_next(&src, &piece, &err), SPMV_SUCCESS);
    spmv__source_release(&src, &piece);
    spmv__source_close(&src);
    free(packed.data);
    free(zeros.data);
}

/* Blocks of gzip that no thread takes up are packed by the one that writes. */
Test(packed_memory, packing_without_threads)
{
    const spmv_generate_options shape = {.rows = 60000, .cols = 60000, .per_row = 3, .seed = 2};
    spmv_matrix A = {.format = SPMV_CSR}, B;
    spmv_error err;
    cr_assert_eq(spmv_generate(&A.csr, "uniform", &shape, &err), SPMV_SUCCESS, "%s", err.message);
    snprintf(path, sizeof path, "/tmp/spmv-packed-memory-%ld.mtx.gz", (long)getpid());
    no_threads = true;
    cr_assert_eq(spmv_write(&A, path, NULL, &err), SPMV_SUCCESS, "%s", err.message);
    no_threads = false;
    cr_assert_eq(spmv_read(&B, path, NULL, NULL, &err), SPMV_SUCCESS, "%s", err.message);
    unlink(path);
    cr_assert(spmv_identical(&A, &B));
    spmv_destroy(&A);
    spmv_destroy(&B);
}
