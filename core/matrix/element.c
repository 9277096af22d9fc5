/* element.c -- looking up one entry. */
#include "core/matrix/value.h"
#include "core/matrix/format.h"

int64_t spmv__find_i32(const int32_t *idx, int64_t begin, int64_t end, int64_t wanted)
{
    const int64_t p = spmv__find_first(idx, begin, end, wanted);
    return p < end && idx[p] == wanted ? p : -1;
}

int64_t spmv__find_offset(const int64_t *ptr, int64_t n, int64_t wanted)
{
    int64_t low = 0, high = n;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (ptr[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

spmv_status spmv_get_element(const spmv_matrix *A, int64_t row, int64_t col, spmv_scalar *value,
                             spmv_error *err)
{
    SPMV__REQUIRE(value != NULL, err);
    *value = spmv__number(0, 0);
    SPMV__REQUIRE_MATRIX(A, err);
    const spmv__format *f = spmv__format_of(A->format);
    if (row < 0 || row >= A->head.rows || col < 0 || col >= A->head.cols)
        return spmv__fail(err, SPMV_ERROR_INVALID_DIMENSION,
                          "row %lld, column %lld is outside %lld x %lld", (long long)row,
                          (long long)col, (long long)A->head.rows, (long long)A->head.cols);
    if (A->head.symmetry == SPMV_GENERAL || row >= col) {
        *value = f->get(A, row, col);
    } else { /* the triangle that is not stored */
        *value = spmv__mirrored(A->head.symmetry, f->get(A, col, row));
        if (spmv__is_zero(*value)) *value = spmv__number(0, 0); /* not -0 */
        if (!spmv_type_is_complex(A->head.type)) value->im = 0;
    }
    return SPMV_SUCCESS;
}
