/* prediction_columns.c -- see prediction_columns.h. */
#include "cli/bench/model/prediction_columns.h"

#include <math.h>

#define AT(member) offsetof(prediction_rank, member)
const prediction_column prediction_columns[PREDICTION_COLUMNS] = {
    {"rank", true, AT(rank), "rank", 6, bench_show_whole},
    {"rows", true, AT(rows), "rows", 11, bench_show_whole},
    {"nnz", true, AT(nnz), "nonzeros", 12, bench_show_whole},
    {"received", true, AT(received), NULL, 0, NULL},
    {"received_bytes", true, AT(received_bytes), "receives", 9, tool_bytes_text},
    {"sent", true, AT(sent), NULL, 0, NULL},
    {"sent_bytes", true, AT(sent_bytes), "sends", 9, tool_bytes_text},
    {"neighbours", true, AT(neighbours), NULL, 0, NULL},
    {"receivers", true, AT(receivers), NULL, 0, NULL},
    {"messages", true, AT(messages), "msgs", 6, bench_show_whole},
    {"multiply_s", false, AT(multiply_s), "multiply", 9, tool_time_text},
    {"exchange_s", false, AT(exchange_s), "exchange", 9, tool_time_text},
    {"time_s", false, AT(time_s), "time", 9, tool_time_text},
};

/* *into = pick(*into, r), number by number. */
static void fold(prediction_rank *into, const prediction_rank *r, double (*pick)(double, double))
{
    for (int i = 0; i < PREDICTION_COLUMNS; i++) {
        double *number = (double *)((char *)into + prediction_columns[i].offset);
        *number = pick(*number, prediction_number(&prediction_columns[i], r));
    }
}

static double add(double a, double b)
{
    return a + b;
}

static double divide(double a, double b)
{
    return a / b;
}

/* Every number of it is `n`. */
static prediction_rank constant(double n)
{
    prediction_rank r;
    for (int i = 0; i < PREDICTION_COLUMNS; i++)
        *(double *)((char *)&r + prediction_columns[i].offset) = n;
    return r;
}

/* min, mean and max of each number over all ranks. */
static void summarise(const prediction *p, prediction_row out[3])
{
    const prediction_rank size = constant((double)p->machine.ranks);
    out[0] = (prediction_row){"min", constant(INFINITY)};
    out[1] = (prediction_row){"mean", constant(0)};
    out[2] = (prediction_row){"max", constant(-INFINITY)};
    for (int64_t k = 0; k < p->machine.ranks; k++) {
        const prediction_rank r = prediction_rank_at(p, k);
        fold(&out[0].rank, &r, fmin);
        fold(&out[1].rank, &r, add);
        fold(&out[2].rank, &r, fmax);
    }
    fold(&out[1].rank, &size, divide);
}

/* Put a rank among the `count` slowest so far, behind which there is room for one; returns how many
 * they are then. */
static int keep_slowest(prediction_row *out, int count, const prediction_rank *r)
{
    int i = count;
    for (; i > 0 && out[i - 1].rank.time_s < r->time_s; i--) out[i] = out[i - 1];
    out[i] = (prediction_row){NULL, *r};
    return count < PREDICTION_SLOWEST ? count + 1 : count;
}

int prediction_choose_rows(const prediction *p, prediction_row out[PREDICTION_ROWS])
{
    const int64_t ranks = p->machine.ranks;
    int count = 0;
    summarise(p, out);
    for (int64_t k = 0; k < ranks; k++) {
        const prediction_rank r = prediction_rank_at(p, k);
        if (ranks > PREDICTION_FEW)
            count = keep_slowest(&out[3], count, &r);
        else
            out[3 + count++] = (prediction_row){NULL, r};
    }
    return 3 + count;
}
