/* rank_partner.c -- the GPU of one rank, which multiplies with those of all others.
 *
 * Who needs what, the halo says as for ranks without GPUs (core/parts/halo.h).  Where the ranks
 * reach the memory of each other's GPUs, everything is then as within one process; else a relay
 * exchanges what the halo says. */
#include "core/base/base.h"
#include "core/parts/partition.h"
#include "cuda/gpu/rank_memory.h"
#include "cuda/gpus/partners.h"

#include <stdlib.h>

/* ---- Memory of the others ------------------------------------------------------------------- */

/* Where a rank finds its places in the open memory of another one. */
typedef struct rank_place {
    int64_t x;     /* the first one of its elements, */
    int64_t words; /* and bytes before the words */
} rank_place;

/* place [ranks]: for this one, in the memory of each. */
static spmv_status exchange_places(rank_place *place, const spmv_gpus *g, spmv_error *err)
{
    rank_place *mine = NULL;
    spmv_status st = spmv__alloc(&mine, g->peers, sizeof *mine, "places of elements", err);
    SPMV__TRY(spmv_comm_agree(g->comm, st, err));
    for (int k = 0; k < g->peers; k++)
        mine[k] = (rank_place){g->halo.place[k], spmv__partner_x_bytes(g, &g->partner[0])};
    spmv__comm_all_to_all(g->comm, mine, sizeof *mine, place);
done:
    free(mine);
    return st;
}

/* What this rank has to do with rank k; returns how many elements go there. */
static int64_t fill_peer(spmv__swap_peer *peer, const spmv_gpus *g, int k, const rank_place *place,
                         int64_t begin)
{
    const int rank = g->comm->rank;
    const spmv__halo *h = &g->halo;
    const int64_t gives = k != rank ? h->asked[k] : 0,
                  takes = k != rank ? h->place[k + 1] - h->place[k] : 0;
    uint32_t *mine = g->partner[0].words,
             *theirs = (uint32_t *)((char *)g->there[k] + place->words);
    *peer = (spmv__swap_peer){.begin = begin, .gives = gives};
    if (gives > 0) {
        peer->to = (char *)g->there[k] + place->x * (int64_t)h->size;
        peer->tell_given = theirs + rank;
        peer->taken = mine + g->peers + k;
    }
    if (takes > 0) {
        peer->given = mine + k;
        peer->tell_taken = theirs + g->peers + rank;
    }
    return gives;
}

/* The elements for one rank after the other; the halo does not list them where one takes all. */
static void list_all(int32_t *give, const spmv_gpus *g)
{
    const spmv__halo *h = &g->halo;
    const int32_t *listed = h->give;
    for (int k = 0; k < g->peers; k++) {
        const int64_t n = k != g->comm->rank ? h->asked[k] : 0;
        const bool all = n == h->owns;
        for (int64_t i = 0; i < n; i++) give[i] = all ? (int32_t)i : listed[i];
        if (!all) listed += n;
        give += n;
    }
}

static spmv_status set_lists(spmv_gpus *g, const rank_place *place, spmv_error *err)
{
    const int64_t sent = g->halo.sent;
    spmv__swap_peer *peer = NULL;
    int32_t *give = NULL;
    int64_t given = 0;
    spmv_status st;
    SPMV__TRY(spmv__alloc(&peer, g->peers, sizeof *peer, "lists of elements of x", err));
    SPMV__TRY(spmv__alloc(&give, sent, sizeof *give, "lists of elements of x", err));
    list_all(give, g);
    for (int k = 0; k < g->peers; k++) given += fill_peer(&peer[k], g, k, &place[k], given);
    SPMV__TRY(spmv__partner_set_lists(g, &g->partner[0], peer, give, sent, err));
done:
    free(peer);
    free(give);
    return st;
}

/* ---- Routes --------------------------------------------------------------------------------- */

