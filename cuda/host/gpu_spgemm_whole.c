/* gpu_spgemm_whole.c -- C = A B on a GPU, from the host and back, as a whole. */
#include "core/base/meter.h"
#include "core/matrix/format.h"
#include "cuda/host/gpu_pieces.h"

#include <stdio.h>

/* C gets room for all entries of the product, of which it may keep fewer. */
static spmv_status allocate(spmv_csr *C, const spmv__gpu_pieces *p, spmv_error *err)
{
    const int64_t nnz = p->product.nnz;
    const size_t size = spmv_type_size(C->type);
    char what[64];
    spmv_status st;
    snprintf(what, sizeof what, "the product, of %.3g entries,", (double)nnz);
    SPMV__TRY(spmv_check_memory((double)spmv__product_bytes(p->job, (double)nnz), what, err));
    SPMV__TRY(
        spmv__alloc(&C->row_ptr, C->rows + 1, sizeof *C->row_ptr, "rows of the product", err));
    SPMV__TRY(spmv__alloc(&C->col_idx, nnz, sizeof *C->col_idx, "the product", err));
    if (size > 0) SPMV__TRY(spmv__alloc(&C->val, nnz, size, "the product", err));
done:
    return st;
}

static spmv_status make_pieces(spmv_csr *C, spmv__gpu_pieces *p, spmv__meter *meter,
                               spmv_error *err)
{
    const size_t size = spmv_type_size(C->type);
    int64_t kept = 0;
    for (int64_t begin = 0, end; begin < C->rows; begin = end) {
        end = spmv__gpu_pieces_end(p, begin);
        void *val = size > 0 ? (char *)C->val + (size_t)kept * size : NULL;
        const spmv_status st = spmv__gpu_pieces_make(p, begin, end, C->row_ptr + begin + 1,
                                                     C->col_idx + kept, val, err);
        if (st != SPMV_SUCCESS) return st;
        for (int64_t i = begin; i < end; i++) kept += C->row_ptr[i + 1];
        spmv__meter_advance(meter, p->row_ptr[end] - p->row_ptr[begin]);
    }
    spmv__counts_to_offsets(C->row_ptr, C->rows);
    C->nnz = kept;
    return SPMV_SUCCESS;
}

static spmv_status multiply(spmv_csr *C, spmv__gpu_pieces *p, spmv__meter *meter, spmv_error *err)
{
    spmv_status st;
    SPMV__TRY(allocate(C, p, err));
    SPMV__TRY(spmv__gpu_pieces_allocate(p, INT64_MAX, err));
    spmv__meter_begin(meter, "multiplying", p->product.nnz, sizeof(int32_t), C->type);
    st = make_pieces(C, p, meter, err);
done:
    return st;
}

spmv_status spmv_spgemm_gpu(spmv_matrix *out, const spmv_matrix *A, const spmv_matrix *B,
                            const spmv_spgemm_options *options, spmv_context *ctx,
                            spmv_spgemm_result *result, spmv_error *err)
{
    const spmv_spgemm_options o = options != NULL ? *options : (spmv_spgemm_options){0};
    spmv__prepared_product prepared = {0};
    spmv__gpu_pieces p = {0};
    spmv__meter meter = {.progress = o.progress, .user = o.user};
    spmv__gpu *gpu;
    spmv_status st;
    if (result != NULL) *result = (spmv_spgemm_result){0};
    SPMV__REQUIRE(out != NULL && out != A && out != B, err);
    memset(out, 0, sizeof *out);
    SPMV__TRY(spmv__context_gpu(&gpu, ctx, err));
    if (o.serial)
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED, "the serial way is one of the CPU");
    SPMV__TRY(spmv__product_operands(&prepared, A, B, &o, err));
    *out = spmv__blank(SPMV_CSR, prepared.job.type, SPMV_GENERAL, prepared.job.A.rows,
                       prepared.job.B.cols, 0);
    SPMV__TRY(spmv__gpu_pieces_open(&p, &prepared.job, ctx, err));
    SPMV__TRY(multiply(&out->csr, &p, &meter, err));
    if (result != NULL) *result = (spmv_spgemm_result){p.product.all_products, p.seconds};
done:
    if (st != SPMV_SUCCESS) spmv_destroy(out);
    spmv__gpu_pieces_close(&p);
    spmv__prepared_product_destroy(&prepared);
    return st;
}
