/* gpu_spgemm_plan.c -- many products of one pattern, of matrices on a GPU. */
#include "cuda/host/gpu_matrix.h"
#include "cuda/host/spgemm_plan.h"

#include "core/matrix/format.h"

spmv_status spmv_spgemm_plan_create_on_gpu(spmv_spgemm_plan **out, spmv_context *ctx,
                                           const spmv_gpu_matrix *A, const spmv_gpu_matrix *B,
                                           const spmv_spgemm_options *options, spmv_error *err)
{
    const spmv_spgemm_options o = options != NULL ? *options : (spmv_spgemm_options){0};
    spmv_spgemm_plan *plan = NULL;
    spmv__gpu *gpu;
    spmv_status st;
    SPMV__REQUIRE(out != NULL, err);
    *out = NULL;
    SPMV__REQUIRE(A != NULL && B != NULL, err);
    SPMV__TRY(spmv__context_gpu(&gpu, ctx, err));
    SPMV__TRY(spmv__plan_options_check(&o, err));
    SPMV__TRY(spmv__gpu_product_check(A, B, ctx, &o, err));
    SPMV__TRY(spmv__alloc(&plan, 1, sizeof *plan, "the plan of a product", err));
    plan->ctx = ctx;
    SPMV__TRY(spmv__listed_product_open(&plan->on_gpu, ctx, A, B, err));
    *out = plan;
    plan = NULL;
done:
    spmv_spgemm_plan_destroy(plan);
    return st;
}

/* Enqueues the values of C; waits where the result is asked for. */
static spmv_status repeat(const spmv_spgemm_plan *plan, spmv_gpu_matrix *C,
                          spmv_spgemm_result *result, spmv_error *err)
{
    spmv__gpu *gpu;
    spmv_status st;
    SPMV__TRY(spmv__context_gpu(&gpu, plan->ctx, err));
    const double start = spmv_now();
    SPMV__TRY(spmv__listed_product_repeat(&plan->on_gpu, C, err));
    if (result != NULL) {
        SPMV__TRY(spmv__gpu_synchronize(gpu, err));
        *result = (spmv_spgemm_result){plan->on_gpu.product.all_products, spmv_now() - start};
    }
done:
    return st;
}

static spmv_status check_plan(const spmv_spgemm_plan *plan, spmv_error *err)
{
    if (spmv__plan_is_on_host(plan))
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                          "the plan was made of matrices on the host");
    return SPMV_SUCCESS;
}

spmv_status spmv_spgemm_plan_product_on_gpu(spmv_spgemm_plan *plan, spmv_gpu_matrix **C,
                                            spmv_error *err)
{
    spmv_gpu_matrix *made = NULL;
    spmv__gpu *gpu;
    spmv_status st;
    SPMV__REQUIRE(C != NULL, err);
    *C = NULL;
    SPMV__REQUIRE(plan != NULL, err);
    SPMV__TRY(check_plan(plan, err));
    SPMV__REQUIRE(!plan->ctx->recording, err);
    SPMV__TRY(spmv__context_gpu(&gpu, plan->ctx, err));
    SPMV__TRY(spmv__gpu_product_matrix(&made, &plan->on_gpu.product, plan->ctx, err));
    SPMV__TRY(spmv__listed_product_enqueue(&plan->on_gpu, made, err));
    *C = made;
    made = NULL;
done:
    spmv_gpu_matrix_destroy(made);
    return st;
}

spmv_status spmv_spgemm_plan_multiply_on_gpu(spmv_spgemm_plan *plan, spmv_gpu_matrix *C,
                                             spmv_spgemm_result *result, spmv_error *err)
{
    spmv_status st;
    if (result != NULL) *result = (spmv_spgemm_result){0};
    SPMV__REQUIRE(plan != NULL && C != NULL, err);
    SPMV__TRY(check_plan(plan, err));
    const spmv__gpu_product *p = &plan->on_gpu.product;
    const spmv_matrix wanted = spmv__blank(SPMV_CSR, p->type, SPMV_GENERAL, p->A->shape.head.rows,
                                           p->B->shape.head.cols, p->nnz);
    SPMV__TRY(spmv__plan_matrix_check(&wanted, &C->shape, "C", err));
    SPMV__REQUIRE(C != p->A && C != p->B, err);
    SPMV__REQUIRE(C->device == plan->ctx->device, err);
    SPMV__TRY(spmv__gpu_matrix_check_own(C, err));
    if (plan->ctx->recording && result != NULL)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "what is recorded gives no result");
    st = repeat(plan, C, result, err);
done:
    return st;
}
