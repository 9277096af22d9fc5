/* rank_costs.c -- see rank_costs.h. */
#include "cli/json/rank_costs.h"
#include "cli/tool/fail.h"
#include "cli/tool/gather.h"

#include <math.h>
#include <stdlib.h>

/* What each rank tells of itself. */
enum { ROWS, NNZ, RECEIVED, SENT, NEIGHBOURS, RECEIVERS, EXCHANGE, TIME, TOLD };

static rank_figures read_figures(int rank, const double *told, size_t element)
{
    const spmv_part_costs c = {.rows = (int64_t)told[ROWS],
                               .nnz = (int64_t)told[NNZ],
                               .received = (int64_t)told[RECEIVED],
                               .sent = (int64_t)told[SENT],
                               .neighbours = (int)told[NEIGHBOURS],
                               .receivers = (int)told[RECEIVERS],
                               .exchange_s = told[EXCHANGE]};
    rank_figures r = rank_figures_of(rank, &c, element);
    r.time_s = told[TIME];
    r.multiply_s = fmax(r.time_s - r.exchange_s, 0);
    return r;
}

double rank_load(double rows, double nnz)
{
    return 12 * nnz + 24 * rows;
}

static void sum_up(rank_costs *all)
{
    double bytes = 0, most = 0, exchange = 0, time = 0;
    for (int k = 0; k < all->size; k++) {
        const rank_figures *r = &all->rank[k];
        const double mine = rank_load(r->rows, r->nnz);
        bytes += mine;
        most = fmax(most, mine);
        all->received += r->received_bytes;
        exchange += r->exchange_s;
        time += r->time_s;
    }
    all->imbalance = bytes > 0 ? most * all->size / bytes : 1;
    all->communication = time > 0 ? exchange / time : 0;
}

spmv_status rank_costs_gather(rank_costs *out, spmv_comm *comm, const spmv_part_costs *mine,
                              size_t element, double exchange_s, double time_s, spmv_error *err)
{
    const double tell[TOLD] = {(double)mine->rows,
                               (double)mine->nnz,
                               (double)mine->received,
                               (double)mine->sent,
                               mine->neighbours,
                               mine->receivers,
                               exchange_s,
                               time_s};
    _Static_assert((int)TOLD <= (int)SPMV_COMM_NUMBERS, "one message holds them");
    const int size = spmv_comm_size(comm);
    double *told = NULL;
    spmv_status st = SPMV_SUCCESS;
    *out = (rank_costs){.size = size, .rank = calloc((size_t)size, sizeof *out->rank)};
    if (out->rank == NULL)
        st = tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot store the costs of %d ranks", size);
    TOOL_TRY(spmv_comm_agree(comm, st, err));
    TOOL_TRY(tool_gather(&told, comm, tell, TOLD, err));
    for (int k = 0; k < size; k++) out->rank[k] = read_figures(k, told + k * TOLD, element);
    sum_up(out);
done:
    free(told);
    return st;
}

void rank_costs_destroy(rank_costs *costs)
{
    free(costs->rank);
    *costs = (rank_costs){0};
}

void record_rank_costs(report *r, const rank_costs *costs, const char *partition, const char *comm)
{
    report *d = report_object(r, "distribution");
    report_integer(d, "ranks", costs->size);
    report_text(d, "partition", partition);
    if (comm != NULL) report_text(d, "comm", comm);
    report_real(d, "imbalance", costs->imbalance);
    report_real(d, "received_bytes", costs->received);
    report_real(d, "communication", costs->communication);
    report *ranks = report_array(r, "ranks");
    for (int k = 0; k < costs->size; k++) record_rank(report_object(ranks, NULL), &costs->rank[k]);
}
