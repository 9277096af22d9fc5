/* select_entries.c -- what is kept of a row of C: where the mask has entries, what is not 0, the
 * largest. */
#include "core/base/single.h"
#include "core/matrix/modulus.h"
#include "core/matrix/value.h"
#include "core/spgemm/spgemm.h"

#include <math.h>

static void keep(spmv__product_row *row, int64_t to, int64_t from, int parts)
{
    row->col[to] = row->col[from];
    for (int k = 0; k < parts; k++) row->sum[parts * to + k] = row->sum[parts * from + k];
}

static void keep_masked(spmv__product_row *row, const spmv_csr *mask, int64_t i, int parts)
{
    int64_t n = 0, q = mask->row_ptr[i];
    for (int64_t k = 0; k < row->n; k++) {
        while (q < mask->row_ptr[i + 1] && mask->col_idx[q] < row->col[k]) q++;
        if (q == mask->row_ptr[i + 1]) break;
        if (mask->col_idx[q] == row->col[k]) keep(row, n++, k, parts);
    }
    row->n = n;
}

/* The number as C holds it. */
static double rounded(double sum, spmv_type type)
{
    return spmv__is_single(type) ? spmv__rounded_to_single(sum) : sum;
}

static void keep_nonzero(spmv__product_row *row, spmv_type type, int parts)
{
    int64_t n = 0;
    for (int64_t k = 0; k < row->n; k++) {
        const double *sum = row->sum + parts * k;
        if (rounded(sum[0], type) != 0 || (parts == 2 && rounded(sum[1], type) != 0))
            keep(row, n++, k, parts);
    }
    row->n = n;
}

/* ---- The largest ---------------------------------------------------------------------------- */

/* The absolute value of entry k as a number that orders as these do; NaN comes above infinity. */
static uint64_t size_of(const spmv__product_row *row, int64_t k, spmv_type type)
{
    const int parts = spmv__parts(type);
    const double *sum = row->sum + parts * k, re = rounded(sum[0], type);
    const double size =
        parts == 1 ? fabs(re) : spmv__modulus(spmv__number(re, rounded(sum[1], type)));
    uint64_t bits;
    if (isnan(size)) return UINT64_MAX;
    memcpy(&bits, &size, sizeof bits);
    return bits;
}

/* The k-th largest of n sizes, 1 <= k <= n, whose order is lost.  What is left of their range is
 * halved each time, so that there is an end after 64 rounds at most, whatever the sizes. */
static uint64_t kth_largest(uint64_t *size, int64_t n, int64_t k)
{
    uint64_t least = size[0], most = size[0];
    int64_t low = 0, high = n;
    for (int64_t i = 1; i < n; i++) {
        least = size[i] < least ? size[i] : least;
        most = size[i] > most ? size[i] : most;
    }
    while (least < most && high - low > 1) {
        const uint64_t middle = least + (most - least) / 2;
        int64_t above = low;
        for (int64_t i = low; i < high; i++) {
            const uint64_t own = size[i];
            if (own <= middle) continue;
            size[i] = size[above];
            size[above++] = own;
        }
        if (k <= above) {
            high = above;
            least = middle + 1;
        } else {
            low = above;
            most = middle;
        }
    }
    return high - low == 1 ? size[low] : least;
}

/* size [row->n] is scratch. */
static void keep_largest(spmv__product_row *row, int64_t most, spmv_type type, uint64_t *size)
{
    const int parts = spmv__parts(type);
    if (row->n <= most) return;
    for (int64_t k = 0; k < row->n; k++) size[k] = size_of(row, k, type);
    const uint64_t least = kth_largest(size, row->n, most);
    int64_t equal = most, n = 0;
    for (int64_t k = 0; k < row->n; k++) equal -= size_of(row, k, type) > least;
    for (int64_t k = 0; k < row->n; k++) {
        const uint64_t own = size_of(row, k, type);
        if (own > least || (own == least && equal-- > 0)) keep(row, n++, k, parts);
    }
    row->n = n;
}

void spmv__spgemm_select(const spmv__spgemm *job, int64_t i, spmv__product_row *row, int64_t first)
{
    const int parts = spmv__parts(job->type);
    spmv__product_row own = {.n = row->n - first};
    if (own.n == 0) return;
    own.col = row->col + first;
    own.sum = row->sum + parts * first;
    own.size = row->size;
    if (job->mask != NULL) keep_masked(&own, job->mask, i, parts);
    if (job->drop_zeros && job->type != SPMV_PATTERN) keep_nonzero(&own, job->type, parts);
    if (job->top > 0 && job->type != SPMV_PATTERN)
        keep_largest(&own, job->top, job->type, own.size);
    else if (job->top > 0 && own.n > job->top)
        own.n = job->top; /* all are alike: the first ones */
    row->n = first + own.n;
}
