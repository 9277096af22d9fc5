/* apply.c -- y = alpha A x + beta y: check the arguments, run the kernel, report what it took. */
#include "core/matrix/value.h"
#include "core/matrix/format.h"
#include "core/matrix/vectors.h"
#include "cuda/gpu/context.h"
#include "cuda/host/kernels.h"
#include "cuda/kernels/transpose_dense.h"

#include <math.h>
#include <stdlib.h>

/* Of a packed vector that was checked. */
static int64_t bytes_of(const spmv_dense *v)
{
    return v->rows * v->cols * (int64_t)spmv_type_size(v->type);
}

/* Are the vectors stored by rows, to be multiplied in one pass? */
static bool is_spmm(const spmv_dense *x, const spmv_dense *y)
{
    return spmv__by_rows(x) || spmv__by_rows(y);
}

/* Are they stored by columns, and so many that they are multiplied by rows all the same? */
static bool is_transposed(const spmv_operator *op, const spmv_dense *x, const spmv_dense *y)
{
    if (op->on_gpu == NULL || op->code->spmm == NULL || is_spmm(x, y)) return false;
    return op->code->spmm->least_columns > 0 && x->cols >= op->code->spmm->least_columns;
}

static bool is_aligned(const spmv_dense *v)
{
    return (uintptr_t)v->data % spmv_type_size(v->type) == 0;
}

static bool takes_rows(const spmv_kernel *kernel)
{
    return kernel->spmm;
}

/* Refuse before anything is computed. */
static spmv_status check(const spmv_operator *op, spmv_scalar alpha, const spmv_dense *x,
                         spmv_scalar beta, const spmv_dense *y, bool timed, spmv_error *err)
{
    const spmv_head *A = &op->A->head;
    const spmv_status st = spmv__check_product(A->type, A->rows, A->cols, alpha, x, beta, y, err);
    if (st != SPMV_SUCCESS) return st;
    if (x->on_gpu != y->on_gpu || (x->on_gpu && op->on_gpu == NULL))
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                          "x is on the %s, y on the %s and the operator on the %s",
                          x->on_gpu ? "GPU" : "CPU", y->on_gpu ? "GPU" : "CPU",
                          op->on_gpu != NULL ? "GPU" : "CPU");
    if (x->on_gpu && !(is_aligned(x) && is_aligned(y)))
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                          "vectors on the GPU begin at a multiple of the size of a number");
    if (is_spmm(x, y) && !op->kernel->spmm) {
        char names[SPMV__KERNEL_NAMES];
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                          "kernel %s takes no vectors stored by rows; %s do", op->kernel->name,
                          spmv__kernel_names(takes_rows, names));
    }
    if (is_spmm(x, y) && op->on_gpu != NULL && !(spmv__is_packed(x) && spmv__is_packed(y)))
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                          "kernel %s takes vectors stored by rows without gaps; cpu-csr takes any",
                          op->kernel->name);
    if (op->ctx->recording && (!x->on_gpu || timed))
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                          "what is recorded takes vectors on the GPU and gives no result");
    return SPMV_SUCCESS;
}

/* At least so much memory where the operator is. */
static spmv_status reserve(const spmv_operator *op, staging *s, int64_t bytes, const char *what,
                           spmv_error *err)
{
    const bool gpu = op->on_gpu != NULL;
    if (bytes <= s->bytes) return SPMV_SUCCESS;
    if (op->ctx->recording)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                          "%s take memory: multiply with as many vectors before it is recorded",
                          what);
    if (gpu)
        spmv__gpu_free(s->data);
    else
        free(s->data);
    *s = (staging){0};
    const spmv_status st = gpu ? spmv__gpu_alloc(&s->data, bytes, what, err)
                               : spmv__alloc(&s->data, bytes, 1, what, err);
    if (st == SPMV_SUCCESS) s->bytes = bytes;
    return st;
}

static spmv_status run_cpu(spmv_operator *op, spmv_scalar alpha, const spmv_dense *x,
                           spmv_scalar beta, const spmv_dense *y, double *seconds, spmv_error *err)
{
    const spmv__format *format = spmv__format_of(op->A->format);
    const int threads = op->ctx->threads;
    int64_t bytes = 0;

    if (is_spmm(x, y)) {
        const int64_t each = SPMV__SPMM_SCRATCH * (int64_t)sizeof(double);
        if (!spmv__product(x->cols, each, &bytes)) bytes = INT64_MAX;
        const spmv_status st = reserve(op, &op->workspace, bytes, "sums of shared rows", err);
        if (st != SPMV_SUCCESS) return st;
    }
    const double start = spmv_now();
    if (is_spmm(x, y)) format->spmm(op->A, alpha, x, beta, y, op->workspace.data, threads);
    for (int64_t c = 0; c < x->cols && !is_spmm(x, y); c++)
        format->multiply(op->A, x->type, alpha, spmv__column_of(x, c), beta, spmv__column_of(y, c),
                         op->scratch, threads);
    *seconds = spmv_now() - start;
    return SPMV_SUCCESS;
}

