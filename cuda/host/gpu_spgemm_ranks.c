/* gpu_spgemm_ranks.c -- C = A B, of which each rank makes some rows with its GPU. */
#include "core/spgemm/rank_product.h"
#include "cuda/gpu/context.h"

spmv_status spmv_spgemm_gpu_on_ranks(spmv_part *out, spmv_comm *comm, const spmv_part *A,
                                     const spmv_part *B, const spmv_part *mask,
                                     const spmv_spgemm_options *options, spmv_context *ctx,
                                     spmv_spgemm_result *result, spmv_spgemm_share *share,
                                     spmv_error *err)
{
    const spmv__rank_device device = {spmv_spgemm_gpu, ctx};
    spmv__gpu *gpu;
    spmv_status st;
    SPMV__REQUIRE(out != NULL && out != A && out != B && out != mask, err);
    *out = (spmv_part){0};
    SPMV__REQUIRE(comm != NULL && A != NULL && B != NULL && ctx != NULL, err);
    SPMV__TRY(spmv_comm_agree(comm, spmv__context_gpu(&gpu, ctx, err), err));
    st = spmv__product_on_ranks(out, comm, A, B, mask, options, &device, result, share, err);
done:
    return st;
}
