/* simple_product.c -- see simple_product.h.
 *
 * Sums travel in double precision and are added up in the order of the ranks. */
#include "core/parts/simple_product.h"
#include "core/matrix/value.h"

#include <stdlib.h>

/* Doubles of a sum. */
static int64_t parts_of(const spmv__simple_product *p)
{
    return spmv__parts(p->type);
}

/* Find out where the sums of each rank go, on all ranks though rank 0 alone adds them up. */
static spmv_status place_sums(spmv__simple_product *p, spmv_error *err)
{
    const int size = p->comm->size;
    int64_t mine[2] = {p->first_row, p->A.rows};
    int64_t *all = NULL;
    spmv_status st = spmv__alloc(&all, 2 * (int64_t)size, sizeof *all, "a product", err);
    if (st == SPMV_SUCCESS)
        st = spmv__alloc(&p->first_rows, size, sizeof *p->first_rows, "a product", err);
    if (st == SPMV_SUCCESS)
        st = spmv__alloc(&p->begin, (int64_t)size + 1, sizeof *p->begin, "a product", err);
    SPMV__TRY(spmv_comm_agree(p->comm, st, err));
    spmv__comm_all_gather(p->comm, mine, sizeof mine, all);
    for (int k = 0; k < size; k++) {
        p->first_rows[k] = all[2 * k];
        p->begin[k + 1] = p->begin[k] + all[2 * k + 1];
    }
done:
    free(all);
    return st;
}

/* The sums of rank k on rank 0. */
static double *sums_of(const spmv__simple_product *p, int k)
{
    return p->sums + p->begin[k] * parts_of(p);
}

/* Rank 0 receives the sums of the others. */
static spmv_status prepare_exchange(spmv__simple_product *p, spmv_error *err)
{
    const bool root = p->comm->rank == 0;
    const int64_t row = parts_of(p) * (int64_t)sizeof *p->sum;
    spmv__message *message = NULL;
    int n = 0;
    spmv_status st = spmv__alloc(&message, p->comm->size, sizeof *message, "messages", err);
    if (st != SPMV_SUCCESS) return st;
    for (int k = 1; k < p->comm->size && root; k++)
        if (p->begin[k + 1] > p->begin[k])
            message[n++] = (spmv__message){k, sums_of(p, k), (p->begin[k + 1] - p->begin[k]) * row};
    if (!root && p->A.rows > 0) message[n++] = (spmv__message){0, p->sum, p->A.rows * row};
    st = spmv__exchange_create(&p->exchange, p->comm, message, root ? n : 0, message, root ? 0 : n,
                               err);
    free(message);
    return st;
}

static spmv_status create_memory(spmv__simple_product *p, spmv_error *err)
{
    const bool root = p->comm->rank == 0;
    const int64_t parts = parts_of(p), shared = root ? p->begin[p->comm->size] : 0;
    spmv_status st;
    SPMV__TRY(spmv__alloc(&p->x, p->cols, spmv_type_size(p->type), "elements of x", err));
    SPMV__TRY(spmv__alloc(&p->sum, p->A.rows * parts, sizeof *p->sum, "sums", err));
    SPMV__TRY(spmv__alloc(&p->sums, shared * parts, sizeof *p->sums, "sums", err));
    SPMV__TRY(spmv__alloc(&p->total, p->rows * parts, sizeof *p->total, "sums", err));
    SPMV__TRY(prepare_exchange(p, err));
done:
    return st;
}

spmv_status spmv__simple_create(spmv__simple_product *out, spmv_comm *comm, spmv_part *part,
                                spmv_type type, int threads, spmv_error *err)
{
    spmv__simple_product p = {.comm = comm,
                              .A = part->own,
                              .cols = part->cols,
                              .type = type,
                              .threads = threads,
                              .first_row = part->first_row,
                              .rows = comm->rank == 0 ? part->rows : 0};
    spmv_status st;
    part->own = (spmv_csr){0};
    SPMV__TRY(place_sums(&p, err));
    SPMV__TRY(spmv_comm_agree(comm, create_memory(&p, err), err));
    *out = p;
    p = (spmv__simple_product){0};
done:
    spmv__simple_destroy(&p);
    return st;
}

void spmv__simple_destroy(spmv__simple_product *p)
{
    spmv__exchange_destroy(&p->exchange);
    spmv_csr_destroy(&p->A);
    free(p->x);
    free(p->sum);
    free(p->sums);
    free(p->total);
    free(p->first_rows);
    free(p->begin);
}

/* On rank 0: begin the rows of rank k, where `from` is NULL, or add its sums to them. */
static void add_share(spmv__simple_product *p, int k, const double *from)
{
    const int64_t n = (p->begin[k + 1] - p->begin[k]) * parts_of(p);
    double *to = p->total + p->first_rows[k] * parts_of(p);
    for (int64_t i = 0; i < n; i++) to[i] = from != NULL ? to[i] + from[i] : -0.0;
}

/* On rank 0: y from its own sums and those of the others.  A row that no rank has is empty and sums
 * to 0.  Sums start at -0, which leaves any addend unchanged. */
static void add_up(spmv__simple_product *p, const spmv__output *out)
{
    const int size = p->comm->size;
    memset(p->total, 0, (size_t)(p->rows * parts_of(p)) * sizeof *p->total);
    for (int k = 0; k < size; k++) add_share(p, k, NULL);
    for (int k = 0; k < size; k++) add_share(p, k, k == 0 ? p->sum : sums_of(p, k));
    spmv__output_sums(out, NULL, 0, p->rows, p->total);
}

void spmv__simple_apply(spmv__simple_product *p, spmv_scalar alpha, spmv_scalar beta, void *y)
{
    const spmv__output share = {.type = spmv__double_type(p->type), .alpha = {1, 0}, .y = p->sum};
    const spmv__output out = {.type = p->type, .alpha = alpha, .beta = beta, .y = y};
    const spmv__entries entries = spmv__csr_entries(&p->A);
    double start = spmv_now();
    spmv__comm_broadcast(p->comm, p->x, p->cols * (int64_t)spmv_type_size(p->type), 0);
    p->exchange_s = spmv_now() - start;
    spmv__entries_multiply(&entries, p->type, p->x, &share, p->threads);
    start = spmv_now();
    spmv__exchange_start(&p->exchange);
    spmv__exchange_finish(&p->exchange);
    p->exchange_s += spmv_now() - start;
    if (p->comm->rank == 0) add_up(p, &out);
}

spmv_part_costs spmv__simple_costs(const spmv__simple_product *p)
{
    const bool root = p->comm->rank == 0;
    const int others = p->comm->size - 1;
    return (spmv_part_costs){.rows = p->A.rows,
                             .nnz = p->A.nnz,
                             .owned = root ? p->cols : 0,
                             .received = root ? p->begin[others + 1] - p->begin[1] : p->cols,
                             .sent = root ? others * p->cols : p->A.rows,
                             .neighbours = root ? others : 1,
                             .receivers = root ? others : 1,
                             .exchange_s = p->exchange_s};
}
