/* split_rows.h -- long rows at the ends of a share, multiplied by several ranks.
 *
 * The rank that has such a row sends segments of it (row_segments.h) to others, and adds the sums
 * of all of them up, in the order of the row. */
#pragma once

#include "core/comm/transport.h"
#include "core/matrix/format.h"
#include "core/parts/row_segments.h"

/* An own row that is split, and then empty among the own rows. */
typedef struct spmv__split_row {
    int64_t row;        /* its number among these */
    int64_t length;     /* entries that it had */
    int first, total;   /* its segments in `part` */
    int kept, at, from; /* `kept` of which are this rank's: part[at] .. = sum[from] .. */
    spmv_scalar y;      /* before a product */
} spmv__split_row;

typedef struct spmv__split_rows {
    bool any;         /* some rank has one; else there is nothing here, and nothing to do */
    int count;        /* segments that this rank multiplies: */
    int64_t *start;   /* [count + 1] where their entries begin, after those of its rows */
    spmv_scalar *sum; /* [count] their sums */
    int rows;         /* own rows that are split, in their order */
    spmv__split_row row[SPMV__EDGES];
    spmv_scalar *part;       /* the sums of their segments */
    spmv__exchange exchange; /* of sums */
} spmv__split_rows;

/* Split what is to be split of the rows of all ranks; A has the rows of *part, and then, after the
 * entries of its rows, those of segments.  All ranks together.
 * Errors: OUT_OF_MEMORY.  Memory: the entries of A twice on ranks that give or get some. */
spmv_status spmv__split_create(spmv__split_rows *out, spmv_comm *comm, spmv_csr *A,
                               const spmv_part *part, spmv_error *err);
void spmv__split_destroy(spmv__split_rows *s);

/* All entries of A, with those of segments. */
static inline int64_t spmv__split_entries(const spmv__split_rows *s, const spmv_csr *A)
{
    return s->count > 0 ? s->start[s->count] : A->nnz;
}

/* Around the product of the rows, by all ranks: keep what y is read for; multiply the segments,
 * when all of x is there, and send their sums off; and write the rows that are split. */
void spmv__split_begin(spmv__split_rows *s, const spmv__output *out);
void spmv__split_multiply(spmv__split_rows *s, const spmv_csr *A, spmv__row_sums sums,
                          const void *x, const spmv__output *out, int threads);
void spmv__split_finish(spmv__split_rows *s, const spmv__output *out);
