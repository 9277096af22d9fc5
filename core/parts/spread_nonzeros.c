/* spread_nonzeros.c -- see spread.h.
 *
 * Rank 0 makes the row pointers of all shares, one after the other: a row that is cut stands in
 * several of them. */
#include "core/matrix/format.h"
#include "core/parts/spread.h"

#include <stdlib.h>

/* What all ranks hear of the shares. */
typedef struct shares {
    int64_t head[4];    /* rows, cols, nnz and type of the matrix */
    int64_t *entry;     /* [size + 1] where the entries of each rank begin, */
    int64_t *first_row; /* [size] the row of the first one, */
    int64_t *pointer;   /* [size + 1] and where its row pointers begin among those of all */
    int64_t *row_ptr;   /* on rank 0: these, from 0 in each share */
} shares;

static spmv_status create_shares(shares *s, int size, spmv_error *err)
{
    spmv_status st;
    SPMV__TRY(spmv__alloc(&s->entry, (int64_t)size + 1, sizeof *s->entry, "a partition", err));
    SPMV__TRY(spmv__alloc(&s->first_row, size, sizeof *s->first_row, "a partition", err));
    SPMV__TRY(spmv__alloc(&s->pointer, (int64_t)size + 1, sizeof *s->pointer, "a partition", err));
done:
    return st;
}

static void destroy_shares(shares *s)
{
    free(s->entry);
    free(s->first_row);
    free(s->pointer);
    free(s->row_ptr);
}

/* On rank 0: cut the entries, and find the rows that each share begins and ends in. */
static void cut(shares *s, int size, const spmv_csr *A)
{
    int64_t row = 0;
    s->head[0] = A->rows;
    s->head[1] = A->cols;
    s->head[2] = A->nnz;
    s->head[3] = A->type;
    for (int k = 0; k <= size; k++)
        s->entry[k] = A->nnz / size * k + (k < A->nnz % size ? k : A->nnz % size);
    for (int k = 0; k < size; k++) {
        const int64_t begin = s->entry[k], end = s->entry[k + 1];
        while (row < A->rows && A->row_ptr[row + 1] <= begin) row++;
        int64_t last = row; /* after the last row of the share */
        while (last < A->rows && A->row_ptr[last] < end) last++;
        s->first_row[k] = row;
        s->pointer[k + 1] = s->pointer[k] + (last - row) + 1;
    }
}

/* On rank 0. */
static spmv_status make_pointers(shares *s, int size, const spmv_csr *A, spmv_error *err)
{
    const spmv_status st =
        spmv__alloc(&s->row_ptr, s->pointer[size], sizeof *s->row_ptr, "row pointers", err);
    for (int k = 0; k < size && st == SPMV_SUCCESS; k++) {
        const int64_t rows = s->pointer[k + 1] - s->pointer[k] - 1;
        int64_t *out = s->row_ptr + s->pointer[k];
        for (int64_t r = 0; r <= rows; r++) {
            const int64_t at = A->row_ptr[s->first_row[k] + r];
            const int64_t low = at < s->entry[k] ? s->entry[k] : at;
            out[r] = (low > s->entry[k + 1] ? s->entry[k + 1] : low) - s->entry[k];
        }
    }
    return st;
}

static void tell_shares(shares *s, spmv_comm *comm)
{
    const int64_t bytes = comm->size * (int64_t)sizeof(int64_t), one = sizeof(int64_t);
    spmv__comm_broadcast(comm, s->head, sizeof s->head, 0);
    spmv__comm_broadcast(comm, s->entry, bytes + one, 0);
    spmv__comm_broadcast(comm, s->first_row, bytes, 0);
    spmv__comm_broadcast(comm, s->pointer, bytes + one, 0);
}

/* A part whose elements of x and y are all on rank 0, with room for its share. */
static spmv_status create_part(spmv_part *part, const shares *s, const spmv_comm *comm,
                               spmv_error *err)
{
    const int64_t n = comm->size + 1;
    const int k = comm->rank;
    spmv_status st;
    *part = (spmv_part){.rows = s->head[0],
                        .cols = s->head[1],
                        .nnz = s->head[2],
                        .by = SPMV_PARTITION_NONZEROS,
                        .first_entry = s->entry[k],
                        .first_row = s->first_row[k]};
    SPMV__TRY(spmv__alloc(&part->row_begin, n, sizeof *part->row_begin, "a partition", err));
    SPMV__TRY(spmv__alloc(&part->col_begin, n, sizeof *part->col_begin, "a partition", err));
    for (int64_t i = 1; i < n; i++) {
        part->row_begin[i] = part->rows;
        part->col_begin[i] = part->cols;
    }
    SPMV__TRY(spmv_csr_create(&part->own, (spmv_type)s->head[3],
                              s->pointer[k + 1] - s->pointer[k] - 1, part->cols,
                              s->entry[k + 1] - s->entry[k], err));
done:
    return st;
}

spmv_status spmv__spread_nonzeros(spmv_part *out, spmv_comm *comm, const spmv_csr *A,
                                  spmv_error *err)
{
    const spmv_csr none = {0}, *from = A != NULL ? A : &none;
    shares s = {0};
    spmv_part part = {0};
    spmv_status st = create_shares(&s, comm->size, err);
    if (st == SPMV_SUCCESS && A != NULL) {
        cut(&s, comm->size, A);
        st = make_pointers(&s, comm->size, A, err);
    }
    SPMV__TRY(spmv_comm_agree(comm, st, err));
    tell_shares(&s, comm);
    SPMV__TRY(spmv_comm_agree(comm, create_part(&part, &s, comm, err), err));
    const size_t value = spmv_type_size(part.own.type);
    SPMV__TRY(spmv__spread(comm, s.pointer, sizeof *s.row_ptr, s.row_ptr, part.own.row_ptr, err));
    SPMV__TRY(
        spmv__spread(comm, s.entry, sizeof *from->col_idx, from->col_idx, part.own.col_idx, err));
    if (value > 0) SPMV__TRY(spmv__spread(comm, s.entry, value, from->val, part.own.val, err));
    *out = part;
    part = (spmv_part){0};
done:
    destroy_shares(&s);
    spmv_part_destroy(&part);
    return st;
}
