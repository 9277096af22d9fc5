/* part_product.c -- y = alpha A x + beta y, of which each rank makes its rows.
 *
 * A part is walked in the pieces into which the whole matrix would be cut (row_walk.c), so that no
 * sum depends on the ranks.  Pieces that read only own elements of x come first, while the others
 * are under way. */
#include "core/matrix/vectors.h"
#include "core/multiply/multiply.h"
#include "core/parts/halo.h"
#include "core/parts/simple_product.h"
#include "core/parts/split_rows.h"

#include <stdlib.h>

struct spmv_part_operator {
    spmv_comm *comm;
    bool is_simple; /* then that is all, but for the type */
    spmv__simple_product simple;
    spmv_type type; /* of the vectors */
    spmv_csr A;     /* with the columns of the halo */
    spmv__entries entries;
    spmv__split_rows split; /* what others multiply of its rows, and it of theirs */
    spmv__halo halo;
    spmv__row_sums sums;
    int threads;
    int pieces, inner; /* the first of which read own elements only, in this order: */
    int order[SPMV__PIECES];
    spmv__cut cuts[SPMV__PIECES + 1];
    spmv_scalar head[SPMV__PIECES], tail[SPMV__PIECES];
    double exchange_s;
};

/* Returns whether entries begin .. end - 1 read no elements of others. */
static bool is_inner(const spmv_part_operator *op, int64_t begin, int64_t end)
{
    const int64_t low = op->halo.own, high = low + op->halo.owns;
    bool inner = true;
    for (int64_t p = begin; p < end && inner; p++)
        inner = op->A.col_idx[p] >= low && op->A.col_idx[p] < high;
    return inner;
}

static void order_pieces(spmv_part_operator *op)
{
    bool inner[SPMV__PIECES];
#pragma omp parallel for num_threads(op->threads) if (op->threads > 1)
    for (int k = 0; k < op->pieces; k++)
        inner[k] = is_inner(op, op->cuts[k].pos, op->cuts[k + 1].pos);
    for (int k = 0; k < op->pieces; k++)
        if (inner[k]) op->order[op->inner++] = k;
    for (int k = 0, n = op->inner; k < op->pieces; k++)
        if (!inner[k]) op->order[n++] = k;
}

static spmv_status create(spmv_part_operator **out, spmv_comm *comm, const spmv_part *part,
                          spmv_type vector_type, int threads, spmv_error *err)
{
    spmv_part_operator *op;
    *out = NULL;
    if (vector_type == SPMV_PATTERN || !spmv_type_multiplies(part->own.type, vector_type))
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "a matrix of %s multiplies no %s",
                          spmv_type_name(part->own.type), spmv_type_name(vector_type));
    const spmv_status st = spmv__alloc(&op, 1, sizeof *op, "an operator", err);
    if (st != SPMV_SUCCESS) return st;
    op->comm = comm;
    op->type = vector_type;
    op->threads = spmv__threads(threads);
    op->sums = spmv__row_sums_for(part->own.type, vector_type, false, spmv__use_avx2());
    *out = op;
    return st;
}

/* Where the rows of a part begin in the walk over the whole matrix: *made, which the caller frees,
 * or what the part says. */
static spmv_status find_steps(const int64_t **out, int64_t **made, const spmv_part *part, int rank,
                              spmv_error *err)
{
    const int64_t before = part->row_begin[rank] + part->first_entry, rows = part->own.rows;
    *out = part->step;
    if (part->step != NULL) return SPMV_SUCCESS;
    const spmv_status st = spmv__alloc(made, rows, sizeof **made, "the pieces of a part", err);
    if (st != SPMV_SUCCESS) return st;
    for (int64_t r = 0; r < rows; r++) (*made)[r] = before + r + part->own.row_ptr[r];
    *out = *made;
    return SPMV_SUCCESS;
}

