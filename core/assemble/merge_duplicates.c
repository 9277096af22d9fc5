/* merge_duplicates.c -- duplicates and zeros of some rows, once they are sorted. */
#include "core/assemble/assembly.h"

/* Part i of what equal entries begin .. end - 1 come to.  An image above the diagonal is what the
 * entries below come to, signs of zeros included: that of -a and -b is -(a + b). */
SPMV__INLINE double combine(const spmv__assembly *job, int64_t begin, int64_t end, bool negated,
                            int i, const int parts)
{
    const double *val = (const double *)job->A.val + i;
    const double sign = negated ? -1.0 : 1.0;
    if (end - begin == 1) return val[begin * parts];
    if (job->duplicates == SPMV_DUPLICATES_LAST) return val[(end - 1) * parts];
    if (job->duplicates == SPMV_DUPLICATES_FIRST) return val[begin * parts];
    double sum = sign * val[begin * parts]; /* not 0, which would take the sign of zeros */
    for (int64_t p = begin + 1; p < end; p++) sum += sign * val[p * parts];
    return sign * sum;
}

/* Store at q what they come to; returns whether it is 0. */
SPMV__INLINE bool store(spmv__assembly *job, int64_t q, int64_t begin, int64_t end, bool image,
                        const int parts)
{
    double *val = job->A.val;
    bool zero = parts > 0;
    for (int i = 0; i < parts; i++) {
        const bool negated = job->images == SPMV_SKEW || (job->images == SPMV_HERMITIAN && i == 1);
        val[q * parts + i] = combine(job, begin, end, image && negated, i, parts);
        zero = zero && val[q * parts + i] == 0;
    }
    return zero;
}

SPMV__INLINE spmv__settled settle(spmv__assembly *job, const spmv__lot *lot, const int parts)
{
    int32_t *col = job->A.col_idx;
    int64_t *row_end = job->A.row_ptr + lot->row + 1;
    spmv__settled done = {0};
    int64_t q = lot->begin, p = lot->begin, end;
    for (int64_t r = 0; r < lot->rows; r++) {
        for (; p < row_end[r]; p = end) {
            const bool image = job->images != SPMV_GENERAL && col[p] > lot->row + r;
            for (end = p + 1; end < row_end[r] && col[end] == col[p];) end++;
            if (end - p > 1 && !image) {
                if (done.merged == 0) {
                    done.row = lot->row + r;
                    done.col = col[p];
                }
                done.merged += end - p - 1;
            }
            col[q] = col[p];
            q += !(store(job, q, p, end, image, parts) && job->drop_zeros);
        }
        row_end[r] = q;
    }
    done.kept = q - lot->begin;
    return done;
}

spmv__settled spmv__lot_settle(spmv__assembly *job, const spmv__lot *lot)
{
    const int parts = spmv__assembly_parts(job);
    return parts == 0   ? settle(job, lot, 0)
           : parts == 1 ? settle(job, lot, 1)
                        : settle(job, lot, 2);
}
