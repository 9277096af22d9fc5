/* halo.c -- who needs what of x: found out once, and exchanged before each product.
 *
 * A rank that needs most of what another one has takes all of it: then that one packs nothing, and
 * sends its part of x as it lies there.  Where all need most of all, this is an all-gather. */
#include "core/parts/halo.h"
#include "core/parts/column_numbers.h"

#include <stdlib.h>

/* What is worked out on the way. */
typedef struct plan {
    spmv_comm *comm;
    const int64_t *col_begin;
    spmv__column_numbers columns;
    int64_t *needs; /* [size] elements of each other rank */
    spmv__message *receive, *send;
    int receives, sends;
    int32_t *wanted; /* the lists that go to others */
} plan;

static int64_t count_of(const plan *p, int rank)
{
    return p->col_begin[rank + 1] - p->col_begin[rank];
}

static int64_t number_of(const plan *p, int rank)
{
    return spmv__column_number(&p->columns, p->col_begin[rank]);
}

/* Mark all columns that the part is to have; needs [size] becomes how many of each other rank. */
static void find_needs(plan *p, const int32_t *col_idx, int64_t n)
{
    const int size = p->comm->size, rank = p->comm->rank;
    spmv__column_numbers *c = &p->columns;
    spmv__column_numbers_mark(c, col_idx, n);
    spmv__column_numbers_mark_range(c, p->col_begin[rank], p->col_begin[rank + 1]);
    spmv__column_numbers_count(c);
    for (int k = 0; k < size; k++) p->needs[k] = number_of(p, k + 1) - number_of(p, k);
    p->needs[rank] = 0;
    for (int k = 0; k < size; k++) {
        if (k == rank || spmv__halo_takes(p->needs[k], count_of(p, k)) == p->needs[k]) continue;
        p->needs[k] = count_of(p, k);
        spmv__column_numbers_mark_range(c, p->col_begin[k], p->col_begin[k + 1]);
    }
    spmv__column_numbers_count(c);
}

static bool takes_all(const plan *p, int owner, int64_t elements)
{
    return elements == count_of(p, owner);
}

static spmv_status create_plan(plan *p, spmv__halo *halo, int64_t cols, spmv_error *err)
{
    const int64_t size = p->comm->size;
    spmv_status st;
    SPMV__TRY(spmv__column_numbers_create(&p->columns, cols, err));
    SPMV__TRY(spmv__alloc(&p->needs, size, sizeof *p->needs, "a halo", err));
    SPMV__TRY(spmv__alloc(&p->receive, size, sizeof *p->receive, "a halo", err));
    SPMV__TRY(spmv__alloc(&p->send, size, sizeof *p->send, "a halo", err));
    SPMV__TRY(spmv__alloc(&halo->place, size + 1, sizeof *halo->place, "a halo", err));
    SPMV__TRY(spmv__alloc(&halo->asked, size, sizeof *halo->asked, "a halo", err));
done:
    return st;
}

static void destroy_plan(plan *p)
{
    spmv__column_numbers_destroy(&p->columns);
    free(p->needs);
    free(p->receive);
    free(p->send);
    free(p->wanted);
}

/* ---- Lists ---------------------------------------------------------------------------------- */

/* The elements that are named one by one. */
static int64_t count_listed(const plan *p, const int64_t *count, bool of_others)
{
    int64_t n = 0;
    for (int k = 0; k < p->comm->size; k++)
        if (!takes_all(p, of_others ? k : p->comm->rank, count[k])) n += count[k];
    return n;
}

static void name_list(spmv__message *out, int *count, int peer, int32_t *list, int64_t n)
{
    if (n > 0) out[(*count)++] = (spmv__message){peer, list, n * (int64_t)sizeof *list};
}

/* Tell the others which elements are wanted, and hear which ones of this rank are. */
static spmv_status exchange_lists(plan *p, spmv__halo *halo, spmv_error *err)
{
    const int rank = p->comm->rank;
    int64_t wanted = 0, given = 0;
    spmv_status st;
    halo->gives = count_listed(p, halo->asked, false);
    st = spmv__alloc(&halo->give, halo->gives, sizeof *halo->give, "a halo", err);
    if (st == SPMV_SUCCESS)
        st = spmv__alloc(&p->wanted, count_listed(p, p->needs, true), sizeof *p->wanted, "a halo",
                         err);
    SPMV__TRY(spmv_comm_agree(p->comm, st, err));
    for (int k = 0; k < p->comm->size; k++) {
        if (k == rank) continue;
        if (!takes_all(p, k, p->needs[k])) {
            name_list(p->send, &p->sends, k, p->wanted + wanted, p->needs[k]);
            wanted += spmv__column_numbers_list(&p->columns, p->col_begin[k], p->col_begin[k + 1],
                                                p->wanted + wanted);
        }
        if (!takes_all(p, rank, halo->asked[k])) {
            name_list(p->receive, &p->receives, k, halo->give + given, halo->asked[k]);
            given += halo->asked[k];
        }
    }
    SPMV__TRY(spmv__exchange_once(p->comm, p->receive, p->receives, p->send, p->sends, err));
done:
    return st;
}

