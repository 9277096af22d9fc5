/* apply.c -- y = alpha A x + beta y: check the arguments, run the kernel, report what it took. */
#include "core/matrix/value.h"
#include "core/matrix/format.h"
#include "cuda/gpu/context.h"

#include <math.h>
#include <stdlib.h>

/* Of a vector that was checked. */
static int64_t bytes_of(const spmv_dense *v)
{
    return v->rows * v->cols * (int64_t)spmv_type_size(v->type);
}

/* Can so many bytes be counted? */
static bool is_countable(const spmv_dense *v)
{
    int64_t n;
    return spmv__product(v->rows, v->cols, &n) &&
           spmv__product(n, (int64_t)spmv_type_size(v->type), &n);
}

static bool overlap(const spmv_dense *x, const spmv_dense *y)
{
    uintptr_t x0 = (uintptr_t)x->data, y0 = (uintptr_t)y->data;
    return x0 < y0 + (uintptr_t)bytes_of(y) && y0 < x0 + (uintptr_t)bytes_of(x);
}

/* A single vector is the same either way. */
static bool is_spmm(const spmv_dense *x)
{
    return x->by_rows && x->cols > 1;
}

/* Refuse before anything is computed. */
static spmv_status check(const spmv_operator *op, spmv_scalar alpha, const spmv_dense *x,
                         spmv_scalar beta, const spmv_dense *y, bool timed, spmv_error *err)
{
    SPMV__REQUIRE(op != NULL, err);
    SPMV__REQUIRE(x != NULL, err);
    SPMV__REQUIRE(y != NULL, err);
    const spmv_head *A = &op->A->head;
    if (x->rows != A->cols || y->rows != A->rows || x->cols != y->cols || x->cols < 0)
        return spmv__fail(err, SPMV_ERROR_INVALID_DIMENSION,
                          "A is %lld x %lld, but x is %lld x %lld and y is %lld x %lld",
                          (long long)A->rows, (long long)A->cols, (long long)x->rows,
                          (long long)x->cols, (long long)y->rows, (long long)y->cols);
    if (x->type != y->type || !spmv_type_multiplies(A->type, x->type))
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                          "x is %s and y is %s, which does not go with a matrix of type %s",
                          spmv_type_name(x->type), spmv_type_name(y->type),
                          spmv_type_name(A->type));
    if (!is_countable(x) || !is_countable(y))
        return spmv__fail(err, SPMV_ERROR_INVALID_DIMENSION,
                          "%lld vectors of %lld or %lld numbers are more than can be addressed",
                          (long long)x->cols, (long long)x->rows, (long long)y->rows);
    if ((alpha.im != 0 || beta.im != 0) && !spmv_type_is_complex(x->type))
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                          "alpha or beta is complex, but the vectors are %s",
                          spmv_type_name(x->type));
    if (x->on_gpu != y->on_gpu || (x->on_gpu && op->on_gpu == NULL))
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                          "x is on the %s, y on the %s and the operator on the %s",
                          x->on_gpu ? "GPU" : "CPU", y->on_gpu ? "GPU" : "CPU",
                          op->on_gpu != NULL ? "GPU" : "CPU");
    if (x->cols > 1 && x->by_rows != y->by_rows)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "x is stored by %s, y by %s",
                          x->by_rows ? "rows" : "columns", y->by_rows ? "rows" : "columns");
    if (is_spmm(x) && !op->kernel->spmm)
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                          "kernel %s takes no vectors stored by rows; cpu-csr and csr-merge do",
                          op->kernel->name);
    if (op->ctx->recording && (!x->on_gpu || timed))
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                          "what is recorded takes vectors on the GPU and gives no result");
    if ((x->data == NULL && bytes_of(x) > 0) || (y->data == NULL && bytes_of(y) > 0))
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "%s has no data",
                          x->data == NULL ? "x" : "y");
    if (overlap(x, y)) return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "x and y overlap");
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
                           spmv_scalar beta, const spmv_dense *y, double *elapsed_ms,
                           spmv_error *err)
{
    const spmv__format *format = spmv__format_of(op->A->format);
    const size_t size = spmv_type_size(x->type);
    const int threads = op->ctx->threads;
    int64_t bytes = 0;

    if (is_spmm(x)) {
        const int64_t each = SPMV__SPMM_SCRATCH * (int64_t)sizeof(double);
        if (!spmv__product(x->cols, each, &bytes)) bytes = INT64_MAX;
        const spmv_status st = reserve(op, &op->workspace, bytes, "sums of shared rows", err);
        if (st != SPMV_SUCCESS) return st;
    }
    const double start = spmv_now();
    if (is_spmm(x))
        format->spmm(op->A, x->type, x->cols, alpha, x->data, beta, y->data, op->workspace.data,
                     threads);
    for (int64_t c = 0; c < x->cols && !is_spmm(x); c++)
        format->multiply(op->A, x->type, alpha,
                         (const char *)x->data + (size_t)(c * x->rows) * size, beta,
                         (char *)y->data + (size_t)(c * y->rows) * size, op->scratch, threads);
    *elapsed_ms = 1e3 * (spmv_now() - start);
    return SPMV_SUCCESS;
}

/* y = 0 is all that is asked for: then clearing takes a third of the time of a kernel. */
static bool only_clears(const spmv_operator *op, spmv_scalar alpha, spmv_scalar beta)
{
    return op->A->head.nnz == 0 && isfinite(alpha.re) && isfinite(alpha.im) && spmv__is_zero(beta);
}

