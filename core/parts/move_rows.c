/* move_rows.c -- a part whose rows go to other ranks: their lengths first, and then their entries.
 */
#include "core/parts/deal_elements.h"
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

typedef struct moving {
    spmv_comm *comm;
    const spmv_part *from;
    spmv_part to;
    int64_t *give, *take; /* [size + 1] rows, then entries, for and from each rank */
    int64_t *length;      /* [from->own.rows] */
} moving;

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

static spmv_status begin_moving(moving *m, const int64_t *row_begin, spmv_error *err)
{
    const spmv_part *from = m->from;
    const int64_t n = m->comm->size + 1;
    spmv_status st;
    SPMV__TRY(spmv__part_frame(&m->to, m->comm, from->rows, from->cols, row_begin, err));
    SPMV__TRY(spmv__alloc(&m->give, n, sizeof *m->give, "a partition", err));
    SPMV__TRY(spmv__alloc(&m->take, n, sizeof *m->take, "a partition", err));
    SPMV__TRY(spmv__alloc(&m->length, from->own.rows, sizeof *m->length, "rows", err));
    for (int64_t r = 0; r < from->own.rows; r++)
        m->length[r] = from->own.row_ptr[r + 1] - from->own.row_ptr[r];
    find_shares(m->give, m->to.row_begin, from->row_begin, m->comm);
    find_shares(m->take, from->row_begin, m->to.row_begin, m->comm);
done:
    return st;
}

/* Make the rows, whose lengths come first. */
static spmv_status move_lengths(moving *m, spmv_error *err)
{
    const int k = m->comm->rank;
    const int64_t rows = m->to.row_begin[k + 1] - m->to.row_begin[k];
    int64_t *row_ptr = NULL;
    spmv_status st = spmv__alloc(&row_ptr, rows + 1, sizeof *row_ptr, "rows", err);
    SPMV__TRY(spmv_comm_agree(m->comm, st, err));
    SPMV__TRY(spmv__deal(m->comm, sizeof *row_ptr, m->length, m->give, row_ptr + 1, m->take, err));
    spmv__counts_to_offsets(row_ptr, rows);
    st = spmv_csr_create(&m->to.own, m->from->own.type, rows, m->from->cols, row_ptr[rows], err);
    SPMV__TRY(spmv_comm_agree(m->comm, st, err));
    memcpy(m->to.own.row_ptr, row_ptr, (size_t)(rows + 1) * sizeof *row_ptr);
done:
    free(row_ptr);
    return st;
}

static spmv_status move_entries(moving *m, spmv_error *err)
{
    const spmv_csr *from = &m->from->own, *to = &m->to.own;
    const size_t value = spmv_type_size(from->type);
    spmv_status st;
    for (int k = 0; k <= m->comm->size; k++) {
        m->give[k] = from->row_ptr[m->give[k]];
        m->take[k] = to->row_ptr[m->take[k]];
    }
    SPMV__TRY(spmv__deal(m->comm, sizeof *to->col_idx, from->col_idx, m->give, to->col_idx, m->take,
                         err));
    if (value > 0) SPMV__TRY(spmv__deal(m->comm, value, from->val, m->give, to->val, m->take, err));
done:
    return st;
}

spmv_status spmv__part_move(spmv_part *out, spmv_comm *comm, const spmv_part *part,
                            const int64_t *row_begin, spmv_error *err)
{
    moving m = {.comm = comm, .from = part};
    spmv_status st;
    SPMV__TRY(spmv_comm_agree(comm, begin_moving(&m, row_begin, err), err));
    SPMV__TRY(move_lengths(&m, err));
    SPMV__TRY(move_entries(&m, err));
    spmv__part_place(&m.to, comm);
    *out = m.to;
    m.to = (spmv_part){0};
done:
    spmv_part_destroy(&m.to);
    free(m.give);
    free(m.take);
    free(m.length);
    return st;
}
