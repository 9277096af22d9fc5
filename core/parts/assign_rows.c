/* assign_rows.c -- rows go to the ranks that the caller names.
 *
 * Each rank has some neighbouring rows.  It lays those for rank 0 together, then those for rank 1,
 * and so on, and sends them off; what comes from lower ranks are rows before those of higher ones,
 * so that a part has its rows in the order of the matrix.  Where each row begins there goes along:
 * that is what the pieces of a product are cut by. */
#include "core/matrix/value.h"
#include "core/parts/all_to_all.h"
#include "core/parts/number_by_rank.h"
#include "core/parts/partition.h"
#include "core/parts/remade_parts.h"

#include <stdlib.h>

typedef struct assigning {
    spmv_comm *comm;
    spmv_part *from;
    spmv_part to;
    int32_t *rank;               /* [rows] of the matrix: who gets each */
    int64_t *number, *row_begin; /* [rows], [size + 1] as these have them then */
    int64_t *give, *take;        /* [size + 1] rows for and from each rank */
    spmv_csr grouped;            /* own rows, by who gets them, */
    int64_t *step;               /* [own rows] and where they begin */
} assigning;

/* ---- Who gets what -------------------------------------------------------------------------- */

static spmv_status allocate(assigning *a, const int32_t *rank_of_row, spmv_error *err)
{
    const int64_t n = a->comm->size + 1, rows = a->from->rows;
    spmv_status st;
    if (a->comm->rank == 0 && rank_of_row == NULL && rows > 0)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                          "rank 0 does not say who gets which of %lld rows", (long long)rows);
    SPMV__TRY(spmv__alloc(&a->rank, rows, sizeof *a->rank, "a partition", err));
    SPMV__TRY(spmv__alloc(&a->number, rows, sizeof *a->number, "a partition", err));
    SPMV__TRY(spmv__alloc(&a->row_begin, n, sizeof *a->row_begin, "a partition", err));
    SPMV__TRY(spmv__alloc(&a->give, n, sizeof *a->give, "a partition", err));
    SPMV__TRY(spmv__alloc(&a->take, n, sizeof *a->take, "a partition", err));
    if (a->comm->rank == 0 && rows > 0)
        memcpy(a->rank, rank_of_row, (size_t)rows * sizeof *a->rank);
done:
    return st;
}

/* All ranks number all rows, as rank 0 has been told. */
static spmv_status number_rows(assigning *a, const int32_t *rank_of_row, spmv_error *err)
{
    spmv_comm *comm = a->comm;
    const int64_t rows = a->from->rows;
    spmv_status st;
    SPMV__TRY(spmv_comm_agree(comm, allocate(a, rank_of_row, err), err));
    spmv__comm_broadcast(comm, a->rank, rows * (int64_t)sizeof *a->rank, 0);
    SPMV__TRY(spmv__number_by_rank(a->number, a->row_begin, comm->size, a->rank, rows, err));
    st = spmv__part_frame(&a->to, comm, rows, a->from->cols, a->row_begin, err);
    SPMV__TRY(spmv_comm_agree(comm, st, err));
done:
    return st;
}

/* ---- Own rows ------------------------------------------------------------------------------- */

/* Count the rows that go to each rank, and those that come. */
static void count_rows(assigning *a, const int32_t *rank_of_own)
{
    const int size = a->comm->size;
    for (int64_t r = 0; r < a->from->own.rows; r++) a->give[rank_of_own[r] + 1]++;
    spmv__comm_all_to_all(a->comm, a->give + 1, sizeof *a->give, a->take + 1);
    spmv__counts_to_offsets(a->give, size);
    spmv__counts_to_offsets(a->take, size);
}