static spmv_status connect_ipc(spmv_gpus *g, spmv_error *err)
{
    rank_place *place = NULL;
    spmv_status st = spmv__alloc(&place, g->peers, sizeof *place, "places of elements", err);
    SPMV__TRY(spmv_comm_agree(g->comm, st, err));
    SPMV__TRY(spmv__rank_memory_open(&g->there, g->comm, g->partner[0].ctx->device,
                                     g->partner[0].open, err));
    SPMV__TRY(exchange_places(place, g, err));
    SPMV__TRY(spmv_comm_agree(g->comm, set_lists(g, place, err), err));
    g->swaps = g->halo.received > 0 || g->halo.sent > 0;
done:
    free(place);
    return st;
}

static spmv_status connect_relay(spmv_gpus *g, spmv_route route, spmv_error *err)
{
    spmv__partner *m = &g->partner[0];
    return spmv__relay_create(&g->relay, route, g->comm, m->ctx->gpu, m->ctx->device, &g->halo,
                              m->x, 0, err);
}

static spmv_status connect(spmv_gpus *g, spmv_route route, spmv_error *err)
{
    if (route > SPMV_ROUTE_IPC) return connect_relay(g, route, err);
    if (g->peers == 1) return spmv__partner_set_lists(g, &g->partner[0], NULL, NULL, 0, err);
    const spmv_status st = connect_ipc(g, err);
    if (g->there != NULL || !spmv__rank_memory_gives_way(route, st)) return st;
    return connect_relay(g, route, err);
}

/* ---- The whole ------------------------------------------------------------------------------ */

static spmv_status begin(spmv_gpus **out, spmv_comm *comm, int device, const spmv_part *part,
                         const spmv_kernel_options *options, spmv_error *err)
{
    spmv_status st;
    SPMV__TRY(spmv__gpus_begin(out, 1, comm->size, &part->own, options, err));
    (*out)->comm = comm;
    SPMV__TRY(spmv__partner_open(&(*out)->partner[0], device, err));
done:
    return st;
}

static void describe(spmv_gpus *g, const spmv_part *part)
{
    const spmv__halo *h = &g->halo;
    spmv__partner *m = &g->partner[0];
    m->share = (spmv_gpu_share){.rows = part->own.rows,
                                .nnz = part->own.nnz,
                                .received = h->received,
                                .sent = h->sent,
                                .neighbours = h->neighbours,
                                .receivers = h->receivers};
    m->own = h->own;
    m->owns = h->owns;
    m->cols = h->cols;
    g->row_begin[1] = part->own.rows;
    g->col_begin[1] = h->owns;
}

static spmv_status set_rows(spmv__partner *m, const spmv_csr *own,
                            const spmv_kernel_options *options, spmv_error *err)
{
    const spmv__partner_rows rows = {own->type, own->row_ptr, own->col_idx, own->val};
    const spmv_status st = spmv__partner_select(m, err);
    return st == SPMV_SUCCESS ? spmv__partner_set_rows(m, &rows, options, err) : st;
}

spmv_status spmv_gpus_create_on_rank(spmv_gpus **out, spmv_comm *comm, int device, spmv_part *part,
                                     const spmv_kernel_options *options, spmv_route route,
                                     spmv_error *err)
{
    spmv_gpus *g = NULL;
    spmv__partner *m;
    spmv_status st;
    SPMV__REQUIRE(out != NULL, err);
    *out = NULL;
    SPMV__REQUIRE(comm != NULL && part != NULL && options != NULL, err);
    SPMV__REQUIRE_IN_ORDER(part, err);
    SPMV__TRY(spmv_comm_agree(comm, begin(&g, comm, device, part, options, err), err));
    m = &g->partner[0];
    SPMV__TRY(spmv__halo_create(&g->halo, comm, part->own.col_idx, part->own.nnz, part->own.cols,
                                part->col_begin, spmv_type_size(g->type), err));
    part->own.cols = g->halo.cols;
    describe(g, part);
    SPMV__TRY(spmv_comm_agree(comm, spmv__partner_open_memory(g, m, err), err));
    SPMV__TRY(connect(g, route, err));
    SPMV__TRY(spmv_comm_agree(comm, set_rows(m, &part->own, options, err), err));
    *out = g;
    g = NULL;
done:
    spmv_gpus_destroy(g);
    return st;
}
