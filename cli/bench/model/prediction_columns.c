/* prediction_columns.c -- see prediction_columns.h. */
#include "cli/bench/model/prediction_columns.h"

#include <math.h>

#define AT(member) offsetof(rank_figures, member)
const prediction_column prediction_columns[PREDICTION_COLUMNS] = {
    {"rank", AT(rank), 6, bench_show_whole},
    {"rows", AT(rows), 11, bench_show_whole},
    {"nonzeros", AT(nnz), 12, bench_show_whole},
    {"receives", AT(received_bytes), 9, tool_bytes_text},
    {"sends", AT(sent_bytes), 9, tool_bytes_text},
    {"msgs", AT(messages), 6, bench_show_whole},
    {"multiply", AT(multiply_s), 9, tool_time_text},
    {"exchange", AT(exchange_s), 9, tool_time_text},
    {"time", AT(time_s), 9, tool_time_text},
};

/* *into = pick(*into, r), number by number. */
static void fold(rank_figures *into, const rank_figures *r, double (*pick)(double, double))
{
    for (int i = 0; i < PREDICTION_COLUMNS; i++) {
        const size_t offset = prediction_columns[i].offset;
        double *number = (double *)((char *)into + offset);
        *number = pick(*number, rank_figure_at(r, offset));
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
static rank_figures constant(double n)
{
    rank_figures r = {0};
    for (int i = 0; i < PREDICTION_COLUMNS; i++)
        *(double *)((char *)&r + prediction_columns[i].offset) = n;
    return r;
}

/* min, mean and max of each number over all ranks. */
static void summarise(const prediction *p, prediction_row out[3])
{
    const rank_figures size = constant((double)p->machine.ranks);
    out[0] = (prediction_row){"min", constant(INFINITY)};
    out[1] = (prediction_row){"mean", constant(0)};
    out[2] = (prediction_row){"max", constant(-INFINITY)};
    for (int64_t k = 0; k < p->machine.ranks; k++) {
        const rank_figures r = prediction_rank_at(p, k);
        fold(&out[0].figures, &r, fmin);
        fold(&out[1].figures, &r, add);
        fold(&out[2].figures, &r, fmax);
    }
    fold(&out[1].figures, &size, divide);
}

/* Put a rank among the `count` slowest so far, after which there is room for one; returns how many
 * they are then. */
static int keep_slowest(prediction_row *out, int count, const rank_figures *r)
{
    int i = count;
    for (; i > 0 && out[i - 1].figures.time_s < r->time_s; i--) out[i] = out[i - 1];
    out[i] = (prediction_row){NULL, *r};
    return count < PREDICTION_SLOWEST ? count + 1 : count;
}

int prediction_choose_rows(const prediction *p, prediction_row out[PREDICTION_ROWS])
{
    const int64_t ranks = p->machine.ranks;
    int count = 0;
    summarise(p, out);
    for (int64_t k = 0; k < ranks; k++) {
        const rank_figures r = prediction_rank_at(p, k);
        if (ranks > PREDICTION_FEW)
            count = keep_slowest(&out[3], count, &r);
        else
            out[3 + count++] = (prediction_row){NULL, r};
    }
    return 3 + count;
}
