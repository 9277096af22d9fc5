/* list_products.c -- the products of a row of C, one after the other. */
#include "core/spgemm/product.h"
#include "core/spgemm/spgemm.h"

SPMV__INLINE void list(const spmv__spgemm *job, const spmv__spgemm_row *r, int32_t *restrict col,
                       double *restrict product, spmv_type type, bool complex_sums, bool sums)
{
    const spmv_csr *A = &job->A, *B = &job->B;
    int64_t n = 0;
    for (int64_t p = r->begin; p < r->end; p++) {
        const int64_t begin = B->row_ptr[A->col_idx[p]], end = B->row_ptr[A->col_idx[p] + 1];
        const spmv__factor a = sums ? spmv__factor_of(A, p) : (spmv__factor){.real = true};
        for (int64_t q = begin; q < end; q++, n++) {
            col[n] = B->col_idx[q];
            if (!sums) continue;
            const spmv_scalar each = spmv__product_of(a, type, B->val, q);
            product[complex_sums ? 2 * n : n] = each.re;
            if (complex_sums) product[2 * n + 1] = each.im;
        }
    }
}

typedef void products_lister(const spmv__spgemm *job, const spmv__spgemm_row *r, int32_t *col,
                             double *product);
#define X(name, type, complex_sums)                                                           \
    static void list_##name(const spmv__spgemm *job, const spmv__spgemm_row *r, int32_t *col, \
                            double *product)                                                  \
    {                                                                                         \
        list(job, r, col, product, type, complex_sums, true);                                 \
    }
SPMV__SPGEMM_TABLE(X)
#undef X

static void list_places(const spmv__spgemm *job, const spmv__spgemm_row *r, int32_t *col,
                        double *product)
{
    list(job, r, col, product, SPMV_PATTERN, false, false);
}

static products_lister *const list_kind[SPMV__PRODUCT_KINDS] = {
#define X(name, type, complex_sums) [SPMV__PRODUCT_##name] = list_##name,
    SPMV__SPGEMM_TABLE(X)
#undef X
        [SPMV__PRODUCT_places] = list_places,
};

void spmv__spgemm_list_products(const spmv__spgemm *job, const spmv__spgemm_row *r, int32_t *col,
                                double *product)
{
    list_kind[job->kind](job, r, col, product);
}
