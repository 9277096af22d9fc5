/* form.c -- holding a matrix, its copy on the GPU, and operators over either. */
#include "cli/measure/form.h"

spmv_format form_taken(const spmv_kernel *kernel, spmv_format from)
{
    return kernel->gpu && spmv_gpu_converts(from, kernel->format) ? from : kernel->format;
}

bool form_is(const form *f, spmv_type type, spmv_format format)
{
    return f->A != NULL && f->A->head.type == type && f->A->format == format;
}

spmv_status form_copy(form *f, spmv_context *ctx, spmv_error *err)
{
    return spmv_to_gpu(&f->on_gpu, ctx, f->A, err);
}

void form_drop(form *f)
{
    spmv_gpu_matrix_destroy(f->on_gpu);
    f->on_gpu = NULL;
}

void form_destroy(form *f)
{
    form_drop(f);
    spmv_destroy(&f->made);
    *f = (form){0};
}

spmv_status form_operator(spmv_operator **out, spmv_context *ctx, const form *f,
                          const spmv_kernel_options *config, spmv_error *err)
{
    if (f->on_gpu != NULL) return spmv_operator_create_on_gpu(out, ctx, f->on_gpu, config, err);
    return spmv_operator_create(out, ctx, f->A, config, err);
}
