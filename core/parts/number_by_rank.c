/* number_by_rank.c -- see number_by_rank.h: a counting sort. */
#include "core/parts/number_by_rank.h"
#include "core/matrix/format.h"

#include <inttypes.h>

spmv_status spmv__number_by_rank(int64_t *number, int64_t *begin, int size, const int32_t *rank,
                                 int64_t n, spmv_error *err)
{
    memset(begin, 0, (size_t)(size + 1) * sizeof *begin);
    for (int64_t i = 0; i < n; i++) {
        if (rank[i] < 0 || rank[i] >= size)
            return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                              "row %" PRId64 " goes to rank %d, which is outside 0..%d", i + 1,
                              (int)rank[i], size - 1);
        begin[rank[i] + 1]++;
    }
    spmv__counts_to_offsets(begin, size);
    for (int64_t i = 0; i < n; i++) number[i] = begin[rank[i]]++;
    for (int k = size; k > 0; k--) begin[k] = begin[k - 1];
    begin[0] = 0;
    return SPMV_SUCCESS;
}
