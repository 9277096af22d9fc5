/* assemble_settle.c -- duplicates and zeros of one bucket, once it is sorted. */
#include "assemble.h"

/* The value of equal entries begin .. end - 1.  An image above the diagonal is what the entries
 * below come to, signs of zeros included: that of -a and -b is -(a + b). */
static double combine(const spmv__assembly *job, int64_t begin, int64_t end, bool image)
{
    const double *val = job->A.val;
    const double sign = image && job->negated ? -1.0 : 1.0;
    if (end - begin == 1) return val[begin];
    if (job->duplicates == SPMV_DUPLICATES_LAST) return val[end - 1];
    if (job->duplicates != SPMV_DUPLICATES_SUM) return val[begin];
    double sum = 0;
    for (int64_t p = begin; p < end; p++) sum += sign * val[p];
    return sign * sum;
}

spmv__settled spmv__bucket_settle(spmv__assembly *job, const spmv__bucket *bucket)
{
    double *val = job->A.val;
    int32_t *col = job->A.col_idx;
    int64_t *row_end = job->A.row_ptr + bucket->row + 1;
    spmv__settled done = {0};
    int64_t q = bucket->begin, p = bucket->begin, end;
    for (int64_t r = 0; r < bucket->rows; r++) {
        for (; p < row_end[r]; p = end) {
            const bool image = job->mirrored && col[p] > bucket->row + r;
            for (end = p + 1; end < row_end[r] && col[end] == col[p];) end++;
            if (end - p > 1 && !image) {
                if (done.merged == 0) {
                    done.row = bucket->row + r;
                    done.col = col[p];
                }
                done.merged += end - p - 1;
            }
            col[q] = col[p];
            if (val != NULL) val[q] = combine(job, p, end, image);
            q += !(val != NULL && job->drop_zeros && val[q] == 0);
        }
        row_end[r] = q;
    }
    done.kept = q - bucket->begin;
    return done;
}
