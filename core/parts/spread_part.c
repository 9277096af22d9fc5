/* spread_part.c -- rank 0 hands out a matrix or vectors, and brings them together. */
#include "core/matrix/vectors.h"
#include "core/matrix/format.h"
#include "core/parts/partition.h"
#include "core/parts/spread.h"

#include <stdlib.h>

/* ---- A matrix ------------------------------------------------------------------------------- */

/* A in CSR: itself, or *made, which the caller destroys in any case. */
static spmv_status in_csr(const spmv_csr **out, spmv_matrix *made, const spmv_matrix *A,
                          spmv_error *err)
{
    spmv_status st;
    SPMV__TRY(spmv__check_given(A, "the matrix of rank 0", err));
    *out = &A->csr;
    SPMV__TRY(spmv__check_whole(A->head.symmetry, err));
    if (A->format != SPMV_CSR) {
        *out = &made->csr;
        SPMV__TRY(spmv_convert(made, A, SPMV_CSR, NULL, err));
    }
done:
    return st;
}

/* entry [size + 1]: where the entries of each rank begin, as far as this one has to know. */
static spmv_status find_entries(int64_t **entry, const spmv_part *part, const spmv_comm *comm,
                                const spmv_csr *A, spmv_error *err)
{
    const spmv_status st = spmv__alloc(entry, comm->size + 1, sizeof **entry, "a partition", err);
    if (st != SPMV_SUCCESS) return st;
    for (int k = 0; k <= comm->size && A != NULL; k++) (*entry)[k] = A->row_ptr[part->row_begin[k]];
    (*entry)[comm->rank] = part->first_entry;
    (*entry)[comm->rank + 1] = part->first_entry + part->own.nnz;
    return SPMV_SUCCESS;
}

/* A is NULL but on rank 0. */
static spmv_status spread_rows(spmv_part *part, spmv_comm *comm, const spmv_csr *A, spmv_error *err)
{
    const spmv_csr none = {0}, *from = A != NULL ? A : &none;
    spmv_csr *own = &part->own;
    const size_t value = spmv_type_size(own->type);
    int64_t *entry = NULL;
    spmv_status st;
    SPMV__TRY(spmv_comm_agree(comm, find_entries(&entry, part, comm, A, err), err));
    SPMV__TRY(spmv__spread(comm, part->row_begin, sizeof *own->row_ptr, from->row_ptr, own->row_ptr,
                           err));
    own->row_ptr[own->rows] = part->first_entry + own->nnz;
    spmv__part_rebase(part);
    SPMV__TRY(spmv__spread(comm, entry, sizeof *own->col_idx, from->col_idx, own->col_idx, err));
    if (value > 0) SPMV__TRY(spmv__spread(comm, entry, value, from->val, own->val, err));
done:
    free(entry);
    return st;
}

spmv_status spmv_part_spread(spmv_part *out, spmv_comm *comm, const spmv_matrix *A,
                             spmv_partition by, spmv_error *err)
{
    SPMV__REQUIRE(out != NULL, err);
    *out = (spmv_part){0};
    SPMV__REQUIRE(comm != NULL && (unsigned)by < SPMV_PARTITION_GIVEN, err);
    spmv__part_head head = {0};
    spmv_matrix made = {0};
    const spmv_csr *csr = NULL;
    spmv_part part = {0};
    spmv_status st = SPMV_SUCCESS;
    if (comm->rank == 0) st = in_csr(&csr, &made, A, err);
    SPMV__TRY(spmv_comm_agree(comm, st, err));
    if (by == SPMV_PARTITION_NONZEROS) {
        SPMV__TRY(spmv__spread_nonzeros(out, comm, csr, err));
        goto done;
    }
    if (comm->rank == 0) head = (spmv__part_head){csr->rows, csr->cols, csr->nnz, csr->type};
    SPMV__TRY(spmv__part_lay_out(&part, comm, &head, csr != NULL ? csr->row_ptr : NULL, by, err));
    SPMV__TRY(spread_rows(&part, comm, csr, err));
    *out = part;
    part = (spmv_part){0};
done:
    spmv_part_destroy(&part);
    spmv_destroy(&made);
    return st;
}

