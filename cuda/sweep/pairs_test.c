/* pairs_test.c -- sparse products on a GPU beside the CPU, bit for bit: A times itself, its
 * transpose or rows of it in another order, at once and by a plan, with the limits between the ways
 * to make a row moved. */
#include "core/base/base.h"
#include "cuda/spgemm/product_limits.h"
#include "sweep_test.h"

/* Says how two matrices are multiplied. */
typedef struct pair_setting {
    spmv_spgemm_options options;
    spmv__product_limits limits;
    bool planned;
} pair_setting;

static pair_setting draw_setting(dice *d)
{
    static const int64_t few[] = {0, 1 << 21, INT64_MAX},
                         spread[] = {1, 1 << 8, 1 << 14, INT64_MAX}, window[] = {1, 3, INT32_MAX};
    pair_setting s = {.planned = dice_chance(d, 40)};
    s.limits.few = DICE_PICK(d, few);
    s.limits.spread = DICE_PICK(d, spread);
    s.limits.window = DICE_PICK(d, window);
    s.limits.narrow = s.limits.few == 0 ? 0 : INT32_MAX;
    s.options.boolean = !s.planned && dice_chance(d, 25);
    return s;
}

/* Makes a matrix that A can be multiplied by: row k is one of A, at times that of row k - 1. */
static spmv_status draw_rows(dice *d, spmv_matrix *out, const spmv_matrix *A, spmv_error *err)
{
    const int64_t rows = A->head.cols, room = 4 * A->head.nnz + 64;
    const size_t size = spmv_type_size(A->head.type);
    const double again = dice_chance(d, 30) ? 97 : 10;
    int64_t nnz = 0, i = 0;
    spmv_status st;
    *out = (spmv_matrix){.format = SPMV_CSR};
    SPMV__TRY(spmv_csr_create(&out->csr, A->head.type, rows, A->head.cols, room, err));
    for (int64_t k = 0; k < rows && A->head.rows > 0; k++) {
        if (k == 0 || !dice_chance(d, again)) i = dice_below(d, A->head.rows);
        const int64_t begin = A->csr.row_ptr[i], n = A->csr.row_ptr[i + 1] - begin;
        if (n <= room - nnz) {
            memcpy(out->csr.col_idx + nnz, A->csr.col_idx + begin, (size_t)n * sizeof(int32_t));
            if (size > 0)
                memcpy((char *)out->csr.val + (size_t)nnz * size,
                       (const char *)A->csr.val + (size_t)begin * size, (size_t)n * size);
            nnz += n;
        }
        out->csr.row_ptr[k + 1] = nnz;
    }
    out->head.nnz = nnz;
done:
    return st;
}

/* Chooses what A is multiplied by: *other, which becomes a matrix of its own, or A. */
static spmv_status draw_second(dice *d, const spmv_matrix **B, spmv_matrix *other,
                               const spmv_matrix *A, spmv_spgemm_options *options, spmv_error *err)
{
    const double chance = 100 * dice_uniform(d);
    *B = A;
    if (chance < 25)
        options->transpose_a = true;
    else if (chance < 50)
        options->transpose_b = true;
    else if (chance > 70 || A->head.rows != A->head.cols) {
        *B = other;
        return draw_rows(d, other, A, err);
    }
    return SPMV_SUCCESS;
}

/* With a plan the values are those of a second product. */
static spmv_status multiply(spmv_matrix *C, spmv_context *ctx, const spmv_matrix *A,
                            const spmv_matrix *B, const pair_setting *s, spmv_error *err)
{
    spmv_spgemm_plan *plan = NULL;
    spmv_status st;
    if (!s->planned) return spmv_spgemm_gpu(C, A, B, &s->options, ctx, NULL, err);
    SPMV__TRY(spmv_spgemm_plan_create(&plan, ctx, A, B, &s->options, err));
    SPMV__TRY(spmv_spgemm_plan_product(plan, C, err));
    if (C->csr.val != NULL)
        memset(C->csr.val, 0x55, (size_t)C->head.nnz * spmv_type_size(C->head.type));
    st = spmv_spgemm_plan_multiply(plan, NULL, NULL, C, NULL, err);
done:
    spmv_spgemm_plan_destroy(plan);
    return st;
}

sweep_outcome sweep_pair(dice *d, spmv_context *ctx, const spmv_matrix *A, char why[256])
{
    enum { MOST_PRODUCTS = 1 << 22, MOST_NARROW = 1 << 16 };
    const spmv__product_limits usual = spmv__product_limits_now;
    pair_setting s = draw_setting(d);
    spmv_matrix other = {0}, C = {0}, D = {0};
    spmv_error err = {0};
    spmv_spgemm_estimate estimate = {0};
    sweep_outcome outcome = SWEEP_REFUSED;
    const spmv_matrix *B;
    spmv_status st;
    SPMV__TRY(draw_second(d, &B, &other, A, &s.options, &err));
    SPMV__TRY(spmv_spgemm_estimate_product(&estimate, A, B, &s.options, &err));
    if (estimate.products > MOST_PRODUCTS) goto done;
    if (B->head.cols > MOST_NARROW || B->head.rows > MOST_NARROW) s.limits.window = usual.window;
    SPMV__TRY(spmv_spgemm(&C, A, B, &s.options, NULL, &err));
    outcome = SWEEP_WRONG;
    spmv__product_limits_now = s.limits;
    SPMV__TRY(multiply(&D, ctx, A, B, &s, &err));
    outcome = spmv_identical(&C, &D) ? SWEEP_RIGHT : SWEEP_WRONG;
    snprintf(why, 256, "a sparse product of %lld products%s has other bits than on the CPU",
             (long long)estimate.products, s.planned ? " by a plan" : "");
done:
    spmv__product_limits_now = usual;
    if (st != SPMV_SUCCESS) snprintf(why, 256, "sparse product: %.200s", err.message);
    spmv_destroy(&other);
    spmv_destroy(&C);
    spmv_destroy(&D);
    return outcome;
}
