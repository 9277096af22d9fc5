/* operator.c -- a matrix made ready for many multiplications with one kernel on one device. */
#include "core/matrix/format.h"
#include "cuda/gpu/context.h"
#include "cuda/host/kernels.h"

#include <stdlib.h>

/* Puts the kernel that `options` names, or the automatic choice, into op->options and op->kernel.
 */
static spmv_status choose(spmv_operator *op, const spmv_matrix *A,
                          const spmv_kernel_options *options, spmv_error *err)
{
    const bool gpu = op->ctx->gpu != NULL;

    if (options != NULL) {
        op->options = *options;
    } else {
        spmv_row_stats stats;
        spmv_status st = spmv_row_stats_compute(A, &stats, err);
        if (st != SPMV_SUCCESS) return st;
        op->options = spmv_kernel_options_auto(&stats, gpu, NULL);
    }
    op->kernel = spmv_kernel_find(op->options.kernel);
    /* The automatic choice thinks in CSR; another format has its own kernel. */
    if (options == NULL && (op->kernel == NULL || op->kernel->format != A->format)) {
        op->kernel = spmv__kernel_for(A->format, gpu);
        if (op->kernel == NULL)
            return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                              "no GPU kernel multiplies %s; convert it to csr",
                              spmv_format_name(A->format));
    }
    if (op->kernel == NULL)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "there is no kernel '%s'",
                          op->options.kernel != NULL ? op->options.kernel : "");
    op->options.kernel = op->kernel->name;
    return SPMV_SUCCESS;
}

/* Says whether A is no matrix for the kernel, but the GPU makes one of it. */
static bool is_converted(const spmv_operator *op, const spmv_matrix *A)
{
    return op->ctx->gpu != NULL && spmv_gpu_converts(A->format, op->kernel->format);
}

static bool borrows(const spmv_kernel *kernel)
{
    const spmv__gpu_kernel *code = spmv__gpu_kernel_of(kernel);
    return code != NULL && code->borrows;
}

/* Checks that the kernel is right for this matrix and this device. */
static spmv_status check(const spmv_operator *op, const spmv_matrix *A, spmv_error *err)
{
    const spmv_kernel *kernel = op->kernel;
    const int block = op->options.block_size;

    const spmv_status st = spmv__check_whole(A->head.symmetry, err);
    if (st != SPMV_SUCCESS) return st;
    if (kernel->format != A->format && !is_converted(op, A))
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "kernel %s takes %s, the matrix is %s",
                          kernel->name, spmv_format_name(kernel->format),
                          spmv_format_name(A->format));
    if (kernel->gpu != (op->ctx->gpu != NULL))
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                          "kernel %s runs on a %s, the context is a %s", kernel->name,
                          kernel->gpu ? "GPU" : "CPU", kernel->gpu ? "CPU" : "GPU");
    if (op->on_gpu != NULL && op->on_gpu->borrowed && !borrows(kernel)) {
        char names[SPMV__KERNEL_NAMES];
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                          "kernel %s takes no arrays of the caller's on the GPU; %s do",
                          kernel->name, spmv__kernel_names(borrows, names));
    }
    if (block != 0 && (block < 32 || block > 1024 || (block & (block - 1)) != 0))
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                          "block size %d is not a power of two from 32 to 1024", block);
    if ((unsigned)op->options.vector_type >= SPMV_TYPES)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "there is no type of vectors %d",
                          (int)op->options.vector_type);
    return SPMV_SUCCESS;
}

static spmv_status prepare_cpu(spmv_operator *op, const spmv_matrix *A, spmv_error *err)
{
    op->A = A;
    if (!spmv__format_of(A->format)->scratch) return SPMV_SUCCESS;
    return spmv__alloc(&op->scratch, A->head.rows, 2 * sizeof *op->scratch, "row sums", err);
}

/* Replaces the matrix on the GPU by one in the format of the kernel. */
static spmv_status convert(spmv_operator *op, spmv_error *err)
{
    spmv_gpu_matrix *made;
    const spmv_status st = spmv_gpu_convert(&made, op->ctx, op->on_gpu, op->kernel->format, err);
    if (st != SPMV_SUCCESS) return st;
    spmv_gpu_matrix_destroy(op->copy);
    op->on_gpu = op->copy = made;
    return SPMV_SUCCESS;
}

/* Puts A on the GPU, in the format of the kernel. */
static spmv_status upload(spmv_operator *op, const spmv_matrix *A, spmv_error *err)
{
    spmv_status st;
    SPMV__TRY(spmv_to_gpu(&op->copy, op->ctx, A, err));
    op->on_gpu = op->copy;
    if (is_converted(op, A)) st = convert(op, err);
done:
    return st;
}

