/* move_rows.c -- a part whose rows go to other ranks, each of which has neighbouring rows again. */
#include "core/parts/all_to_all.h"
#include "core/parts/partition.h"
#include "core/parts/remade_parts.h"

#include <stdlib.h>

spmv_status spmv__part_frame(spmv_part *out, const spmv_comm *comm, int64_t rows, int64_t cols,
                             const int64_t *row_begin, spmv_error *err)
{
    const int64_t n = comm->size + 1;
    spmv_part part = {.rows = rows, .cols = cols};
    spmv_status st;
    *out = (spmv_part){0};
    SPMV__TRY(spmv__alloc(&part.row_begin, n, sizeof *part.row_begin, "a partition", err));
    SPMV__TRY(spmv__alloc(&part.col_begin, n, sizeof *part.col_begin, "a partition", err));
    memcpy(part.row_begin, row_begin, (size_t)n * sizeof *row_begin);
    spmv__share_out_columns(part.col_begin, comm->size, cols, part.row_begin);
    *out = part;
    part = (spmv_part){0};
done:
    spmv_part_destroy(&part);
    return st;
}

void spmv__part_place(spmv_part *part, spmv_comm *comm)
{
    const uint64_t own = (uint64_t)part->own.nnz;
    part->nnz = (int64_t)spmv__comm_sum_words(comm, own);
    part->first_entry = (int64_t)spmv__comm_words_before(comm, own);
}

/* ---- Moving --------------------------------------------------------------------------------- */

static int64_t clamp(int64_t r, int64_t low, int64_t high)
{
    return r < low ? low : r > high ? high : r;
}

/* Where the rows of each rank, by one partition, begin among those that this rank has by another.
 */
static void find_shares(int64_t *begin, const int64_t *theirs, const int64_t *mine,
                        const spmv_comm *comm)
{
    const int64_t first = mine[comm->rank], end = mine[comm->rank + 1];
    for (int k = 0; k <= comm->size; k++) begin[k] = clamp(theirs[k], first, end) - first;
}

spmv_status spmv__part_move(spmv_part *out, spmv_comm *comm, const spmv_part *part,
                            const int64_t *row_begin, spmv_error *err)
{
    const int64_t n = comm->size + 1;
    spmv_part to = {0};
    int64_t *give = NULL, *take = NULL;
    spmv_status st = spmv__part_frame(&to, comm, part->rows, part->cols, row_begin, err);
    if (st == SPMV_SUCCESS) st = spmv__alloc(&give, n, sizeof *give, "a partition", err);
    if (st == SPMV_SUCCESS) st = spmv__alloc(&take, n, sizeof *take, "a partition", err);
    SPMV__TRY(spmv_comm_agree(comm, st, err));
    find_shares(give, to.row_begin, part->row_begin, comm);
    find_shares(take, part->row_begin, to.row_begin, comm);
    SPMV__TRY(spmv__all_to_all_rows(&to.own, comm, &part->own, give, take, err));
    spmv__part_place(&to, comm);
    *out = to;
    to = (spmv_part){0};
done:
    spmv_part_destroy(&to);
    free(give);
    free(take);
    return st;
}
