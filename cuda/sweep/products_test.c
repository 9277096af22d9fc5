/* products_test.c -- one multiplication after another with one kernel, each compared with exact
 * sums over the matrix as it was drawn: before it was transposed and converted. */
#include "core/base/random.h"
#include "core/matrix/value.h"
#include "sweep_test.h"

#include <stdarg.h>

static void say(char why[256], const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(char why[256], const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(why, 256, format, args);
    va_end(args);
}

/* ---- Draws ----------------------------------------------------------------------------------- */

sweep_setting sweep_draw_setting(dice *d, const spmv_kernel *kernel, spmv_type vector)
{
    static const int blocks[] = {0, 0, 32, 64, 128, 256, 512, 1024};
    static const int64_t slices[] = {0, 0, 1, 2, 7, 32, 33, 64, 128, 256, 1024};
    static const int64_t windows[] = {0, 0, 1, 1, 2, 4};
    sweep_setting s = {.kernel = kernel, .vector = vector, .transpose = dice_chance(d, 15)};
    s.options = (spmv_kernel_options){.kernel = kernel->name,
                                      .block_size = DICE_PICK(d, blocks),
                                      .x_readonly = dice_chance(d, 30),
                                      .vector_type = dice_chance(d, 90) ? vector : SPMV_PATTERN};
    s.build.max_fill = dice_chance(d, 50) ? 0 : 30;
    if (dice_chance(d, 50)) s.build.hyb_width = dice_below(d, 6) - 1;
    if (dice_chance(d, 20)) s.build.ell_width = dice_below(d, 40);
    s.build.sell_slice = DICE_PICK(d, slices);
    s.build.sell_window = DICE_PICK(d, windows);
    if (s.build.sell_window > 1) { /* whole slices; CSELL rounds them up to lanes */
        const int64_t slice = s.build.sell_slice > 0 ? s.build.sell_slice : 32;
        s.build.sell_window *= kernel->format == SPMV_CSELL ? (slice + 31) / 32 * 32 : slice;
        s.build.sell_slice = slice;
    }
    if (kernel->format == SPMV_BSR && dice_chance(d, 80))
        s.build.bsr_block = 2 + dice_below(d, SPMV_BSR_BLOCK - 1);
    return s;
}

static spmv_scalar draw_factor(dice *d, bool complex)
{
    static const double simple[] = {0, 1, 1, -1};
    if (dice_chance(d, 65)) return spmv__number(DICE_PICK(d, simple), 0);
    return spmv__number(4 * dice_uniform(d) - 2, complex ? 4 * dice_uniform(d) - 2 : 0);
}

sweep_product sweep_draw_product(dice *d, const sweep_setting *s)
{
    static const int64_t several[] = {2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 65, 130};
    sweep_product p = {.vectors = dice_chance(d, 60) ? 1 : DICE_PICK(d, several)};
    const bool complex = spmv_type_is_complex(s->vector);
    p.by_rows = s->kernel->spmm && dice_chance(d, 70);
    if (!p.by_rows && p.vectors > 5) p.vectors = dice_below(d, 30) > 0 ? 2 : 0;
    p.alpha = dice_chance(d, 50) ? spmv__number(1, 0) : draw_factor(d, complex);
    p.beta = dice_chance(d, 40) ? spmv__number(0, 0) : draw_factor(d, complex);
    p.on_gpu = dice_chance(d, 50);
    if (p.on_gpu && dice_chance(d, 50)) p.replays = spmv__is_zero(p.beta) ? 3 : 1;
    if (dice_chance(d, 20) && !spmv__is_zero(p.alpha)) p.odd_elements = 1 + (int)dice_below(d, 3);
    p.seed = d->drawn++ ^ d->stream;
    return p;
}

/* ---- One product ----------------------------------------------------------------------------- */

/* A product, and what goes into and comes out of it. */
typedef struct product_run {
    const sweep_product *p;
    spmv_context *ctx;
    spmv_operator *op;
    spmv_dense x, y0, y;
} product_run;

static spmv_status make_vectors(product_run *r, spmv_type type, const spmv_head *A, spmv_error *err)
{
    spmv_status st;
    const sweep_product *p = r->p;
    SPMV__TRY(spmv_dense_create(&r->x, type, A->cols, p->vectors, err));
    SPMV__TRY(spmv_dense_create(&r->y0, type, A->rows, p->vectors, err));
    SPMV__TRY(spmv_dense_create(&r->y, type, A->rows, p->vectors, err));
    r->x.by_rows = r->y0.by_rows = r->y.by_rows = p->by_rows;
    spmv_dense_fill_random(&r->x, p->seed);
    spmv_dense_fill_random(&r->y0, spmv__mix(p->seed));
    for (int64_t i = 0; spmv__is_zero(p->beta) && i < A->rows * p->vectors; i++)
        spmv__set_scalar(type, r->y0.data, i, spmv__number(NAN, NAN));
    for (int i = 0; i < p->odd_elements && A->cols * p->vectors > 0; i++) {
        const double odd[] = {NAN, INFINITY, -INFINITY};
        const double at = spmv__uniform(p->seed, (uint64_t)i) * (double)(A->cols * p->vectors);
        spmv__set_scalar(type, r->x.data, (int64_t)at, spmv__number(odd[i], 0));
    }
    memcpy(r->y.data, r->y0.data, (size_t)(A->rows * p->vectors) * spmv_type_size(type));
done:
    return st;
}

/* Multiplies by recording and replaying, or by enqueueing and waiting. */
static spmv_status multiply_there(const product_run *r, const spmv_dense *x, spmv_dense *y,
                                  spmv_error *err)
{
    spmv_recording *recording = NULL;
    const bool recorded = r->p->replays > 0;
    spmv_status st;
    /* Room for several vectors is made before anything is recorded. */
    if (recorded && r->p->vectors > 1) {
        spmv_dense other = {0};
        SPMV__TRY(spmv_dense_to_gpu(&other, r->ctx, &r->y0, err));
        st = spmv_apply_complex(r->op, r->p->alpha, x, spmv__number(0, 0), &other, NULL, err);
        if (st == SPMV_SUCCESS) st = spmv_context_synchronize(r->ctx, err);
        spmv_dense_destroy(&other);
        SPMV__TRY(st);
    }
    if (recorded) SPMV__TRY(spmv_context_record(r->ctx, err));
    st = spmv_apply_complex(r->op, r->p->alpha, x, r->p->beta, y, NULL, err);
    if (recorded) {
        spmv_error other;
        const spmv_status end = spmv_context_record_end(r->ctx, &recording, &other);
        if (st == SPMV_SUCCESS && end != SPMV_SUCCESS) *err = other, st = end;
    }
    for (int i = 0; i < r->p->replays && st == SPMV_SUCCESS; i++)
        st = spmv_context_replay(r->ctx, recording, err);
    if (st == SPMV_SUCCESS) st = spmv_context_synchronize(r->ctx, err);
done:
    spmv_recording_destroy(recording);
    return st;
}

static spmv_status multiply(product_run *r, spmv_error *err)
{
    const sweep_product *p = r->p;
    spmv_dense x = {0}, y = {0}, back;
    spmv_status st;
    if (!p->on_gpu) return spmv_apply_complex(r->op, p->alpha, &r->x, p->beta, &r->y, NULL, err);
    SPMV__TRY(spmv_dense_to_gpu(&x, r->ctx, &r->x, err));
    SPMV__TRY(spmv_dense_to_gpu(&y, r->ctx, &r->y, err));
    SPMV__TRY(multiply_there(r, &x, &y, err));
    SPMV__TRY(spmv_dense_from_gpu(&back, r->ctx, &y, err));
    spmv_dense_destroy(&r->y);
    r->y = back;
done:
    spmv_dense_destroy(&x);
    spmv_dense_destroy(&y);
    return st;
}

static void release(product_run *r)
{
    spmv_dense_destroy(&r->x);
    spmv_dense_destroy(&r->y0);
    spmv_dense_destroy(&r->y);
}

/* ---- All products with one operator ---------------------------------------------------------- */

static sweep_outcome failed(spmv_status st, const spmv_error *err, const char *doing, char why[256])
{
    const bool refused = st == SPMV_ERROR_UNSUPPORTED || st == SPMV_ERROR_OUT_OF_MEMORY ||
                         st == SPMV_ERROR_CUDA_MALLOC;
    say(why, "%s: %.200s", doing, err->message);
    return refused ? SWEEP_REFUSED : SWEEP_WRONG;
}

static sweep_outcome check_product(const spmv_matrix *R, product_run *r, char why[256])
{
    const sweep_product *p = r->p;
    spmv_verification v;
    spmv_error err = {0};
    spmv_status st = make_vectors(r, r->x.type, &R->head, &err);
    if (st != SPMV_SUCCESS) return failed(st, &err, "vectors", why);
    st = multiply(r, &err);
    if (st != SPMV_SUCCESS) return failed(st, &err, "multiplying", why);
    if (p->vectors == 0) return SWEEP_RIGHT;
    st = spmv_verify_complex(R, p->alpha, &r->x, p->beta, &r->y0, &r->y, NULL, &v, &err);
    if (st != SPMV_SUCCESS) return failed(st, &err, "verifying", why);
    if (v.pass) return SWEEP_RIGHT;
    say(why,
        "row %lld of y is wrong (scaled error %.3g, %lld wrong): (%g, %g) A x + "
        "(%g, %g) y, %lld vectors by %s%s, %d replays, %d odd elements",
        (long long)v.worst_row + 1, v.scaled_error, (long long)v.wrong, p->alpha.re, p->alpha.im,
        p->beta.re, p->beta.im, (long long)p->vectors, p->by_rows ? "rows" : "columns",
        p->on_gpu ? " on the GPU" : "", p->replays, p->odd_elements);
    return SWEEP_WRONG;
}

/* Makes the products, and the first one again: a deterministic kernel gives the same bits. */
static sweep_outcome check_products(spmv_context *ctx, spmv_operator *op, const spmv_matrix *R,
                                    const sweep_setting *s, const sweep_product *p, int n,
                                    int64_t *products, char why[256])
{
    const spmv_type vector = s->vector;
    sweep_outcome outcome = SWEEP_RIGHT;
    product_run first = {.ctx = ctx, .op = op, .x.type = vector};
    for (int i = 0; i <= n && outcome == SWEEP_RIGHT; i++) {
        product_run r = {.p = p + i % n, .ctx = ctx, .op = op, .x.type = vector};
        outcome = check_product(R, &r, why);
        *products += outcome != SWEEP_REFUSED;
        if (i == 0) {
            first = r;
            continue;
        }
        const size_t bytes = (size_t)(r.y.rows * r.y.cols) * spmv_type_size(vector);
        if (outcome == SWEEP_RIGHT && i == n && s->kernel->deterministic &&
            memcmp(r.y.data, first.y.data, bytes) != 0) {
            say(why, "the same product gives other bits the second time");
            outcome = SWEEP_WRONG;
        }
        release(&r);
    }
    release(&first);
    return outcome;
}

sweep_outcome sweep_multiply(spmv_context *ctx, const spmv_matrix *A, const sweep_setting *s,
                             const sweep_product *p, int n, int64_t *products, char why[256])
{
    spmv_matrix transposed = {0}, converted = {0};
    /* The rows of A are the columns of its transpose: the reference needs no transposition. */
    const spmv_matrix R = {.csc = {A->head.type, SPMV_GENERAL, A->head.cols, A->head.rows,
                                   A->head.nnz, NULL, A->csr.row_ptr, A->csr.col_idx, A->csr.val}};
    spmv_matrix reference = *A;
    spmv_operator *op = NULL;
    spmv_error err = {0};
    spmv_status st = SPMV_SUCCESS;
    sweep_outcome outcome;
    const char *doing = "transposing";

    if (s->transpose) {
        reference = R;
        reference.format = SPMV_CSC;
        SPMV__TRY(spmv_transpose(&transposed, A, NULL, &err));
    }
    doing = "converting";
    SPMV__TRY(spmv_convert(&converted, s->transpose ? &transposed : A, s->kernel->format, &s->build,
                           &err));
    doing = "checking the conversion";
    SPMV__TRY(spmv_check(&converted, &err));
    doing = "planning";
    SPMV__TRY(spmv_operator_create(&op, ctx, &converted, &s->options, &err));
done:
    outcome = st != SPMV_SUCCESS ? failed(st, &err, doing, why)
                                 : check_products(ctx, op, &reference, s, p, n, products, why);
    spmv_operator_destroy(op);
    spmv_destroy(&converted);
    spmv_destroy(&transposed);
    return outcome;
}
