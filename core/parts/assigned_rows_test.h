/* assigned_rows_test.h -- parts of a matrix for tests, cut by a rule or assigned row by row. */
#pragma once

#include "core/comm/transport.h"

#include <stdlib.h>

/* Row after row in turn; all rows but a few to the last rank, so that others have none; at random,
 * by a multiplicative hash. */
enum { ASSIGNED_WAYS = 3 };

static inline int32_t *assign_somehow(int64_t rows, int ranks, int way)
{
    int32_t *rank_of_row = malloc(((size_t)rows + 1) * sizeof *rank_of_row);
    for (int64_t r = 0; r < rows; r++) {
        const uint64_t hash = ((uint64_t)r + 1) * UINT64_C(0x9e3779b97f4a7c15) >> 40;
        const int64_t rank[ASSIGNED_WAYS] = {r % ranks, hash % 8 == 0 ? 0 : ranks - 1,
                                             (int64_t)(hash % (uint64_t)ranks)};
        rank_of_row[r] = (int32_t)rank[way];
    }
    return rank_of_row;
}

/* rank_of_row is used with GIVEN, and A on rank 0. */
static inline spmv_status spread_or_assign(spmv_part *part, spmv_comm *comm, const spmv_matrix *A,
                                           spmv_partition by, const int32_t *rank_of_row)
{
    const bool root = comm->rank == 0, given = by == SPMV_PARTITION_GIVEN;
    const spmv_status st =
        spmv_part_spread(part, comm, root ? A : NULL, given ? SPMV_PARTITION_NNZ : by, NULL);
    if (st != SPMV_SUCCESS || !given) return st;
    return spmv_part_assign(part, comm, root ? rank_of_row : NULL, NULL);
}
