/* merge_shares.c -- see merge_shares.h.
 *
 * Rank 0 adds up the lengths of the rows, and cuts them.  Then each rank sends the others their
 * rows of its share, and merges what comes for each of its own: in files that go by row or by
 * column this is to lay one piece after the other. */
#include "core/parts/merge_shares.h"
#include "core/matrix/value.h"
#include "core/parts/partition.h"

#include <stdlib.h>

/* Rows of this rank that come from one share. */
typedef struct row_share {
    int64_t *row_ptr; /* [rows + 1] as in the share */
    int32_t *col_idx; /* [n] */
    char *val;
    int64_t next; /* entries that have been taken */
} row_share;

typedef struct merging {
    spmv_comm *comm;
    const spmv_csr *share;
    spmv_part part;
    row_share *from;               /* [size] */
    spmv__message *receive, *send; /* [2 x size] */
    size_t value;                  /* bytes */
} merging;

static int64_t count_rows(const merging *m, int rank)
{
    return m->part.row_begin[rank + 1] - m->part.row_begin[rank];
}

/* ---- Lengths -------------------------------------------------------------------------------- */

/* total [rows + 1] on rank 0 = the sum of the pointers of all shares; other [rows + 1] is scratch.
 */
static spmv_status add_pointers(int64_t *total, int64_t *other, merging *m, spmv_error *err)
{
    const int64_t n = m->share->rows + 1, bytes = n * (int64_t)sizeof *total;
    const int rank = m->comm->rank;
    spmv_status st = SPMV_SUCCESS;
    if (rank == 0) memcpy(total, m->share->row_ptr, (size_t)bytes);
    for (int k = 1; k < m->comm->size; k++) {
        const spmv__message receive = {k, other, bytes}, send = {0, m->share->row_ptr, bytes};
        SPMV__TRY(spmv__exchange_once(m->comm, &receive, rank == 0, &send, rank == k, err));
        for (int64_t r = 0; r < n && rank == 0; r++) total[r] += other[r];
    }
done:
    return st;
}

static spmv_status lay_out(merging *m, spmv_partition by, spmv_error *err)
{
    const spmv_csr *A = m->share;
    int64_t *total = NULL, *other = NULL;
    spmv__part_head head = {A->rows, A->cols, 0, A->type};
    spmv_status st = SPMV_SUCCESS;
    if (m->comm->rank == 0) st = spmv__alloc(&total, A->rows + 1, sizeof *total, "rows", err);
    if (m->comm->rank == 0 && st == SPMV_SUCCESS)
        st = spmv__alloc(&other, A->rows + 1, sizeof *other, "rows", err);
    SPMV__TRY(spmv_comm_agree(m->comm, st, err));
    SPMV__TRY(add_pointers(total, other, m, err));
    if (m->comm->rank == 0) head.nnz = total[A->rows];
    SPMV__TRY(spmv__part_lay_out(&m->part, m->comm, &head, total, by, err));
done:
    free(total);
    free(other);
    return st;
}

/* ---- Rows ----------------------------------------------------------------------------------- */

static spmv_status create_shares(merging *m, spmv_error *err)
{
    const int64_t size = m->comm->size, rows = m->part.own.rows;
    spmv_status st;
    SPMV__TRY(spmv__alloc(&m->from, size, sizeof *m->from, "shares", err));
    SPMV__TRY(spmv__alloc(&m->receive, 2 * size, sizeof *m->receive, "messages", err));
    SPMV__TRY(spmv__alloc(&m->send, 2 * size, sizeof *m->send, "messages", err));
    for (int k = 0; k < size; k++)
        SPMV__TRY(spmv__alloc(&m->from[k].row_ptr, rows + 1, sizeof(int64_t), "shares", err));
done:
    return st;
}

static spmv_status exchange_pointers(merging *m, spmv_error *err)
{
    const int64_t size = (int64_t)sizeof(int64_t), rows = m->part.own.rows;
    const int rank = m->comm->rank;
    int n = 0;
    for (int k = 0; k < m->comm->size; k++) {
        int64_t *begin = m->share->row_ptr + m->part.row_begin[k];
        if (k == rank) {
            memcpy(m->from[k].row_ptr, begin, (size_t)((rows + 1) * size));
            continue;
        }
        m->receive[n] = (spmv__message){k, m->from[k].row_ptr, (rows + 1) * size};
        m->send[n++] = (spmv__message){k, begin, (count_rows(m, k) + 1) * size};
    }
    return spmv__exchange_once(m->comm, m->receive, n, m->send, n, err);
}

