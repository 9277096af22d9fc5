/* spgemm_plan.c -- many products of one pattern, of matrices on the host. */
#include "cuda/host/spgemm_plan.h"

#include "core/matrix/format.h"
#include "core/matrix/value.h"

#include <stdlib.h>

/* ---- Making a plan -------------------------------------------------------------------------- */

spmv_status spmv__plan_options_check(const spmv_spgemm_options *o, spmv_error *err)
{
    const struct {
        bool set;
        const char *why;
    } refused[] = {
        {o->boolean, "boolean: a product without values is made once"},
        {o->serial, "serial: that is the way in which nothing is planned"},
        {o->drop_zeros, "drop_zeros: where C has entries would depend on values"},
        {o->top != 0, "top: where C has entries would depend on values"},
    };
    for (size_t k = 0; k < sizeof refused / sizeof refused[0]; k++)
        if (refused[k].set)
            return spmv__fail(err, SPMV_ERROR_UNSUPPORTED, "a plan cannot have %s", refused[k].why);
    return SPMV_SUCCESS;
}

static spmv_status open_operands(spmv_spgemm_plan *plan, const spmv_matrix *A, const spmv_matrix *B,
                                 const spmv_spgemm_options *o, spmv_error *err)
{
    spmv_status st;
    plan->square = A == B;
    plan->second = A != B || o->transpose_a != o->transpose_b;
    SPMV__TRY(spmv__plan_operand_open(&plan->operand[0], A, o->transpose_a, "A", err));
    if (plan->second == 1)
        SPMV__TRY(spmv__plan_operand_open(&plan->operand[1], B, o->transpose_b, "B", err));
done:
    return st;
}

static spmv_status open_cpu(spmv_spgemm_plan *plan, const spmv_spgemm_options *o, spmv_error *err)
{
    const spmv_status st = spmv__planned_product_open(&plan->on_cpu, &plan->operand[0].rows,
                                                      &plan->operand[plan->second].rows, o, err);
    if (st != SPMV_SUCCESS) return st;
    plan->C = spmv__wrap_csr(&plan->on_cpu.C);
    plan->type = plan->on_cpu.p.job.type;
    return st;
}

/* Leaves of the structure of C what the mask lets through. */
static spmv_status select_entries(spmv_spgemm_plan *plan, const spmv_csr *mask, spmv_error *err)
{
    spmv_csr *C = &plan->C.csr;
    int64_t n = 0, begin = 0;
    spmv_status st;
    SPMV__TRY(spmv__alloc(&plan->kept, C->nnz, sizeof *plan->kept, "entries of the mask", err));
    SPMV__TRY(spmv__alloc(&plan->all, C->nnz, spmv_type_size(plan->type), "all entries", err));
    for (int64_t i = 0; i < C->rows; i++) {
        const int64_t end = C->row_ptr[i + 1];
        int64_t q = mask->row_ptr[i];
        for (int64_t p = begin; p < end; p++) {
            while (q < mask->row_ptr[i + 1] && mask->col_idx[q] < C->col_idx[p]) q++;
            if (q == mask->row_ptr[i + 1] || mask->col_idx[q] != C->col_idx[p]) continue;
            plan->kept[n] = p;
            C->col_idx[n++] = C->col_idx[p];
        }
        begin = end;
        C->row_ptr[i + 1] = n;
    }
    C->nnz = n;
done:
    return st;
}

/* plan->C = where C has entries, from the GPU, which has made a first product. */
static spmv_status download_structure(spmv_spgemm_plan *plan, const spmv_spgemm_options *o,
                                      const spmv__prepared_product *p, spmv_error *err)
{
    spmv_status st;
    SPMV__TRY(spmv__listed_product_enqueue(&plan->on_gpu, plan->made, err));
    spmv_gpu_matrix places = *plan->made;
    places.shape.head.type = SPMV_PATTERN;
    places.shape.csr.val = NULL;
    SPMV__TRY(spmv_from_gpu(&plan->C, plan->ctx, &places, err));
    if (o->mask != NULL) st = select_entries(plan, p->job.mask, err);
done:
    return st;
}

