/* csell_sums.c -- sums of the slices of CSELL, with AVX2.
 *
 * Four rows go together through a few steps, then the next four.  Where every slot has a number, it
 * is unpacked in a register, and x is gathered.  Where a step has one number for all rows, they
 * take four elements of x that lie side by side, or all the same one; bits of the rows become a
 * mask of the load, so that what they leave out is never read.  Where rows share lists of columns,
 * each element of x is loaded once for all rows of a list, and then goes to each of them.
 *
 * The values that are needed next lie a few steps apart, which the processor does not foresee: they
 * are asked for in the order of memory, a little ahead.  Measured on Zen 5, one thread, double
 * precision, in GB/s of the matrix without and with it: five-point stencil 13 and 25, 27 points 11
 * and 26, blocks of three 10 and 24.  On a Xeon of 2023, 1 to 16 threads, eight steps at a time
 * take 0.85 of the time of four on 27 points, and 1.06 where every slot has a number. */
#include "core/csell/csell_kernels.h"
#include "core/multiply/avx2.h"

#ifdef SPMV__HAVE_AVX2

enum {
    STEPS = SPMV__CSELL_BITS, /* at a time, with one number each, */
    SOME = 4,                 /* and with a number for every slot */
    LINE = 64,                /* bytes */
    AHEAD = 1024,             /* values */
    EVERY_ROW = 0x01010101    /* a bit of each of four rows */
};

/* Ask for values p .. p + n - 1, which may not exist. */
SPMV__TARGET_AVX2 SPMV__INLINE void prefetch(spmv_type type, const void *val, int64_t p, int64_t n)
{
    const int64_t size = spmv__value_size(type);
    for (int64_t i = 0; i < n * size; i += LINE) spmv__prefetch(val, p * size + i);
}

/* ---- One number for every step -------------------------------------------------------------- */

/* The elements of x that four rows take: four from `at` on, or that one for all of them. */
SPMV__TARGET_AVX2 SPMV__INLINE __m256d take(spmv_type x_type, bool relative, const void *x,
                                            int64_t at)
{
    return relative ? spmv__load4(x_type, x, at) : _mm256_set1_pd(spmv__value(x_type, x, at));
}

/* Four numbers where the highest bit of their byte is set; 0 for the others. */
SPMV__TARGET_AVX2 SPMV__INLINE __m256d keep(__m256d four, uint32_t bits)
{
    const __m256i wide = _mm256_cvtepi8_epi64(_mm_cvtsi32_si128((int32_t)bits));
    return _mm256_blendv_pd(_mm256_setzero_pd(), four, _mm256_castsi256_pd(wide));
}

/* The elements of x for those of four rows whose bit is set, the highest one of each byte; 0 for
 * the others. */
SPMV__TARGET_AVX2 SPMV__INLINE __m256d take_some(spmv_type x_type, bool relative, const void *x,
                                                 int64_t at, uint32_t bits)
{
    const __m128i bytes = _mm_cvtsi32_si128((int32_t)bits);
    if (relative && x_type == SPMV_F64)
        return _mm256_maskload_pd((const double *)x + at, _mm256_cvtepi8_epi64(bytes));
    if (relative)
        return _mm256_cvtps_pd(_mm_maskload_ps((const float *)x + at, _mm_cvtepi8_epi32(bytes)));
    if (bits == 0) return _mm256_setzero_pd(); /* `at` may be anywhere */
    return keep(take(x_type, false, x, at), bits);
}

