/* spread.c -- see spread.h. */
#include "core/parts/spread.h"

#include <stdlib.h>

/* The elements of one rank. */
static spmv__message range_of(int rank, int peer, const int64_t *begin, size_t size, void *base)
{
    const int64_t bytes = (int64_t)size;
    return (spmv__message){peer, base != NULL ? (char *)base + begin[rank] * bytes : NULL,
                           (begin[rank + 1] - begin[rank]) * bytes};
}

/* Rank 0 names the elements of all others, and each of these its own, which begin at `mine`. */
static spmv_status name_ranges(spmv__message **out, int *count, spmv_comm *comm,
                               const int64_t *begin, size_t size, void *whole, void *mine,
                               spmv_error *err)
{
    spmv_status st = spmv__alloc(out, comm->size, sizeof **out, "messages", err);
    st = spmv_comm_agree(comm, st, err);
    *count = 0;
    if (st != SPMV_SUCCESS) return st;
    for (int k = 1; k < comm->size && comm->rank == 0; k++)
        (*out)[(*count)++] = range_of(k, k, begin, size, whole);
    if (comm->rank > 0) {
        **out = range_of(comm->rank, 0, begin, size, NULL);
        (*out)->data = mine;
        *count = 1;
    }
    return st;
}

static size_t first_bytes(const int64_t *begin, size_t size)
{
    return (size_t)(begin[1] - begin[0]) * size;
}

/* Exchange the ranges of all other ranks with rank 0, which sends or receives them. */
static spmv_status exchange_ranges(spmv_comm *comm, const int64_t *begin, size_t size, void *whole,
                                   void *mine, bool root_sends, spmv_error *err)
{
    const bool sends = (comm->rank == 0) == root_sends;
    spmv__message *message = NULL;
    int n;
    spmv_status st;
    SPMV__TRY(name_ranges(&message, &n, comm, begin, size, whole, mine, err));
    SPMV__TRY(spmv__exchange_once(comm, message, sends ? 0 : n, message, sends ? n : 0, err));
done:
    free(message);
    return st;
}

spmv_status spmv__spread(spmv_comm *comm, const int64_t *begin, size_t size, const void *whole,
                         void *mine, spmv_error *err)
{
    const size_t first = first_bytes(begin, size);
    if (comm->rank == 0 && first > 0) memcpy(mine, whole, first);
    return exchange_ranges(comm, begin, size, (void *)(uintptr_t)whole, mine, true, err);
}

spmv_status spmv__collect(spmv_comm *comm, const int64_t *begin, size_t size, const void *mine,
                          void *whole, spmv_error *err)
{
    const size_t first = first_bytes(begin, size);
    if (comm->rank == 0 && first > 0) memcpy(whole, mine, first);
    return exchange_ranges(comm, begin, size, whole, (void *)(uintptr_t)mine, false, err);
}

spmv_status spmv__collect_sums(spmv_comm *comm, const int64_t *row_begin, const int64_t *own,
                               int64_t *whole, spmv_error *err)
{
    int64_t *end = whole != NULL ? whole + 1 : NULL;
    const spmv_status st = spmv__collect(comm, row_begin, sizeof *own, own + 1, end, err);
    if (st != SPMV_SUCCESS || whole == NULL) return st;
    whole[0] = 0;
    for (int k = 1; k < comm->size; k++) {
        const int64_t before = whole[row_begin[k]];
        for (int64_t r = row_begin[k]; r < row_begin[k + 1]; r++) end[r] += before;
    }
    return st;
}
