/* rank_record.c -- see rank_record.h. */
#include "cli/json/rank_record.h"

#include <math.h>

#define AT(member) offsetof(rank_figures, member)
const rank_figure rank_figure_table[RANK_FIGURES] = {
    {"rank", true, AT(rank)},
    {"rows", true, AT(rows)},
    {"nnz", true, AT(nnz)},
    {"received", true, AT(received)},
    {"received_bytes", true, AT(received_bytes)},
    {"sent", true, AT(sent)},
    {"sent_bytes", true, AT(sent_bytes)},
    {"neighbours", true, AT(neighbours)},
    {"receivers", true, AT(receivers)},
    {"messages", true, AT(messages)},
    {"multiply_s", false, AT(multiply_s)},
    {"exchange_s", false, AT(exchange_s)},
    {"time_s", false, AT(time_s)},
};

rank_figures rank_figures_of(int64_t rank, const spmv_part_costs *costs, size_t size)
{
    return (rank_figures){.rank = (double)rank,
                          .rows = (double)costs->rows,
                          .nnz = (double)costs->nnz,
                          .received = (double)costs->received,
                          .received_bytes = (double)size * (double)costs->received,
                          .sent = (double)costs->sent,
                          .sent_bytes = (double)size * (double)costs->sent,
                          .neighbours = costs->neighbours,
                          .receivers = costs->receivers,
                          .messages = fmax(costs->neighbours, costs->receivers),
                          .exchange_s = costs->exchange_s};
}

void record_rank(report *r, const rank_figures *figures)
{
    for (int i = 0; i < RANK_FIGURES; i++) {
        const rank_figure *f = &rank_figure_table[i];
        const double number = rank_figure_at(figures, f->offset);
        if (f->is_count)
            report_integer(r, f->key, (int64_t)number);
        else
            report_real(r, f->key, number);
    }
}
