/* team_test.c -- see team_test.h.
 *
 * Ranks lay what they send on a table that all see, and wait for each other before and after they
 * look at it. */
#include "core/comm/team_test.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct team_messages {
    spmv__message *receive, *send; /* owned */
    int receives, sends;
} team_messages;

typedef struct team {
    pthread_barrier_t gate;
    const void *table[TEAM_MOST]; /* of each rank */
} team;

/* Returns what each rank has laid down, when all have. */
static const void *const *lay_down(spmv_comm *comm, const void *mine)
{
    team *t = comm->own;
    t->table[comm->rank] = mine;
    pthread_barrier_wait(&t->gate);
    return t->table;
}

static void all_have_looked(spmv_comm *comm)
{
    pthread_barrier_wait(&((team *)comm->own)->gate);
}

static void broadcast(spmv_comm *comm, void *data, int64_t bytes, int root)
{
    const void *const *table = lay_down(comm, data);
    if (comm->rank != root) memcpy(data, table[root], (size_t)bytes);
    all_have_looked(comm);
}

static void all_gather(spmv_comm *comm, const void *mine, size_t bytes, void *all)
{
    const void *const *table = lay_down(comm, mine);
    for (int k = 0; k < comm->size; k++) memcpy((char *)all + (size_t)k * bytes, table[k], bytes);
    all_have_looked(comm);
}

static void all_to_all(spmv_comm *comm, const void *send, size_t bytes, void *received)
{
    const void *const *table = lay_down(comm, send);
    for (int k = 0; k < comm->size; k++)
        memcpy((char *)received + (size_t)k * bytes,
               (const char *)table[k] + (size_t)comm->rank * bytes, bytes);
    all_have_looked(comm);
}

static spmv__message *copy_of(const spmv__message *message, int n)
{
    spmv__message *copy = malloc(((size_t)n + 1) * sizeof *copy);
    if (n > 0) memcpy(copy, message, (size_t)n * sizeof *copy);
    return copy;
}

static spmv_status prepare(spmv__exchange *e, const spmv__message *receive, int receives,
                           const spmv__message *send, int sends, spmv_error *err)
{
    team_messages *m = malloc(sizeof *m);
    (void)err;
    *m = (team_messages){copy_of(receive, receives), copy_of(send, sends), receives, sends};
    e->own = m;
    return SPMV_SUCCESS;
}

static void start(spmv__exchange *e)
{
    (void)e; /* nobody looks before all have begun to wait */
}

/* The n-th message that goes to a rank. */
static const spmv__message *find_message(const team_messages *from, int rank, int n)
{
    for (int i = 0; i < from->sends; i++)
        if (from->send[i].peer == rank && n-- == 0) return &from->send[i];
    return NULL;
}

static void finish(spmv__exchange *e)
{
    team_messages *m = e->own;
    const void *const *table = lay_down(e->comm, m);
    int taken[TEAM_MOST] = {0};
    for (int i = 0; i < m->receives; i++) {
        const spmv__message *to = &m->receive[i];
        const spmv__message *from = find_message(table[to->peer], e->comm->rank, taken[to->peer]++);
        if (from == NULL || from->bytes != to->bytes) {
            fprintf(stderr, "rank %d waits for %lld bytes of rank %d, which sends others\n",
                    e->comm->rank, (long long)to->bytes, to->peer);
            abort();
        }
        if (to->bytes > 0) memcpy(to->data, from->data, (size_t)to->bytes);
    }
    all_have_looked(e->comm);
}

static void release(spmv__exchange *e)
{
    team_messages *m = e->own;
    free(m->receive);
    free(m->send);
    free(m);
}

/* As messages are copied by the host, those of emulated GPUs may be. */
static bool yes(void)
{
    return true;
}

static const spmv__transport team_transport = {
    .broadcast = broadcast,
    .all_gather = all_gather,
    .all_to_all = all_to_all,
    .prepare = prepare,
    .start = start,
    .finish = finish,
    .release = release,
    .takes_gpu_memory = yes,
};

/* ---- Running -------------------------------------------------------------------------------- */

typedef struct team_member {
    pthread_t thread;
    spmv_comm *comm;
    team_work *work;
    void *user;
    const char *complaint;
} team_member;

static void *run_member(void *user)
{
    team_member *m = user;
    m->complaint = m->work(m->comm, m->user);
    return NULL;
}

const char *team_run(int size, team_work *work, void *user)
{
    team t;
    team_member m[TEAM_MOST];
    const char *complaint = NULL;
    pthread_barrier_init(&t.gate, NULL, (unsigned)size);
    for (int k = 0; k < size; k++) {
        m[k] = (team_member){.work = work, .user = user};
        if (spmv__comm_create(&m[k].comm, k, size, NULL) != SPMV_SUCCESS) abort();
        m[k].comm->own = &t;
        m[k].comm->transport = &team_transport;
    }
    for (int k = 0; k < size; k++)
        if (pthread_create(&m[k].thread, NULL, run_member, &m[k]) != 0) abort();
    for (int k = 0; k < size; k++) pthread_join(m[k].thread, NULL);
    for (int k = size - 1; k >= 0; k--) {
        if (m[k].complaint != NULL) complaint = m[k].complaint;
        spmv_comm_close(m[k].comm);
    }
    pthread_barrier_destroy(&t.gate);
    return complaint;
}
