/* comm.c -- what communicators of every transport share. */
#include "core/comm/transport.h"

#include <math.h>
#include <stdlib.h>

spmv_status spmv__comm_create(spmv_comm **out, int rank, int size, spmv_error *err)
{
    spmv_comm *comm = NULL;
    spmv_status st;
    *out = NULL;
    SPMV__TRY(spmv__alloc(&comm, 1, sizeof *comm, "a communicator", err));
    comm->rank = rank;
    comm->size = size;
    comm->local_rank = rank;
    comm->local_size = size;
    SPMV__TRY(spmv__alloc(&comm->number, (int64_t)size * SPMV_COMM_NUMBERS, sizeof *comm->number,
                          "a communicator", err));
    *out = comm;
    comm = NULL;
done:
    free(comm);
    return st;
}

void spmv_comm_close(spmv_comm *comm)
{
    if (comm == NULL) return;
    if (comm->transport != NULL && comm->transport->close != NULL) comm->transport->close(comm);
    free(comm->number);
    free(comm);
}

int spmv_comm_rank(const spmv_comm *comm)
{
    return comm->rank;
}

int spmv_comm_size(const spmv_comm *comm)
{
    return comm->size;
}

int spmv_comm_local_rank(const spmv_comm *comm)
{
    return comm->local_rank;
}

int spmv_comm_local_size(const spmv_comm *comm)
{
    return comm->local_size;
}

void spmv_comm_set_patience(spmv_comm *comm, double seconds,
                            int (*tell)(spmv_status st, const spmv_error *err))
{
    comm->patience = seconds;
    comm->tell = tell;
}

/* comm->number [size] = the status of each rank.  One that has failed does not wait for ever:
 * others may be waiting for what it was to send them. */
static void gather_statuses(spmv_comm *comm, spmv_status st, const spmv_error *err)
{
    const spmv__transport *transport = comm->transport;
    const spmv_error nothing = {0};
    const double mine = st;
    if (transport->all_gather_within == NULL) {
        spmv_comm_gather(comm, &mine, 1, comm->number);
        return;
    }
    const double seconds = st != SPMV_SUCCESS && comm->tell != NULL ? comm->patience : HUGE_VAL;
    if (transport->all_gather_within(comm, &mine, sizeof mine, comm->number, seconds)) return;
    transport->end_all(comm->tell(st, err != NULL ? err : &nothing));
}

spmv_status spmv_comm_agree(spmv_comm *comm, spmv_status st, spmv_error *err)
{
    spmv_error told = {0};
    int first = 0;
    gather_statuses(comm, st, err);
    while (first < comm->size && comm->number[first] == SPMV_SUCCESS) first++;
    if (first == comm->size) return SPMV_SUCCESS;
    st = (spmv_status)comm->number[first];
    if (first == comm->rank && err != NULL) told = *err;
    spmv__comm_broadcast(comm, &told, sizeof told, first);
    if (err != NULL) *err = told;
    return st;
}

void spmv_comm_gather(spmv_comm *comm, const double *mine, int n, double *all)
{
    comm->transport->all_gather(comm, mine, (size_t)n * sizeof *mine, all);
}

/* The sum over the ranks before `end`. */
static uint64_t sum_words(spmv_comm *comm, uint64_t word, int end)
{
    _Static_assert(sizeof word <= sizeof *comm->number, "there is room for one of each rank");
    uint64_t sum = 0, one;
    comm->transport->all_gather(comm, &word, sizeof word, comm->number);
    for (int k = 0; k < end; k++) {
        memcpy(&one, (const char *)comm->number + (size_t)k * sizeof one, sizeof one);
        sum += one;
    }
    return sum;
}

uint64_t spmv__comm_sum_words(spmv_comm *comm, uint64_t word)
{
    return sum_words(comm, word, comm->size);
}

uint64_t spmv__comm_words_before(spmv_comm *comm, uint64_t word)
{
    return sum_words(comm, word, comm->rank);
}

/* ---- Exchanges ------------------------------------------------------------------------------ */

spmv_status spmv__exchange_create(spmv__exchange *out, spmv_comm *comm,
                                  const spmv__message *receive, int receives,
                                  const spmv__message *send, int sends, spmv_error *err)
{
    *out = (spmv__exchange){.comm = comm};
    const spmv_status st = comm->transport->prepare(out, receive, receives, send, sends, err);
    if (st != SPMV_SUCCESS) *out = (spmv__exchange){0};
    return st;
}

void spmv__exchange_destroy(spmv__exchange *e)
{
    if (e->comm != NULL) e->comm->transport->release(e);
    *e = (spmv__exchange){0};
}

spmv_status spmv__exchange_once(spmv_comm *comm, const spmv__message *receive, int receives,
                                const spmv__message *send, int sends, spmv_error *err)
{
    spmv__exchange e;
    spmv_status st = spmv__exchange_create(&e, comm, receive, receives, send, sends, err);
    st = spmv_comm_agree(comm, st, err);
    if (st == SPMV_SUCCESS) {
        spmv__exchange_start(&e);
        spmv__exchange_finish(&e);
    }
    spmv__exchange_destroy(&e);
    return st;
}
