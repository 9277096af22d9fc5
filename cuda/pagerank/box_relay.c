/* box_relay.c -- see box_relay.h.
 *
 * A rank gets of the others what its rows read; of one from which it needs more than 60 % it gets
 * all (core/parts/halo.h). */
#include "cuda/pagerank/box_relay.h"
#include "core/base/base.h"
#include "core/parts/column_numbers.h"

#include <stdlib.h>

/* ---- Sources by rank ------------------------------------------------------------------------ */

/* What is worked out on the way. */
typedef struct source_numbers {
    const spmv__node_parts *nodes;
    int64_t read;   /* so many sources are read by somebody */
    int64_t *begin; /* [ranks + 1] the first source of each rank, and of each ... */
    int64_t *block; /* ... of the blocks, in the new numbers */
    int32_t *list;  /* [n] the sources that this rank needs of others, in the old numbers, ... */
    int32_t *place; /* ... and in the new ones; behind each: its own, which are `owns` */
    int64_t n, owns;
} source_numbers;

static int64_t block_end(const source_numbers *b, int64_t block)
{
    const int64_t end = (block + 1) * b->nodes->each;
    return end < b->read ? end : b->read;
}

static spmv_status number_sources(source_numbers *b, const spmv_comm *comm, int64_t nodes,
                                  spmv_error *err)
{
    const int64_t each = b->nodes->each, blocks = b->nodes->read;
    int64_t next = 0;
    spmv_status st;
    b->read = blocks * each < nodes ? blocks * each : nodes;
    SPMV__TRY(spmv__alloc(&b->begin, comm->size + 1, sizeof *b->begin, "blocks of nodes", err));
    SPMV__TRY(spmv__alloc(&b->block, blocks, sizeof *b->block, "blocks of nodes", err));
    for (int k = 0; k < comm->size; k++) {
        b->begin[k] = next;
        for (int64_t i = 0; i < blocks; i++) {
            if (b->nodes->owner[i] != k) continue;
            b->block[i] = next;
            next += block_end(b, i) - i * each;
        }
    }
    b->begin[comm->size] = next;
    b->owns = b->begin[comm->rank + 1] - b->begin[comm->rank];
done:
    return st;
}

/* Mark the sources that the rows of a graph read; padding is marked, too, and nobody's. */
static spmv_status mark_needs(spmv__column_numbers *needs, const spmv__pull_graph *g,
                              spmv_error *err)
{
    const spmv_status st = spmv__column_numbers_create(needs, g->nodes + 1, err);
    if (st != SPMV_SUCCESS) return st;
    spmv__column_numbers_mark(needs, g->far, g->far_steps * SPMV__LANES);
    for (int64_t i = 0; i < g->hub_steps * SPMV__LANES; i++)
        for (int64_t codes = g->hub[i], k = 0; k < 2; k++, codes >>= 16) {
            const int64_t hub = codes & UINT16_MAX;
            if (hub < g->hubs) spmv__column_numbers_mark_range(needs, hub, hub + 1);
        }
    spmv__column_numbers_count(needs);
    return st;
}

/* List what this rank needs of others, and its own. */
static spmv_status list_sources(source_numbers *b, const spmv_comm *comm, const spmv__pull_graph *g,
                                spmv_error *err)
{
    const int64_t each = b->nodes->each;
    spmv__column_numbers needs = {0};
    spmv_status st;
    SPMV__TRY(mark_needs(&needs, g, err));
    b->n = spmv__column_number(&needs, b->read);
    SPMV__TRY(spmv__alloc(&b->list, b->n + b->owns, sizeof *b->list, "sources", err));
    SPMV__TRY(spmv__alloc(&b->place, b->n + b->owns, sizeof *b->place, "sources", err));
    b->n = 0;
    for (int64_t i = 0; i < b->nodes->read; i++)
        if (b->nodes->owner[i] != comm->rank) {
            const int64_t first = b->n;
            b->n += spmv__column_numbers_list(&needs, i * each, block_end(b, i), b->list + first);
            for (int64_t p = first; p < b->n; p++) {
                b->place[p] = (int32_t)(b->block[i] + b->list[p]);
                b->list[p] += (int32_t)(i * each);
            }
        }
    for (int64_t i = 0, next = b->n; i < b->nodes->read; i++)
        for (int64_t s = i * each; b->nodes->owner[i] == comm->rank && s < block_end(b, i); s++)
            b->list[next++] = (int32_t)s;
done:
    spmv__column_numbers_destroy(&needs);
    return st;
}

