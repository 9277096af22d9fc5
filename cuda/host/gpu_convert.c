/* gpu_convert.c -- a matrix on the GPU from one format to another, there. */
#include "core/matrix/format.h"
#include "core/storage/ell.h"
#include "cuda/host/gpu_matrix.h"
#include "cuda/kernels/csell_build/csell_build.h"

#include <stdio.h>

bool spmv_gpu_converts(spmv_format from, spmv_format to)
{
    return from == SPMV_CSR && to == SPMV_CSELL;
}

/* Makes a matrix for what was chosen, and fills it. */
static spmv_status build(spmv_gpu_matrix **out, spmv_context *ctx, const spmv_gpu_matrix *A,
                         spmv_error *err)
{
    const spmv_head *h = &A->shape.head;
    spmv_matrix B = spmv__blank(SPMV_CSELL, h->type, h->symmetry, h->rows, h->cols, h->nnz);
    spmv__csell_build *chosen = NULL;
    char what[64];
    spmv_status st;

    SPMV__TRY(spmv__check_head(&B, err));
    SPMV__TRY(spmv__csell_build_choose(&chosen, ctx->gpu, A, NULL, &B.csell, err));
    snprintf(what, sizeof what, "CSELL of slices of %lld", (long long)B.csell.slice);
    SPMV__TRY(spmv__check_fill(h->nnz, (double)B.csell.slots, what, NULL, err));
    SPMV__TRY(spmv__gpu_matrix_blank(out, ctx, &B, err));
    st = spmv__csell_build_fill(chosen, *out, err);
done:
    spmv__csell_build_destroy(chosen);
    return st;
}

spmv_status spmv_gpu_convert(spmv_gpu_matrix **out, spmv_context *ctx, const spmv_gpu_matrix *A,
                             spmv_format format, spmv_error *err)
{
    spmv_status st;
    spmv__gpu *gpu;

    SPMV__REQUIRE(out != NULL, err);
    *out = NULL;
    SPMV__REQUIRE(ctx != NULL, err);
    SPMV__REQUIRE(A != NULL, err);
    SPMV__TRY(spmv__context_gpu(&gpu, ctx, err));
    SPMV__REQUIRE(A->device == ctx->device, err);
    if (!spmv_gpu_converts(A->shape.format, format) || A->borrowed)
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                          "a GPU makes csell of csr that was uploaded, not %s of %s%s",
                          spmv_format_name(format), spmv_format_name(A->shape.format),
                          A->borrowed ? " of the caller's" : "");
    st = build(out, ctx, A, err);
done:
    if (st != SPMV_SUCCESS) {
        spmv_gpu_matrix_destroy(*out);
        *out = NULL;
    }
    return st;
}
