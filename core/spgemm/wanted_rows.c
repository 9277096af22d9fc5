/* wanted_rows.c -- see wanted_rows.h. */
#include "core/spgemm/wanted_rows.h"
#include "core/matrix/value.h"
#include "core/matrix/format.h"
#include "core/parts/all_to_all.h"

#include <stdlib.h>

/* ---- Who wants what ------------------------------------------------------------------------- */

/* Mark the columns of A, and count those that belong to the rows of each rank. */
static spmv_status mark_columns(spmv__wanted_rows *w, const spmv_csr *A, spmv_error *err)
{
    const int64_t n = w->comm->size + 1;
    spmv_status st;
    SPMV__TRY(spmv__alloc(&w->want, n, sizeof *w->want, "rows", err));
    SPMV__TRY(spmv__alloc(&w->give, n, sizeof *w->give, "rows", err));
    SPMV__TRY(spmv__column_numbers_create(&w->columns, A->cols, err));
    spmv__column_numbers_mark(&w->columns, A->col_idx, A->nnz);
    spmv__column_numbers_count(&w->columns);
    for (int k = 0; k < n; k++) w->want[k] = spmv__wanted_number(w, w->B->row_begin[k]);
done:
    return st;
}

/* Learn how many rows each rank wants of this one; scratch has [2 x size]. */
static void exchange_counts(spmv__wanted_rows *w, int64_t *scratch)
{
    const int size = w->comm->size;
    int64_t *asked = scratch + size;
    for (int k = 0; k < size; k++) scratch[k] = w->want[k + 1] - w->want[k];
    spmv__comm_all_to_all(w->comm, scratch, sizeof *scratch, asked);
    for (int k = 0; k < size; k++) w->give[k + 1] = w->give[k] + asked[k];
}

static spmv_status exchange_lists(spmv__wanted_rows *w, spmv_error *err)
{
    const int size = w->comm->size;
    int32_t *wanted = NULL;
    int64_t *scratch = NULL;
    spmv_status st = spmv__alloc(&wanted, spmv__wanted_count(w), sizeof *wanted, "rows", err);
    if (st == SPMV_SUCCESS)
        st = spmv__alloc(&scratch, 2 * (int64_t)size, sizeof *scratch, "rows", err);
    SPMV__TRY(spmv_comm_agree(w->comm, st, err));
    exchange_counts(w, scratch);
    st = spmv__alloc(&w->list, w->give[size], sizeof *w->list, "rows", err);
    SPMV__TRY(spmv_comm_agree(w->comm, st, err));
    for (int k = 0; k < size; k++)
        spmv__column_numbers_list(&w->columns, w->B->row_begin[k], w->B->row_begin[k + 1],
                                  wanted + w->want[k]);
    SPMV__TRY(spmv__all_to_all(w->comm, sizeof *wanted, wanted, w->want, w->list, w->give, err));
done:
    free(wanted);
    free(scratch);
    return st;
}

static int64_t length_of(const spmv_csr *A, int64_t r)
{
    return A->row_ptr[r + 1] - A->row_ptr[r];
}

static spmv_status exchange_lengths(spmv__wanted_rows *w, spmv_error *err)
{
    const int64_t wants = spmv__wanted_count(w), gives = w->give[w->comm->size];
    int64_t *length = NULL;
    spmv_status st = spmv__alloc(&w->row_ptr, wants + 1, sizeof *w->row_ptr, "rows", err);
    if (st == SPMV_SUCCESS) st = spmv__alloc(&length, gives, sizeof *length, "rows", err);
    SPMV__TRY(spmv_comm_agree(w->comm, st, err));
    for (int64_t i = 0; i < gives; i++) length[i] = length_of(&w->B->own, w->list[i]);
    SPMV__TRY(
        spmv__all_to_all(w->comm, sizeof *length, length, w->give, w->row_ptr + 1, w->want, err));
    spmv__counts_to_offsets(w->row_ptr, wants);
done:
    free(length);
    return st;
}

spmv_status spmv__wanted_rows_find(spmv__wanted_rows *out, spmv_comm *comm, const spmv_csr *A,
                                   const spmv_part *B, spmv_error *err)
{
    spmv__wanted_rows w = {.comm = comm, .B = B};
    spmv_status st;
    SPMV__TRY(spmv_comm_agree(comm, mark_columns(&w, A, err), err));
    SPMV__TRY(exchange_lists(&w, err));
    SPMV__TRY(exchange_lengths(&w, err));
    *out = w;
    w = (spmv__wanted_rows){0};
done:
    spmv__wanted_rows_destroy(&w);
    return st;
}

