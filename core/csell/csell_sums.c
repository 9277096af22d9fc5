/* csell_sums.c -- sums of the slices of CSELL whose rows share columns, with AVX2.
 *
 * Four rows go together through a few steps, then the next four.  Where a step has one number for
 * all rows, they take four elements of x that lie side by side, or all the same one; bits of the
 * rows become a mask of the load, so that what they leave out is never read.  Where rows share
 * lists of columns, each element of x is loaded once for all rows of a list.
 *
 * The values that are needed next lie a few steps apart, which the processor does not foresee: they
 * are asked for in the order of memory, a little ahead.  Measured on Zen 5, one thread, double
 * precision, in GB/s of the matrix without and with it: five-point stencil 13 and 25, 27 points 11
 * and 26, blocks of three 10 and 24. */
#include "core/multiply/avx2.h"
#include "core/csell/csell.h"

#ifdef SPMV__HAVE_AVX2

enum {
    STEPS = SPMV__CSELL_BITS, /* at a time */
    LINE = 64,                /* bytes */
    AHEAD = 1024              /* values */
};

/* Ask for values p .. p + n - 1, which may not exist. */
SPMV__TARGET_AVX2 SPMV__INLINE void prefetch(spmv_type type, const void *val, int64_t p, int64_t n)
{
    const int64_t size = (int64_t)spmv_type_size(type);
    for (int64_t i = 0; i < n * size; i += LINE)
        _mm_prefetch((const char *)val + p * size + i, _MM_HINT_T0);
}

/* ---- One number for every step -------------------------------------------------------------- */

/* The elements of x that four rows take: four from `at` on, or that one for all of them. */
SPMV__TARGET_AVX2 SPMV__INLINE __m256d take(spmv_type x_type, bool relative, const void *x,
                                            int64_t at)
{
    return relative ? spmv__load4(x_type, x, at) : _mm256_set1_pd(spmv__value(x_type, x, at));
}

/* The elements of x for those of four rows whose bit is set, the highest one of each byte; 0 for
 * the others. */
SPMV__TARGET_AVX2 SPMV__INLINE __m256d take_some(spmv_type x_type, bool relative, const void *x,
                                                 int64_t at, uint32_t bits)
{
    const __m128i bytes = _mm_cvtsi32_si128((int32_t)bits);
    const __m256i wide = _mm256_cvtepi8_epi64(bytes);
    if (relative && x_type == SPMV_F64) return _mm256_maskload_pd((const double *)x + at, wide);
    if (relative)
        return _mm256_cvtps_pd(_mm_maskload_ps((const float *)x + at, _mm_cvtepi8_epi32(bytes)));
    if (bits == 0) return _mm256_setzero_pd(); /* `at` may be anywhere */
    return _mm256_blendv_pd(_mm256_setzero_pd(), take(x_type, false, x, at),
                            _mm256_castsi256_pd(wide));
}

/* n steps from step k on, a multiple of STEPS. */
SPMV__TARGET_AVX2 SPMV__INLINE void sum_steps(spmv_type type, spmv_type x_type, bool relative,
                                              bool masked, const spmv__slice *s, int64_t k, int n,
                                              const void *val, const void *x, double *sum)
{
    const uint32_t every_row = 0x01010101u, all = ((1u << n) - 1) * every_row;
    const int32_t *number = s->code + k;
    for (int64_t lane = 0; lane < s->lanes; lane += 4) {
        const uint32_t word =
            masked ? (uint32_t)s->code[spmv__mask_word(s, spmv__whole_bytes(s->steps), k, lane)]
                   : all;
        const int64_t p = k * s->lanes + lane, from = relative ? s->first + lane : 0;
        __m256d four = _mm256_loadu_pd(sum + lane);
        if (type != SPMV_PATTERN) prefetch(type, val, k * s->lanes + lane * n + AHEAD, 4 * n);
        for (int b = 0; b < n && word == all; b++)
            four = spmv__add4(type, val, p + b * s->lanes,
                              take(x_type, relative, x, from + number[b]), four);
        for (int b = 0; b < n && word != all; b++)
            four = spmv__add4(
                type, val, p + b * s->lanes,
                take_some(x_type, relative, x, from + number[b], (word >> b & every_row) << 7),
                four);
        _mm256_storeu_pd(sum + lane, four);
    }
}

SPMV__TARGET_AVX2 SPMV__INLINE void sum_shared(spmv_type type, spmv_type x_type, bool relative,
                                               bool masked, const spmv__slice *s, const void *val,
                                               const void *x, double *sum)
{
    int64_t k = 0;
    for (; k + STEPS <= s->steps; k += STEPS)
        sum_steps(type, x_type, relative, masked, s, k, STEPS, val, x, sum);
    if (k < s->steps)
        sum_steps(type, x_type, relative, masked, s, k, (int)(s->steps - k), val, x, sum);
}

/* ---- Lists of columns ----------------------------------------------------------------------- */

