/* spread.c -- from rank 0 to all and back: rows of a matrix, elements of vectors. */
#include "core/comm/transport.h"
#include "core/parts/partition.h"

#include <stdlib.h>

static spmv_status alloc_messages(spmv__message **out, int64_t count, spmv_error *err)
{
    return spmv__alloc(out, count, sizeof **out, "messages", err);
}

/* ---- A matrix ------------------------------------------------------------------------------- */

enum { ARRAYS = 3 }; /* of CSR */

/* The messages of the rows that begin so many rows, and entries, behind those of A. */
static void name_arrays(spmv__message out[ARRAYS], int peer, const spmv_csr *A, int64_t row,
                        int64_t entry, int64_t rows, int64_t entries)
{
    const int64_t value = (int64_t)spmv_type_size(A->type);
    out[0] = (spmv__message){peer, A->row_ptr + row, (rows + 1) * (int64_t)sizeof *A->row_ptr};
    out[1] = (spmv__message){peer, A->col_idx + entry, entries * (int64_t)sizeof *A->col_idx};
    out[2] =
        (spmv__message){peer, value > 0 ? (char *)A->val + entry * value : NULL, entries * value};
}

static void copy_own(spmv_part *part, const spmv_csr *A)
{
    spmv__message from[ARRAYS], to[ARRAYS];
    name_arrays(from, 0, A, 0, 0, part->own.rows, part->own.nnz);
    name_arrays(to, 0, &part->own, 0, 0, part->own.rows, part->own.nnz);
    for (int i = 0; i < ARRAYS; i++)
        if (to[i].bytes > 0) memcpy(to[i].data, from[i].data, (size_t)to[i].bytes);
}

/* Rank 0 sends to each other one its rows, with the row pointers of the whole matrix. */
static spmv_status exchange_rows(spmv_part *part, spmv_comm *comm, const spmv_csr *A,
                                 spmv_error *err)
{
    spmv__message *send = NULL, receive[ARRAYS];
    int receives = 0, sends = 0;
    spmv_status st = SPMV_SUCCESS;
    if (comm->rank == 0) st = alloc_messages(&send, (int64_t)comm->size * ARRAYS, err);
    SPMV__TRY(spmv_comm_agree(comm, st, err));
    if (comm->rank == 0) {
        for (int k = 1; k < comm->size; k++, sends += ARRAYS) {
            const int64_t begin = part->row_begin[k], end = part->row_begin[k + 1];
            const int64_t entry = A->row_ptr[begin];
            name_arrays(send + sends, k, A, begin, entry, end - begin, A->row_ptr[end] - entry);
        }
        copy_own(part, A);
    } else {
        name_arrays(receive, 0, &part->own, 0, 0, part->own.rows, part->own.nnz);
        receives = ARRAYS;
    }
    SPMV__TRY(spmv__exchange_once(comm, receive, receives, send, sends, err));
    spmv__part_rebase(part);
done:
    free(send);
    return st;
}

/* A in CSR: itself, or *made, which the caller destroys in any case. */
static spmv_status in_csr(const spmv_csr **out, spmv_matrix *made, const spmv_matrix *A,
                          spmv_error *err)
{
    SPMV__REQUIRE(A != NULL, err);
    *out = &A->csr;
    if (A->head.symmetry != SPMV_GENERAL)
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                          "a triangle cannot be spread; expand the matrix first");
    if (A->format == SPMV_CSR) return SPMV_SUCCESS;
    *out = &made->csr;
    return spmv_convert(made, A, SPMV_CSR, NULL, err);
}

spmv_status spmv_part_spread(spmv_part *out, spmv_comm *comm, const spmv_matrix *A,
                             spmv_partition by, spmv_error *err)
{
    SPMV__REQUIRE(out != NULL && comm != NULL, err);
    spmv__part_head head = {0};
    spmv_matrix made = {0};
    const spmv_csr *csr = NULL;
    spmv_part part = {0};
    spmv_status st = SPMV_SUCCESS;
    if (comm->rank == 0) st = in_csr(&csr, &made, A, err);
    SPMV__TRY(spmv_comm_agree(comm, st, err));
    if (comm->rank == 0) head = (spmv__part_head){csr->rows, csr->cols, csr->nnz, csr->type};
    SPMV__TRY(spmv__part_lay_out(&part, comm, &head, csr != NULL ? csr->row_ptr : NULL, by, err));
    SPMV__TRY(exchange_rows(&part, comm, csr, err));
    *out = part;
    part = (spmv_part){0};
done:
    spmv_part_destroy(&part);
    spmv_destroy(&made);
    return st;
}

