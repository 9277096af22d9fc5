/* collect_rows_test.h -- a consumer that puts pieces of rows together again, for tests. */
#pragma once

#include "core/base/base.h"

#include <criterion/criterion.h>
#include <stdlib.h>

typedef struct collected_rows {
    spmv_matrix C; /* release with spmv_destroy */
    int begun;     /* calls of begin */
    int pieces;
    int64_t next;    /* the row with which the next piece must begin */
    int fails_at;    /* number of the piece whose taking fails; -1: none */
    bool prepares;   /* copies of the columns must arrive with the pieces */
    int taken_twice; /* threads that take a piece at the moment, beyond one */
    int inside;
} collected_rows;

static spmv_status collect_begin(void *user, const spmv_csr *C, spmv_error *err)
{
    collected_rows *c = user;
    (void)err;
    c->begun++;
    cr_assert_null(C->col_idx);
    cr_assert_null(C->val);
    c->C.format = SPMV_CSR;
    cr_assert_eq(spmv_csr_create(&c->C.csr, C->type, C->rows, C->cols, C->nnz, NULL), SPMV_SUCCESS);
    memcpy(c->C.csr.row_ptr, C->row_ptr, (size_t)(C->rows + 1) * sizeof *C->row_ptr);
    return SPMV_SUCCESS;
}

static spmv_status collect_prepare(void *user, const spmv_row_piece *piece,
                                   spmv_piece_memory *memory, spmv_error *err)
{
    const collected_rows *c = user;
    (void)err;
    if (!c->prepares) return SPMV_SUCCESS;
    memory->size = piece->n * (int64_t)sizeof *piece->col_idx;
    if (memory->size > memory->room) {
        memory->data = realloc(memory->data, (size_t)memory->size);
        memory->room = memory->size;
    }
    if (piece->n > 0) memcpy(memory->data, piece->col_idx, (size_t)memory->size);
    return SPMV_SUCCESS;
}

static spmv_status collect_take(void *user, const spmv_row_piece *piece,
                                const spmv_piece_memory *memory, spmv_error *err)
{
    collected_rows *c = user;
    spmv_csr *C = &c->C.csr;
    c->taken_twice += __atomic_fetch_add(&c->inside, 1, __ATOMIC_SEQ_CST);
    if (c->pieces++ == c->fails_at)
        return spmv__fail(err, SPMV_ERROR_FILE_IO, "piece %d is refused", c->fails_at);
    const int64_t at = C->row_ptr[piece->begin];
    const size_t size = spmv_type_size(C->type), n = (size_t)piece->n;
    cr_assert_eq(piece->begin, c->next);
    cr_assert_eq(piece->n, C->row_ptr[piece->end] - at);
    c->next = piece->end;
    if (n > 0) {
        memcpy(C->col_idx + at, piece->col_idx, n * sizeof *C->col_idx);
        if (size > 0) memcpy((char *)C->val + (size_t)at * size, piece->val, n * size);
        if (c->prepares) cr_assert(memcmp(memory->data, piece->col_idx, (size_t)memory->size) == 0);
    }
    __atomic_fetch_sub(&c->inside, 1, __ATOMIC_SEQ_CST);
    return SPMV_SUCCESS;
}

static inline spmv_row_consumer collect_rows(collected_rows *c)
{
    return (spmv_row_consumer){collect_begin, collect_prepare, collect_take, c};
}
