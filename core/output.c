/* output.c -- y = alpha sum + beta y for a block of rows that has been summed. */
#include "multiply.h"

/* Specialised by constant type, with or without beta and perm. */
SPMV__INLINE void write_rows(spmv_type type, bool has_beta, const spmv__output *out,
                             const int32_t *perm, int64_t first, int64_t n, const double *sum)
{
    double *y64 = out->y;
    float *y32 = out->y;
    const double alpha = out->alpha, beta = out->beta;

    for (int64_t i = 0; i < n; i++) {
        const int64_t r = perm != NULL ? perm[first + i] : first + i;
        double value = alpha * sum[i];
        if (has_beta) value += beta * (type == SPMV_F64 ? y64[r] : (double)y32[r]);
        if (type == SPMV_F64)
            y64[r] = value;
        else
            y32[r] = (float)value;
    }
}

void spmv__output_sums(const spmv__output *out, const int32_t *perm, int64_t first, int64_t n,
                       double *sum)
{
    const bool has_beta = out->beta != 0;

    if (out->add != NULL)
        for (int64_t i = 0; i < n; i++)
            sum[i] += out->add[perm != NULL ? perm[first + i] : first + i];

    if (perm != NULL)
        write_rows(out->type, has_beta, out, perm, first, n, sum);
    else if (out->type == SPMV_F64 && has_beta)
        write_rows(SPMV_F64, true, out, NULL, first, n, sum);
    else if (out->type == SPMV_F64)
        write_rows(SPMV_F64, false, out, NULL, first, n, sum);
    else if (has_beta)
        write_rows(SPMV_F32, true, out, NULL, first, n, sum);
    else
        write_rows(SPMV_F32, false, out, NULL, first, n, sum);
}