static spmv_status open_gpu(spmv_spgemm_plan *plan, const spmv_spgemm_options *o, spmv_error *err)
{
    const spmv_matrix *A = &plan->operand[0].rows, *B = &plan->operand[plan->second].rows;
    spmv__prepared_product p = {0};
    spmv_status st;
    SPMV__TRY(spmv__product_operands(&p, A, B, o, err));
    plan->type = p.job.type;
    SPMV__TRY(spmv_to_gpu(&plan->copy[0], plan->ctx, A, err));
    if (plan->second == 1) SPMV__TRY(spmv_to_gpu(&plan->copy[1], plan->ctx, B, err));
    SPMV__TRY(spmv__listed_product_open(&plan->on_gpu, plan->ctx, plan->copy[0],
                                        plan->copy[plan->second], err));
    SPMV__TRY(spmv__gpu_product_matrix(&plan->made, &plan->on_gpu.product, plan->ctx, err));
    st = download_structure(plan, o, &p, err);
done:
    spmv__prepared_product_destroy(&p);
    return st;
}

spmv_status spmv_spgemm_plan_create(spmv_spgemm_plan **out, spmv_context *ctx, const spmv_matrix *A,
                                    const spmv_matrix *B, const spmv_spgemm_options *options,
                                    spmv_error *err)
{
    spmv_spgemm_options o = options != NULL ? *options : (spmv_spgemm_options){0};
    spmv_spgemm_plan *plan = NULL;
    spmv_status st;
    SPMV__REQUIRE(out != NULL, err);
    *out = NULL;
    SPMV__REQUIRE(A != NULL && B != NULL, err);
    SPMV__TRY(spmv__plan_options_check(&o, err));
    SPMV__TRY(spmv__alloc(&plan, 1, sizeof *plan, "the plan of a product", err));
    plan->ctx = ctx;
    SPMV__TRY(open_operands(plan, A, B, &o, err));
    o.transpose_a = o.transpose_b = false; /* the operands are */
    if (ctx != NULL && o.threads == 0) o.threads = ctx->threads;
    plan->threads = spmv__threads(o.threads);
    SPMV__TRY(ctx != NULL && ctx->gpu != NULL ? open_gpu(plan, &o, err) : open_cpu(plan, &o, err));
    *out = plan;
    plan = NULL;
done:
    spmv_spgemm_plan_destroy(plan);
    return st;
}

void spmv_spgemm_plan_destroy(spmv_spgemm_plan *plan)
{
    if (plan == NULL) return;
    if (plan->made != NULL) spmv_destroy(&plan->C);
    spmv__planned_product_close(&plan->on_cpu);
    spmv__listed_product_close(&plan->on_gpu);
    spmv_gpu_matrix_destroy(plan->made);
    for (int k = 0; k < 2; k++) {
        spmv_gpu_matrix_destroy(plan->copy[k]);
        spmv__plan_operand_close(&plan->operand[k]);
    }
    free(plan->kept);
    free(plan->all);
    free(plan);
}

/* ---- Multiplying ---------------------------------------------------------------------------- */

/* The head of C. */
static spmv_matrix blank(const spmv_spgemm_plan *plan)
{
    const spmv_head *C = &plan->C.head;
    return spmv__blank(SPMV_CSR, plan->type, SPMV_GENERAL, C->rows, C->cols, C->nnz);
}

/* Gives an operand the values of a matrix.  NULL: those given last, which a GPU has, and which are
 * read again on the CPU. */
static spmv_status set_operand(spmv_spgemm_plan *plan, int k, const spmv_matrix *A, spmv_error *err)
{
    spmv__plan_operand *operand = &plan->operand[k];
    if (k == 1 && plan->second == 0) return SPMV_SUCCESS;
    if (A == NULL && plan->copy[k] != NULL) return SPMV_SUCCESS;
    spmv__plan_operand_set(operand, A, plan->threads);
    if (plan->copy[k] == NULL) return SPMV_SUCCESS;
    return spmv_gpu_matrix_set(plan->copy[k], plan->ctx, &operand->rows, err);
}

static spmv_status multiply_on_cpu(spmv_spgemm_plan *plan, spmv_matrix *C,
                                   spmv_spgemm_result *result, spmv_error *err)
{
    const spmv__plan_operand *A = &plan->operand[0], *B = &plan->operand[plan->second];
    const double start = spmv_now();
    const spmv_status st =
        spmv__planned_product_sum(&plan->on_cpu, A->rows.csr.val, B->rows.csr.val, C->csr.val, err);
    *result = (spmv_spgemm_result){plan->on_cpu.p.before[C->head.rows], spmv_now() - start};
    return st;
}

