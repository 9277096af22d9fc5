/* nccl_stand_in_test.c -- as much of NCCL as cuda/comm/nccl_way.c calls, for processes with
 * emulated GPUs; for tests only.
 *
 * Ranks share a file of memory, with a mailbox for each pair of them, through which messages go
 * piece by piece.  Calls between the beginning and the end of a group are carried out at its end,
 * all at once, in the order of the stream: when it is captured, with each replay.
 *
 *   NCCL_STAND_IN_FAILS     nobody can join
 *   NCCL_STAND_IN_FAILS_AT  the number of a group, counted from 1, that fails on rank 1: the others
 *                           wait for it for ever */
#include "cuda/emulated/emulated_work.h"

#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PIECE = 4096, SUCCESS = 0, SYSTEM_ERROR = 2, INVALID_USAGE = 5 };

typedef struct stand_in_id {
    char name[128];
} stand_in_id;

/* From one rank to another one. */
typedef struct mailbox {
    atomic_uint full;
    char data[PIECE];
} mailbox;

typedef struct shared {
    atomic_int joined;
    mailbox mailbox[]; /* [ranks][ranks] from, to */
} shared;

typedef struct message {
    bool send;
    int peer;
    char *data;
    size_t bytes;
} message;

enum { MOST_MESSAGES = 256 };
typedef struct group {
    struct communicator *comm;
    struct group *earlier;
    int count;
    message message[MOST_MESSAGES];
} group;

typedef struct communicator {
    int rank, ranks;
    shared *all;
    size_t size; /* of the file */
    group *last; /* owned, with those before it: a graph may have them */
} communicator;

#define PUBLIC __attribute__((visibility("default")))
PUBLIC int ncclGetUniqueId(stand_in_id *id);
PUBLIC int ncclCommInitRank(void **out, int ranks, stand_in_id id, int rank);
PUBLIC int ncclCommDestroy(void *comm);
PUBLIC int ncclGroupStart(void);
PUBLIC int ncclGroupEnd(void);
PUBLIC int ncclSend(const void *data, size_t count, int type, int peer, void *comm, void *stream);
PUBLIC int ncclRecv(void *data, size_t count, int type, int peer, void *comm, void *stream);
PUBLIC const char *ncclGetErrorString(int result);

static group open_group; /* what has been called since it began */

/* ---- Communicators -------------------------------------------------------------------------- */

PUBLIC int ncclGetUniqueId(stand_in_id *id)
{
    static int count;
    memset(id, 0, sizeof *id);
    snprintf(id->name, sizeof id->name, "/nccl_stand_in.%ld.%d", (long)getpid(), count++);
    return SUCCESS;
}

static shared *map_shared(const char *name, size_t size)
{
    const int file = shm_open(name, O_RDWR | O_CREAT, 0600);
    void *data = MAP_FAILED;
    if (file < 0) return NULL;
    if (ftruncate(file, (off_t)size) == 0)
        data = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    return data != MAP_FAILED ? data : NULL;
}

PUBLIC int ncclCommInitRank(void **out, int ranks, stand_in_id id, int rank)
{
    communicator *comm = calloc(1, sizeof *comm);
    if (comm == NULL || getenv("NCCL_STAND_IN_FAILS") != NULL) {
        free(comm);
        return SYSTEM_ERROR;
    }
    *comm = (communicator){.rank = rank, .ranks = ranks};
    comm->size = sizeof *comm->all + (size_t)ranks * (size_t)ranks * sizeof(mailbox);
    comm->all = map_shared(id.name, comm->size);
    if (comm->all == NULL) abort();
    atomic_fetch_add(&comm->all->joined, 1);
    while (atomic_load(&comm->all->joined) < ranks) sched_yield();
    if (rank == 0) shm_unlink(id.name);
    *out = comm;
    return SUCCESS;
}

PUBLIC int ncclCommDestroy(void *user)
{
    communicator *comm = user;
    while (comm->last != NULL) {
        group *g = comm->last;
        comm->last = g->earlier;
        free(g);
    }
    munmap(comm->all, comm->size);
    free(comm);
    return SUCCESS;
}

/* ---- Groups --------------------------------------------------------------------------------- */

/* Carry on one message by a piece, if its mailbox lets it. */
static void advance(const communicator *comm, message *m)
{
    const int from = m->send ? comm->rank : m->peer, to = m->send ? m->peer : comm->rank;
    mailbox *p = &comm->all->mailbox[from * comm->ranks + to];
    const size_t n = m->bytes < PIECE ? m->bytes : PIECE;
    if (atomic_load(&p->full) == m->send) return;
    if (m->send)
        memcpy(p->data, m->data, n);
    else
        memcpy(m->data, p->data, n);
    m->data += n;
    m->bytes -= n;
    atomic_store(&p->full, m->send);
}

/* Whether one before it goes the same way, and has not arrived. */
static bool has_to_wait(const message *m, int i)
{
    for (int k = 0; k < i; k++)
        if (m[k].bytes > 0 && m[k].peer == m[i].peer && m[k].send == m[i].send) return true;
    return false;
}

static void carry_out(void *user)
{
    const group *g = user;
    message m[MOST_MESSAGES];
    bool all = false;
    memcpy(m, g->message, sizeof m);
    while (!all) {
        all = true;
        for (int i = 0; i < g->count; i++) {
            if (m[i].bytes > 0 && !has_to_wait(m, i)) advance(g->comm, &m[i]);
            all = all && m[i].bytes == 0;
        }
        sched_yield();
    }
}

PUBLIC int ncclGroupStart(void)
{
    open_group.count = 0;
    return SUCCESS;
}

PUBLIC int ncclGroupEnd(void)
{
    communicator *comm = open_group.comm;
    static int number;
    const char *failing = getenv("NCCL_STAND_IN_FAILS_AT");
    group *g;
    if (open_group.count == 0) return SUCCESS;
    number++;
    if (failing != NULL && comm->rank == 1 && number == atoi(failing)) return SYSTEM_ERROR;
    g = malloc(sizeof *g);
    if (g == NULL) abort();
    *g = open_group;
    g->earlier = comm->last;
    comm->last = g;
    emulated_enqueue(carry_out, g);
    return SUCCESS;
}

static int add(message m, size_t count, int type, void *comm)
{
    if (open_group.count == MOST_MESSAGES || type != 0) return INVALID_USAGE;
    m.bytes = count;
    open_group.comm = comm;
    open_group.message[open_group.count++] = m;
    return SUCCESS;
}

PUBLIC int ncclSend(const void *data, size_t count, int type, int peer, void *comm, void *stream)
{
    (void)stream;
    return add((message){.send = true, .peer = peer, .data = (char *)data}, count, type, comm);
}

PUBLIC int ncclRecv(void *data, size_t count, int type, int peer, void *comm, void *stream)
{
    (void)stream;
    return add((message){.send = false, .peer = peer, .data = data}, count, type, comm);
}

PUBLIC const char *ncclGetErrorString(int result)
{
    return result == SYSTEM_ERROR ? "a failure that a test wants" : "invalid usage";
}
