/* symmetrize_part.c -- a part of a graph with each edge both ways.
 *
 * Each rank gets the rows of the transpose that it has of the graph, and adds the two up row by
 * row; so no rank ever has all edges.  What comes of that is cut anew, as some rows get many
 * entries of the transpose. */
#include "core/matrix/format.h"
#include "core/matrix/value.h"
#include "core/parts/partition.h"
#include "core/parts/remade_parts.h"

#include <stdlib.h>

/* ---- The sum of a graph and its transpose ---------------------------------------------------- */

/* Rows of both, of which columns rise, and where the next entry of each comes from. */
typedef struct mirrored_rows {
    const spmv_csr *A, *B; /* of a matrix, and of its transpose */
    int64_t first;         /* row of the whole */
    int64_t p, q;          /* places in A and B */
} mirrored_rows;

/* What there is in the next column. */
typedef struct mirrored_entry {
    int32_t col;
    bool in_a, in_b;
} mirrored_entry;

/* Take the next column of row r; false: there is none. */
static bool next_entry(mirrored_rows *m, int64_t r, mirrored_entry *out)
{
    const bool more_a = m->p < m->A->row_ptr[r + 1], more_b = m->q < m->B->row_ptr[r + 1];
    if (!more_a && !more_b) return false;
    const int32_t a = more_a ? m->A->col_idx[m->p] : INT32_MAX;
    const int32_t b = more_b ? m->B->col_idx[m->q] : INT32_MAX;
    *out = (mirrored_entry){a < b ? a : b, more_a && a <= b, more_b && b <= a};
    m->p += out->in_a;
    m->q += out->in_b;
    return true;
}

/* The value of the entry that was taken last: what either has, and the sum off the diagonal. */
static spmv_scalar value_of(const mirrored_rows *m, int64_t r, const mirrored_entry *e)
{
    const spmv_type type = m->A->type;
    const spmv_scalar none = spmv__number(0, 0);
    const spmv_scalar a = e->in_a ? spmv__scalar(type, m->A->val, m->p - 1) : none;
    const spmv_scalar b = e->in_b ? spmv__scalar(type, m->B->val, m->q - 1) : none;
    if (!e->in_b || e->col == m->first + r) return a;
    return e->in_a ? spmv__number(a.re + b.re, a.im + b.im) : b;
}

/* Returns whether the rows are those of a symmetric matrix; values may be NaN. */
static bool are_equal(const spmv_csr *A, const spmv_csr *B, int64_t first)
{
    mirrored_rows m = {.A = A, .B = B};
    mirrored_entry e;
    for (int64_t r = 0; r < A->rows; r++)
        while (next_entry(&m, r, &e)) {
            if (!e.in_a || !e.in_b) return false;
            const spmv_scalar a = spmv__scalar(A->type, A->val, m.p - 1);
            const spmv_scalar b = spmv__scalar(B->type, B->val, m.q - 1);
            if (e.col != first + r && !(spmv__are_alike(a.re, b.re) && spmv__are_alike(a.im, b.im)))
                return false;
        }
    return true;
}

static int64_t count_entries(const spmv_csr *A, const spmv_csr *B)
{
    mirrored_rows m = {.A = A, .B = B};
    mirrored_entry e;
    int64_t n = 0;
    for (int64_t r = 0; r < A->rows; r++)
        while (next_entry(&m, r, &e)) n++;
    return n;
}

/* out = A + B but for the diagonal, which stays as it is. */
static spmv_status add_rows(spmv_csr *out, const spmv_csr *A, const spmv_csr *B, int64_t first,
                            spmv_error *err)
{
    mirrored_rows m = {.A = A, .B = B, .first = first};
    mirrored_entry e;
    int64_t at = 0;
    const spmv_status st =
        spmv_csr_create(out, A->type, A->rows, A->cols, count_entries(A, B), err);
    if (st != SPMV_SUCCESS) return st;
    for (int64_t r = 0; r < A->rows; r++) {
        for (; next_entry(&m, r, &e); at++) {
            out->col_idx[at] = e.col;
            spmv__set_scalar(A->type, out->val, at, value_of(&m, r, &e));
        }
        out->row_ptr[r + 1] = at;
    }
    return SPMV_SUCCESS;
}

/* ---- Parts ---------------------------------------------------------------------------------- */

/* The transpose, of which each rank has the rows that it has of the part. */
static spmv_status transpose_alike(spmv_part *out, spmv_comm *comm, const spmv_part *part,
                                   spmv_error *err)
{
    spmv_part turned = {0};
    spmv_status st;
    SPMV__TRY(spmv_part_transpose(&turned, comm, part, err));
    SPMV__TRY(spmv__part_move(out, comm, &turned, part->row_begin, err));
done:
    spmv_part_destroy(&turned);
    return st;
}

/* out = the part, cut by what its rows have now. */
static spmv_status cut_anew(spmv_part *out, spmv_comm *comm, const spmv_part *part, spmv_error *err)
{
    int64_t *begin = NULL;
    spmv_status st = spmv__alloc(&begin, comm->size + 1, sizeof *begin, "a partition", err);
    SPMV__TRY(spmv_comm_agree(comm, st, err));
    SPMV__TRY(spmv__share_out_anew(begin, comm, part->row_begin, part->own.row_ptr, err));
    SPMV__TRY(spmv__part_move(out, comm, part, begin, err));
done:
    free(begin);
    return st;
}

/* Add the transpose, which is released on the way. */
static spmv_status add_transpose(spmv_part *out, spmv_comm *comm, const spmv_part *part,
                                 spmv_part *turned, spmv_error *err)
{
    spmv_part both = {0};
    const int64_t first = part->row_begin[comm->rank];
    spmv_status st = spmv__part_frame(&both, comm, part->rows, part->cols, part->row_begin, err);
    if (st == SPMV_SUCCESS) st = add_rows(&both.own, &part->own, &turned->own, first, err);
    spmv_part_destroy(turned);
    SPMV__TRY(spmv_comm_agree(comm, st, err));
    spmv__part_place(&both, comm);
    SPMV__TRY(cut_anew(out, comm, &both, err));
done:
    spmv_part_destroy(&both);
    return st;
}

spmv_status spmv_part_symmetrize(spmv_part *out, spmv_comm *comm, const spmv_part *part,
                                 spmv_error *err)
{
    SPMV__REQUIRE(out != NULL && out != part, err);
    *out = (spmv_part){0};
    SPMV__REQUIRE(comm != NULL && part != NULL, err);
    SPMV__REQUIRE_IN_ORDER(part, err);
    spmv_part turned = {0};
    spmv_status st;
    SPMV__TRY(spmv__check_square(part->rows, part->cols, err));
    SPMV__TRY(transpose_alike(&turned, comm, part, err));
    const bool differs = !are_equal(&part->own, &turned.own, part->row_begin[comm->rank]);
    if (spmv__comm_sum_words(comm, differs) == 0)
        st = cut_anew(out, comm, part, err);
    else
        st = add_transpose(out, comm, part, &turned, err);
done:
    spmv_part_destroy(&turned);
    return st;
}
