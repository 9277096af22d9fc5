/* dangling.c -- nodes that no edge leaves. */
#include "core/matrix/value.h"
#include "core/pagerank/ranking.h"
#include "core/matrix/format.h"

spmv_status spmv_dangling_mask(const spmv_matrix *A, bool *mask, spmv_error *err)
{
    SPMV__REQUIRE_MATRIX(A, err);
    SPMV__REQUIRE(mask != NULL, err);
    spmv_matrix owned = {0};
    const spmv_csr *csr;
    spmv_status st;

    SPMV__TRY(spmv__outgoing(&csr, &owned, A, err));
    for (int64_t r = 0; r < csr->rows; r++) {
        mask[r] = true;
        for (int64_t p = csr->row_ptr[r]; mask[r] && p < csr->row_ptr[r + 1]; p++)
            mask[r] = spmv__value(csr->type, csr->val, p) == 0;
    }
done:
    spmv_destroy(&owned);
    return st;
}
