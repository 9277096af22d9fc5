/* listed_product.c -- a product on a GPU whose rows are counted and listed once.
 *
 * It has memory of its own, so that other products of the context leave its lists alone. */
#include "cuda/host/gpu_spgemm.h"

#include "core/base/base.h"

spmv_status spmv__listed_product_open(spmv__listed_product *out, spmv_context *ctx,
                                      const spmv_gpu_matrix *A, const spmv_gpu_matrix *B,
                                      spmv_error *err)
{
    const spmv_head *a = &A->shape.head, *b = &B->shape.head;
    spmv__gpu *gpu;
    spmv_status st;
    *out = (spmv__listed_product){.ctx = ctx};
    out->product = (spmv__gpu_product){
        .memory = &out->memory, .A = A, .B = B, .type = spmv_spgemm_type(a->type, b->type)};
    SPMV__TRY(spmv__context_gpu(&gpu, ctx, err));
    SPMV__TRY(spmv__gpu_product_count(&out->product, gpu, err));
    SPMV__TRY(spmv__gpu_sums_prepare(&out->sums, &out->product, 0, a->rows, gpu, err));
    SPMV__TRY(spmv__product_lists_create(&out->lists, &out->product, gpu, err));
done:
    if (st != SPMV_SUCCESS) spmv__listed_product_close(out);
    return st;
}

void spmv__listed_product_close(spmv__listed_product *listed)
{
    spmv__product_lists_free(listed->lists);
    spmv__gpu_sums_free(listed->sums);
    spmv__gpu_product_memory_free(listed->memory);
    *listed = (spmv__listed_product){.memory = NULL};
}

spmv_status spmv__listed_product_enqueue(const spmv__listed_product *listed, spmv_gpu_matrix *C,
                                         spmv_error *err)
{
    return spmv__gpu_sums_enqueue(listed->sums, &listed->product, 0, C->shape.csr.col_idx,
                                  C->shape.csr.val, listed->ctx->gpu, err);
}

spmv_status spmv__listed_product_repeat(const spmv__listed_product *listed, spmv_gpu_matrix *C,
                                        spmv_error *err)
{
    if (listed->lists == NULL) return spmv__listed_product_enqueue(listed, C, err);
    return spmv__product_lists_enqueue(listed->lists, &listed->product, C->shape.csr.val,
                                       listed->ctx->gpu, err);
}