/* ---- Elements ------------------------------------------------------------------------------- */

/* Elements that rank k sends to this one. */
static int64_t count_taken(const spmv__halo *halo, const spmv_comm *comm, int k)
{
    return k == comm->rank ? 0 : halo->place[k + 1] - halo->place[k];
}

static void add_up(spmv__halo *halo, const spmv_comm *comm)
{
    for (int k = 0; k < comm->size; k++) {
        const int64_t takes = count_taken(halo, comm, k);
        halo->received += takes;
        halo->sent += halo->asked[k];
        halo->neighbours += takes > 0;
        halo->receivers += halo->asked[k] > 0;
    }
}

void spmv__halo_messages(const spmv__halo *halo, const spmv_comm *comm, void *x, void *packed,
                         spmv__message *receive, spmv__message *send)
{
    const int64_t size = (int64_t)halo->size;
    char *own = (char *)x + halo->own * size, *next = packed;
    int receives = 0, sends = 0;
    for (int k = 0; k < comm->size; k++) {
        const int64_t takes = count_taken(halo, comm, k), asked = halo->asked[k];
        if (takes > 0)
            receive[receives++] =
                (spmv__message){k, (char *)x + halo->place[k] * size, takes * size};
        if (asked == 0) continue;
        const bool all = asked == halo->owns;
        send[sends++] = (spmv__message){k, all ? own : next, asked * size};
        if (!all) next += asked * size;
    }
}

/* Prepare what is exchanged before each product. */
static spmv_status prepare_elements(plan *p, spmv__halo *halo, spmv_error *err)
{
    spmv__halo_messages(halo, p->comm, halo->x, halo->packed, p->receive, p->send);
    return spmv__exchange_create(&halo->exchange, p->comm, p->receive, halo->neighbours, p->send,
                                 halo->receivers, err);
}

static void renumber(const plan *p, int32_t *col_idx, int64_t n)
{
    for (int64_t q = 0; q < n; q++)
        col_idx[q] = (int32_t)spmv__column_number(&p->columns, col_idx[q]);
}

spmv_status spmv__halo_create(spmv__halo *out, spmv_comm *comm, int32_t *col_idx, int64_t n,
                              int64_t cols, const int64_t *col_begin, size_t size, spmv_error *err)
{
    plan p = {.comm = comm, .col_begin = col_begin};
    spmv__halo halo = {.size = size};
    spmv_status st;
    SPMV__TRY(spmv_comm_agree(comm, create_plan(&p, &halo, cols, err), err));
    find_needs(&p, col_idx, n);
    for (int k = 0; k <= comm->size; k++) halo.place[k] = number_of(&p, k);
    spmv__comm_all_to_all(comm, p.needs, sizeof *p.needs, halo.asked);
    SPMV__TRY(exchange_lists(&p, &halo, err));
    halo.own = halo.place[comm->rank];
    halo.owns = count_of(&p, comm->rank);
    halo.cols = spmv__column_number(&p.columns, cols);
    add_up(&halo, comm);
    st = spmv__alloc(&halo.x, halo.cols, halo.size, "elements of x", err);
    if (st == SPMV_SUCCESS)
        st = spmv__alloc(&halo.packed, halo.gives, halo.size, "elements of x", err);
    if (st == SPMV_SUCCESS) st = prepare_elements(&p, &halo, err);
    SPMV__TRY(spmv_comm_agree(comm, st, err));
    renumber(&p, col_idx, n);
    *out = halo;
    halo = (spmv__halo){0};
done:
    destroy_plan(&p);
    spmv__halo_destroy(&halo);
    return st;
}

void spmv__halo_destroy(spmv__halo *halo)
{
    spmv__exchange_destroy(&halo->exchange);
    free(halo->give);
    free(halo->x);
    free(halo->packed);
    free(halo->place);
    free(halo->asked);
    *halo = (spmv__halo){0};
}

/* Specialised by constant size. */
SPMV__INLINE void pack(const spmv__halo *halo, size_t size)
{
    const char *from = spmv__halo_own(halo);
    char *to = halo->packed;
    for (int64_t i = 0; i < halo->gives; i++)
        memcpy(to + (size_t)i * size, from + (size_t)halo->give[i] * size, size);
}

void spmv__halo_start(spmv__halo *halo)
{
    if (halo->size == 4)
        pack(halo, 4);
    else if (halo->size == 8)
        pack(halo, 8);
    else
        pack(halo, 16);
    spmv__exchange_start(&halo->exchange);
}
