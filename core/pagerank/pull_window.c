/* pull_window.c -- what a window of nodes pulls, by type, number of rankings and instruction set.
 *
 * A ranking alone is gathered: with AVX2 four or eight elements come from one instruction, and what
 * that leaves of the room for instructions in flight is for more misses.  Of four and more, four at
 * a time are in a register.  Measured on one thread of a Xeon of 2023, without and with AVX2, in
 * nanoseconds for an edge without a value, double precision and single.  R-MAT scale 18: one
 * ranking 0.56 and 0.48, 0.56 and 0.43, four 2.5 and 2.2, 3.1 and 1.9, eight 5.9 and 4.8, 6.7
 * and 3.9.  Sixteen random edges of each of a million nodes: one 3.5 and 2.9, 3.0 and 2.5, four 5.7
 * and 5.6, 5.8 and 4.1, eight 11.8 and 8.4, 9.8 and 6.2.
 *
 * Sums have the same bits with all instruction sets. */
#include "core/matrix/value.h"
#include "core/multiply/avx2.h"
#include "core/pagerank/ranking.h"

/* lane[k * width + v] = what column k of the slice that begins at a step pulls of ranking v. */
typedef void (*slice_function)(const spmv__columns *g, int64_t step, int64_t steps,
                               const void *given, double *lane);

/* ---- Any machine ---------------------------------------------------------------------------- */

/* `together` columns are pulled at a time: all sums of those stay in registers. */
SPMV__INLINE void pull_any(spmv_type type, spmv_type x_type, int width, const spmv__columns *g,
                           int64_t step, int64_t steps, const void *given, double *lane)
{
    const int together = width == 1 ? SPMV__ABREAST : 1;
    const int64_t end = (step + steps) * SPMV__ABREAST;
    for (int first = 0; first < SPMV__ABREAST; first += together) {
        double sum[SPMV__ABREAST * SPMV__RANKINGS];
        for (int i = 0; i < together * width; i++) sum[i] = 0;
        for (int64_t p = step * SPMV__ABREAST + first; p < end; p += SPMV__ABREAST)
            for (int k = 0; k < together; k++)
                for (int v = 0; v < width; v++)
                    sum[k * width + v] +=
                        spmv__value(type, g->share, p + k) *
                        spmv__value(x_type, given, (int64_t)g->source[p + k] * width + v);
        memcpy(lane + first * width, sum, (size_t)(together * width) * sizeof *lane);
    }
}

/* ---- AVX2 ----------------------------------------------------------------------------------- */

#ifdef SPMV__HAVE_AVX2

/* eight [2] = the elements of x in eight columns, none of which is negative. */
SPMV__TARGET_AVX2 SPMV__INLINE void take8(spmv_type x_type, const int32_t *columns, const void *x,
                                          __m256d *eight)
{
    if (x_type == SPMV_F64) {
        eight[0] = spmv__take4(x_type, false, columns, x);
        eight[1] = spmv__take4(x_type, false, columns + 4, x);
        return;
    }
    const __m256 all =
        _mm256_mask_i32gather_ps(_mm256_setzero_ps(), x, _mm256_loadu_si256((const void *)columns),
                                 _mm256_castsi256_ps(spmv__every_lane()), 4);
    eight[0] = _mm256_cvtps_pd(_mm256_castps256_ps128(all));
    eight[1] = _mm256_cvtps_pd(_mm256_extractf128_ps(all, 1));
}

/* Products are not fused with sums, as elsewhere. */
SPMV__TARGET_AVX2 SPMV__INLINE __m256d add4(spmv_type type, __m256d share, __m256d x, __m256d sum)
{
    return _mm256_add_pd(sum, type == SPMV_PATTERN ? x : _mm256_mul_pd(share, x));
}

SPMV__TARGET_AVX2 SPMV__INLINE void pull_one(spmv_type type, spmv_type x_type,
                                             const spmv__columns *g, int64_t step, int64_t steps,
                                             const void *given, double *lane)
{
    __m256d sum[2] = {_mm256_setzero_pd(), _mm256_setzero_pd()}, x[2];
    for (int64_t p = step * SPMV__ABREAST; p < (step + steps) * SPMV__ABREAST; p += SPMV__ABREAST) {
        take8(x_type, g->source + p, given, x);
        for (int h = 0; h < 2; h++) {
            const __m256d share =
                type == SPMV_PATTERN ? x[h] : spmv__load4(type, g->share, p + 4 * h);
            sum[h] = add4(type, share, x[h], sum[h]);
        }
    }
    for (int h = 0; h < 2; h++) _mm256_storeu_pd(lane + 4 * h, sum[h]);
}

