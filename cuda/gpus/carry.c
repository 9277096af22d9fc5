/* carry.c -- see carry.h. */
#include "cuda/gpus/carry.h"
#include "core/base/base.h"
#include "cuda/comm/move_elements.h"
#include "cuda/gpu/process_memory.h"

#include <stdlib.h>

static int64_t bytes_of(const spmv__partner *m)
{
    return m->swap.gives * m->swap.size;
}

spmv_status spmv__carried_create(spmv__partner *m, spmv__swap_peer *peer, spmv_error *err)
{
    const int64_t bytes = bytes_of(m);
    spmv_status st;
    m->carried.peer = peer;
    SPMV__TRY(spmv__alloc(&m->carried.host, bytes, 1, "elements of x", err));
    spmv__gpu_pin(m->carried.host, bytes);
    SPMV__TRY(spmv__gpu_alloc(&m->carried.packed, bytes, "elements of x", err));
done:
    return st;
}

void spmv__carried_destroy(spmv__partner *m)
{
    if (m->carried.host != NULL) spmv__gpu_unpin(m->carried.host, bytes_of(m));
    spmv__gpu_free(m->carried.packed);
    free(m->carried.host);
    free(m->carried.peer);
}

static spmv_status collect(const spmv__partner *m, spmv_error *err)
{
    const spmv__element_moves moves = {
        .n = m->swap.gives, .size = m->swap.size, .from = m->swap.give};
    spmv_status st = SPMV_SUCCESS;
    if (moves.n == 0) return st;
    SPMV__TRY(spmv__partner_select(m, err));
    SPMV__TRY(spmv__move_elements(m->ctx->gpu, &moves, m->swap.own, m->carried.packed, err));
    SPMV__TRY(
        spmv__gpu_download(m->ctx->gpu, m->carried.host, m->carried.packed, bytes_of(m), err));
done:
    return st;
}

/* What partner k gets of each other one. */
static spmv_status hand_out(const spmv_gpus *g, int k, spmv_error *err)
{
    spmv__gpu *gpu = g->partner[k].ctx->gpu;
    spmv_status st;
    SPMV__TRY(spmv__partner_select(&g->partner[k], err));
    for (int i = 0; i < g->count; i++) {
        const spmv__partner *from = &g->partner[i];
        const spmv__swap_peer *p = &from->carried.peer[k];
        if (p->gives > 0)
            SPMV__TRY(spmv__gpu_upload(gpu, p->to, from->carried.host + p->begin * from->swap.size,
                                       p->gives * from->swap.size, err));
    }
done:
    return st;
}

spmv_status spmv__carry(const spmv_gpus *g, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    for (int k = 0; k < g->count; k++) SPMV__TRY(collect(&g->partner[k], err));
    for (int k = 0; k < g->count; k++) SPMV__TRY(hand_out(g, k, err));
done:
    return st;
}
