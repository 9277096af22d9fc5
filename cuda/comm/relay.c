/* relay.c -- see relay.h. */
#include "cuda/comm/relay.h"
#include "core/base/base.h"

#include <stdlib.h>

/* ---- Making it ------------------------------------------------------------------------------ */

/* The first one that is a way here is taken where nobody asks for another one; that by the hosts
 * always is. */
static const spmv__relay_way *const ways[] = {&spmv__nccl_way, &spmv__host_way, &spmv__device_way};

static spmv_status open_way(spmv__relay *s, spmv_route route, spmv_error *err)
{
    spmv_status st = SPMV_ERROR_NO_DEVICE;
    for (size_t i = 0; i < sizeof ways / sizeof *ways && st == SPMV_ERROR_NO_DEVICE; i++) {
        if (route != SPMV_ROUTE_AUTO && route != ways[i]->route) continue;
        s->way = ways[i];
        st = s->way->open(s, err);
        if (st == SPMV_SUCCESS) break;
        s->way->close(s);
        s->way = NULL;
    }
    return st;
}

/* What is packed, and the messages. */
static spmv_status prepare(spmv__relay *s, spmv_error *err)
{
    const spmv__halo *h = s->halo;
    const int64_t size = (int64_t)h->size, list = h->gives * (int64_t)sizeof *s->give,
                  messages = h->neighbours + (int64_t)h->receivers;
    spmv_status st;
    SPMV__TRY(spmv__alloc(&s->take, messages, sizeof *s->take, "messages", err));
    s->send = s->take + h->neighbours;
    SPMV__TRY(spmv__alloc(&s->table_host, (s->comm->size + 1) * s->row, 1, "a table", err));
    SPMV__TRY(spmv__gpu_open(&s->copier, s->device, NULL, err));
    SPMV__TRY(spmv__gpu_alloc((void **)&s->packed, h->gives * size, "elements of x", err));
    SPMV__TRY(spmv__gpu_alloc((void **)&s->give, list, "lists of elements of x", err));
    SPMV__TRY(spmv__gpu_upload(s->copier, s->give, h->give, list, err));
    spmv__halo_messages(h, s->comm, s->x, s->packed, s->take, s->send);
done:
    return st;
}

spmv_status spmv__relay_create(spmv__relay **out, spmv_route route, spmv_comm *comm, spmv__gpu *gpu,
                               int device, spmv__halo *halo, void *x, int64_t row, spmv_error *err)
{
    spmv__relay *s = NULL;
    spmv_status st = spmv__alloc(&s, 1, sizeof *s, "an exchange", err);
    SPMV__TRY(spmv_comm_agree(comm, st, err));
    *s =
        (spmv__relay){.comm = comm, .gpu = gpu, .device = device, .halo = halo, .x = x, .row = row};
    SPMV__TRY(spmv_comm_agree(comm, prepare(s, err), err));
    SPMV__TRY(open_way(s, route, err));
    *out = s;
    s = NULL;
done:
    spmv__relay_destroy(s);
    return st;
}

void spmv__relay_destroy(spmv__relay *s)
{
    if (s == NULL) return;
    if (s->copier != NULL) (void)spmv__gpu_synchronize(s->copier, NULL);
    if (s->way != NULL) s->way->close(s);
    spmv__gpu_free(s->packed);
    spmv__gpu_free(s->give);
    spmv__gpu_close(s->copier);
    free(s->take);
    free(s->table_host);
    free(s);
}

/* ---- An exchange ---------------------------------------------------------------------------- */

static spmv_status pack(spmv__relay *s, spmv_error *err)
{
    const spmv__halo *h = s->halo;
    const spmv__element_moves moves = {.n = h->gives, .size = (int64_t)h->size, .from = s->give};
    const spmv_status st = spmv__gpu_follow(s->copier, s->gpu, err);
    if (st != SPMV_SUCCESS) return st;
    return spmv__move_elements(s->copier, &moves, s->x + h->own * moves.size, s->packed, err);
}

void spmv__relay_begin(spmv__relay *s, void *table, spmv_status *st, spmv_error *err)
{
    s->table = table;
    if (*st == SPMV_SUCCESS) *st = pack(s, err);
    if (s->way->begin != NULL) s->way->begin(s, st, err);
}

void spmv__relay_end(spmv__relay *s, spmv_status *st, spmv_error *err)
{
    if (s->way->end != NULL) s->way->end(s, st, err);
    if (*st == SPMV_SUCCESS) *st = spmv__gpu_follow(s->gpu, s->copier, err);
    if (*st == SPMV_SUCCESS) *st = spmv__pass(s->gpu, err);
}