/* Four rankings at a time lie side by side. */
SPMV__TARGET_AVX2 SPMV__INLINE void pull_fours(spmv_type type, spmv_type x_type, int width,
                                               const spmv__columns *g, int64_t step, int64_t steps,
                                               const void *given, double *lane)
{
    const int64_t end = (step + steps) * SPMV__ABREAST;
    for (int k = 0; k < SPMV__ABREAST; k++, lane += width) {
        __m256d sum[2] = {_mm256_setzero_pd(), _mm256_setzero_pd()};
        for (int64_t p = step * SPMV__ABREAST + k; p < end; p += SPMV__ABREAST) {
            const __m256d share = _mm256_set1_pd(spmv__value(type, g->share, p));
            const int64_t at = (int64_t)g->source[p] * width;
            for (int h = 0; h < width / 4; h++)
                sum[h] = add4(type, share, spmv__load4(x_type, given, at + 4 * h), sum[h]);
        }
        for (int h = 0; h < width / 4; h++) _mm256_storeu_pd(lane + 4 * h, sum[h]);
    }
}

SPMV__TARGET_AVX2 SPMV__INLINE void pull_avx2(spmv_type type, spmv_type x_type, int width,
                                              const spmv__columns *g, int64_t step, int64_t steps,
                                              const void *given, double *lane)
{
    if (width == 1)
        pull_one(type, x_type, g, step, steps, given, lane);
    else if (width < 4)
        pull_any(type, x_type, width, g, step, steps, given, lane);
    else
        pull_fours(type, x_type, width, g, step, steps, given, lane);
}

#endif

/* ---- Windows -------------------------------------------------------------------------------- */

/* Add up the lanes of a column that has a slice of its own. */
SPMV__INLINE void join_lanes(int width, double *lane)
{
    for (int half = SPMV__ABREAST / 2; half > 0; half /= 2)
        for (int i = 0; i < half * width; i++) lane[i] += lane[half * width + i];
}

/* Specialised by constant function and width. */
SPMV__INLINE void pull_window(slice_function pull, int width, const spmv__columns *g,
                              const spmv__node_window *w, const void *given, double *sum)
{
    int64_t step = w->step, i = w->slice;
    for (; i < w->slice + w->alone; step += g->steps[i++], sum += width) {
        double lane[SPMV__ABREAST * SPMV__RANKINGS];
        pull(g, step, g->steps[i], given, lane);
        join_lanes(width, lane);
        memcpy(sum, lane, (size_t)width * sizeof *sum);
    }
    for (; i < w[1].slice; step += g->steps[i++], sum += SPMV__ABREAST * width)
        pull(g, step, g->steps[i], given, sum);
}

/* ---- One function per combination ----------------------------------------------------------- */

#define KERNEL(set, target, name, type, x_type, width)                                            \
    target static inline void set##_slice_##name##_##width(                                       \
        const spmv__columns *g, int64_t step, int64_t steps, const void *given, double *lane)     \
    {                                                                                             \
        pull_##set(type, x_type, width, g, step, steps, given, lane);                             \
    }                                                                                             \
    target static void set##_##name##_##width(const spmv__columns *g, const spmv__node_window *w, \
                                              const void *given, double *sum)                     \
    {                                                                                             \
        pull_window(set##_slice_##name##_##width, width, g, w, given, sum);                       \
    }
#define KERNELS(set, target, name, type, x_type) \
    KERNEL(set, target, name, type, x_type, 1)   \
    KERNEL(set, target, name, type, x_type, 2)   \
    KERNEL(set, target, name, type, x_type, 4)   \
    KERNEL(set, target, name, type, x_type, 8)

/* X(name, type of the edges, precision) */
#define COMBINATIONS(X)                    \
    X(pattern_f64, SPMV_PATTERN, SPMV_F64) \
    X(pattern_f32, SPMV_PATTERN, SPMV_F32) \
    X(f64, SPMV_F64, SPMV_F64)             \
    X(f32, SPMV_F32, SPMV_F32)

#define X(name, type, x_type) KERNELS(any, , name, type, x_type)
COMBINATIONS(X)
#undef X
#define WIDTHS(set, name)                                                       \
    {                                                                           \
        [1] = set##_##name##_1, [2] = set##_##name##_2, [4] = set##_##name##_4, \
        [8] = set##_##name##_8                                                  \
    }

#ifdef SPMV__HAVE_AVX2
#define X(name, type, x_type) KERNELS(avx2, SPMV__TARGET_AVX2, name, type, x_type)
COMBINATIONS(X)
#undef X
#define AVX2(name) WIDTHS(avx2, name)
#else
#define AVX2(name) \
    {              \
        NULL       \
    }
#endif

spmv__pull spmv__pull_for(spmv_type type, spmv_type x_type, int width, bool avx2)
{
    static const struct {
        spmv_type type, x_type;
        spmv__pull pull[2][SPMV__RANKINGS + 1]; /* [avx2][width] */
    } table[] = {
#define X(name, t, xt) {t, xt, {WIDTHS(any, name), AVX2(name)}},
        COMBINATIONS(X)
#undef X
    };
    size_t i = 0;
    while (table[i].type != type || table[i].x_type != x_type) i++;
    return table[i].pull[avx2][width];
}
