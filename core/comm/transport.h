/* transport.h -- how ranks talk to each other, and what is made of it.
 *
 * Nothing here fails on the way: a transport ends all processes where it cannot go on.  What can
 * fail is local, and spmv_comm_agree comes after it. */
#pragma once

#include "core/base/base.h"

/* Bytes for a rank, or from one. */
typedef struct spmv__message {
    int peer; /* another rank */
    void *data;
    int64_t bytes;
} spmv__message;

/* The messages that ranks exchange with each other, once or again and again. */
typedef struct spmv__exchange {
    spmv_comm *comm;
    void *own; /* of the transport */
} spmv__exchange;

/* One record for each way to talk. */
typedef struct spmv__transport {
    void (*broadcast)(spmv_comm *comm, void *data, int64_t bytes, int root);
    /* all [size x bytes] = mine of each rank; bytes are few. */
    void (*all_gather)(spmv_comm *comm, const void *mine, size_t bytes, void *all);
    /* The same, but returns false when some rank has not come after `seconds`; NULL: all come.  It
     * answers to itself alone: not to all_gather of another rank. */
    bool (*all_gather_within)(spmv_comm *comm, const void *mine, size_t bytes, void *all,
                              double seconds);
    void (*end_all)(int exit_status); /* all processes; NULL: all come */
    /* received[k] = send[rank] of rank k, both [size] of `bytes` bytes, which are few. */
    void (*all_to_all)(spmv_comm *comm, const void *send, size_t bytes, void *received);
    spmv_status (*prepare)(spmv__exchange *e, const spmv__message *receive, int receives,
                           const spmv__message *send, int sends, spmv_error *err);
    void (*start)(spmv__exchange *e);
    void (*finish)(spmv__exchange *e);
    void (*release)(spmv__exchange *e);
    bool (*takes_gpu_memory)(void); /* messages may lie there; NULL: they may not */
    void (*close)(spmv_comm *comm); /* what `own` holds; NULL: nothing */
} spmv__transport;

struct spmv_comm {
    const spmv__transport *transport;
    int rank, size;
    int local_rank, local_size; /* among those of its machine, */
    int machine;                /* the lowest rank of which says which one that is */
    void *own;                  /* of the transport */
    double *number;             /* [size x SPMV_COMM_NUMBERS] for small gathers */
    double patience;            /* seconds that a failure waits for the others, and */
    int (*tell)(spmv_status st, const spmv_error *err); /* what happens then; NULL: it waits on */
};

/* A communicator without a transport yet, all of whose ranks are of one machine;
 * spmv_comm_close destroys it also then. */
spmv_status spmv__comm_create(spmv_comm **out, int rank, int size, spmv_error *err);

static inline void spmv__comm_broadcast(spmv_comm *comm, void *data, int64_t bytes, int root)
{
    comm->transport->broadcast(comm, data, bytes, root);
}

static inline void spmv__comm_all_gather(spmv_comm *comm, const void *mine, size_t bytes, void *all)
{
    comm->transport->all_gather(comm, mine, bytes, all);
}

/* Whether the transport says that it sends and receives what lies in the memory of GPUs. */
static inline bool spmv__comm_takes_gpu_memory(const spmv_comm *comm)
{
    return comm->transport->takes_gpu_memory != NULL && comm->transport->takes_gpu_memory();
}

static inline void spmv__comm_all_to_all(spmv_comm *comm, const void *send, size_t bytes,
                                         void *received)
{
    comm->transport->all_to_all(comm, send, bytes, received);
}

/* The sum over all ranks, and over those before this one, modulo 2^64. */
uint64_t spmv__comm_sum_words(spmv_comm *comm, uint64_t word);
uint64_t spmv__comm_words_before(spmv_comm *comm, uint64_t word);

/* Prepare an exchange.  Messages between two ranks come in the order in which both name them, with
 * the same sizes; their memory stays where it is.  Of this process alone: others learn of a failure
 * by spmv_comm_agree.  Errors: OUT_OF_MEMORY. */
spmv_status spmv__exchange_create(spmv__exchange *out, spmv_comm *comm,
                                  const spmv__message *receive, int receives,
                                  const spmv__message *send, int sends, spmv_error *err);
void spmv__exchange_destroy(spmv__exchange *e);

/* Between the two calls what is sent stays as it is, and what is received is undefined. */
static inline void spmv__exchange_start(spmv__exchange *e)
{
    e->comm->transport->start(e);
}

static inline void spmv__exchange_finish(spmv__exchange *e)
{
    e->comm->transport->finish(e);
}

/* Exchange messages once.  Errors, which all ranks have together: OUT_OF_MEMORY. */
spmv_status spmv__exchange_once(spmv_comm *comm, const spmv__message *receive, int receives,
                                const spmv__message *send, int sends, spmv_error *err);
