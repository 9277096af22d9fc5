/* box_carrier.c -- see box_carrier.h.
 *
 * All of what a GPU hands on is read, and what is not its own left out: its blocks lie everywhere,
 * and a copy of each would take longer. */
#include "cuda/pagerank/box_carrier.h"
#include "core/base/base.h"
#include "cuda/gpu/process_memory.h"

#include <stdlib.h>

enum { MAIL_BYTES = SPMV__PAGERANK_MAIL * sizeof(double) };

spmv_status spmv__box_carrier_create(spmv__box_carrier **out, const spmv__node_parts *nodes,
                                     const spmv__pagerank_job *job, spmv_error *err)
{
    const int64_t node = job->width * (int64_t)spmv_type_size(job->precision);
    const int64_t read = nodes->read * nodes->each;
    spmv__box_carrier *c = NULL;
    spmv_status st;
    SPMV__TRY(spmv__alloc(&c, 1, sizeof *c, "an exchange", err));
    c->nodes = nodes;
    c->block = nodes->each * node;
    c->bytes = (read < job->graph.nodes ? read : job->graph.nodes) * node;
    SPMV__TRY(spmv__alloc(&c->owner, nodes->gpus, sizeof *c->owner, "an exchange", err));
    SPMV__TRY(spmv__alloc(&c->whole, c->bytes, 1, "what nodes hand on", err));
    SPMV__TRY(spmv__alloc(&c->part, c->bytes, 1, "what nodes hand on", err));
    SPMV__TRY(spmv__alloc(&c->mail, nodes->gpus, MAIL_BYTES, "sums", err));
    spmv__gpu_pin(c->whole, c->bytes);
    spmv__gpu_pin(c->part, c->bytes);
    *out = c;
    c = NULL;
done:
    spmv__box_carrier_destroy(c);
    return st;
}

void spmv__box_carrier_destroy(spmv__box_carrier *c)
{
    if (c == NULL) return;
    if (c->mail != NULL) { /* the last one: the others are there, and pinned */
        spmv__gpu_unpin(c->whole, c->bytes);
        spmv__gpu_unpin(c->part, c->bytes);
    }
    free(c->owner);
    free(c->whole);
    free(c->part);
    free(c->mail);
    free(c);
}

/* What the nodes of this GPU hand on lies there. */
static void *handed_on(const spmv__box_owner *o, bool odd)
{
    return odd ? o->box.x : o->box.next;
}

/* Take the blocks that are its own from what a GPU has. */
static void merge_part(const spmv__box_carrier *c, int gpu)
{
    for (int64_t b = 0; b < c->nodes->read; b++) {
        const int64_t begin = b * c->block, left = c->bytes - begin;
        if (c->nodes->owner[b] == gpu)
            memcpy(c->whole + begin, c->part + begin, (size_t)(left < c->block ? left : c->block));
    }
}

static spmv_status collect(spmv__box_carrier *c, int gpu, bool over, bool odd, spmv_error *err)
{
    const spmv__box_owner *o = &c->owner[gpu];
    const int64_t row = (int64_t)gpu * SPMV__PAGERANK_MAIL;
    spmv_status st;
    SPMV__TRY(spmv__gpu_select(o->gpu, err));
    SPMV__TRY(spmv__gpu_download(o->gpu, c->mail + row, o->box.mail[c->round % 2] + row, MAIL_BYTES,
                                 err));
    if (!over || c->bytes == 0) goto done;
    SPMV__TRY(spmv__gpu_download(o->gpu, c->part, handed_on(o, odd), c->bytes, err));
    merge_part(c, gpu);
done:
    return st;
}

static spmv_status hand_out(const spmv__box_carrier *c, int gpu, bool over, bool odd,
                            spmv_error *err)
{
    const spmv__box_owner *o = &c->owner[gpu];
    spmv_status st;
    SPMV__TRY(spmv__gpu_select(o->gpu, err));
    SPMV__TRY(spmv__gpu_upload(o->gpu, o->box.mail[c->round % 2], c->mail,
                               c->nodes->gpus * (int64_t)MAIL_BYTES, err));
    if (over && c->bytes > 0)
        SPMV__TRY(spmv__gpu_upload(o->gpu, handed_on(o, odd), c->whole, c->bytes, err));
done:
    return st;
}

spmv_status spmv__box_carry(spmv__box_carrier *c, bool over, bool odd, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    c->round++;
    for (int k = 0; k < c->nodes->gpus; k++) SPMV__TRY(collect(c, k, over, odd, err));
    for (int k = 0; k < c->nodes->gpus; k++) SPMV__TRY(hand_out(c, k, over, odd, err));
done:
    return st;
}
