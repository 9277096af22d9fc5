/* rank_record.h -- what each rank has and what one multiplication costs it, measured or predicted.
 */
#pragma once

#include "cli/json/json_value.h"

#include <stddef.h>

typedef struct rank_figures {
    double rank, rows, nnz;
    double received, received_bytes, sent, sent_bytes; /* elements of x */
    double neighbours, receivers, messages;            /* messages: the more of the two */
    double multiply_s, exchange_s, time_s;
} rank_figures;

/* Elements of x have `size` bytes. */
rank_figures rank_figures_of(int64_t rank, const spmv_part_costs *costs, size_t size);

/* The one table of the figures, by which JSON and CSV are written. */
typedef struct rank_figure {
    const char *key; /* with its unit */
    bool is_count;   /* a whole number */
    size_t offset;   /* in rank_figures */
} rank_figure;

enum { RANK_FIGURES = 13 };
extern const rank_figure rank_figure_table[RANK_FIGURES];

static inline double rank_figure_at(const rank_figures *r, size_t offset)
{
    return *(const double *)((const char *)r + offset);
}

void record_rank(report *r, const rank_figures *figures); /* their members into r */
