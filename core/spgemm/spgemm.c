/* spgemm.c -- C = A B. */
#include "core/matrix/format.h"
#include "core/spgemm/spgemm.h"

#include <stdio.h>

/* One part in so many is added to an estimate. */
enum { MARGIN = 16 };

/* *room = entries to allocate C for: those of all products where they fit into memory, which most
 * do even if nothing falls together, else a little more than the estimate says. */
static spmv_status choose_room(int64_t *room, const spmv__prepared_product *p, spmv_error *err)
{
    const int64_t products = p->before[p->job.A.rows];
    spmv_spgemm_estimate e = {0};
    char what[96];
    int64_t all;
    *room = products;
    if (spmv__product(p->job.A.rows, p->job.B.cols, &all) && all < products) *room = all;
    if (spmv_check_memory((double)spmv__product_bytes(&p->job, (double)*room), "", NULL) ==
        SPMV_SUCCESS)
        return SPMV_SUCCESS;
    const spmv_status st = spmv__product_sample(&e, p, err);
    if (st != SPMV_SUCCESS) return st;
    *room = e.nnz + e.nnz / MARGIN;
    snprintf(what, sizeof what, "the product, of about %.3g entries from %.3g products,",
             (double)e.nnz, (double)e.products);
    return spmv_check_memory((double)e.bytes, what, err);
}

spmv_status spmv_spgemm(spmv_matrix *out, const spmv_matrix *A, const spmv_matrix *B,
                        const spmv_spgemm_options *options, spmv_spgemm_result *result,
                        spmv_error *err)
{
    const spmv_spgemm_options o = options != NULL ? *options : (spmv_spgemm_options){0};
    spmv__meter meter = {.progress = o.progress, .user = o.user};
    spmv__prepared_product p;
    spmv_status st;
    if (result != NULL) *result = (spmv_spgemm_result){0};
    SPMV__REQUIRE(out != NULL && out != A && out != B && out != o.mask, err);
    memset(out, 0, sizeof *out);
    st = spmv__product_prepare(&p, A, B, &o, err);
    if (st != SPMV_SUCCESS) return st;

    const double start = spmv_now();
    const int64_t products = p.before[p.job.A.rows];
    int64_t room;
    *out = spmv__blank(SPMV_CSR, p.job.type, SPMV_GENERAL, p.job.A.rows, p.job.B.cols, 0);
    SPMV__TRY(choose_room(&room, &p, err));
    spmv__meter_begin(&meter, "multiplying", products, sizeof(int32_t), p.job.type);
    SPMV__TRY(spmv__spgemm_all_rows(&out->csr, &p, room, &meter, err));
    if (result != NULL) *result = (spmv_spgemm_result){products, p.counting + spmv_now() - start};
done:
    if (st != SPMV_SUCCESS) spmv_destroy(out);
    spmv__prepared_product_destroy(&p);
    return st;
}
