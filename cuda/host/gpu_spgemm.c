/* gpu_spgemm.c -- C = A B on a GPU, for matrices that are there. */
#include "cuda/host/gpu_matrix.h"
#include "cuda/host/gpu_spgemm.h"

#include "core/matrix/format.h"

#include <inttypes.h>

static spmv_status check_operand(const spmv_gpu_matrix *A, spmv_context *ctx, const char *name,
                                 spmv_error *err)
{
    if (A->shape.format != SPMV_CSR)
        return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT, "%s is %s on the GPU, not csr", name,
                          spmv_format_name(A->shape.format));
    const spmv_status st = spmv__check_named_whole(A->shape.head.symmetry, name, err);
    if (st != SPMV_SUCCESS) return st;
    if (A->device != ctx->device)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                          "%s is on GPU %d, and the context is not", name, A->device);
    return A->borrowed ? spmv__gpu_matrix_check_order(A, ctx, name, err) : SPMV_SUCCESS;
}

spmv_status spmv__gpu_product_check(const spmv_gpu_matrix *A, const spmv_gpu_matrix *B,
                                    spmv_context *ctx, const spmv_spgemm_options *o,
                                    spmv_error *err)
{
    spmv_status st;
    SPMV__TRY(check_operand(A, ctx, "A", err));
    SPMV__TRY(check_operand(B, ctx, "B", err));
    if (A->shape.head.cols != B->shape.head.rows)
        return spmv__fail(err, SPMV_ERROR_INVALID_DIMENSION,
                          "A has %" PRId64 " columns and B %" PRId64 " rows, which must be as many",
                          A->shape.head.cols, B->shape.head.rows);
    if (o->transpose_a || o->transpose_b || o->drop_zeros || o->serial || o->mask != NULL ||
        o->top != 0)
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                          "a product that stays on the GPU has all its entries");
done:
    return st;
}

void spmv__gpu_product_use_memory(spmv__gpu_product *p, spmv_context *ctx)
{
    ctx->free_products = spmv__gpu_product_memory_free;
    p->memory = &ctx->products;
}

spmv_status spmv__gpu_product_matrix(spmv_gpu_matrix **out, const spmv__gpu_product *p,
                                     spmv_context *ctx, spmv_error *err)
{
    const spmv_matrix shape = spmv__blank(SPMV_CSR, p->type, SPMV_GENERAL, p->A->shape.head.rows,
                                          p->B->shape.head.cols, p->nnz);
    spmv_gpu_matrix *C = NULL;
    spmv_status st;
    *out = NULL;
    SPMV__TRY(spmv__gpu_matrix_blank(&C, ctx, &shape, err));
    SPMV__TRY(spmv__gpu_product_offsets(p, C->shape.csr.row_ptr, C->narrow, ctx->gpu, err));
    C->loads = p->loads;
    *out = C;
    C = NULL;
done:
    spmv_gpu_matrix_destroy(C);
    return st;
}

/* C gets its row offsets before its entries are counted, so that they need no room of their own. */
static spmv_status begin_matrix(spmv_gpu_matrix **out, spmv__gpu_product *p, spmv_context *ctx,
                                spmv_error *err)
{
    const spmv_matrix empty = spmv__blank(SPMV_CSR, p->type, SPMV_GENERAL, p->A->shape.head.rows,
                                          p->B->shape.head.cols, 0);
    spmv_status st;
    SPMV__TRY(spmv__gpu_matrix_blank(out, ctx, &empty, err));
    if ((*out)->narrow) p->lent = (uint32_t *)(*out)->shape.csr.row_ptr;
done:
    return st;
}

static spmv_status complete_matrix(spmv_gpu_matrix **C, const spmv__gpu_product *p,
                                   spmv_context *ctx, spmv_error *err)
{
    if (p->row_ptr != p->lent) { /* they are wider than what was lent */
        spmv_gpu_matrix_destroy(*C);
        return spmv__gpu_product_matrix(C, p, ctx, err);
    }
    (*C)->loads = p->loads;
    return spmv__gpu_matrix_add_entries(*C, ctx, p->nnz, err);
}

spmv_status spmv_spgemm_on_gpu(spmv_gpu_matrix **out, spmv_context *ctx, const spmv_gpu_matrix *A,
                               const spmv_gpu_matrix *B, const spmv_spgemm_options *options,
                               spmv_spgemm_result *result, spmv_error *err)
{
    const spmv_spgemm_options o = options != NULL ? *options : (spmv_spgemm_options){0};
    spmv__gpu_product p = {.A = A, .B = B};
    spmv_gpu_matrix *C = NULL;
    spmv__gpu *gpu;
    spmv_status st;
    if (result != NULL) *result = (spmv_spgemm_result){0};
    SPMV__REQUIRE(out != NULL, err);
    *out = NULL;
    SPMV__REQUIRE(A != NULL && B != NULL, err);
    SPMV__TRY(spmv__context_gpu(&gpu, ctx, err));
    SPMV__TRY(spmv__gpu_product_check(A, B, ctx, &o, err));
    spmv__gpu_product_use_memory(&p, ctx);
    const double start = spmv_now();
    const spmv_head *a = &A->shape.head, *b = &B->shape.head;
    p.type = o.boolean ? SPMV_PATTERN : spmv_spgemm_type(a->type, b->type);
    SPMV__TRY(begin_matrix(&C, &p, ctx, err));
    SPMV__TRY(spmv__gpu_product_count(&p, gpu, err));
    SPMV__TRY(complete_matrix(&C, &p, ctx, err));
    SPMV__TRY(
        spmv__gpu_product_sum(&p, 0, a->rows, 0, C->shape.csr.col_idx, C->shape.csr.val, gpu, err));
    SPMV__TRY(spmv__gpu_synchronize(gpu, err));
    if (result != NULL) *result = (spmv_spgemm_result){p.all_products, spmv_now() - start};
    *out = C;
    C = NULL;
done:
    spmv_gpu_matrix_destroy(C);
    return st;
}