void spmv__wanted_rows_destroy(spmv__wanted_rows *w)
{
    spmv__column_numbers_destroy(&w->columns);
    free(w->want);
    free(w->give);
    free(w->list);
    free(w->row_ptr);
    *w = (spmv__wanted_rows){0};
}

/* ---- Their entries -------------------------------------------------------------------------- */

/* Rows on their way to one rank. */
typedef struct packed_rows {
    int32_t *col;
    char *val;
    int64_t n;
} packed_rows;

/* The entries that a rank gets. */
static int64_t count_given(const spmv__wanted_rows *w, int rank)
{
    int64_t n = 0;
    for (int64_t i = w->give[rank]; i < w->give[rank + 1]; i++)
        n += length_of(&w->B->own, w->list[i]);
    return n;
}

/* Room for what any one other rank gets. */
static spmv_status reserve_packed(packed_rows *packed, const spmv__wanted_rows *w, spmv_error *err)
{
    int64_t most = 0;
    spmv_status st;
    for (int k = 0; k < w->comm->size; k++) {
        const int64_t n = k != w->comm->rank ? count_given(w, k) : 0;
        if (n > most) most = n;
    }
    SPMV__TRY(spmv__alloc_unset(&packed->col, most, sizeof *packed->col, "rows to send", err));
    SPMV__TRY(
        spmv__alloc_unset(&packed->val, most, spmv_type_size(w->B->own.type), "rows to send", err));
done:
    return st;
}

/* Put the rows that a rank wants one after the other. */
static void pack_rows(packed_rows *to, const spmv__wanted_rows *w, int rank)
{
    const spmv_csr *from = &w->B->own;
    to->n = 0;
    for (int64_t i = w->give[rank]; i < w->give[rank + 1]; i++) {
        const int64_t at = from->row_ptr[w->list[i]], n = length_of(from, w->list[i]);
        if (n == 0) continue;
        memcpy(to->col + to->n, from->col_idx + at, (size_t)n * sizeof *to->col);
        spmv__copy_values(from->type, to->val, to->n, from->val, at, n);
        to->n += n;
    }
}

/* Where the rows of a rank go. */
static packed_rows place_of(const spmv_csr *rows, const spmv__wanted_rows *w, int rank)
{
    const int64_t at = rows->row_ptr[w->want[rank]];
    char *val = rows->val;
    return (packed_rows){rows->col_idx + at,
                         val != NULL ? val + (size_t)at * spmv_type_size(rows->type) : NULL,
                         rows->row_ptr[w->want[rank + 1]] - at};
}

/* Name columns and values. */
static void name_rows(spmv__message out[2], int peer, const packed_rows *rows, size_t value)
{
    out[0] = (spmv__message){peer, rows->col, rows->n * (int64_t)sizeof *rows->col};
    out[1] = (spmv__message){peer, rows->val, rows->n * (int64_t)value};
}

/* Send rows to the rank that comes `step` ranks behind this one. */
static spmv_status serve(packed_rows *packed, const spmv_csr *out, const spmv__wanted_rows *w,
                         int step, spmv_error *err)
{
    const int size = w->comm->size, to = (w->comm->rank + step) % size;
    const int from = (w->comm->rank + size - step) % size;
    packed_rows place = place_of(out, w, from);
    spmv__message receive[2], send[2];
    if (step == 0) {
        pack_rows(&place, w, to);
        return SPMV_SUCCESS;
    }
    pack_rows(packed, w, to);
    name_rows(send, to, packed, spmv_type_size(out->type));
    name_rows(receive, from, &place, spmv_type_size(out->type));
    return spmv__exchange_once(w->comm, receive, 2, send, 2, err);
}

spmv_status spmv__wanted_rows_fetch(spmv_csr *out, const spmv__wanted_rows *w, spmv_error *err)
{
    const int64_t rows = spmv__wanted_count(w);
    packed_rows packed = {0};
    spmv_csr made = {0};
    spmv_status st =
        spmv_csr_create(&made, w->B->own.type, rows, w->B->cols, w->row_ptr[rows], err);
    if (st == SPMV_SUCCESS) st = reserve_packed(&packed, w, err);
    SPMV__TRY(spmv_comm_agree(w->comm, st, err));
    memcpy(made.row_ptr, w->row_ptr, (size_t)(rows + 1) * sizeof *made.row_ptr);
    for (int step = 0; step < w->comm->size; step++) SPMV__TRY(serve(&packed, &made, w, step, err));
    *out = made;
    made = (spmv_csr){0};
done:
    spmv_csr_destroy(&made);
    free(packed.col);
    free(packed.val);
    return st;
}
