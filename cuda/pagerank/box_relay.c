/* box_relay.c -- see box_relay.h. */
#include "cuda/pagerank/box_relay.h"
#include "core/base/base.h"
#include "cuda/gpu/process_memory.h"

#include <stdlib.h>

/* ---- Making it ------------------------------------------------------------------------------ */

/* List the blocks of nodes that are read, rank by rank. */
static void list_all_blocks(spmv__box_relay *s, const spmv__node_parts *nodes)
{
    int64_t n = 0;
    for (int k = 0; k < s->comm->size; k++) {
        s->begin[k] = n;
        for (int64_t b = 0; b < nodes->read; b++)
            if (nodes->owner[b] == k) s->block[n++] = (int32_t)b;
    }
    s->begin[s->comm->size] = n;
}

static spmv_status allocate_host(spmv__box_relay *s, const spmv__node_parts *nodes, spmv_error *err)
{
    const int64_t ranks = s->comm->size, blocks = nodes->read;
    spmv_status st;
    SPMV__TRY(spmv__alloc(&s->begin, ranks + 1, sizeof *s->begin, "blocks of nodes", err));
    SPMV__TRY(spmv__alloc(&s->block, blocks, sizeof *s->block, "blocks of nodes", err));
    SPMV__TRY(spmv__alloc(&s->next, s->handed, 1, "what nodes hand on", err));
    SPMV__TRY(spmv__alloc(&s->packed, blocks, (size_t)s->bytes, "what nodes hand on", err));
    SPMV__TRY(spmv__alloc(&s->mail, ranks * SPMV__PAGERANK_MAIL, sizeof *s->mail, "sums", err));
    SPMV__TRY(spmv__alloc(&s->told, ranks, sizeof *s->told, "sums", err));
    spmv__gpu_pin(s->next, s->handed);
done:
    return st;
}

static char *blocks_of(const spmv__box_relay *s, int rank)
{
    return s->packed + s->begin[rank] * s->bytes;
}

/* Each rank sends its blocks to all others. */
static spmv_status prepare_messages(spmv__box_relay *s, spmv_error *err)
{
    const int size = s->comm->size, rank = s->comm->rank;
    spmv__message *receive = NULL, *send;
    int receives = 0, sends = 0;
    spmv_status st = spmv__alloc(&receive, 2 * (int64_t)size, sizeof *receive, "messages", err);
    if (st != SPMV_SUCCESS) return st;
    send = receive + size;
    for (int k = 0; k < size; k++) {
        const int64_t mine = (s->begin[rank + 1] - s->begin[rank]) * s->bytes,
                      theirs = (s->begin[k + 1] - s->begin[k]) * s->bytes;
        if (k == rank) continue;
        if (theirs > 0) receive[receives++] = (spmv__message){k, blocks_of(s, k), theirs};
        if (mine > 0) send[sends++] = (spmv__message){k, blocks_of(s, rank), mine};
    }
    st = spmv__exchange_create(&s->exchange, s->comm, receive, receives, send, sends, err);
    free(receive);
    return st;
}

spmv_status spmv__box_relay_create(spmv__box_relay **out, spmv_comm *comm, spmv__gpu *gpu,
                                   const spmv__node_parts *nodes, const spmv__pagerank_job *job,
                                   const spmv__pagerank_box *box, spmv_error *err)
{
    const int64_t number = job->width * (int64_t)spmv_type_size(job->precision),
                  all = job->graph.nodes * number;
    spmv__box_relay *s = NULL;
    spmv_status st;
    SPMV__TRY(spmv__alloc(&s, 1, sizeof *s, "an exchange", err));
    *s = (spmv__box_relay){.gpu = gpu, .comm = comm, .box = *box, .bytes = nodes->each * number};
    s->handed = nodes->read * s->bytes < all ? nodes->read * s->bytes : all;
    SPMV__TRY(allocate_host(s, nodes, err));
    list_all_blocks(s, nodes);
    SPMV__TRY(prepare_messages(s, err));
    *out = s;
    s = NULL;
done:
    spmv__box_relay_destroy(s);
    return st;
}

void spmv__box_relay_destroy(spmv__box_relay *s)
{
    if (s == NULL) return;
    if (s->told != NULL) spmv__gpu_unpin(s->next);
    spmv__exchange_destroy(&s->exchange);
    free(s->begin);
    free(s->block);
    free(s->next);
    free(s->packed);
    free(s->mail);
    free(s->told);
    free(s);
}

/* ---- A round -------------------------------------------------------------------------------- */

/* Copy blocks of some ranks between `next` and `packed`; the last node of all may end its block. */
static void copy_blocks(spmv__box_relay *s, int first, int end, bool pack)
{
#pragma omp parallel for num_threads(spmv__threads(0))
    for (int64_t i = s->begin[first]; i < s->begin[end]; i++) {
        const int64_t at = s->block[i] * s->bytes, left = s->handed - at;
        const size_t n = (size_t)(left < s->bytes ? left : s->bytes);
        char *by_node = s->next + at, *by_block = s->packed + i * s->bytes;
        if (pack)
            memcpy(by_block, by_node, n);
        else
            memcpy(by_node, by_block, n);
    }
}

static spmv_status fetch_own(spmv__box_relay *s, const spmv__pagerank_job *job, double *mine,
                             spmv_error *err)
{
    const int rank = s->comm->rank;
    const int64_t bytes = SPMV__PAGERANK_MAIL * (int64_t)sizeof *mine;
    const double *mail = s->box.mail[s->round % 2] + (int64_t)rank * SPMV__PAGERANK_MAIL;
    spmv_status st;
    SPMV__TRY(spmv__gpu_download(s->gpu, s->next, job->next, s->handed, err));
    SPMV__TRY(spmv__gpu_download(s->gpu, mine, mail, bytes, err));
    copy_blocks(s, rank, rank + 1, true);
done:
    return st;
}

static spmv_status put_all(spmv__box_relay *s, const spmv__pagerank_job *job, spmv_error *err)
{
    const int size = s->comm->size, rank = s->comm->rank;
    spmv_status st;
    copy_blocks(s, 0, rank, false);
    copy_blocks(s, rank + 1, size, false);
    for (int k = 0; k < size; k++) s->told[k] = s->round;
    SPMV__TRY(spmv__gpu_upload(s->gpu, job->next, s->next, s->handed, err));
    SPMV__TRY(spmv__gpu_upload(s->gpu, s->box.mail[s->round % 2], s->mail,
                               size * SPMV__PAGERANK_MAIL * (int64_t)sizeof *s->mail, err));
    SPMV__TRY(spmv__gpu_upload(s->gpu, s->box.told, s->told, size * (int64_t)sizeof *s->told, err));
done:
    return st;
}

void spmv__box_relay_exchange(spmv__box_relay *s, const spmv__pagerank_job *job, spmv_status *st,
                              spmv_error *err)
{
    double mine[SPMV__PAGERANK_MAIL] = {0};
    s->round++;
    if (*st == SPMV_SUCCESS) *st = fetch_own(s, job, mine, err);
    spmv__comm_all_gather(s->comm, mine, sizeof mine, s->mail);
    spmv__exchange_start(&s->exchange);
    spmv__exchange_finish(&s->exchange);
    if (*st == SPMV_SUCCESS) *st = put_all(s, job, err);
}
