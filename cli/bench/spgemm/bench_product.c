/* bench_product.c -- see bench_product.h. */
#include "cli/bench/spgemm/bench_product.h"
#include "cli/measure/keep_memory.h"
#include "cli/tool/fail.h"
#include "cli/tool/phase.h"

#include <math.h>

form *bench_product_a(const bench_product *p)
{
    return &p->matrix->form;
}

form *bench_product_b(bench_product *p)
{
    return p->transpose.A != NULL ? &p->transpose : &p->matrix->form;
}

static int64_t count_products(const spmv_csr *A, const spmv_csr *B)
{
    int64_t n = 0;
    for (int64_t k = 0; k < A->nnz; k++)
        n += B->row_ptr[A->col_idx[k] + 1] - B->row_ptr[A->col_idx[k]];
    return n;
}

static spmv_status make_operands(bench_product *p, bench_matrix *m, spmv_error *err)
{
    spmv_status st;
    TOOL_TRY(bench_form_make(m, m->precision, SPMV_CSR, err));
    if (m->stats.rows != m->stats.cols) {
        TOOL_TRY(spmv_transpose(&p->transpose.made, m->form.A, NULL, err));
        p->transpose.A = &p->transpose.made;
    }
    p->products = count_products(&m->form.A->csr, &bench_product_b(p)->A->csr);
done:
    return st;
}

spmv_status bench_product_make(bench_product *p, bench_matrix *m, spmv_error *err)
{
    const spmv_spgemm_options how = {.threads = (int)m->options->common.threads};
    spmv_status st = SPMV_SUCCESS;
    if (p->is_made) return st;
    bench_product_destroy(p); /* what was made before a failure */
    keep_memory();
    p->matrix = m;
    tool_phase_begin("expect", m->file);
    TOOL_TRY(make_operands(p, m, err));
    if (!m->options->no_verify)
        TOOL_TRY(spmv_spgemm(&p->expected, bench_product_a(p)->A, bench_product_b(p)->A, &how, NULL,
                             err));
    p->is_made = true;
done:
    tool_phase_end(0);
    return st;
}

void bench_product_destroy(bench_product *p)
{
    form_destroy(&p->transpose);
    spmv_destroy(&p->expected);
    spmv_destroy(&p->magnitudes);
    *p = (bench_product){0};
}

/* out = |A| */
static spmv_status take_magnitudes(spmv_matrix *out, const spmv_matrix *A, spmv_error *err)
{
    spmv_matrix real = {0};
    spmv_status st;
    TOOL_TRY(spmv_take_complex_part(&real, A, SPMV_COMPLEX_ABS, err));
    TOOL_TRY(spmv_convert_values(out, &real, SPMV_F64, err));
    double *val = out->csr.val;
    for (int64_t k = 0; k < out->csr.nnz; k++) val[k] = fabs(val[k]);
done:
    spmv_destroy(&real);
    return st;
}

spmv_status bench_product_find_magnitudes(bench_product *p, spmv_error *err)
{
    const spmv_spgemm_options how = {.threads = (int)p->matrix->options->common.threads};
    spmv_matrix A = {0}, B = {0};
    spmv_status st = SPMV_SUCCESS;
    if (p->has_magnitudes) return st;
    TOOL_TRY(take_magnitudes(&A, bench_product_a(p)->A, err));
    if (p->transpose.A != NULL) TOOL_TRY(take_magnitudes(&B, p->transpose.A, err));
    TOOL_TRY(spmv_spgemm(&p->magnitudes, &A, p->transpose.A != NULL ? &B : &A, &how, NULL, err));
    p->has_magnitudes = true;
done:
    spmv_destroy(&A);
    spmv_destroy(&B);
    return st;
}