static void destroy_numbers(source_numbers *b)
{
    free(b->begin);
    free(b->block);
    free(b->list);
    free(b->place);
}

/* ---- Making it ------------------------------------------------------------------------------ */

/* Bring the lists to the GPU, when the halo has given places to what is needed. */
static spmv_status prepare_moves(spmv__box_relay *s, const source_numbers *b, spmv_error *err)
{
    const int64_t size = (int64_t)s->halo.size, word = sizeof *s->list, both = b->n + b->owns;
    spmv_status st;
    SPMV__TRY(spmv__gpu_select(s->gpu, err));
    SPMV__TRY(spmv__gpu_alloc(&s->x, s->halo.cols * size, "what nodes hand on", err));
    SPMV__TRY(spmv__gpu_alloc((void **)&s->list, (both + b->n) * word, "sources", err));
    SPMV__TRY(spmv__gpu_upload(s->gpu, s->list, b->list, both * word, err));
    SPMV__TRY(spmv__gpu_upload(s->gpu, s->list + both, b->place, b->n * word, err));
    s->take =
        (spmv__element_moves){.n = b->n, .size = size, .from = s->list + both, .place = s->list};
    s->own = (spmv__element_moves){.n = b->owns, .size = size, .from = s->list + b->n};
done:
    return st;
}

spmv_status spmv__box_relay_create(spmv__box_relay **out, const spmv__box_ranks *ranks,
                                   const spmv__pagerank_job *job, const spmv__pagerank_box *box,
                                   spmv_error *err)
{
    const size_t size = (size_t)job->width * spmv_type_size(job->precision);
    spmv_comm *comm = ranks->comm;
    source_numbers b = {.nodes = ranks->nodes};
    spmv__box_relay *s = NULL;
    spmv_status st = spmv__alloc(&s, 1, sizeof *s, "an exchange", err);
    if (st == SPMV_SUCCESS) *s = (spmv__box_relay){.gpu = ranks->gpu, .box = *box};
    if (st == SPMV_SUCCESS) st = number_sources(&b, comm, ranks->graph->nodes, err);
    if (st == SPMV_SUCCESS) st = list_sources(&b, comm, ranks->graph, err);
    SPMV__TRY(spmv_comm_agree(comm, st, err));
    SPMV__TRY(spmv__halo_create(&s->halo, comm, b.place, b.n, b.read, b.begin, size, err));
    SPMV__TRY(spmv_comm_agree(comm, prepare_moves(s, &b, err), err));
    SPMV__TRY(spmv__relay_create(&s->relay, ranks->route, comm, s->gpu, ranks->device, &s->halo,
                                 s->x, SPMV__PAGERANK_MAIL * (int64_t)sizeof(double), err));
    *out = s;
    s = NULL;
done:
    destroy_numbers(&b);
    spmv__box_relay_destroy(s);
    return st;
}

void spmv__box_relay_destroy(spmv__box_relay *s)
{
    if (s == NULL) return;
    spmv__relay_destroy(s->relay);
    spmv__halo_destroy(&s->halo);
    spmv__gpu_free(s->x);
    spmv__gpu_free(s->list);
    free(s);
}

/* ---- A round -------------------------------------------------------------------------------- */

void spmv__box_relay_exchange(spmv__box_relay *s, const spmv__pagerank_job *job, spmv_status *st,
                              spmv_error *err)
{
    char *own = (char *)s->x + s->halo.own * s->own.size;
    s->round++;
    if (*st == SPMV_SUCCESS) *st = spmv__move_elements(s->gpu, &s->own, job->next, own, err);
    spmv__relay_begin(s->relay, s->box.mail[s->round % 2], st, err);
    spmv__relay_end(s->relay, st, err);
    if (*st == SPMV_SUCCESS) *st = spmv__move_elements(s->gpu, &s->take, s->x, job->next, err);
}