/* Does so where the GPU has no room for two formats at a time. */
static spmv_status convert_and_upload(spmv_operator *op, const spmv_matrix *A, spmv_error *err)
{
    spmv_status st;
    spmv_matrix made = {0};
    spmv_gpu_matrix_destroy(op->copy);
    op->on_gpu = op->copy = NULL;
    SPMV__TRY(spmv_convert(&made, A, op->kernel->format, NULL, err));
    st = upload(op, &made, err);
done:
    spmv_destroy(&made);
    return st;
}

static bool is_out_of_memory(spmv_status st)
{
    return st == SPMV_ERROR_CUDA_MALLOC || st == SPMV_ERROR_OUT_OF_MEMORY;
}

/* The threads of a block that a kernel has of its own accord. */
static int usual_block(const spmv__gpu_kernel *code, const spmv_head *A)
{
    const bool large = A->nnz >= SPMV__LARGE_NNZ && A->nnz / SPMV__LONG_ROW >= A->rows;
    return large ? code->large_block : code->block_size;
}

static spmv_status prepare_gpu(spmv_operator *op, const spmv_matrix *A, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    spmv__gpu *gpu;

    op->code = spmv__gpu_kernel_of(op->kernel);
    if (op->options.block_size == 0) op->options.block_size = usual_block(op->code, &A->head);
    if (op->on_gpu == NULL) {
        st = upload(op, A, err);
        if (is_out_of_memory(st) && is_converted(op, A)) st = convert_and_upload(op, A, err);
    } else if (is_converted(op, A)) {
        st = convert(op, err);
    }
    SPMV__TRY(st);
    op->A = &op->on_gpu->shape;
    SPMV__TRY(spmv__context_gpu(&gpu, op->ctx, err));
    if (op->code->plan != NULL)
        SPMV__TRY(op->code->plan(&op->plan, gpu, op->on_gpu, &op->options, err));
done:
    return st;
}

/* on_gpu: NULL, or where A, which has no arrays then, is already. */
static spmv_status create(spmv_operator **out, spmv_context *ctx, const spmv_matrix *A,
                          const spmv_gpu_matrix *on_gpu, const spmv_kernel_options *options,
                          spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    spmv_operator *op = NULL;

    SPMV__TRY(spmv__alloc(&op, 1, sizeof *op, "the operator", err));
    op->ctx = ctx;
    op->on_gpu = on_gpu;
    SPMV__TRY(choose(op, A, options, err));
    SPMV__TRY(check(op, A, err));
    SPMV__TRY(ctx->gpu != NULL ? prepare_gpu(op, A, err) : prepare_cpu(op, A, err));
    *out = op;
    op = NULL;
done:
    spmv_operator_destroy(op);
    return st;
}

spmv_status spmv_operator_create(spmv_operator **out, spmv_context *ctx, const spmv_matrix *A,
                                 const spmv_kernel_options *options, spmv_error *err)
{
    SPMV__REQUIRE(out != NULL, err);
    *out = NULL;
    SPMV__REQUIRE(ctx != NULL, err);
    SPMV__REQUIRE_MATRIX(A, err);
    return create(out, ctx, A, NULL, options, err);
}

spmv_status spmv_operator_create_on_gpu(spmv_operator **out, spmv_context *ctx,
                                        const spmv_gpu_matrix *A,
                                        const spmv_kernel_options *options, spmv_error *err)
{
    SPMV__REQUIRE(out != NULL, err);
    *out = NULL;
    SPMV__REQUIRE(ctx != NULL, err);
    SPMV__REQUIRE(A != NULL, err);
    SPMV__REQUIRE(options != NULL, err);
    if (A->device != ctx->device)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                          "the matrix is on GPU %d, and the context is not", A->device);
    return create(out, ctx, &A->shape, A, options, err);
}

void spmv_operator_destroy(spmv_operator *op)
{
    if (op == NULL) return;
    if (op->plan != NULL) op->code->free(op->plan);
    if (op->on_gpu != NULL)
        spmv__gpu_free(op->workspace.data);
    else
        free(op->workspace.data);
    spmv_gpu_matrix_destroy(op->copy);
    spmv__gpu_free(op->x.data);
    spmv__gpu_free(op->y.data);
    spmv__gpu_free(op->x_rows.data);
    spmv__gpu_free(op->y_rows.data);
    free(op->scratch);
    free(op);
}

const spmv_kernel_options *spmv_operator_options(const spmv_operator *op)
{
    return &op->options;
}

const char *spmv_operator_kernel(const spmv_operator *op, spmv_type vector_type)
{
    const char *other = NULL;
    if (op->code != NULL && op->code->fallback != NULL)
        other = op->code->fallback(op->plan, vector_type);
    return other != NULL ? other : op->kernel->name;
}

int64_t spmv_operator_bytes(const spmv_operator *op)
{
    return (int64_t)spmv_memory_bytes(op->A);
}
