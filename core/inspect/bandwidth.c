/* bandwidth.c -- how many bytes one multiplication has to move, and how fast they moved. */
#include "core/base/base.h"

spmv_status spmv_bandwidth_compute(const spmv_matrix *A, spmv_type vector_type, int64_t vectors,
                                   double seconds, double theoretical, spmv_bandwidth *out,
                                   spmv_error *err)
{
    SPMV__REQUIRE(A != NULL && out != NULL, err);
    SPMV__REQUIRE(vector_type > SPMV_PATTERN && vector_type < SPMV_TYPES, err);
    SPMV__REQUIRE(vectors >= 0, err);
    SPMV__REQUIRE(seconds > 0 && theoretical > 0, err);
    const spmv_head *head = &A->head;
    const double nnz = (double)head->nnz, k = (double)vectors, rows = (double)head->rows,
                 cols = (double)head->cols;
    const double offset = head->nnz <= INT32_MAX ? 4 : 8;
    const double value = (double)spmv_type_size(head->type);
    const double dense = k * (rows + cols) * (double)spmv_type_size(vector_type);
    /* Additions and multiplications of real numbers that one product and its sum take. */
    const double flops = spmv_type_is_complex(head->type)    ? 8
                         : spmv_type_is_complex(vector_type) ? 4
                                                             : 2;
    spmv_bandwidth b;

    b.useful_bytes = nnz * (value + 4) + (rows + 1) * offset + dense;
    b.moved_bytes = (double)spmv_memory_bytes(A) + dense;
    b.flops_per_second = flops * nnz * k / seconds;
    b.achieved = b.useful_bytes / seconds;
    b.theoretical = theoretical;
    b.efficiency = b.achieved / theoretical;
    *out = b;
    return SPMV_SUCCESS;
}
