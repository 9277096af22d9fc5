/* all_to_all.c -- see all_to_all.h. */
#include "core/parts/all_to_all.h"

#include <stdlib.h>

/* Name the elements for, or from, each other rank that has some. */
static int name_elements(spmv__message *out, const spmv_comm *comm, size_t size, const void *base,
                         const int64_t *begin)
{
    int n = 0;
    for (int k = 0; k < comm->size; k++) {
        const int64_t bytes = (begin[k + 1] - begin[k]) * (int64_t)size;
        if (k != comm->rank && bytes > 0)
            out[n++] =
                (spmv__message){k, (char *)(uintptr_t)base + begin[k] * (int64_t)size, bytes};
    }
    return n;
}

spmv_status spmv__all_to_all(spmv_comm *comm, size_t size, const void *give,
                             const int64_t *give_begin, void *take, const int64_t *take_begin,
                             spmv_error *err)
{
    const int rank = comm->rank;
    const size_t kept = (size_t)(give_begin[rank + 1] - give_begin[rank]) * size;
    spmv__message *message = NULL;
    int gives, takes;
    spmv_status st =
        spmv__alloc(&message, 2 * (int64_t)comm->size, sizeof *message, "messages", err);
    SPMV__TRY(spmv_comm_agree(comm, st, err));
    takes = name_elements(message, comm, size, take, take_begin);
    gives = name_elements(message + takes, comm, size, give, give_begin);
    if (kept > 0)
        memcpy((char *)take + (size_t)take_begin[rank] * size,
               (const char *)give + (size_t)give_begin[rank] * size, kept);
    SPMV__TRY(spmv__exchange_once(comm, message, takes, message + takes, gives, err));
done:
    free(message);
    return st;
}
