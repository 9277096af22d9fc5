/* prediction_columns.h -- the one table of what is told of a rank: by it the table, Markdown, CSV
 * and JSON are written. */
#pragma once

#include "cli/bench/model/prediction.h"
#include "cli/bench/show/show_number.h"

#include <stddef.h>

typedef struct prediction_column {
    const char *key;     /* in JSON and CSV, with its unit */
    bool is_count;       /* a whole number */
    size_t offset;       /* of the number in prediction_rank */
    const char *heading; /* for people; NULL: they do not see it */
    int width;           /* in a terminal */
    const char *(*show)(double value, char text[BENCH_TEXT]);
} prediction_column;

enum { PREDICTION_COLUMNS = 13 };
extern const prediction_column prediction_columns[PREDICTION_COLUMNS];

static inline double prediction_number(const prediction_column *c, const prediction_rank *r)
{
    return *(const double *)((const char *)r + c->offset);
}

/* What a table has room for: "min", "mean" and "max" of all ranks, and then some of them, each if
 * they are few, and else the slowest. */
enum { PREDICTION_FEW = 16, PREDICTION_SLOWEST = 5, PREDICTION_ROWS = 3 + PREDICTION_FEW };
typedef struct prediction_row {
    const char *label; /* NULL: a rank, which has its number */
    prediction_rank rank;
} prediction_row;
int prediction_choose_rows(const prediction *p, prediction_row out[PREDICTION_ROWS]);
