/* spgemm_plan.h -- the struct of a plan for many products of one pattern. */
#pragma once

#include "core/spgemm/planned_product.h"
#include "cuda/host/gpu_spgemm.h"

struct spmv_spgemm_plan {
    spmv_context *ctx;             /* NULL: the CPU */
    int threads;                   /* of the CPU */
    spmv__plan_operand operand[2]; /* owned: matrices of the host, A and B */
    int second;                    /* the operand that B is: 0 where it is A in every way */
    bool square;                   /* A and B are one matrix, transposed or not */
    spmv_matrix C;                 /* a pattern: where the product of matrices of the host has
                                      entries; that of on_cpu, or owned where that is empty */
    spmv_type type;                /* of C */
    spmv__planned_product on_cpu;
    spmv__listed_product on_gpu;
    spmv_gpu_matrix *copy[2]; /* owned: the operands on the GPU; copy[1] NULL where second is 0 */
    spmv_gpu_matrix *made;    /* owned: C on the GPU, without a mask */
    /* With a mask on a GPU: [C.nnz] which entries of `made` are kept, and [made nnz] their values.
     * Else NULL. */
    int64_t *kept;
    void *all;
};

static inline bool spmv__plan_is_on_host(const spmv_spgemm_plan *plan)
{
    return plan->operand[0].rows.csr.row_ptr != NULL;
}

/* UNSUPPORTED for options that a plan cannot have. */
spmv_status spmv__plan_options_check(const spmv_spgemm_options *o, spmv_error *err);
