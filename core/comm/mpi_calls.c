/* mpi_calls.c -- ranks that are processes of MPI.
 *
 * Errors of MPI end all processes, which is what MPI does unless it is told otherwise.
 * Counts of MPI are ints, so long messages are cut. */
#include "core/comm/mpi_api.h"
#include "core/comm/transport.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

enum { LONGEST = 1 << 30 /* bytes that are sent at once */ };

typedef struct mpi_state {
    MPI_Comm all;
    bool begun; /* here, and not by the program */
} mpi_state;

/* MPI was begun here, and has not been ended. */
static bool begun;

static MPI_Comm all_of(const spmv_comm *comm)
{
    return ((const mpi_state *)comm->own)->all;
}

/* ---- All together --------------------------------------------------------------------------- */

static void broadcast(spmv_comm *comm, void *data, int64_t bytes, int root)
{
    for (int64_t at = 0; at < bytes; at += LONGEST) {
        const int n = bytes - at < LONGEST ? (int)(bytes - at) : LONGEST;
        mpi.MPI_Bcast((char *)data + at, n, MPI_BYTE, root, all_of(comm));
    }
}

static void all_gather(spmv_comm *comm, const void *mine, size_t bytes, void *all)
{
    mpi.MPI_Allgather(mine, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, all_of(comm));
}

/* Who waits for a limited time sleeps: the others need the processor more. */
static bool all_gather_within(spmv_comm *comm, const void *mine, size_t bytes, void *all,
                              double seconds)
{
    const double begin = spmv_now();
    const struct timespec pause = {.tv_nsec = 1000000};
    MPI_Request request;
    int done = 0;
    mpi.MPI_Iallgather(mine, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, all_of(comm),
                       &request);
    if (seconds == HUGE_VAL) {
        mpi.MPI_Wait(&request, MPI_STATUS_IGNORE);
        return true;
    }
    for (;;) {
        mpi.MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done || spmv_now() - begin > seconds) return done;
        nanosleep(&pause, NULL);
    }
}

static void end_all(int exit_status)
{
    mpi.MPI_Abort(MPI_COMM_WORLD, exit_status);
}

static void all_to_all(spmv_comm *comm, const void *send, size_t bytes, void *received)
{
    mpi.MPI_Alltoall(send, (int)bytes, MPI_BYTE, received, (int)bytes, MPI_BYTE, all_of(comm));
}

/* ---- Messages ------------------------------------------------------------------------------- */

typedef struct requests {
    int count;
    MPI_Request request[];
} requests;

static int64_t count_cuts(const spmv__message *message, int n)
{
    int64_t cuts = 0;
    for (int i = 0; i < n; i++) cuts += (message[i].bytes + LONGEST - 1) / LONGEST;
    return cuts;
}

static void add_requests(requests *r, spmv_comm *comm, const spmv__message *message, int n,
                         bool send)
{
    for (int i = 0; i < n; i++)
        for (int64_t at = 0; at < message[i].bytes; at += LONGEST) {
            const int64_t left = message[i].bytes - at;
            const int length = left < LONGEST ? (int)left : LONGEST, peer = message[i].peer;
            char *data = (char *)message[i].data + at;
            MPI_Request *request = &r->request[r->count++];
            if (send)
                mpi.MPI_Send_init(data, length, MPI_BYTE, peer, 0, all_of(comm), request);
            else
                mpi.MPI_Recv_init(data, length, MPI_BYTE, peer, 0, all_of(comm), request);
        }
}

static spmv_status prepare(spmv__exchange *e, const spmv__message *receive, int receives,
                           const spmv__message *send, int sends, spmv_error *err)
{
    const int64_t n = count_cuts(receive, receives) + count_cuts(send, sends);
    requests *r;
    const spmv_status st =
        spmv__alloc(&r, 1, sizeof *r + (size_t)n * sizeof *r->request, "messages", err);
    if (st != SPMV_SUCCESS) return st;
    add_requests(r, e->comm, receive, receives, false);
    add_requests(r, e->comm, send, sends, true);
    e->own = r;
    return SPMV_SUCCESS;
}

static void start(spmv__exchange *e)
{
    requests *r = e->own;
    mpi.MPI_Startall(r->count, r->request);
}

static void finish(spmv__exchange *e)
{
    requests *r = e->own;
    mpi.MPI_Waitall(r->count, r->request, MPI_STATUSES_IGNORE);
}

static void release(spmv__exchange *e)
{
    requests *r = e->own;
    for (int i = 0; i < r->count; i++) mpi.MPI_Request_free(&r->request[i]);
    free(r);
}

/* Open MPI, and those that are compatible with it here, have a function that says so. */
static bool takes_gpu_memory(void)
{
    int (*const query)(void) =
        (int (*)(void))spmv__find_symbol(SPMV_MPI_SONAME, "MPIX_Query_cuda_support");
    return query != NULL && query() == 1;
}

/* ---- Beginning and end ---------------------------------------------------------------------- */

static void close_mpi(spmv_comm *comm)
{
    mpi_state *state = comm->own;
    mpi.MPI_Comm_free(&state->all);
    if (state->begun) mpi.MPI_Finalize();
    free(state);
}

static const spmv__transport mpi_transport = {
    .broadcast = broadcast,
    .all_gather = all_gather,
    .all_gather_within = all_gather_within,
    .end_all = end_all,
    .all_to_all = all_to_all,
    .prepare = prepare,
    .start = start,
    .finish = finish,
    .release = release,
    .takes_gpu_memory = takes_gpu_memory,
    .close = close_mpi,
};

/* Find the ranks that share the memory of this machine. */
static void find_local(spmv_comm *comm)
{
    MPI_Comm local;
    mpi.MPI_Comm_split_type(all_of(comm), MPI_COMM_TYPE_SHARED, comm->rank, MPI_INFO_NULL, &local);
    mpi.MPI_Comm_rank(local, &comm->local_rank);
    mpi.MPI_Comm_size(local, &comm->local_size);
    comm->machine = comm->rank;
    mpi.MPI_Bcast(&comm->machine, sizeof comm->machine, MPI_BYTE, 0, local);
    mpi.MPI_Comm_free(&local);
}

spmv_status spmv_comm_join(spmv_comm **out, spmv_error *err)
{
    mpi_state *state = NULL;
    int running, ended, provided, rank, size;
    spmv_status st;
    SPMV__REQUIRE(out != NULL, err);
    *out = NULL;
    SPMV__TRY(mpi_load(err));
    mpi.MPI_Finalized(&ended);
    if (ended)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "MPI has ended, and cannot begin anew");
    SPMV__TRY(spmv__alloc(&state, 1, sizeof *state, "a communicator", err));
    mpi.MPI_Initialized(&running);
    begun = begun || !running;
    if (!running) mpi.MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided);
    mpi.MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    mpi.MPI_Comm_size(MPI_COMM_WORLD, &size);
    SPMV__TRY(spmv__comm_create(out, rank, size, err));
    mpi.MPI_Comm_dup(MPI_COMM_WORLD, &state->all);
    state->begun = begun;
    begun = false;
    (*out)->own = state;
    (*out)->transport = &mpi_transport;
    find_local(*out);
    state = NULL;
done:
    free(state);
    return st;
}

bool spmv_comm_can_join(void)
{
    return true;
}
