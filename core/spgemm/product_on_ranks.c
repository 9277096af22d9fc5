/* product_on_ranks.c -- C = A B, of which each rank makes some rows.
 *
 * Where the rows of A make uneven numbers of products, they are handed out anew.  Each rank gets
 * the rows of B that its rows of A meet, numbered in their order, and multiplies as one process
 * does: the entries of a row of A stay in their order, and so each sum has the same bits. */
#include "core/matrix/format.h"
#include "core/parts/partition.h"
#include "core/parts/remade_parts.h"
#include "core/spgemm/rank_product.h"
#include "core/spgemm/spgemm.h"
#include "core/spgemm/wanted_rows.h"

#include <stdlib.h>

/* Rows stay where they are as long as no rank makes more products than the mean and a 16th of it:
 * moving them costs as much as some products do. */
enum { UNEVEN = 16 };

/* One product.  What is owned is all zero until it is made. */
typedef struct joint_product {
    spmv_comm *comm;
    const spmv__rank_device *device;
    const spmv_part *a, *b, *mask; /* as they are multiplied; mask NULL: there is none */
    spmv_part a_turned, b_turned;  /* owned: transposes */
    int64_t *row_begin;            /* [size + 1] owned: who makes which rows of C */
    const spmv_part *A, *allowed;  /* rows of A and of the mask where C is made: these or */
    spmv_part a_moved, mask_moved; /* owned */
    int32_t *col_idx;              /* owned: the columns of A, numbered like the rows of B */
    spmv_csr B;                    /* owned: the rows that these need */
    spmv_part C;
    spmv_spgemm_share share;
} joint_product;

static void destroy_product(joint_product *p)
{
    spmv_part_destroy(&p->a_turned);
    spmv_part_destroy(&p->b_turned);
    free(p->row_begin);
    spmv_part_destroy(&p->a_moved);
    spmv_part_destroy(&p->mask_moved);
    free(p->col_idx);
    spmv_csr_destroy(&p->B);
    spmv_part_destroy(&p->C);
}

/* ---- Operands ------------------------------------------------------------------------------- */

static spmv_head head_of(const spmv_part *part)
{
    return (spmv_head){.rows = part->rows, .cols = part->cols};
}

static bool has_whole_rows(const spmv_part *part)
{
    return part == NULL || spmv__part_is_in_order(part);
}

static spmv_status check_parts(const spmv_part *A, const spmv_part *B, const spmv_part *mask,
                               const spmv_spgemm_options *o, spmv_error *err)
{
    const spmv_head a = head_of(A), b = head_of(B), m = mask != NULL ? head_of(mask) : a;
    if (!has_whole_rows(A) || !has_whole_rows(B) || !has_whole_rows(mask))
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                          "parts that are multiplied are cut by nnz or by rows");
    if (o->mask != NULL)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                          "the mask of a product on ranks is a part, not one of the options");
    return spmv__product_check_shapes(&a, &b, mask != NULL ? &m : NULL, o, err);
}

/* Transpose what is to be, one matrix that is both A and B once. */
static spmv_status turn_operands(joint_product *p, const spmv_spgemm_options *o, spmv_error *err)
{
    const bool one = p->a == p->b && o->transpose_a == o->transpose_b;
    spmv_status st = SPMV_SUCCESS;
    if (o->transpose_a) SPMV__TRY(spmv_part_transpose(&p->a_turned, p->comm, p->a, err));
    if (o->transpose_b && !one) SPMV__TRY(spmv_part_transpose(&p->b_turned, p->comm, p->b, err));
    if (o->transpose_a) p->a = &p->a_turned;
    if (o->transpose_b) p->b = one ? p->a : &p->b_turned;
done:
    return st;
}

/* ---- Who makes which rows ------------------------------------------------------------------- */

