/* plan_operand.c -- a matrix of a plan as compressed rows, whose values come again and again. */
#include "core/matrix/format.h"
#include "core/matrix/value.h"
#include "core/spgemm/planned_product.h"

#include <inttypes.h>
#include <stdlib.h>

/* rows = A in the other one of CSR and CSC, relabelled where that is CSC.  The values that travel
 * there are their numbers, which become `order`. */
static spmv_status reorder(spmv__plan_operand *out, const spmv_matrix *A, spmv_error *err)
{
    const int64_t nnz = A->head.nnz;
    const bool to_csc = A->format == SPMV_CSR;
    spmv_matrix numbered = *A, own = {.format = SPMV_CSR};
    double *number = NULL;
    spmv_status st;
    SPMV__TRY(spmv__alloc(&number, nnz, sizeof *number, "numbers of values", err));
    for (int64_t p = 0; p < nnz; p++) number[p] = (double)p;
    numbered.head.type = SPMV_F64;
    if (to_csc)
        numbered.csr.val = number;
    else
        numbered.csc.val = number;
    SPMV__TRY(spmv_convert(&own, &numbered, to_csc ? SPMV_CSC : SPMV_CSR, NULL, err));
    if (to_csc) own = spmv__relabel(&own);
    SPMV__TRY(spmv__alloc(&out->order, nnz, sizeof *out->order, "the order of values", err));
    for (int64_t p = 0; p < nnz; p++) out->order[p] = (int64_t)((const double *)own.csr.val)[p];
    free(own.csr.val);
    own.csr.val = NULL;
    own.head.type = A->head.type;
    if (own.head.type != SPMV_PATTERN)
        SPMV__TRY(
            spmv__alloc(&own.csr.val, nnz, spmv_type_size(own.head.type), "values in order", err));
    out->rows = own;
    own = (spmv_matrix){.format = SPMV_CSR};
done:
    free(number);
    spmv_destroy(&own);
    return st;
}

spmv_status spmv__plan_operand_open(spmv__plan_operand *out, const spmv_matrix *A, bool transpose,
                                    const char *name, spmv_error *err)
{
    spmv_status st;
    const spmv_head *head = &A->head;
    memset(out, 0, sizeof *out);
    out->like = spmv__blank(A->format, head->type, SPMV_GENERAL, head->rows, head->cols, head->nnz);
    if (A->format != SPMV_CSR && A->format != SPMV_CSC)
        return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT, "%s is %s, and a plan takes csr and csc",
                          name, spmv_format_name(A->format));
    SPMV__TRY(spmv__check_named_whole(A->head.symmetry, name, err));
    if (transpose == (A->format == SPMV_CSR))
        SPMV__TRY(reorder(out, A, err));
    else
        out->rows = transpose ? spmv__relabel(A) : *A;
    spmv__plan_operand_set(out, A, 1);
done:
    if (st != SPMV_SUCCESS) spmv__plan_operand_close(out);
    return st;
}

void spmv__plan_operand_close(spmv__plan_operand *operand)
{
    if (operand->order != NULL) spmv_destroy(&operand->rows);
    free(operand->order);
    memset(operand, 0, sizeof *operand);
}

spmv_status spmv__plan_matrix_check(const spmv_matrix *like, const spmv_matrix *A, const char *name,
                                    spmv_error *err)
{
    const spmv_head *wanted = &like->head, *got = &A->head;
    if (got->rows != wanted->rows || got->cols != wanted->cols || got->nnz != wanted->nnz)
        return spmv__fail(err, SPMV_ERROR_INVALID_DIMENSION,
                          "%s is %" PRId64 " x %" PRId64 " with %" PRId64
                          " entries, and the plan is for %" PRId64 " x %" PRId64 " with %" PRId64,
                          name, got->rows, got->cols, got->nnz, wanted->rows, wanted->cols,
                          wanted->nnz);
    if (A->format != like->format || got->type != wanted->type || got->symmetry != wanted->symmetry)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                          "%s is %s of type %s, and the plan is for %s of type %s", name,
                          spmv_format_name(A->format), spmv_type_name(got->type),
                          spmv_format_name(like->format), spmv_type_name(wanted->type));
    return SPMV_SUCCESS;
}

void spmv__plan_operand_set(spmv__plan_operand *operand, const spmv_matrix *A, int threads)
{
    if (A != NULL) operand->given = A->format == SPMV_CSR ? A->csr.val : A->csc.val;
    const void *from = operand->given;
    const int64_t *order = operand->order, nnz = operand->rows.head.nnz;
    const spmv_type type = operand->rows.head.type;
    void *to = operand->rows.csr.val;
    if (order == NULL) {
        operand->rows.csr.val = (void *)from;
        return;
    }
    if (nnz < SPMV__PARALLEL_NNZ) threads = 1;
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (int64_t p = 0; p < nnz; p++) spmv__copy_value(type, to, p, from, order[p]);
}
