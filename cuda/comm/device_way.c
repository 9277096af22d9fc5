/* device_way.c -- elements of x that MPI takes from the memory of one GPU and brings to that of
 * another one.
 *
 * An MPI that has not been built for that ends the process when it gets such a pointer: so it is
 * asked first, and then tried. */
#include "core/base/base.h"
#include "cuda/comm/relay.h"

#include <stdlib.h>

/* ---- Trying it ------------------------------------------------------------------------------ */

/* A short message and a long one, which MPIs send in different manners. */
enum { SHORT = 64, LONG = 1 << 20, BOTH = SHORT + LONG };

typedef struct trial {
    unsigned char *host; /* [BOTH] */
    char *gpu;           /* [2][BOTH] sent, and received */
} trial;

static unsigned char byte_of(int rank, int i)
{
    return (unsigned char)(31 * i + i / 251 + rank + 1);
}

static spmv_status prepare_trial(trial *t, const spmv__relay *s, spmv_error *err)
{
    spmv_status st;
    SPMV__TRY(spmv__alloc(&t->host, BOTH, 1, "a message", err));
    SPMV__TRY(spmv__gpu_alloc((void **)&t->gpu, 2 * (int64_t)BOTH, "a message", err));
    SPMV__TRY(spmv__gpu_clear(s->copier, t->gpu, 2 * (int64_t)BOTH, err));
    for (int i = 0; i < BOTH; i++) t->host[i] = byte_of(s->comm->rank, i);
    SPMV__TRY(spmv__gpu_upload(s->copier, t->gpu, t->host, BOTH, err));
    SPMV__TRY(spmv__gpu_synchronize(s->copier, err));
done:
    return st;
}

static spmv_status check_trial(const trial *t, const spmv__relay *s, int from, spmv_error *err)
{
    spmv_status st = spmv__gpu_download(s->copier, t->host, t->gpu + BOTH, BOTH, err);
    for (int i = 0; i < BOTH && st == SPMV_SUCCESS; i++)
        if (t->host[i] != byte_of(from, i))
            st = spmv__fail(err, SPMV_ERROR_NO_DEVICE,
                            "this MPI says that it takes memory of GPUs, but byte %d of a message "
                            "was not what process %d had sent",
                            i, from);
    return st;
}

/* Each rank sends to the next one. */
static spmv_status try_messages(spmv__relay *s, spmv_error *err)
{
    const int size = s->comm->size, to = (s->comm->rank + 1) % size,
              from = (s->comm->rank + size - 1) % size;
    trial t = {NULL, NULL};
    spmv_status st;
    SPMV__TRY(spmv_comm_agree(s->comm, prepare_trial(&t, s, err), err));
    const spmv__message send[] = {{to, t.gpu, SHORT}, {to, t.gpu + SHORT, LONG}},
                        receive[] = {{from, t.gpu + BOTH, SHORT},
                                     {from, t.gpu + BOTH + SHORT, LONG}};
    SPMV__TRY(spmv__exchange_once(s->comm, receive, 2, send, 2, err));
    SPMV__TRY(spmv_comm_agree(s->comm, check_trial(&t, s, from, err), err));
done:
    free(t.host);
    spmv__gpu_free(t.gpu);
    return st;
}

/* ---- The way -------------------------------------------------------------------------------- */

static spmv_status prepare(spmv__relay *s, spmv_error *err)
{
    spmv__exchange *exchange = NULL;
    spmv_status st;
    SPMV__TRY(spmv__alloc(&exchange, 1, sizeof *exchange, "an exchange", err));
    SPMV__TRY(spmv__exchange_create(exchange, s->comm, s->take, s->halo->neighbours, s->send,
                                    s->halo->receivers, err));
    s->own = exchange;
    exchange = NULL;
done:
    free(exchange);
    return st;
}

static spmv_status open(spmv__relay *s, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    if (!spmv__comm_takes_gpu_memory(s->comm))
        st = spmv__fail(err, SPMV_ERROR_NO_DEVICE,
                        "this MPI does not say that it takes memory of GPUs "
                        "(MPIX_Query_cuda_support)");
    SPMV__TRY(spmv_comm_agree(s->comm, st, err));
    if (s->comm->size > 1) SPMV__TRY(try_messages(s, err));
    SPMV__TRY(spmv_comm_agree(s->comm, prepare(s, err), err));
done:
    return st;
}

/* MPI knows nothing of streams: all is there when it begins. */
static void end(spmv__relay *s, spmv_status *st, spmv_error *err)
{
    if (*st == SPMV_SUCCESS) *st = spmv__gpu_synchronize(s->copier, err);
    spmv__exchange_start(s->own);
    spmv__exchange_finish(s->own);
    spmv__relay_table_by_hosts(s, st, err);
}

static void close(spmv__relay *s)
{
    if (s->own != NULL) spmv__exchange_destroy(s->own);
    free(s->own);
    s->own = NULL;
}

const spmv__relay_way spmv__device_way = {
    .route = SPMV_ROUTE_DEVICE, .by_hosts = true, .open = open, .end = end, .close = close};
