/* prediction_columns.h -- what people see of ranks: the columns of a table, and its rows. */
#pragma once

#include "cli/bench/model/prediction.h"
#include "cli/bench/show/show_number.h"

typedef struct prediction_column {
    const char *heading;
    size_t offset; /* of the number in rank_figures */
    int width;     /* in a terminal */
    const char *(*show)(double value, char text[BENCH_TEXT]);
} prediction_column;

enum { PREDICTION_COLUMNS = 9 };
extern const prediction_column prediction_columns[PREDICTION_COLUMNS];

/* What a table has room for: "min", "mean" and "max" of all ranks, and then some of them, each if
 * they are few, and else the slowest. */
enum { PREDICTION_FEW = 16, PREDICTION_SLOWEST = 5, PREDICTION_ROWS = 3 + PREDICTION_FEW };
typedef struct prediction_row {
    const char *label; /* NULL: a rank, which has its number */
    rank_figures figures;
} prediction_row;
int prediction_choose_rows(const prediction *p, prediction_row out[PREDICTION_ROWS]);