/* n steps from step k on, a multiple of STEPS. */
SPMV__TARGET_AVX2 SPMV__INLINE void sum_steps(spmv_type type, spmv_type x_type, bool relative,
                                              bool masked, const spmv__slice *s, int64_t k, int n,
                                              const void *val, const void *x, double *sum)
{
    const uint32_t all = ((1u << n) - 1) * EVERY_ROW;
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
                take_some(x_type, relative, x, from + number[b], (word >> b & EVERY_ROW) << 7),
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

/* ---- A number for every slot ---------------------------------------------------------------- */

/* The columns of the codes that begin at bit `shift` of four words; negative where it is padding,
 * whose bits are all set. */
SPMV__TARGET_AVX2 SPMV__INLINE __m128i columns_of(int bits, __m128i words, int shift, __m128i base)
{
    const __m128i none = _mm_srli_epi32(_mm_set1_epi32(-1), 32 - bits);
    const __m128i code = _mm_and_si128(_mm_srl_epi32(words, _mm_cvtsi32_si128(shift)), none);
    return _mm_or_si128(_mm_add_epi32(base, code), _mm_cmpeq_epi32(code, none));
}

/* n steps from step k on, a multiple of SOME, with codes of `bits` bits; `base` holds those of
 * lanes 0 to 3. */
SPMV__TARGET_AVX2 SPMV__INLINE void sum_codes(spmv_type type, spmv_type x_type, bool relative,
                                              int bits, const spmv__slice *s, int64_t k, int n,
                                              __m128i base, const void *val, const void *x,
                                              double *sum)
{
    const int each = 32 / bits;
    for (int64_t lane = 0; lane < s->lanes; lane += 4) {
        const int32_t *word = s->code + k / each * s->lanes + lane;
        const int64_t p = k * s->lanes + lane;
        const __m128i from = _mm_add_epi32(base, _mm_set1_epi32(relative ? (int32_t)lane : 0));
        __m256d four = _mm256_loadu_pd(sum + lane);
        if (type != SPMV_PATTERN) prefetch(type, val, k * s->lanes + lane * n + AHEAD, 4 * n);
        for (int b = 0; b < n; b++) {
            const __m128i words = _mm_loadu_si128((const void *)(word + b / each * s->lanes));
            const __m128i columns = columns_of(bits, words, bits * (b % each), from);
            four = spmv__add4(type, val, p + b * s->lanes, spmv__gather4(x_type, x, columns), four);
        }
        _mm256_storeu_pd(sum + lane, four);
    }
}

SPMV__TARGET_AVX2 SPMV__INLINE void sum_slots(spmv_type type, spmv_type x_type, bool relative,
                                              int bits, const spmv__slice *s, const void *val,
                                              const void *x, double *sum)
{
    const int each = 32 / bits;
    const int64_t codes = (s->steps + each - 1) / each * s->lanes; /* the base is behind them */
    const __m128i from = _mm_set1_epi32(bits == 32 ? 0 : s->code[codes]);
    const __m128i row =
        _mm_add_epi32(_mm_set1_epi32((int32_t)s->first), _mm_setr_epi32(0, 1, 2, 3));
    const __m128i base = relative ? _mm_add_epi32(from, row) : from;
    int64_t k = 0;
    for (; k + SOME <= s->steps; k += SOME)
        sum_codes(type, x_type, relative, bits, s, k, SOME, base, val, x, sum);
    if (k < s->steps)
        sum_codes(type, x_type, relative, bits, s, k, (int)(s->steps - k), base, val, x, sum);
}

/* ---- Lists of columns ----------------------------------------------------------------------- */

/* Which lists the lanes have, four at a time. */
typedef struct list_map {
    int64_t lists;
    int16_t first[SPMV_CSELL_SLICE / 4]; /* the list of the first of four lanes */
    uint8_t next[SPMV_CSELL_SLICE / 4];  /* a bit for each of the others that begins one */
} list_map;

SPMV__TARGET_AVX2 static list_map map_lists(const spmv__slice *s)
{
    list_map m = {.lists = 0};
    for (int64_t lane = 0; lane < s->lanes; lane += 4) {
        const uint32_t four = spmv__lists_begin(s, lane) & 15;
        m.first[lane / 4] = (int16_t)(m.lists + (four & 1) - 1);
        m.next[lane / 4] = (uint8_t)(four >> 1);
        m.lists += __builtin_popcount(four);
    }
    return m;
}

/* Of four lanes, given `next` of the map, the halves of the elements of x of their lists. */
#define PICK(a, b, c)                                                          \
    {                                                                          \
        0, 1, 2 * (a), 2 * (a) + 1, 2 * (b), 2 * (b) + 1, 2 * (c), 2 * (c) + 1 \
    }
static const int32_t picks[8][8] = {PICK(0, 0, 0), PICK(1, 1, 1), PICK(0, 1, 1), PICK(1, 2, 2),
                                    PICK(0, 0, 1), PICK(1, 1, 2), PICK(0, 1, 2), PICK(1, 2, 3)};
#undef PICK

/* Adds n steps from step k on; xs [n, SPMV__LIST_ROOM] are the elements of x of the lists. */
SPMV__TARGET_AVX2 SPMV__INLINE void add_steps(spmv_type type, bool masked, const spmv__slice *s,
                                              const list_map *map, int64_t mask, int64_t k, int n,
                                              const void *val, const double *xs, double *sum)
{
    for (int64_t lane = 0; lane < s->lanes; lane += 4) {
        const int64_t p = k * s->lanes + lane, first = map->first[lane / 4];
        const __m256i pick = _mm256_loadu_si256((const void *)picks[map->next[lane / 4]]);
        const uint32_t word =
            masked ? (uint32_t)s->code[spmv__mask_word(s, mask, k, lane)] >> k % SPMV__CSELL_BITS
                   : 0;
        __m256d four = _mm256_loadu_pd(sum + lane);
        if (type != SPMV_PATTERN) prefetch(type, val, p + lane * (n - 1) + AHEAD, 4 * n);
        for (int e = 0; e < n; e++) {
            const __m256 some = _mm256_castpd_ps(_mm256_loadu_pd(xs + e * SPMV__LIST_ROOM + first));
            __m256d own = _mm256_castps_pd(_mm256_permutevar8x32_ps(some, pick));
            if (masked) own = keep(own, (word >> e & EVERY_ROW) << 7);
            four = spmv__add4(type, val, p + e * s->lanes, own, four);
        }
        _mm256_storeu_pd(sum + lane, four);
    }
}

/* The elements of x of a few steps are loaded first, one for each list, and then go to the
 * lanes, which may lack some. */
SPMV__TARGET_AVX2 SPMV__INLINE void sum_lists(spmv_type type, spmv_type x_type, bool masked,
                                              int bits, const spmv__slice *s, const void *val,
                                              const void *x, double *sum)
{
    enum { N = SPMV__LIST_STEPS };
    const list_map map = map_lists(s);
    spmv__list_walk walk;
    double xs[N * SPMV__LIST_ROOM];
    spmv__list_walk_begin(&walk, bits, s, map.lists);
    const int64_t mask = spmv__list_bits(&walk, s);

    int64_t k = 0;
    for (; k + N <= s->steps; k += N) {
        spmv__take_steps(&walk, x_type, bits, s, N, x, xs);
        add_steps(type, masked, s, &map, mask, k, N, val, xs, sum);
    }
    if (k < s->steps) {
        spmv__take_steps(&walk, x_type, bits, s, (int)(s->steps - k), x, xs);
        add_steps(type, masked, s, &map, mask, k, (int)(s->steps - k), val, xs, sum);
    }
}

/* ---- One function per combination ----------------------------------------------------------- */

#define KERNEL(body, name, ...)                                                              \
    SPMV__TARGET_AVX2 static void name(const spmv__slice *s, const void *val, const void *x, \
                                       double *sum)                                          \
    {                                                                                        \
        body(__VA_ARGS__, s, val, x, sum);                                                   \
    }
#define SHARED(...) KERNEL(sum_shared, __VA_ARGS__)
#define SLOTS(...) KERNEL(sum_slots, __VA_ARGS__)
#define LISTS(...) KERNEL(sum_lists, __VA_ARGS__)
SPMV__REAL_TYPES_TABLE(SPMV__SLICE_KERNELS)

const spmv__slice_kernels spmv__avx2_slices[SPMV__SLICE_KERNEL_TYPES] = {
    SPMV__REAL_TYPES_TABLE(SPMV__SLICE_SUMS)};

#endif

spmv__slice_sums spmv__slice_sums_for(int encoding, spmv_type type, spmv_type x_type,
                                      spmv__instructions set)
{
#ifdef SPMV__HAVE_AVX2
    static const spmv__slice_kernels *const sets[] = {
        [SPMV__AVX2] = spmv__avx2_slices, [SPMV__AVX512] = spmv__avx512_slices};
    const spmv__slice_kernels *k = sets[set];
    for (int i = 0; k != NULL && i < SPMV__SLICE_KERNEL_TYPES; i++)
        if (k[i].type == type && k[i].x_type == x_type) return k[i].sums[encoding];
#else
    (void)encoding, (void)type, (void)x_type, (void)set;
#endif
    return NULL;
}