/* Copy row r of the part after the rows that are grouped already, with new numbers of columns. */
static void take_row(assigning *a, int64_t to, int64_t r, bool square)
{
    const spmv_csr *own = &a->from->own;
    spmv_csr *out = &a->grouped;
    const int64_t begin = own->row_ptr[r], n = own->row_ptr[r + 1] - begin, at = out->row_ptr[to];
    for (int64_t p = 0; p < n; p++) {
        const int32_t col = own->col_idx[begin + p];
        out->col_idx[at + p] = square ? (int32_t)a->number[col] : col;
    }
    spmv__copy_values(own->type, out->val, at, own->val, begin, n);
    out->row_ptr[to + 1] = at + n;
    a->step[to] = a->from->row_begin[a->comm->rank] + r + a->from->first_entry + begin;
}

/* Lay the rows of this rank together by who gets them. */
static spmv_status group_rows(assigning *a, spmv_error *err)
{
    const spmv_part *from = a->from;
    const int32_t *rank_of_own = a->rank + from->row_begin[a->comm->rank];
    const int64_t rows = from->own.rows;
    int64_t *place = NULL, *row = NULL;
    spmv_status st;
    count_rows(a, rank_of_own);
    SPMV__TRY(spmv__alloc(&place, a->comm->size + 1, sizeof *place, "a partition", err));
    SPMV__TRY(spmv__alloc(&row, rows, sizeof *row, "a partition", err));
    SPMV__TRY(spmv__alloc(&a->step, rows, sizeof *a->step, "a partition", err));
    SPMV__TRY(spmv_csr_create(&a->grouped, from->own.type, rows, from->cols, from->own.nnz, err));
    memcpy(place, a->give, (size_t)a->comm->size * sizeof *place);
    for (int64_t r = 0; r < rows; r++) row[place[rank_of_own[r]]++] = r;
    for (int64_t i = 0; i < rows; i++) take_row(a, i, row[i], from->rows == from->cols);
done:
    free(place);
    free(row);
    return st;
}

/* ---- Handing over --------------------------------------------------------------------------- */

static spmv_status exchange_rows(assigning *a, spmv_error *err)
{
    spmv_comm *comm = a->comm;
    const int64_t rows = a->take[comm->size];
    spmv_status st;
    spmv_csr_destroy(&a->from->own);
    a->from->own = (spmv_csr){0};
    SPMV__TRY(spmv__all_to_all_rows(&a->to.own, comm, &a->grouped, a->give, a->take, err));
    st = spmv__alloc(&a->to.step, rows, sizeof *a->to.step, "a partition", err);
    SPMV__TRY(spmv_comm_agree(comm, st, err));
    SPMV__TRY(spmv__all_to_all(comm, sizeof *a->step, a->step, a->give, a->to.step, a->take, err));
    spmv__part_place(&a->to, comm);
    a->to.first_row = a->to.row_begin[comm->rank];
    a->to.by = SPMV_PARTITION_GIVEN;
    if (comm->rank > 0) goto done;
    a->to.row_number = a->number;
    if (a->to.rows == a->to.cols) a->to.col_number = a->number;
    a->number = NULL;
done:
    return st;
}

static void destroy_assigning(assigning *a)
{
    spmv_part_destroy(&a->to);
    spmv_csr_destroy(&a->grouped);
    free(a->rank);
    free(a->number);
    free(a->row_begin);
    free(a->give);
    free(a->take);
    free(a->step);
}

spmv_status spmv_part_assign(spmv_part *part, spmv_comm *comm, const int32_t *rank_of_row,
                             spmv_error *err)
{
    SPMV__REQUIRE(part != NULL && comm != NULL, err);
    SPMV__REQUIRE_IN_ORDER(part, err);
    assigning a = {.comm = comm, .from = part};
    spmv_status st;
    SPMV__TRY(number_rows(&a, rank_of_row, err));
    SPMV__TRY(spmv_comm_agree(comm, group_rows(&a, err), err));
    SPMV__TRY(exchange_rows(&a, err));
    spmv_part_destroy(part);
    *part = a.to;
    a.to = (spmv_part){0};
done:
    destroy_assigning(&a);
    return st;
}