static spmv_status multiply_on_gpu(spmv_spgemm_plan *plan, spmv_matrix *C,
                                   spmv_spgemm_result *result, spmv_error *err)
{
    const spmv_csr *made = &plan->made->shape.csr;
    const int64_t bytes = made->nnz * (int64_t)spmv_type_size(plan->type);
    const bool all = plan->kept == NULL;
    spmv__gpu *gpu;
    spmv_status st;
    SPMV__TRY(spmv__context_gpu(&gpu, plan->ctx, err));
    const double start = spmv_now();
    SPMV__TRY(spmv__listed_product_repeat(&plan->on_gpu, plan->made, err));
    SPMV__TRY(spmv__gpu_synchronize(gpu, err));
    *result = (spmv_spgemm_result){plan->on_gpu.product.all_products, spmv_now() - start};
    SPMV__TRY(spmv__gpu_download(gpu, all ? C->csr.val : plan->all, made->val, bytes, err));
    for (int64_t p = 0; !all && p < C->head.nnz; p++)
        spmv__copy_value(plan->type, C->csr.val, p, plan->all, plan->kept[p]);
done:
    return st;
}

static spmv_status check_plan(const spmv_spgemm_plan *plan, spmv_error *err)
{
    if (!spmv__plan_is_on_host(plan))
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                          "the plan was made of matrices on the GPU");
    return SPMV_SUCCESS;
}

static spmv_status check_matrix(const spmv_matrix *like, const spmv_matrix *A, const char *name,
                                spmv_error *err)
{
    const spmv_status st = spmv__plan_matrix_check(like, A, name, err);
    return st == SPMV_SUCCESS ? spmv__check_given(A, name, err) : st;
}

static spmv_status check_multiply(const spmv_spgemm_plan *plan, const spmv_matrix *A,
                                  const spmv_matrix *B, const spmv_matrix *C, spmv_error *err)
{
    spmv_status st;
    SPMV__TRY(check_plan(plan, err));
    if (plan->square && B != NULL && B != A)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                          "A and B were one matrix when the plan was made, and are two");
    if (A != NULL) SPMV__TRY(check_matrix(&plan->operand[0].like, A, "A", err));
    if (B != NULL && !plan->square) SPMV__TRY(check_matrix(&plan->operand[1].like, B, "B", err));
    const spmv_matrix wanted = blank(plan);
    SPMV__TRY(check_matrix(&wanted, C, "C", err));
    if (plan->ctx != NULL && plan->ctx->recording)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                          "what is recorded takes matrices on the GPU");
done:
    return st;
}

spmv_status spmv_spgemm_plan_multiply(spmv_spgemm_plan *plan, const spmv_matrix *A,
                                      const spmv_matrix *B, spmv_matrix *C,
                                      spmv_spgemm_result *result, spmv_error *err)
{
    spmv_spgemm_result own = {0};
    spmv_status st;
    if (result != NULL) *result = own;
    SPMV__REQUIRE(plan != NULL && C != NULL, err);
    SPMV__REQUIRE(C != A && C != B, err);
    SPMV__TRY(check_multiply(plan, A, B, C, err));
    SPMV__TRY(set_operand(plan, 0, A, err));
    SPMV__TRY(set_operand(plan, 1, plan->square ? A : B, err));
    SPMV__TRY(plan->made != NULL ? multiply_on_gpu(plan, C, &own, err)
                                 : multiply_on_cpu(plan, C, &own, err));
    if (result != NULL) *result = own;
done:
    return st;
}

spmv_status spmv_spgemm_plan_product(spmv_spgemm_plan *plan, spmv_matrix *C, spmv_error *err)
{
    spmv_status st;
    SPMV__REQUIRE(C != NULL, err);
    memset(C, 0, sizeof *C);
    SPMV__REQUIRE(plan != NULL, err);
    SPMV__TRY(check_plan(plan, err));
    const spmv_csr *from = &plan->C.csr;
    *C = blank(plan);
    SPMV__TRY(spmv__allocate(C, err));
    memcpy(C->csr.row_ptr, from->row_ptr, (size_t)(from->rows + 1) * sizeof *from->row_ptr);
    if (from->nnz > 0)
        memcpy(C->csr.col_idx, from->col_idx, (size_t)from->nnz * sizeof *from->col_idx);
    st = spmv_spgemm_plan_multiply(plan, NULL, NULL, C, NULL, err);
done:
    if (st != SPMV_SUCCESS) spmv_destroy(C);
    return st;
}
