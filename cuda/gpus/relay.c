/* relay.c -- see relay.h. */
#include "cuda/gpus/relay.h"
#include "core/base/base.h"
#include "cuda/gpu/process_memory.h"

#include <stdlib.h>

/* Whether another rank takes all elements: they are not packed, and go as they lie. */
static bool gives_whole(const spmv__halo *h)
{
    return h->sent > h->gives;
}

spmv_status spmv__relay_create(spmv__relay **out, spmv__gpu *gpu, int device, spmv__halo *halo,
                               const spmv__swap *swap, void *x, spmv_error *err)
{
    const int64_t size = (int64_t)halo->size;
    spmv__relay *s = NULL;
    spmv_status st;
    SPMV__TRY(spmv__alloc(&s, 1, sizeof *s, "an exchange", err));
    *s = (spmv__relay){.gpu = gpu, .halo = halo, .swap = swap, .x = x};
    s->whole = gives_whole(halo);
    SPMV__TRY(spmv__gpu_open(&s->copier, device, NULL, err));
    SPMV__TRY(spmv__gpu_alloc(&s->packed, halo->gives * size, "elements of x", err));
    spmv__gpu_pin(halo->x, halo->cols * size);
    spmv__gpu_pin(halo->packed, halo->gives * size);
    *out = s;
    s = NULL;
done:
    spmv__relay_destroy(s);
    return st;
}

void spmv__relay_destroy(spmv__relay *s)
{
    if (s == NULL) return;
    if (s->packed != NULL) {
        spmv__gpu_unpin(s->halo->x);
        spmv__gpu_unpin(s->halo->packed);
    }
    spmv__gpu_free(s->packed);
    spmv__gpu_close(s->copier);
    free(s);
}

spmv_status spmv__relay_begin(spmv__relay *s, spmv_error *err)
{
    const spmv_status st = spmv__gpu_follow(s->copier, s->gpu, err);
    if (st != SPMV_SUCCESS || s->halo->gives == 0) return st;
    return spmv__swap_pack(s->copier, s->swap, s->packed, err);
}

static spmv_status bring_to_host(spmv__relay *s, spmv_error *err)
{
    const spmv__halo *h = s->halo;
    const int64_t size = (int64_t)h->size;
    spmv_status st = SPMV_SUCCESS;
    if (h->gives > 0)
        SPMV__TRY(spmv__gpu_download(s->copier, h->packed, s->packed, h->gives * size, err));
    if (s->whole)
        SPMV__TRY(
            spmv__gpu_download(s->copier, spmv__halo_own(h), s->swap->own, h->owns * size, err));
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
    SPMV__TRY(spmv__gpu_follow(s->gpu, s->copier, err));
    SPMV__TRY(spmv__swap_pass(s->gpu, err));
done:
    return st;
}

void spmv__relay_exchange(spmv__relay *s, spmv_status *st, spmv_error *err)
{
    if (*st == SPMV_SUCCESS) *st = bring_to_host(s, err);
    spmv__exchange_start(&s->halo->exchange);
    spmv__exchange_finish(&s->halo->exchange);
    if (*st == SPMV_SUCCESS) *st = bring_to_gpu(s, err);
}