/* The entries of this rank's rows in share k. */
static int64_t count_entries(const merging *m, int k)
{
    return m->from[k].row_ptr[m->part.own.rows] - m->from[k].row_ptr[0];
}

static spmv_status create_entries(merging *m, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    for (int k = 0; k < m->comm->size; k++) {
        const int64_t n = count_entries(m, k);
        SPMV__TRY(spmv__alloc_unset(&m->from[k].col_idx, n, sizeof(int32_t), "shares", err));
        SPMV__TRY(spmv__alloc_unset(&m->from[k].val, n, m->value, "shares", err));
    }
done:
    return st;
}

static spmv_status exchange_entries(merging *m, spmv_error *err)
{
    const spmv_csr *A = m->share;
    const int64_t value = (int64_t)m->value, index = (int64_t)sizeof *A->col_idx;
    int n = 0;
    for (int k = 0; k < m->comm->size; k++) {
        const int64_t begin = A->row_ptr[m->part.row_begin[k]];
        const int64_t gives = A->row_ptr[m->part.row_begin[k + 1]] - begin;
        const int64_t takes = count_entries(m, k);
        char *val = value > 0 ? (char *)A->val + begin * value : NULL;
        if (k == m->comm->rank) {
            memcpy(m->from[k].col_idx, A->col_idx + begin, (size_t)(gives * index));
            if (value > 0) memcpy(m->from[k].val, val, (size_t)(gives * value));
            continue;
        }
        m->receive[n] = (spmv__message){k, m->from[k].col_idx, takes * index};
        m->send[n++] = (spmv__message){k, A->col_idx + begin, gives * index};
        m->receive[n] = (spmv__message){k, m->from[k].val, takes * value};
        m->send[n++] = (spmv__message){k, val, gives * value};
    }
    return spmv__exchange_once(m->comm, m->receive, n, m->send, n, err);
}

/* ---- Merging -------------------------------------------------------------------------------- */

/* The share whose next entry of row r has the lowest column, or -1 after the last one. */
static int lowest_share(const merging *m, int64_t r)
{
    int lowest = -1;
    for (int k = 0; k < m->comm->size; k++) {
        const row_share *s = &m->from[k];
        if (s->next == s->row_ptr[r + 1] - s->row_ptr[0]) continue;
        if (lowest < 0 || s->col_idx[s->next] < m->from[lowest].col_idx[m->from[lowest].next])
            lowest = k;
    }
    return lowest;
}

/* Fill the part, row after row. */
static spmv_status merge_rows(merging *m, spmv_error *err)
{
    spmv_csr *own = &m->part.own;
    int64_t at = 0;
    for (int64_t r = 0; r < own->rows; r++) {
        for (int k = lowest_share(m, r); k >= 0; k = lowest_share(m, r), at++) {
            row_share *s = &m->from[k];
            const int32_t col = s->col_idx[s->next];
            if (at > own->row_ptr[r] && own->col_idx[at - 1] == col)
                return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT, "an entry is given twice");
            own->col_idx[at] = col;
            spmv__copy_value(own->type, own->val, at, s->val, s->next++);
        }
        own->row_ptr[r + 1] = at;
    }
    return SPMV_SUCCESS;
}

static void destroy_merging(merging *m)
{
    for (int k = 0; k < m->comm->size && m->from != NULL; k++) {
        free(m->from[k].row_ptr);
        free(m->from[k].col_idx);
        free(m->from[k].val);
    }
    free(m->from);
    free(m->receive);
    free(m->send);
    spmv_part_destroy(&m->part);
}

spmv_status spmv__part_merge(spmv_part *out, spmv_comm *comm, const spmv_csr *share,
                             spmv_partition by, spmv_error *err)
{
    merging m = {.comm = comm, .share = share, .value = spmv_type_size(share->type)};
    spmv_status st;
    SPMV__TRY(lay_out(&m, by, err));
    SPMV__TRY(spmv_comm_agree(comm, create_shares(&m, err), err));
    SPMV__TRY(exchange_pointers(&m, err));
    SPMV__TRY(spmv_comm_agree(comm, create_entries(&m, err), err));
    SPMV__TRY(exchange_entries(&m, err));
    SPMV__TRY(spmv_comm_agree(comm, merge_rows(&m, err), err));
    *out = m.part;
    m.part = (spmv_part){0};
done:
    destroy_merging(&m);
    return st;
}
