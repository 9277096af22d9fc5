/* nccl_way.c -- elements of x that NCCL brings from GPU to GPU: by NVLink, PCI Express or the
 * network, whatever lies between two of them.
 *
 * What a rank sends and receives is one group of calls, which NCCL makes one kernel of.  The host
 * takes no part in that, so that it can be recorded.  Of a table each rank gets the rows of all
 * others: nothing is added up on the way, and the sums of all ranks have the same bits.
 *
 * A GPU that fails between two exchanges leaves the others waiting until its process ends, which
 * spmv_comm_set_patience is for. */
#include "core/base/base.h"
#include "cuda/comm/nccl_api.h"
#include "cuda/comm/relay.h"
#include "cuda/gpu/rank_memory.h"

/* Turns the result of a call into a status of ours. */
static spmv_status check(int result, spmv_status status, const char *what, spmv_error *err)
{
    if (result == NCCL_SUCCESS) return SPMV_SUCCESS;
    return spmv__fail(err, status, "NCCL: %s: %s", what, nccl.ncclGetErrorString(result));
}

/* ---- An exchange ---------------------------------------------------------------------------- */

/* Each of the functions below returns the first result that is not success. */
static int first_failure(int result, int next)
{
    return result != NCCL_SUCCESS ? result : next;
}

static int exchange_elements(const spmv__relay *s, void *stream)
{
    const spmv__halo *h = s->halo;
    int result = NCCL_SUCCESS;
    for (int i = 0; i < h->receivers; i++) {
        const spmv__message *m = &s->send[i];
        result = first_failure(
            result, nccl.ncclSend(m->data, (size_t)m->bytes, NCCL_BYTE, m->peer, s->own, stream));
    }
    for (int i = 0; i < h->neighbours; i++) {
        const spmv__message *m = &s->take[i];
        result = first_failure(
            result, nccl.ncclRecv(m->data, (size_t)m->bytes, NCCL_BYTE, m->peer, s->own, stream));
    }
    return result;
}

static int exchange_table(const spmv__relay *s, void *stream)
{
    const size_t row = (size_t)s->row;
    const int rank = s->comm->rank;
    int result = NCCL_SUCCESS;
    for (int k = 0; s->table != NULL && k < s->comm->size; k++) {
        char *mine = s->table + (size_t)rank * row, *theirs = s->table + (size_t)k * row;
        if (k == rank) continue;
        result = first_failure(result, nccl.ncclSend(mine, row, NCCL_BYTE, k, s->own, stream));
        result = first_failure(result, nccl.ncclRecv(theirs, row, NCCL_BYTE, k, s->own, stream));
    }
    return result;
}

static void begin(spmv__relay *s, spmv_status *st, spmv_error *err)
{
    void *stream = spmv__gpu_stream(s->copier);
    int result = nccl.ncclGroupStart();
    result = first_failure(result, exchange_elements(s, stream));
    result = first_failure(result, exchange_table(s, stream));
    result = first_failure(result, nccl.ncclGroupEnd());
    if (*st == SPMV_SUCCESS)
        *st = check(result, SPMV_ERROR_KERNEL_LAUNCH, "sending elements of vectors", err);
}

/* ---- Opening -------------------------------------------------------------------------------- */

/* Load it on all ranks, or on none. */
static spmv_status load(spmv__relay *s, spmv_error *err)
{
    const spmv_status st = nccl_load(err) == SPMV_SUCCESS ? SPMV_SUCCESS : SPMV_ERROR_NO_DEVICE;
    return spmv_comm_agree(s->comm, st, err);
}

static spmv_status join(spmv__relay *s, spmv_error *err)
{
    nccl_id id = {{0}};
    spmv_status st = SPMV_SUCCESS;
    if (s->comm->rank == 0)
        st = check(nccl.ncclGetUniqueId(&id), SPMV_ERROR_NO_DEVICE, "beginning", err);
    SPMV__TRY(spmv_comm_agree(s->comm, st, err));
    spmv__comm_broadcast(s->comm, &id, sizeof id, 0);
    st = check(nccl.ncclCommInitRank(&s->own, s->comm->size, id, s->comm->rank),
               SPMV_ERROR_NO_DEVICE, "joining the other processes", err);
    SPMV__TRY(spmv_comm_agree(s->comm, st, err));
done:
    return st;
}

/* The first exchange connects the GPUs, and allocates what that takes; what x has is nobody's
 * yet. */
static spmv_status connect(spmv__relay *s, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    begin(s, &st, err);
    if (st == SPMV_SUCCESS) st = spmv__gpu_synchronize(s->copier, err);
    if (st != SPMV_SUCCESS) st = SPMV_ERROR_NO_DEVICE;
    return spmv_comm_agree(s->comm, st, err);
}

static spmv_status open(spmv__relay *s, spmv_error *err)
{
    spmv_status st;
    SPMV__TRY(load(s, err));
    SPMV__TRY(spmv__rank_gpus_differ(s->comm, s->device, err));
    SPMV__TRY(join(s, err));
    SPMV__TRY(connect(s, err));
done:
    return st;
}

static void close(spmv__relay *s)
{
    if (s->own != NULL) (void)nccl.ncclCommDestroy(s->own);
    s->own = NULL;
}

const spmv__relay_way spmv__nccl_way = {
    .route = SPMV_ROUTE_NCCL, .by_hosts = false, .open = open, .begin = begin, .close = close};