/* Enqueue one launch for all vectors, or one for each; x and y are on the device. */
static spmv_status enqueue(const spmv_operator *op, spmv_scalar alpha, const spmv_dense *x,
                           const void *x_data, spmv_scalar beta, const spmv_dense *y, void *y_data,
                           spmv_error *err)
{
    const int64_t vectors = is_spmm(x) ? x->cols : 1;
    const size_t size = spmv_type_size(x->type);
    spmv_status st = SPMV_SUCCESS;
    if (bytes_of(y) > 0 && only_clears(op, alpha, beta))
        return spmv__gpu_clear(op->ctx->gpu, y_data, bytes_of(y), err);
    for (int64_t c = 0; c < x->cols && y->rows > 0 && st == SPMV_SUCCESS; c += vectors) {
        const spmv__launch run = {
            .A = op->on_gpu,
            .plan = op->plan,
            .config = &op->config,
            .vector_type = x->type,
            .alpha = alpha,
            .beta = beta,
            .vectors = vectors,
            .x = (const char *)x_data + (size_t)(c * x->rows) * size,
            .y = (char *)y_data + (size_t)(c * y->rows) * size,
            .workspace = op->workspace.data,
            .stream = spmv__gpu_stream(op->ctx->gpu),
        };
        st = vectors > 1 ? op->code->spmm->launch(&run, err) : op->code->launch(&run, err);
    }
    return st;
}

/* elapsed_ms NULL: do not wait for vectors that are on the GPU. */
static spmv_status run_gpu(spmv_operator *op, spmv_scalar alpha, const spmv_dense *x,
                           spmv_scalar beta, const spmv_dense *y, double *elapsed_ms,
                           spmv_error *err)
{
    spmv__gpu *gpu = op->ctx->gpu;
    const void *x_data = x->data;
    void *y_data = y->data;
    spmv_status st = SPMV_SUCCESS;

    SPMV__TRY(spmv__gpu_select(gpu, err));
    if (is_spmm(x))
        SPMV__TRY(reserve(op, &op->workspace, op->code->spmm->workspace(op->plan, x->cols),
                          "sums of pieces of rows", err));
    if (!x->on_gpu) {
        SPMV__TRY(reserve(op, &op->x, bytes_of(x), "x", err));
        SPMV__TRY(reserve(op, &op->y, bytes_of(y), "y", err));
        x_data = op->x.data;
        y_data = op->y.data;
        SPMV__TRY(spmv__gpu_upload(gpu, op->x.data, x->data, bytes_of(x), err));
        if (!spmv__is_zero(beta))
            SPMV__TRY(spmv__gpu_upload(gpu, y_data, y->data, bytes_of(y), err));
    }
    if (elapsed_ms != NULL) SPMV__TRY(spmv__gpu_timer_start(gpu, err));
    SPMV__TRY(enqueue(op, alpha, x, x_data, beta, y, y_data, err));
    if (elapsed_ms != NULL) SPMV__TRY(spmv__gpu_timer_stop(gpu, elapsed_ms, err));
    if (!y->on_gpu) SPMV__TRY(spmv__gpu_download(gpu, y->data, y_data, bytes_of(y), err));
done:
    return st;
}

/* No rates for a time too short to read. */
static void rate(spmv_result *result, const spmv_operator *op, const spmv_dense *x)
{
    spmv_bandwidth bandwidth;
    const double seconds = result->elapsed_ms * 1e-3;
    if (seconds > 0 &&
        spmv_bandwidth_compute(op->A, x->type, x->cols, seconds, 1.0, &bandwidth) == SPMV_SUCCESS) {
        result->gflops = bandwidth.gflops;
        result->gbytes_per_s = bandwidth.achieved * 1e-9;
    }
}

spmv_status spmv_apply_complex(spmv_operator *op, spmv_scalar alpha, const spmv_dense *x,
                               spmv_scalar beta, spmv_dense *y, spmv_result *result,
                               spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    double elapsed_ms = 0;

    SPMV__TRY(check(op, alpha, x, beta, y, result != NULL, err));
    if (op->on_gpu == NULL)
        SPMV__TRY(run_cpu(op, alpha, x, beta, y, &elapsed_ms, err));
    else
        SPMV__TRY(run_gpu(op, alpha, x, beta, y, result != NULL ? &elapsed_ms : NULL, err));
done:
    if (result != NULL) {
        *result = (spmv_result){.status = st, .elapsed_ms = elapsed_ms};
        if (op != NULL) result->kernel = op->kernel->name;
        if (st == SPMV_SUCCESS) {
            result->kernel = spmv_operator_kernel(op, x->type);
            rate(result, op, x);
        }
    }
    return st;
}

spmv_status spmv_apply(spmv_operator *op, double alpha, const spmv_dense *x, double beta,
                       spmv_dense *y, spmv_result *result, spmv_error *err)
{
    return spmv_apply_complex(op, spmv__number(alpha, 0), x, spmv__number(beta, 0), y, result, err);
}

spmv_status spmv_multiply(const spmv_matrix *A, double alpha, const spmv_dense *x, double beta,
                          spmv_dense *y, const spmv_kernel_config *config, spmv_context *ctx,
                          spmv_result *result, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    spmv_context *own = NULL;
    spmv_operator *op = NULL;

    if (ctx == NULL) {
        SPMV__TRY(spmv_context_create(&own, SPMV_DEVICE_CPU, 0, err));
        ctx = own;
    }
    SPMV__TRY(spmv_operator_create(&op, ctx, A, config, err));
    SPMV__TRY(spmv_apply(op, alpha, x, beta, y, result, err));
done:
    if (op == NULL && result != NULL) *result = (spmv_result){.status = st};
    spmv_operator_destroy(op);
    spmv_context_destroy(own);
    return st;
}
