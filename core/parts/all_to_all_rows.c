/* all_to_all_rows.c -- see all_to_all.h: the lengths of the rows first, and then their entries. */
#include "core/parts/all_to_all.h"

#include <stdlib.h>

typedef struct exchange {
    spmv_comm *comm;
    const spmv_csr *from;
    const int64_t *give, *take;       /* [size + 1] rows for and from each rank, */
    int64_t *give_entry, *take_entry; /* [size + 1] and their entries */
    int64_t *length;                  /* [from->rows] */
    int64_t *row_ptr;                 /* [take[size] + 1] */
    spmv_csr to;
} exchange;

static spmv_status begin(exchange *d, spmv_error *err)
{
    const spmv_csr *from = d->from;
    const int64_t n = d->comm->size + 1, rows = d->take[d->comm->size];
    spmv_status st;
    SPMV__TRY(spmv__alloc(&d->give_entry, n, sizeof *d->give_entry, "a partition", err));
    SPMV__TRY(spmv__alloc(&d->take_entry, n, sizeof *d->take_entry, "a partition", err));
    SPMV__TRY(spmv__alloc(&d->length, from->rows, sizeof *d->length, "rows", err));
    SPMV__TRY(spmv__alloc(&d->row_ptr, rows + 1, sizeof *d->row_ptr, "rows", err));
    for (int64_t r = 0; r < from->rows; r++) d->length[r] = from->row_ptr[r + 1] - from->row_ptr[r];
done:
    return st;
}

/* Make the rows, whose lengths come first. */
static spmv_status exchange_lengths(exchange *d, spmv_error *err)
{
    const int64_t rows = d->take[d->comm->size];
    spmv_status st;
    SPMV__TRY(spmv__all_to_all(d->comm, sizeof *d->length, d->length, d->give, d->row_ptr + 1,
                               d->take, err));
    spmv__counts_to_offsets(d->row_ptr, rows);
    st = spmv_csr_create(&d->to, d->from->type, rows, d->from->cols, d->row_ptr[rows], err);
    SPMV__TRY(spmv_comm_agree(d->comm, st, err));
    memcpy(d->to.row_ptr, d->row_ptr, (size_t)(rows + 1) * sizeof *d->row_ptr);
done:
    return st;
}

static spmv_status exchange_entries(exchange *d, spmv_error *err)
{
    const spmv_csr *from = d->from, *to = &d->to;
    const size_t value = spmv_type_size(from->type);
    spmv_status st;
    for (int k = 0; k <= d->comm->size; k++) {
        d->give_entry[k] = from->row_ptr[d->give[k]];
        d->take_entry[k] = to->row_ptr[d->take[k]];
    }
    SPMV__TRY(spmv__all_to_all(d->comm, sizeof *to->col_idx, from->col_idx, d->give_entry,
                               to->col_idx, d->take_entry, err));
    if (value > 0)
        SPMV__TRY(spmv__all_to_all(d->comm, value, from->val, d->give_entry, to->val, d->take_entry,
                                   err));
done:
    return st;
}

spmv_status spmv__all_to_all_rows(spmv_csr *out, spmv_comm *comm, const spmv_csr *from,
                                  const int64_t *give, const int64_t *take, spmv_error *err)
{
    exchange d = {.comm = comm, .from = from, .give = give, .take = take};
    spmv_status st;
    SPMV__TRY(spmv_comm_agree(comm, begin(&d, err), err));
    SPMV__TRY(exchange_lengths(&d, err));
    SPMV__TRY(exchange_entries(&d, err));
    *out = d.to;
    d.to = (spmv_csr){0};
done:
    spmv_csr_destroy(&d.to);
    free(d.give_entry);
    free(d.take_entry);
    free(d.length);
    free(d.row_ptr);
    return st;
}