/* Find the rows of B that some rows of A meet, and number the columns of A like them. */
static spmv_status find_rows(spmv__wanted_rows *w, joint_product *p, const spmv_csr *A,
                             spmv_error *err)
{
    spmv_status st;
    spmv__wanted_rows_destroy(w);
    free(p->col_idx);
    p->col_idx = NULL;
    SPMV__TRY(spmv__wanted_rows_find(w, p->comm, A, p->b, err));
    st = spmv__alloc_unset(&p->col_idx, A->nnz, sizeof *p->col_idx, "columns of A", err);
    SPMV__TRY(spmv_comm_agree(p->comm, st, err));
    for (int64_t q = 0; q < A->nnz; q++)
        p->col_idx[q] = (int32_t)spmv__wanted_number(w, A->col_idx[q]);
done:
    return st;
}

/* ptr [own rows + 1] = the products of the rows of this rank in front of each. */
static int64_t count_products(int64_t *ptr, const joint_product *p, const spmv__wanted_rows *w)
{
    const spmv_csr *A = &p->a->own;
    int64_t n = 0;
    for (int64_t r = 0; r < A->rows; r++) {
        for (int64_t q = A->row_ptr[r]; q < A->row_ptr[r + 1]; q++)
            n += w->row_ptr[p->col_idx[q] + 1] - w->row_ptr[p->col_idx[q]];
        ptr[r + 1] = n;
    }
    return n;
}

/* Whether all ranks make about the same number of products; this one makes `products`. */
static bool is_even(spmv_comm *comm, int64_t products)
{
    const double mine = (double)products;
    double all = 0, most = 0;
    spmv_comm_gather(comm, &mine, 1, comm->number);
    for (int k = 0; k < comm->size; k++) {
        all += comm->number[k];
        if (comm->number[k] > most) most = comm->number[k];
    }
    return most * comm->size <= all * (1 + 1.0 / UNEVEN);
}

/* Choose who makes which rows of C, so that all make about the same number of products. */
static spmv_status share_out_rows(joint_product *p, const spmv__wanted_rows *w, spmv_error *err)
{
    const int64_t n = p->comm->size + 1;
    int64_t *ptr = NULL;
    spmv_status st = spmv__alloc(&p->row_begin, n, sizeof *p->row_begin, "a partition", err);
    if (st == SPMV_SUCCESS)
        st = spmv__alloc(&ptr, p->a->own.rows + 1, sizeof *ptr, "products", err);
    SPMV__TRY(spmv_comm_agree(p->comm, st, err));
    const int64_t products = count_products(ptr, p, w);
    memcpy(p->row_begin, p->a->row_begin, (size_t)n * sizeof *p->row_begin);
    if (!is_even(p->comm, products))
        SPMV__TRY(spmv__share_out_anew(p->row_begin, p->comm, p->a->row_begin, ptr, err));
done:
    free(ptr);
    return st;
}

/* *out = the part with its rows where C is made: itself, or *moved. */
static spmv_status bring_rows(const spmv_part **out, spmv_part *moved, const joint_product *p,
                              const spmv_part *part, spmv_error *err)
{
    const size_t bytes = (size_t)(p->comm->size + 1) * sizeof *p->row_begin;
    *out = part;
    if (memcmp(part->row_begin, p->row_begin, bytes) == 0) return SPMV_SUCCESS;
    *out = moved;
    return spmv__part_move(moved, p->comm, part, p->row_begin, err);
}

/* Bring together what the rows of C are made of. */
static spmv_status fetch_operands(joint_product *p, spmv_error *err)
{
    const int rank = p->comm->rank;
    spmv__wanted_rows w = {0};
    spmv_status st;
    SPMV__TRY(find_rows(&w, p, &p->a->own, err));
    SPMV__TRY(share_out_rows(p, &w, err));
    SPMV__TRY(bring_rows(&p->A, &p->a_moved, p, p->a, err));
    if (p->mask != NULL) SPMV__TRY(bring_rows(&p->allowed, &p->mask_moved, p, p->mask, err));
    if (p->A != p->a) SPMV__TRY(find_rows(&w, p, &p->A->own, err));
    SPMV__TRY(spmv__wanted_rows_fetch(&p->B, &w, err));
    p->share.received = spmv__wanted_count(&w) - (w.want[rank + 1] - w.want[rank]);
    p->share.received_entries = p->B.nnz - (w.row_ptr[w.want[rank + 1]] - w.row_ptr[w.want[rank]]);
done:
    spmv__wanted_rows_destroy(&w);
    return st;
}

