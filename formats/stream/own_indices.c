/* own_indices.c -- indices out of a mapped file into memory that no other program can change.
 *
 * What was checked in a mapped file may be something else when it is used, because another program
 * writes to the file.  A wrong value makes a wrong number, and a wrong index that is only read
 * through, such as that of a column in a product, at worst a fault that the program can catch; but
 * one that leads to where something is written would destroy other data. */
#include "core/matrix/format.h"
#include "formats/stream/mapping.h"
#include "formats/stream/own_indices.h"

#include <stdlib.h>
#include <string.h>

/* Copies, and the storage of everything else. */
typedef struct own {
    spmv_storage base;
    spmv_storage *rest;
    int copies;
    void *copy[];
} own;

static void release(spmv_storage *self)
{
    own *held = (own *)self;
    for (int i = 0; i < held->copies; i++) free(held->copy[i]);
    held->rest->release(held->rest);
    free(held);
}

/* As its own storage says, however many files are mapped, or as the table for signal handlers. */
static bool is_mapped(const spmv_storage *storage, const void *address)
{
    while (storage != NULL && storage->release == release) storage = ((const own *)storage)->rest;
    return (storage != NULL && spmv__is_mapping(storage, address)) ||
           spmv_mapped_file(address) != NULL; /* of a view */
}

static bool is_wanted(const spmv_matrix *A, const spmv__array *array, bool all)
{
    return (array->role == SPMV__TARGETS || (all && array->role != SPMV__VALUES)) &&
           is_mapped(A->head.storage, spmv__array_data(A, array));
}

/* A whole array, by all threads: half of the time goes into pages that are touched first. */
static void copy_array(unsigned char *to, const unsigned char *from, int64_t bytes)
{
    enum { PART = 1 << 22 };
#pragma omp parallel for schedule(static) num_threads(spmv__threads(0)) if (bytes > 2 * PART)
    for (int64_t at = 0; at < bytes; at += PART)
        memcpy(to + at, from + at, (size_t)(bytes - at < PART ? bytes - at : PART));
}

spmv_status spmv__own_indices(spmv_matrix *A, bool all, spmv_error *err)
{
    const spmv__format *format = spmv__format_of(A->format);
    spmv_matrix B = *A;
    spmv_status st = SPMV_SUCCESS;
    own *held = NULL;

    for (int i = 0; i < format->array_count; i++) {
        const spmv__array *array = &format->arrays[i];
        const int64_t bytes = spmv__array_bytes(A, array);
        void **pointer = spmv__array_pointer(&B, array);
        if (!is_wanted(A, array, all)) continue;
        if (held == NULL)
            SPMV__TRY(spmv__alloc(&held, 1,
                                  sizeof *held + (size_t)format->array_count * sizeof(void *),
                                  "copies of indices", err));
        SPMV__TRY(spmv__alloc(&held->copy[held->copies], bytes, 1, "a copy of indices", err));
        copy_array(held->copy[held->copies], *pointer, bytes);
        *pointer = held->copy[held->copies++];
    }
    if (held != NULL) {
        held->base.release = release;
        held->rest = A->head.storage;
        B.head.storage = &held->base;
        *A = B;
        held = NULL;
    }
done:
    for (int i = 0; held != NULL && i < held->copies; i++) free(held->copy[i]);
    free(held);
    return st;
}

spmv_status spmv_own_indices(spmv_matrix *A, spmv_error *err)
{
    SPMV__REQUIRE(A != NULL, err);
    const spmv_storage *before = A->head.storage;
    const spmv_status st = before != NULL ? spmv__own_indices(A, true, err) : SPMV_SUCCESS;
    return st == SPMV_SUCCESS && A->head.storage != before ? spmv_check(A, err) : st;
}
