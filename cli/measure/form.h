/* form.h -- a matrix as a kernel takes it: values, format, and a copy where the kernel runs.
 *
 * One is held at a time, for as many kernels as take the same. */
#pragma once

#include "spmv.h"

/* All zero is none; form_destroy takes it. */
typedef struct form {
    const spmv_matrix *A;    /* as it was read, or `made` */
    spmv_matrix made;        /* owned */
    spmv_gpu_matrix *on_gpu; /* owned; NULL until it is wanted */
} form;

/* Returns the format in which a matrix is handed over to an operator: that of the kernel, unless
 * its GPU makes it. */
spmv_format form_taken(const spmv_kernel *kernel, spmv_format from);

bool form_is(const form *f, spmv_type type, spmv_format format);

spmv_status form_copy(form *f, spmv_context *ctx, spmv_error *err); /* to the GPU */
void form_drop(form *f);                                            /* from the GPU */
void form_destroy(form *f);

/* Makes an operator over the copy on the GPU where there is one. */
spmv_status form_operator(spmv_operator **out, spmv_context *ctx, const form *f,
                          const spmv_kernel_options *config, spmv_error *err);