/* ---- Multiplying ---------------------------------------------------------------------------- */

/* Make the rows of this rank. */
static spmv_status multiply_own(joint_product *p, const spmv_spgemm_options *options,
                                spmv_error *err)
{
    const spmv_matrix B = spmv__wrap_csr(&p->B);
    spmv_matrix A = spmv__wrap_csr(&p->A->own), C, allowed;
    spmv_spgemm_options own = *options;
    spmv_spgemm_result result;
    spmv_status st;
    A.csr.cols = p->B.rows;
    A.csr.col_idx = p->col_idx;
    own.transpose_a = own.transpose_b = false;
    if (p->mask != NULL) {
        allowed = spmv__wrap_csr(&p->allowed->own);
        own.mask = &allowed;
    }
    SPMV__TRY(spmv__part_frame(&p->C, p->comm, p->a->rows, p->b->cols, p->row_begin, err));
    SPMV__TRY(p->device->make(&C, &A, &B, &own, p->device->ctx, &result, err));
    p->C.own = C.csr;
    p->share.rows = C.csr.rows;
    p->share.products = result.products;
    p->share.multiply_s = result.seconds;
done:
    return st;
}

/* What all ranks have done together; the ranks have agreed on success. */
static spmv_spgemm_result sum_up(spmv_comm *comm, const spmv_spgemm_share *share)
{
    const uint64_t products = spmv__comm_sum_words(comm, (uint64_t)share->products);
    const double mine = share->multiply_s + share->exchange_s;
    double longest = 0;
    spmv_comm_gather(comm, &mine, 1, comm->number);
    for (int k = 0; k < comm->size; k++)
        if (comm->number[k] > longest) longest = comm->number[k];
    return (spmv_spgemm_result){(int64_t)products, longest};
}

spmv_status spmv__product_on_ranks(spmv_part *out, spmv_comm *comm, const spmv_part *A,
                                   const spmv_part *B, const spmv_part *mask,
                                   const spmv_spgemm_options *options,
                                   const spmv__rank_device *device, spmv_spgemm_result *result,
                                   spmv_spgemm_share *share, spmv_error *err)
{
    const spmv_spgemm_options o = options != NULL ? *options : (spmv_spgemm_options){0};
    joint_product p = {.comm = comm, .device = device, .a = A, .b = B, .mask = mask};
    spmv_spgemm_result all = {0};
    spmv_status st;
    const double start = spmv_now();
    SPMV__TRY(check_parts(A, B, mask, &o, err));
    SPMV__TRY(turn_operands(&p, &o, err));
    SPMV__TRY(fetch_operands(&p, err));
    SPMV__TRY(spmv_comm_agree(comm, multiply_own(&p, &o, err), err));
    spmv__part_place(&p.C, comm);
    p.share.exchange_s = spmv_now() - start - p.share.multiply_s;
    all = sum_up(comm, &p.share);
    if (result != NULL) *result = all;
    if (share != NULL) *share = p.share;
    *out = p.C;
    p.C = (spmv_part){0};
done:
    destroy_product(&p);
    return st;
}

static spmv_status make_on_cpu(spmv_matrix *C, const spmv_matrix *A, const spmv_matrix *B,
                               const spmv_spgemm_options *options, spmv_context *ctx,
                               spmv_spgemm_result *result, spmv_error *err)
{
    (void)ctx;
    return spmv_spgemm(C, A, B, options, result, err);
}

spmv_status spmv_spgemm_on_ranks(spmv_part *out, spmv_comm *comm, const spmv_part *A,
                                 const spmv_part *B, const spmv_part *mask,
                                 const spmv_spgemm_options *options, spmv_spgemm_result *result,
                                 spmv_spgemm_share *share, spmv_error *err)
{
    static const spmv__rank_device cpu = {make_on_cpu, NULL};
    SPMV__REQUIRE(out != NULL && out != A && out != B && out != mask, err);
    *out = (spmv_part){0};
    SPMV__REQUIRE(comm != NULL && A != NULL && B != NULL, err);
    return spmv__product_on_ranks(out, comm, A, B, mask, options, &cpu, result, share, err);
}