/* Where the rows of all ranks go, on rank 0. */
static spmv_status lay_out_whole(spmv_csr *whole, int64_t **entry, spmv_comm *comm,
                                 const spmv_part *part, spmv_error *err)
{
    spmv_status st;
    SPMV__TRY(spmv__alloc(entry, comm->size + 1, sizeof **entry, "a partition", err));
    (*entry)[comm->rank] = part->first_entry;
    (*entry)[comm->rank + 1] = part->first_entry + part->own.nnz;
    if (comm->rank == 0)
        st = spmv_csr_create(whole, part->own.type, part->rows, part->cols, part->nnz, err);
done:
    return st;
}

/* Rank 0 learns where all rows end, and with that where the entries of each rank do. */
static spmv_status collect_rows(spmv_csr *whole, int64_t *entry, spmv_comm *comm,
                                const spmv_part *part, spmv_error *err)
{
    const spmv_status st =
        spmv__collect_sums(comm, part->row_begin, part->own.row_ptr, whole->row_ptr, err);
    for (int k = 1; k <= comm->size && whole->row_ptr != NULL; k++)
        entry[k] = whole->row_ptr[part->row_begin[k]];
    return st;
}

spmv_status spmv_part_collect(spmv_matrix *out, spmv_comm *comm, const spmv_part *part,
                              spmv_error *err)
{
    SPMV__REQUIRE(comm != NULL && (comm->rank > 0 || out != NULL), err);
    if (comm->rank == 0) *out = (spmv_matrix){0};
    SPMV__REQUIRE(part != NULL, err);
    SPMV__REQUIRE_IN_ORDER(part, err);
    const size_t value = spmv_type_size(part->own.type);
    spmv_csr whole = {0};
    int64_t *entry = NULL;
    spmv_status st = lay_out_whole(&whole, &entry, comm, part, err);
    SPMV__TRY(spmv_comm_agree(comm, st, err));
    SPMV__TRY(collect_rows(&whole, entry, comm, part, err));
    SPMV__TRY(
        spmv__collect(comm, entry, sizeof *whole.col_idx, part->own.col_idx, whole.col_idx, err));
    if (value > 0) SPMV__TRY(spmv__collect(comm, entry, value, part->own.val, whole.val, err));
    if (comm->rank == 0) *out = (spmv_matrix){.format = SPMV_CSR, .csr = whole};
    whole = (spmv_csr){0};
done:
    spmv_csr_destroy(&whole);
    free(entry);
    return st;
}

/* ---- Vectors -------------------------------------------------------------------------------- */

/* Columns of a vector of all ranks on rank 0, where its elements have other numbers: each is
 * brought into the order of the ranks, or back, in memory of its own. */
typedef struct renumbering {
    const int64_t *number; /* NULL: nothing is to be done */
    int64_t n;
    size_t size;
    char *column; /* [n] owned, in the order of the ranks */
} renumbering;

static spmv_status begin_renumbering(renumbering *o, const spmv_comm *comm, const int64_t *begin,
                                     const int64_t *number, spmv_type type, spmv_error *err)
{
    *o = (renumbering){.size = spmv_type_size(type)};
    if (comm->rank > 0 || number == NULL) return SPMV_SUCCESS;
    o->number = number;
    o->n = begin[comm->size];
    return spmv__alloc(&o->column, o->n, o->size, "a vector", err);
}

/* Column c of a vector, or NULL where there is none, in the order of the ranks. */
static const void *in_rank_order(const renumbering *o, const spmv_dense *v, int64_t c)
{
    const char *from = v != NULL ? spmv__column_of(v, c) : NULL;
    if (o->number == NULL || from == NULL) return from;
    for (int64_t i = 0; i < o->n; i++)
        memcpy(o->column + (size_t)o->number[i] * o->size, from + (size_t)i * o->size, o->size);
    return o->column;
}

