/* context.h -- the structs of a context and of an operator. */
#pragma once

#include "cuda/gpu/kernel.h"

struct spmv_context {
    int device;     /* SPMV_DEVICE_CPU or the number of a GPU */
    int threads;    /* of the CPU */
    spmv__gpu *gpu; /* NULL on the CPU */
    double started; /* the timer of the CPU */
    bool recording;
    struct {
        void *data; /* owned; where the device is, NULL until it is wanted */
        int64_t bytes;
    } flush;
    struct {
        int64_t before, least; /* bytes that were free when it began, and at the least since */
    } memory;
    void *products; /* owned: what sparse products work with, kept for the next one */
    void (*free_products)(void *); /* releases it */
};

/* Memory of the host or the device that is kept from call to call and grows when it has to. */
typedef struct staging {
    void *data;
    int64_t bytes;
} staging;

struct spmv_operator {
    spmv_context *ctx;
    spmv_kernel_options options; /* kernel and block size are always filled in */
    const spmv_kernel *kernel;
    const spmv_matrix *A;          /* the caller's; on a GPU the shape of on_gpu */
    const spmv_gpu_matrix *on_gpu; /* the caller's, or copy; NULL on the CPU */
    spmv_gpu_matrix *copy;         /* owned; NULL where the caller's is taken */
    const spmv__gpu_kernel *code;  /* NULL on the CPU */
    void *plan;                    /* owned, the kernel's */
    double *scratch;               /* owned: two per row for the CPU formats that want them */
    staging x, y;                  /* owned: where host vectors wait on the GPU */
    staging workspace;             /* owned: of SpMM, where the operator is */
    staging x_rows, y_rows;        /* owned: vectors by columns, stored by rows on the GPU for it */
};

/* Selects the GPU of a context and gives it; NO_DEVICE when the context is a CPU. */
spmv_status spmv__context_gpu(spmv__gpu **out, const spmv_context *ctx, spmv_error *err);
