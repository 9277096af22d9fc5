/* prediction.c -- see prediction.h. */
#include "cli/bench/model/prediction.h"
#include "cli/ranks/row_shares.h"

#include <math.h>
#include <stdlib.h>

/* Bytes that one multiplication moves through the memory of a rank, as CSR with 32-bit columns. */
static double memory_bytes(const prediction *p, const spmv_part_costs *c)
{
    const double vector = (double)spmv_type_size(p->precision);
    const double entry = 4 + (double)spmv_type_size(p->type);
    return entry * (double)c->nnz + (8 + vector) * (double)c->rows +
           vector * (double)(c->owned + c->received);
}

rank_figures prediction_rank_at(const prediction *p, int64_t k)
{
    const model_machine *m = &p->machine;
    rank_figures r = rank_figures_of(k, &p->costs[k], spmv_type_size(p->precision));
    r.multiply_s = memory_bytes(p, &p->costs[k]) / m->memory;
    r.exchange_s = m->alpha * r.messages + fmax(r.received_bytes, r.sent_bytes) / m->beta;
    r.time_s = r.multiply_s + r.exchange_s;
    return r;
}

static void sum_up(prediction *p)
{
    const spmv_part_costs whole = {
        .rows = p->stats.rows, .nnz = p->stats.nnz, .owned = p->stats.cols};
    double multiply = 0, exchange = 0, longest = 0;
    p->time_s = 0;
    for (int64_t k = 0; k < p->machine.ranks; k++) {
        const rank_figures r = prediction_rank_at(p, k);
        multiply += r.multiply_s;
        exchange += r.exchange_s;
        longest = fmax(longest, r.multiply_s);
        p->time_s = fmax(p->time_s, r.time_s);
    }
    p->one_rank_s = memory_bytes(p, &whole) / p->machine.memory;
    p->imbalance = multiply > 0 ? longest * (double)p->machine.ranks / multiply : 1;
    p->communication = multiply + exchange > 0 ? exchange / (multiply + exchange) : 0;
}

spmv_status prediction_make(prediction *p, const spmv_csr *A, const int32_t *rank_of_row,
                            spmv_error *err)
{
    p->made = time(NULL);
    p->costs = calloc((size_t)p->machine.ranks, sizeof *p->costs);
    if (p->costs == NULL)
        return tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot hold the costs of %lld ranks",
                         (long long)p->machine.ranks);
    const spmv_status st = spmv_part_predict(p->costs, (int)p->machine.ranks, A,
                                             tool_partition(p->partition), rank_of_row, err);
    if (st == SPMV_SUCCESS) sum_up(p);
    return st;
}

void prediction_destroy(prediction *p)
{
    free(p->costs);
    p->costs = NULL;
}