/* y = 0 is all that is asked for: then clearing takes a third of the time of a kernel. */
static bool only_clears(const spmv_operator *op, spmv_scalar alpha, spmv_scalar beta)
{
    return op->A->head.nnz == 0 && isfinite(alpha.re) && isfinite(alpha.im) && spmv__is_zero(beta);
}

/* Enqueue one launch for all vectors, or one for each; x and y are on the device. */
static spmv_status enqueue_product(const spmv_operator *op, spmv_scalar alpha, const spmv_dense *x,
                                   spmv_scalar beta, const spmv_dense *y, spmv_error *err)
{
    const int64_t vectors = is_spmm(x, y) ? x->cols : 1;
    spmv_status st = SPMV_SUCCESS;
    for (int64_t c = 0; c < x->cols && y->rows > 0 && st == SPMV_SUCCESS; c += vectors) {
        const spmv__launch run = {
            .A = op->on_gpu,
            .plan = op->plan,
            .options = &op->options,
            .vector_type = x->type,
            .alpha = alpha,
            .beta = beta,
            .vectors = vectors,
            .x = spmv__column_of(x, c),
            .y = spmv__column_of(y, c),
            .workspace = op->workspace.data,
            .stream = spmv__gpu_stream(op->ctx->gpu),
        };
        if (only_clears(op, alpha, beta))
            st = spmv__gpu_clear(op->ctx->gpu, run.y,
                                 vectors * y->rows * (int64_t)spmv_type_size(y->type), err);
        else
            st = vectors > 1 ? op->code->spmm->launch(&run, err) : op->code->launch(&run, err);
    }
    return st;
}

/* The packed vectors on the device that stand for others; their memory is staged. */
static spmv_dense staged(const spmv_dense *others, const staging *memory)
{
    spmv_dense v = *others;
    v.data = memory->data;
    v.ld = 0;
    return v;
}

/* Enqueue to copy vectors by columns into others by rows, or back. */
static spmv_status enqueue_transpose(const spmv_operator *op, const spmv_dense *to,
                                     const spmv_dense *from, spmv_error *err)
{
    const spmv__dense_rows target = {to->data, spmv__ld(to)}, source = {from->data, spmv__ld(from)};
    const int64_t rows = from->by_rows ? from->rows : from->cols;
    return spmv__gpu_transpose(op->ctx->gpu, target, source, rows, from->rows + from->cols - rows,
                               (int64_t)spmv_type_size(from->type), err);
}

/* Enqueue the product, by rows where that takes less time. */
static spmv_status enqueue(const spmv_operator *op, spmv_scalar alpha, const spmv_dense *x,
                           spmv_scalar beta, const spmv_dense *y, spmv_error *err)
{
    spmv_dense x_rows = staged(x, &op->x_rows), y_rows = staged(y, &op->y_rows);
    spmv_status st;

    if (!is_transposed(op, x, y)) return enqueue_product(op, alpha, x, beta, y, err);
    x_rows.by_rows = y_rows.by_rows = true;
    SPMV__TRY(enqueue_transpose(op, &x_rows, x, err));
    if (!spmv__is_zero(beta)) SPMV__TRY(enqueue_transpose(op, &y_rows, y, err));
    SPMV__TRY(enqueue_product(op, alpha, &x_rows, beta, &y_rows, err));
    st = enqueue_transpose(op, y, &y_rows, err);
done:
    return st;
}

typedef spmv_status copy_bytes(spmv__gpu *gpu, void *to, const void *from, int64_t bytes,
                               spmv_error *err);

/* Copy vectors between host and device: at once where those of the host are packed, else column by
 * column. */
static spmv_status copy_vectors(spmv__gpu *gpu, copy_bytes *copy, const spmv_dense *to,
                                const spmv_dense *from, const spmv_dense *host, spmv_error *err)
{
    const bool whole = spmv__is_packed(host);
    const int64_t bytes = whole ? bytes_of(host) : bytes_of(host) / host->cols;
    spmv_status st = SPMV_SUCCESS;
    for (int64_t c = 0; c < (whole ? 1 : host->cols) && st == SPMV_SUCCESS; c++)
        st = copy(gpu, spmv__column_of(to, c), spmv__column_of(from, c), bytes, err);
    return st;
}

/* What several vectors by rows take beside themselves. */
static spmv_status reserve_for_spmm(spmv_operator *op, const spmv_dense *x, const spmv_dense *y,
                                    spmv_error *err)
{
    const bool transposed = is_transposed(op, x, y);
    spmv_status st = SPMV_SUCCESS;
    if (!is_spmm(x, y) && !transposed) return st;
    SPMV__TRY(reserve(op, &op->workspace, op->code->spmm->workspace(op->plan, x->cols),
                      "sums of pieces of rows", err));
    if (!transposed) return st;
    SPMV__TRY(reserve(op, &op->x_rows, bytes_of(x), "vectors by rows", err));
    SPMV__TRY(reserve(op, &op->y_rows, bytes_of(y), "vectors by rows", err));
done:
    return st;
}