spmv_status spmv_part_operator_create(spmv_part_operator **out, spmv_comm *comm, spmv_part *part,
                                      spmv_type vector_type, int threads, spmv_error *err)
{
    SPMV__REQUIRE(out != NULL, err);
    *out = NULL;
    SPMV__REQUIRE(comm != NULL && part != NULL, err);
    spmv_part_operator *op = NULL;
    const int64_t *step;
    int64_t *made = NULL;
    spmv_status st;
    SPMV__TRY(spmv_comm_agree(comm, create(&op, comm, part, vector_type, threads, err), err));
    if (part->by == SPMV_PARTITION_NONZEROS) {
        SPMV__TRY(spmv__simple_create(&op->simple, comm, part, vector_type, op->threads, err));
        op->is_simple = true;
        *out = op;
        return st;
    }
    SPMV__TRY(spmv_comm_agree(comm, find_steps(&step, &made, part, comm->rank, err), err));
    op->A = part->own;
    part->own = (spmv_csr){0};
    SPMV__TRY(spmv__split_create(&op->split, comm, &op->A, part, err));
    SPMV__TRY(spmv__halo_create(&op->halo, comm, op->A.col_idx,
                                spmv__split_entries(&op->split, &op->A), op->A.cols,
                                part->col_begin, spmv_type_size(vector_type), err));
    op->A.cols = op->halo.cols;
    op->entries = spmv__csr_entries(&op->A);
    op->pieces = spmv__part_cuts(op->cuts, &op->entries, step, part->rows + part->nnz);
    order_pieces(op);
    *out = op;
    op = NULL;
done:
    spmv_part_operator_destroy(op);
    free(made);
    return st;
}

void spmv_part_operator_destroy(spmv_part_operator *op)
{
    if (op == NULL) return;
    if (op->is_simple) spmv__simple_destroy(&op->simple);
    spmv__split_destroy(&op->split);
    spmv__halo_destroy(&op->halo);
    spmv_csr_destroy(&op->A);
    free(op);
}

void *spmv_part_operator_x(spmv_part_operator *op)
{
    return op->is_simple ? op->simple.x : spmv__halo_own(&op->halo);
}

/* Walk the pieces order[begin] .. order[end - 1]. */
static void walk(spmv_part_operator *op, int begin, int end, const spmv__output *out)
{
#pragma omp parallel for num_threads(op->threads) if (op->threads > 1) schedule(dynamic)
    for (int i = begin; i < end; i++) {
        const int k = op->order[i];
        spmv__walk_piece(&op->entries, op->sums, op->cuts[k], op->cuts[k + 1], op->halo.x, out,
                         &op->head[k], &op->tail[k]);
    }
}

void spmv_part_operator_apply(spmv_part_operator *op, spmv_scalar alpha, spmv_scalar beta, void *y)
{
    const spmv__output out = {.type = op->type, .alpha = alpha, .beta = beta, .y = y};
    double start = spmv_now();
    if (op->is_simple) {
        spmv__simple_apply(&op->simple, alpha, beta, y);
        return;
    }
    spmv__split_begin(&op->split, &out);
    spmv__halo_start(&op->halo);
    op->exchange_s = spmv_now() - start;
    walk(op, 0, op->inner, &out);
    start = spmv_now();
    spmv__halo_finish(&op->halo);
    op->exchange_s += spmv_now() - start;
    spmv__split_multiply(&op->split, &op->A, op->sums, op->halo.x, &out, op->threads);
    walk(op, op->inner, op->pieces, &out);
    spmv__combine_pieces(op->cuts, op->head, op->tail, op->pieces, &out);
    start = spmv_now();
    spmv__split_finish(&op->split, &out);
    op->exchange_s += spmv_now() - start;
}

double spmv_part_operator_apply_columns(spmv_part_operator *op, spmv_scalar alpha,
                                        const spmv_dense *x, spmv_scalar beta, spmv_dense *y)
{
    const size_t size = spmv_type_size(op->type);
    double seconds = 0;
    for (int64_t c = 0; c < y->cols; c++) {
        if (y->cols > 1 && x->rows > 0)
            memcpy(spmv_part_operator_x(op), spmv__column_of(x, c), (size_t)x->rows * size);
        spmv_part_operator_apply(op, alpha, beta, spmv__column_of(y, c));
        seconds += spmv_part_operator_costs(op).exchange_s;
    }
    return seconds;
}

spmv_part_costs spmv_part_operator_costs(const spmv_part_operator *op)
{
    if (op->is_simple) return spmv__simple_costs(&op->simple);
    return (spmv_part_costs){.rows = op->A.rows,
                             .nnz = spmv__split_entries(&op->split, &op->A),
                             .owned = op->halo.owns,
                             .received = op->halo.received,
                             .sent = op->halo.sent,
                             .neighbours = op->halo.neighbours,
                             .receivers = op->halo.receivers,
                             .exchange_s = op->exchange_s};
}