/* ---- Vectors -------------------------------------------------------------------------------- */

/* The messages of one rank's elements of each column of v, which has them from row `row` on. */
static void name_columns(spmv__message *out, int peer, const spmv_dense *v, int64_t row,
                         int64_t rows)
{
    const int64_t size = (int64_t)spmv_type_size(v->type);
    for (int64_t c = 0; c < v->cols; c++)
        out[c] = (spmv__message){peer, (char *)v->data + (c * v->rows + row) * size, rows * size};
}

/* Name the elements of all other ranks on rank 0, and those of this one elsewhere; on rank 0 its
 * own lie first in each column. */
static spmv_status name_all(spmv__message **out, int *count, spmv_comm *comm, const int64_t *begin,
                            const spmv_dense *whole, const spmv_dense *mine, spmv_error *err)
{
    const int64_t cols = mine->cols;
    spmv_status st = alloc_messages(out, comm->rank == 0 ? (comm->size - 1) * cols : cols, err);
    if ((st = spmv_comm_agree(comm, st, err)) != SPMV_SUCCESS) return st;
    if (comm->rank > 0) {
        name_columns(*out, 0, mine, 0, mine->rows);
        *count = (int)cols;
        return SPMV_SUCCESS;
    }
    for (int k = 1; k < comm->size; k++)
        name_columns(*out + (k - 1) * cols, k, whole, begin[k], begin[k + 1] - begin[k]);
    *count = (int)((comm->size - 1) * cols);
    return SPMV_SUCCESS;
}

/* Copy what rank 0 has itself. */
static void copy_first(spmv_dense *to, const spmv_dense *from, int64_t rows)
{
    const size_t size = spmv_type_size(to->type);
    for (int64_t c = 0; c < to->cols; c++)
        memcpy((char *)to->data + (size_t)(c * to->rows) * size,
               (const char *)from->data + (size_t)(c * from->rows) * size, (size_t)rows * size);
}

spmv_status spmv_part_scatter(spmv_dense *mine, spmv_comm *comm, const int64_t *begin,
                              const spmv_dense *whole, spmv_error *err)
{
    SPMV__REQUIRE(mine != NULL && comm != NULL && begin != NULL, err);
    const int k = comm->rank;
    const bool root = k == 0;
    int64_t shape[2] = {0};
    spmv__message *message = NULL;
    int count = 0;
    spmv_dense v = {0};
    spmv_status st;
    if (root) shape[0] = whole->type, shape[1] = whole->cols;
    spmv__comm_broadcast(comm, shape, sizeof shape, 0);
    st = spmv_dense_create(&v, (spmv_type)shape[0], begin[k + 1] - begin[k], shape[1], err);
    SPMV__TRY(spmv_comm_agree(comm, st, err));
    SPMV__TRY(name_all(&message, &count, comm, begin, whole, &v, err));
    if (root) copy_first(&v, whole, v.rows);
    SPMV__TRY(spmv__exchange_once(comm, message, root ? 0 : count, message, root ? count : 0, err));
    *mine = v;
    v = (spmv_dense){0};
done:
    free(message);
    spmv_dense_destroy(&v);
    return st;
}

spmv_status spmv_part_gather(spmv_dense *whole, spmv_comm *comm, const int64_t *begin,
                             const spmv_dense *mine, spmv_error *err)
{
    SPMV__REQUIRE(comm != NULL && begin != NULL && mine != NULL, err);
    const bool root = comm->rank == 0;
    spmv__message *message = NULL;
    int count = 0;
    spmv_dense v = {0};
    spmv_status st = SPMV_SUCCESS;
    if (root) st = spmv_dense_create(&v, mine->type, begin[comm->size], mine->cols, err);
    SPMV__TRY(spmv_comm_agree(comm, st, err));
    SPMV__TRY(name_all(&message, &count, comm, begin, &v, mine, err));
    if (root) copy_first(&v, mine, mine->rows);
    SPMV__TRY(spmv__exchange_once(comm, message, root ? count : 0, message, root ? 0 : count, err));
    if (root) *whole = v;
    v = (spmv_dense){0};
done:
    free(message);
    spmv_dense_destroy(&v);
    return st;
}
