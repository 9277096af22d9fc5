/* host_way.c -- elements of x that go through the memory of the hosts, and as their messages. */
#include "core/base/base.h"
#include "cuda/comm/relay.h"
#include "cuda/gpu/process_memory.h"

static spmv_status open(spmv__relay *s, spmv_error *err)
{
    const spmv__halo *h = s->halo;
    (void)err;
    spmv__gpu_pin(h->x, h->cols * (int64_t)h->size);
    spmv__gpu_pin(h->packed, h->gives * (int64_t)h->size);
    return SPMV_SUCCESS;
}

static void close(spmv__relay *s)
{
    const spmv__halo *h = s->halo;
    spmv__gpu_unpin(h->x, h->cols * (int64_t)h->size);
    spmv__gpu_unpin(h->packed, h->gives * (int64_t)h->size);
}

/* Somebody takes all own elements, which are sent as they lie, and not packed. */
static bool gives_whole(const spmv__halo *h)
{
    return h->sent > h->gives;
}

static spmv_status bring_to_host(spmv__relay *s, spmv_error *err)
{
    const spmv__halo *h = s->halo;
    const int64_t size = (int64_t)h->size;
    spmv_status st = SPMV_SUCCESS;
    if (h->gives > 0)
        SPMV__TRY(spmv__gpu_download(s->copier, h->packed, s->packed, h->gives * size, err));
    if (gives_whole(h))
        SPMV__TRY(spmv__gpu_download(s->copier, spmv__halo_own(h), s->x + h->own * size,
                                     h->owns * size, err));
done:
    return st;
}

/* What has come lies before the own elements, and behind them. */
static spmv_status bring_to_gpu(spmv__relay *s, spmv_error *err)
{
    const spmv__halo *h = s->halo;
    const int64_t size = (int64_t)h->size, behind = h->own + h->owns;
    spmv_status st;
    SPMV__TRY(spmv__gpu_upload(s->copier, s->x, h->x, h->own * size, err));
    SPMV__TRY(spmv__gpu_upload(s->copier, s->x + behind * size, (char *)h->x + behind * size,
                               (h->cols - behind) * size, err));
done:
    return st;
}

static void end(spmv__relay *s, spmv_status *st, spmv_error *err)
{
    if (*st == SPMV_SUCCESS) *st = bring_to_host(s, err);
    spmv__exchange_start(&s->halo->exchange);
    spmv__exchange_finish(&s->halo->exchange);
    if (*st == SPMV_SUCCESS) *st = bring_to_gpu(s, err);
    spmv__relay_table_by_hosts(s, st, err);
}

const spmv__relay_way spmv__host_way = {
    .route = SPMV_ROUTE_HOST, .by_hosts = true, .open = open, .end = end, .close = close};
