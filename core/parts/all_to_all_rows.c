/* all_to_all_rows.c -- see all_to_all.h: the lengths of the rows first, and then their entries. */
#include "core/parts/all_to_all.h"

#include <stdlib.h>

typedef struct sent_rows {
    spmv_comm *comm;
    const spmv_csr *from;
    const int64_t *give, *take;       /* [size + 1] rows for and from each rank, */
    int64_t *give_entry, *take_entry; /* [size + 1] and their entries */
    int64_t *length;                  /* [from->rows] */
    int64_t *row_ptr;                 /* [take[size] + 1] */
    spmv_csr to;
} sent_rows;

static spmv_status begin(sent_rows *s, spmv_error *err)
{
    const spmv_csr *from = s->from;
    const int64_t n = s->comm->size + 1, rows = s->take[s->comm->size];
    spmv_status st;
    SPMV__TRY(spmv__alloc(&s->give_entry, n, sizeof *s->give_entry, "a partition", err));
    SPMV__TRY(spmv__alloc(&s->take_entry, n, sizeof *s->take_entry, "a partition", err));
    SPMV__TRY(spmv__alloc(&s->length, from->rows, sizeof *s->length, "rows", err));
    SPMV__TRY(spmv__alloc(&s->row_ptr, rows + 1, sizeof *s->row_ptr, "rows", err));
    for (int64_t r = 0; r < from->rows; r++) s->length[r] = from->row_ptr[r + 1] - from->row_ptr[r];
done:
    return st;
}

/* Make the rows, whose lengths come first. */
static spmv_status exchange_lengths(sent_rows *s, spmv_error *err)
{
    const int64_t rows = s->take[s->comm->size];
    spmv_status st;
    SPMV__TRY(spmv__all_to_all(s->comm, sizeof *s->length, s->length, s->give, s->row_ptr + 1,
                               s->take, err));
    spmv__counts_to_offsets(s->row_ptr, rows);
    st = spmv_csr_create(&s->to, s->from->type, rows, s->from->cols, s->row_ptr[rows], err);
    SPMV__TRY(spmv_comm_agree(s->comm, st, err));
    memcpy(s->to.row_ptr, s->row_ptr, (size_t)(rows + 1) * sizeof *s->row_ptr);
done:
    return st;
}

static spmv_status exchange_entries(sent_rows *s, spmv_error *err)
{
    const spmv_csr *from = s->from, *to = &s->to;
    const size_t value = spmv_type_size(from->type);
    spmv_status st;
    for (int k = 0; k <= s->comm->size; k++) {
        s->give_entry[k] = from->row_ptr[s->give[k]];
        s->take_entry[k] = to->row_ptr[s->take[k]];
    }
    SPMV__TRY(spmv__all_to_all(s->comm, sizeof *to->col_idx, from->col_idx, s->give_entry,
                               to->col_idx, s->take_entry, err));
    if (value > 0)
        SPMV__TRY(spmv__all_to_all(s->comm, value, from->val, s->give_entry, to->val, s->take_entry,
                                   err));
done:
    return st;
}

spmv_status spmv__all_to_all_rows(spmv_csr *out, spmv_comm *comm, const spmv_csr *from,
                                  const int64_t *give, const int64_t *take, spmv_error *err)
{
    sent_rows s = {.comm = comm, .from = from, .give = give, .take = take};
    spmv_status st;
    SPMV__TRY(spmv_comm_agree(comm, begin(&s, err), err));
    SPMV__TRY(exchange_lengths(&s, err));
    SPMV__TRY(exchange_entries(&s, err));
    *out = s.to;
    s.to = (spmv_csr){0};
done:
    spmv_csr_destroy(&s.to);
    free(s.give_entry);
    free(s.take_entry);
    free(s.length);
    free(s.row_ptr);
    return st;
}
