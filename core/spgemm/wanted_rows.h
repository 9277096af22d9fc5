/* wanted_rows.h -- rows of a matrix that other ranks have: which ones a rank wants, and their
 * entries. */
#pragma once

#include "core/parts/column_numbers.h"
#include "core/comm/transport.h"

/* What one rank wants of the rows of B, and what others want of its own.  All zero is empty. */
typedef struct spmv__wanted_rows {
    spmv_comm *comm;
    const spmv_part *B;
    spmv__column_numbers columns; /* of A: a row of B is wanted where such a column has entries */
    int64_t *want;    /* [size + 1] where the rows of each rank begin among those that are wanted */
    int64_t *give;    /* [size + 1] where the list of each rank begins, */
    int32_t *list;    /* [give[size]] of the own rows that it wants, counted from the first one */
    int64_t *row_ptr; /* [want[size] + 1] of the rows that are wanted */
} spmv__wanted_rows;

/* Find out who wants what, and how long these rows are; A has the columns of the whole matrix.
 * Memory: 3 bits for each of them, and 8 bytes for a row that is wanted, 12 for one that is given.
 * Errors, which all ranks have together: OUT_OF_MEMORY. */
spmv_status spmv__wanted_rows_find(spmv__wanted_rows *out, spmv_comm *comm, const spmv_csr *A,
                                   const spmv_part *B, spmv_error *err);
void spmv__wanted_rows_destroy(spmv__wanted_rows *w);

/* How many there are, and the number among them of the row that a column of A meets. */
static inline int64_t spmv__wanted_count(const spmv__wanted_rows *w)
{
    return w->want[w->comm->size];
}

static inline int64_t spmv__wanted_number(const spmv__wanted_rows *w, int64_t col)
{
    return spmv__column_number(&w->columns, col);
}

/* out = the rows that are wanted, in their order.  Rank after rank is served, so that beside them
 * only the rows that one rank gets are in memory a second time.  Errors, which all ranks have
 * together: OUT_OF_MEMORY. */
spmv_status spmv__wanted_rows_fetch(spmv_csr *out, const spmv__wanted_rows *w, spmv_error *err);