/* seconds NULL: do not wait for vectors that are on the GPU. */
static spmv_status run_gpu(spmv_operator *op, spmv_scalar alpha, const spmv_dense *x,
                           spmv_scalar beta, const spmv_dense *y, double *seconds, spmv_error *err)
{
    spmv__gpu *gpu = op->ctx->gpu;
    spmv_dense x_there = *x, y_there = *y;
    spmv_status st = SPMV_SUCCESS;

    SPMV__TRY(spmv__gpu_select(gpu, err));
    SPMV__TRY(reserve_for_spmm(op, x, y, err));
    if (!x->on_gpu) {
        SPMV__TRY(reserve(op, &op->x, bytes_of(x), "x", err));
        SPMV__TRY(reserve(op, &op->y, bytes_of(y), "y", err));
        x_there = staged(x, &op->x);
        y_there = staged(y, &op->y);
        SPMV__TRY(copy_vectors(gpu, spmv__gpu_upload, &x_there, x, x, err));
        if (!spmv__is_zero(beta))
            SPMV__TRY(copy_vectors(gpu, spmv__gpu_upload, &y_there, y, y, err));
    }
    if (seconds != NULL) SPMV__TRY(spmv__gpu_timer_start(gpu, err));
    SPMV__TRY(enqueue(op, alpha, &x_there, beta, &y_there, err));
    if (seconds != NULL) SPMV__TRY(spmv__gpu_timer_stop(gpu, seconds, err));
    if (!y->on_gpu) SPMV__TRY(copy_vectors(gpu, spmv__gpu_download, y, &y_there, y, err));
done:
    return st;
}

/* No rates for a time too short to read. */
static void rate(spmv_result *result, const spmv_operator *op, const spmv_dense *x)
{
    spmv_bandwidth bandwidth;
    const double seconds = result->seconds;
    if (seconds > 0 && spmv_bandwidth_compute(op->A, x->type, x->cols, seconds, 1.0, &bandwidth,
                                              NULL) == SPMV_SUCCESS) {
        result->flops_per_second = bandwidth.flops_per_second;
        result->bytes_per_second = bandwidth.achieved;
    }
}

static spmv_status apply(spmv_operator *op, spmv_scalar alpha, const spmv_dense *x,
                         spmv_scalar beta, spmv_dense *y, spmv_result *result, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    double seconds = 0;

    SPMV__TRY(check(op, alpha, x, beta, y, result != NULL, err));
    if (op->on_gpu == NULL)
        SPMV__TRY(run_cpu(op, alpha, x, beta, y, &seconds, err));
    else
        SPMV__TRY(run_gpu(op, alpha, x, beta, y, result != NULL ? &seconds : NULL, err));
done:
    if (result != NULL) {
        *result = (spmv_result){.status = st, .kernel = op->kernel->name, .seconds = seconds};
        if (st == SPMV_SUCCESS) {
            result->kernel = spmv_operator_kernel(op, x->type);
            rate(result, op, x);
        }
    }
    return st;
}

/* In vain, until more is known. */
static void begin_result(spmv_result *result)
{
    if (result != NULL) *result = (spmv_result){.status = SPMV_ERROR_INVALID_ARGUMENT};
}

spmv_status spmv_apply_complex(spmv_operator *op, spmv_scalar alpha, const spmv_dense *x,
                               spmv_scalar beta, spmv_dense *y, spmv_result *result,
                               spmv_error *err)
{
    begin_result(result);
    SPMV__REQUIRE(op != NULL && x != NULL && y != NULL, err);
    return apply(op, alpha, x, beta, y, result, err);
}

spmv_status spmv_apply(spmv_operator *op, double alpha, const spmv_dense *x, double beta,
                       spmv_dense *y, spmv_result *result, spmv_error *err)
{
    begin_result(result);
    SPMV__REQUIRE(op != NULL && x != NULL && y != NULL, err);
    return apply(op, spmv__number(alpha, 0), x, spmv__number(beta, 0), y, result, err);
}

spmv_status spmv_multiply(const spmv_matrix *A, double alpha, const spmv_dense *x, double beta,
                          spmv_dense *y, const spmv_kernel_options *options, spmv_context *ctx,
                          spmv_result *result, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    spmv_context *own = NULL;
    spmv_operator *op = NULL;

    begin_result(result);
    SPMV__REQUIRE(x != NULL && y != NULL, err);
    if (ctx == NULL) {
        SPMV__TRY(spmv_context_create(&own, SPMV_DEVICE_CPU, 0, err));
        ctx = own;
    }
    SPMV__TRY(spmv_operator_create(&op, ctx, A, options, err));
    SPMV__TRY(spmv_apply(op, alpha, x, beta, y, result, err));
done:
    if (op == NULL && result != NULL) *result = (spmv_result){.status = st};
    spmv_operator_destroy(op);
    spmv_context_destroy(own);
    return st;
}