/* Put column c of a vector back into its own order. */
static void restore_order(const renumbering *o, const spmv_dense *v, int64_t c)
{
    char *to = spmv__column_of(v, c);
    for (int64_t i = 0; i < o->n; i++)
        memcpy(to + (size_t)i * o->size, o->column + (size_t)o->number[i] * o->size, o->size);
}

/* Vectors that are handed out or brought together: by columns, of so many elements. */
static spmv_status check_parted(const spmv_dense *v, int64_t rows, spmv_error *err)
{
    if (v->on_gpu || spmv__by_rows(v))
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                          "vectors that ranks share lie on the host, by columns");
    const spmv_status st = spmv__check_vectors(v, "the vectors", err);
    if (st != SPMV_SUCCESS || v->rows == rows) return st;
    return spmv__fail(err, SPMV_ERROR_INVALID_DIMENSION,
                      "vectors of %lld elements where the ranks share %lld", (long long)v->rows,
                      (long long)rows);
}

spmv_status spmv_part_scatter(spmv_dense *mine, spmv_comm *comm, const int64_t *begin,
                              const int64_t *number, const spmv_dense *whole, spmv_error *err)
{
    SPMV__REQUIRE(mine != NULL && mine != whole, err);
    *mine = (spmv_dense){0};
    SPMV__REQUIRE(comm != NULL && begin != NULL, err);
    const int k = comm->rank;
    int64_t shape[2] = {0};
    renumbering order = {0};
    spmv_dense v = {0};
    spmv_status st = SPMV_SUCCESS;
    if (k > 0) whole = NULL;
    if (whole != NULL) st = check_parted(whole, begin[comm->size], err);
    SPMV__TRY(spmv_comm_agree(comm, st, err));
    if (whole != NULL) shape[0] = whole->type, shape[1] = whole->cols;
    spmv__comm_broadcast(comm, shape, sizeof shape, 0);
    st = spmv_dense_create(&v, (spmv_type)shape[0], begin[k + 1] - begin[k], shape[1], err);
    if (st == SPMV_SUCCESS) st = begin_renumbering(&order, comm, begin, number, v.type, err);
    SPMV__TRY(spmv_comm_agree(comm, st, err));
    for (int64_t c = 0; c < v.cols; c++)
        SPMV__TRY(spmv__spread(comm, begin, spmv_type_size(v.type), in_rank_order(&order, whole, c),
                               spmv__column_of(&v, c), err));
    *mine = v;
    v = (spmv_dense){0};
done:
    spmv_dense_destroy(&v);
    free(order.column);
    return st;
}

spmv_status spmv_part_gather(spmv_dense *whole, spmv_comm *comm, const int64_t *begin,
                             const int64_t *number, const spmv_dense *mine, spmv_error *err)
{
    SPMV__REQUIRE(comm != NULL && (comm->rank > 0 || whole != NULL) && whole != mine, err);
    const bool root = comm->rank == 0;
    if (root) *whole = (spmv_dense){0};
    SPMV__REQUIRE(begin != NULL && mine != NULL, err);
    renumbering order = {0};
    spmv_dense v = {0};
    spmv_status st = check_parted(mine, begin[comm->rank + 1] - begin[comm->rank], err);
    SPMV__TRY(spmv_comm_agree(comm, st, err));
    if (root) st = spmv_dense_create(&v, mine->type, begin[comm->size], mine->cols, err);
    if (st == SPMV_SUCCESS) st = begin_renumbering(&order, comm, begin, number, mine->type, err);
    SPMV__TRY(spmv_comm_agree(comm, st, err));
    for (int64_t c = 0; c < mine->cols; c++) {
        void *to = order.number != NULL ? order.column : root ? spmv__column_of(&v, c) : NULL;
        SPMV__TRY(spmv__collect(comm, begin, spmv_type_size(mine->type), spmv__column_of(mine, c),
                                to, err));
        if (order.number != NULL) restore_order(&order, &v, c);
    }
    if (root) *whole = v;
    v = (spmv_dense){0};
done:
    spmv_dense_destroy(&v);
    free(order.column);
    return st;
}