/* The lane in which each list begins, and behind them the number of lanes; returns how many. */
static int64_t lists_of(const spmv__slice *s, int16_t begin[SPMV_CSELL_SLICE + 1])
{
    int64_t n = 0;
    for (int64_t lane = 0; lane < s->rows; lane++)
        if (spmv__list_begins(s, lane)) begin[n++] = (int16_t)lane;
    begin[n] = (int16_t)s->lanes;
    return n;
}

/* x is spread out to the rows of a few steps first; x that goes beyond a list is overwritten by
 * that of the next one. */
SPMV__TARGET_AVX2 SPMV__INLINE void sum_lists(spmv_type type, spmv_type x_type,
                                              const spmv__csell_form *form, const spmv__slice *s,
                                              const void *val, const void *x, double *sum)
{
    enum { SPREAD = 4 };
    const int64_t run = spmv__list_run(s), room = spmv__list_room(s);
    const int32_t *codes = s->code + spmv__list_head(s->lanes);
    int16_t begin[SPMV_CSELL_SLICE + 1];
    const int64_t lists = lists_of(s, begin);
    double xs[SPREAD][SPMV_CSELL_SLICE + 4];

    for (int64_t k = 0; k < s->steps; k += SPREAD) {
        const int n = (int)(s->steps - k < SPREAD ? s->steps - k : SPREAD);
        for (int64_t g = 0; g < lists; g++)
            for (int e = 0; e < n; e++) {
                const uint32_t code = spmv__code(codes, form->bits, g * room + (k + e) / run);
                const bool entry = code != UINT32_MAX >> (32 - form->bits);
                const int64_t c = s->code[0] + (int64_t)code + (k + e) % run;
                const __m256d four = _mm256_set1_pd(entry ? spmv__value(x_type, x, c) : 0);
                for (int64_t lane = begin[g]; lane < begin[g + 1]; lane += 4)
                    _mm256_storeu_pd(xs[e] + lane, four);
            }
        for (int64_t lane = 0; lane < s->lanes; lane += 4) {
            const int64_t p = k * s->lanes + lane;
            __m256d four = _mm256_loadu_pd(sum + lane);
            if (type != SPMV_PATTERN) prefetch(type, val, p + lane * (n - 1) + AHEAD, 4 * n);
            for (int e = 0; e < n; e++)
                four = spmv__add4(type, val, p + e * s->lanes, _mm256_loadu_pd(xs[e] + lane), four);
            _mm256_storeu_pd(sum + lane, four);
        }
    }
}

/* ---- One function per combination ----------------------------------------------------------- */

/* X(name, type of the values, type of x): real ones */
#define REAL_TYPES(X)                      \
    X(f64, SPMV_F64, SPMV_F64)             \
    X(f32, SPMV_F32, SPMV_F32)             \
    X(f32_f64, SPMV_F32, SPMV_F64)         \
    X(pattern_f64, SPMV_PATTERN, SPMV_F64) \
    X(pattern_f32, SPMV_PATTERN, SPMV_F32)

#define KERNEL(name, body, type, x_type, ...)                                                \
    SPMV__TARGET_AVX2 static void name(const spmv__slice *s, const void *val, const void *x, \
                                       double *sum)                                          \
    {                                                                                        \
        body(type, x_type, __VA_ARGS__, s, val, x, sum);                                     \
    }
#define X(name, type, x_type)                                            \
    KERNEL(diagonal_##name, sum_shared, type, x_type, true, false)       \
    KERNEL(diagonal_masked_##name, sum_shared, type, x_type, true, true) \
    KERNEL(column_##name, sum_shared, type, x_type, false, false)        \
    KERNEL(column_masked_##name, sum_shared, type, x_type, false, true)  \
    KERNEL(lists_##name, sum_lists, type, x_type, &spmv__csell_lists)    \
    KERNEL(lists_far_##name, sum_lists, type, x_type, &spmv__csell_lists_far)
REAL_TYPES(X)
#undef X

spmv__slice_sums spmv__slice_sums_for(int encoding, spmv_type type, spmv_type x_type)
{
    static const struct {
        spmv_type type, x_type;
        spmv__slice_sums sums[SPMV_CSELL_ENCODINGS];
    } table[] = {
#define X(name, t, xt)                                       \
    {t,                                                      \
     xt,                                                     \
     {[SPMV_CSELL_DIAGONAL] = diagonal_##name,               \
      [SPMV_CSELL_DIAGONAL_MASKED] = diagonal_masked_##name, \
      [SPMV_CSELL_COLUMN] = column_##name,                   \
      [SPMV_CSELL_COLUMN_MASKED] = column_masked_##name,     \
      [SPMV_CSELL_LISTS] = lists_##name,                     \
      [SPMV_CSELL_LISTS_FAR] = lists_far_##name}},
        REAL_TYPES(X)
#undef X
    };
    for (size_t i = 0; spmv__use_avx2() && i < sizeof table / sizeof table[0]; i++)
        if (table[i].type == type && table[i].x_type == x_type) return table[i].sums[encoding];
    return NULL;
}

#else

spmv__slice_sums spmv__slice_sums_for(int encoding, spmv_type type, spmv_type x_type)
{
    (void)encoding, (void)type, (void)x_type;
    return NULL;
}

#endif
