/* short_edges.c -- lines of two short ids, as nearly all are, with AVX2.
 *
 * 64 bytes of text become three masks: what is no digit, the separators, and the ends of lines.  As
 * long as they follow each other as in an edge list, the places where numbers begin and end come
 * out of the masks alone; both numbers of a line are then made in the halves of one register, their
 * pairs, fours and eights of digits added at once.
 *
 * A line of 14 bytes takes 67 instructions so, where number by number it takes 167. */
#include "formats/graphs/short_edges.h"
#include "formats/text/marks.h"

#include <string.h>

#if defined(__GNUC__) && defined(__x86_64__)
#include <immintrin.h>

#define TARGET __attribute__((target("avx2,bmi,bmi2")))

enum { DIGITS = 8, REACH = SPMV__MARKED + DIGITS }; /* bytes that are looked at */

/* What is known of 64 bytes, a bit for each. */
typedef struct window {
    uint64_t marks; /* no digits */
    uint64_t ends;  /* of lines, before the first byte that is none of these, nor a separator, and
                       before the first number that begins with zeros: it may be a name */
} window;

TARGET SPMV__INLINE uint64_t equal_bytes(__m256i low, __m256i high, char c)
{
    const __m256i all = _mm256_set1_epi8(c);
    const uint32_t below = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, all));
    const uint32_t above = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, all));
    return below | (uint64_t)above << 32;
}

TARGET SPMV__INLINE uint32_t marks_of(__m256i x)
{
    const __m256i digit = _mm256_sub_epi8(x, _mm256_set1_epi8('0'));
    const __m256i least = _mm256_min_epu8(digit, _mm256_set1_epi8(9));
    return ~(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(least, digit));
}

TARGET SPMV__INLINE window look(const unsigned char *p, char separator)
{
    const __m256i low = _mm256_loadu_si256((const __m256i *)(const void *)p);
    const __m256i high = _mm256_loadu_si256((const __m256i *)(const void *)(p + 32));
    const uint64_t ends = equal_bytes(low, high, '\n');
    const uint64_t marks = marks_of(low) | (uint64_t)marks_of(high) << 32;
    const uint64_t first = marks << 1 | 1, lonely = marks >> 1; /* digits of numbers */
    const uint64_t padded = equal_bytes(low, high, '0') & first & ~lonely;
    const uint64_t others = (marks ^ (ends | equal_bytes(low, high, separator))) | padded;
    return (window){marks, ends & ~others & (others - 1)};
}

/* Two numbers of `first` and `second` digits at p and q. */
TARGET SPMV__INLINE __m128i two_numbers(const unsigned char *p, int first, const unsigned char *q,
                                        int second)
{
    const uint64_t zeros = 0x3030303030303030u;
    uint64_t x, y;
    memcpy(&x, p, sizeof x);
    memcpy(&y, q, sizeof y);
    x = (x ^ zeros) << 8 * (DIGITS - first);
    y = (y ^ zeros) << 8 * (DIGITS - second);
    const __m128i digits = _mm_set_epi64x((int64_t)y, (int64_t)x);
    const __m128i pairs = _mm_maddubs_epi16(digits, _mm_set1_epi16(1 << 8 | 10));
    const __m128i fours = _mm_madd_epi16(pairs, _mm_set1_epi32(1 << 16 | 100));
    return _mm_madd_epi16(_mm_packus_epi32(fours, fours), _mm_set1_epi32(1 << 16 | 10000));
}

/* The extent of the edges so far: row and column in the lower two lanes. */
typedef struct edge_lanes {
    __m128i least, most, loops;
} edge_lanes;

TARGET SPMV__INLINE void add_to(edge_lanes *all, __m128i edge)
{
    const __m128i turned = _mm_shuffle_epi32(edge, 1);
    all->least = _mm_min_epu32(all->least, edge);
    all->most = _mm_max_epu32(all->most, edge);
    all->loops = _mm_sub_epi32(all->loops, _mm_cmpeq_epi32(edge, turned));
}

TARGET static void add_lanes(const edge_lanes *all, spmv__edges_extent *e)
{
    const int64_t row = (uint32_t)_mm_extract_epi32(all->least, 0);
    const int64_t col = (uint32_t)_mm_extract_epi32(all->least, 1);
    const int64_t rows = (int64_t)(uint32_t)_mm_extract_epi32(all->most, 0) + 1;
    const int64_t cols = (int64_t)(uint32_t)_mm_extract_epi32(all->most, 1) + 1;
    if (row < e->smallest) e->smallest = row;
    if (col < e->smallest) e->smallest = col;
    if (rows > e->rows) e->rows = rows;
    if (cols > e->cols) e->cols = cols;
    e->loops += (uint32_t)_mm_extract_epi32(all->loops, 0);
}

/* The lines that end within a window at p; returns the beginning of the first that does not. */
TARGET SPMV__INLINE int read_window(const unsigned char *p, window w, __m128i base,
                                    spmv__edge_ids *edge, int64_t *n, edge_lanes *all)
{
    int begin = 0;
    while (w.ends != 0) {
        const int end = (int)_tzcnt_u64(w.ends), first = (int)_tzcnt_u64(w.marks);
        w.marks = _blsr_u64(w.marks);
        const int second = (int)_tzcnt_u64(w.marks);
        const int digits = first - begin, more = second - first - 1;
        if (second != end || (unsigned)((digits - 1) | (more - 1)) >= DIGITS) break;
        const __m128i ids =
            _mm_sub_epi32(two_numbers(p + begin, digits, p + first + 1, more), base);
        if (_mm_movemask_ps(_mm_castsi128_ps(ids)) != 0) break; /* 0 - 1 */
        _mm_storel_epi64((__m128i *)(void *)&edge[(*n)++], ids);
        add_to(all, ids);
        w.marks = _blsr_u64(w.marks);
        w.ends = _blsr_u64(w.ends);
        begin = end + 1;
    }
    return begin;
}

TARGET static const unsigned char *read_lines(const unsigned char *p, const unsigned char *end,
                                              int64_t base, char separator, spmv__edge_ids *edge,
                                              int64_t *n, spmv__edges_extent *extent)
{
    const __m128i bases = _mm_set1_epi32((int32_t)base);
    edge_lanes all = {_mm_set1_epi32(-1), _mm_setzero_si128(), _mm_setzero_si128()};
    const int64_t before = *n;
    int64_t count = before;
    int step = 1;
    while (step > 0 && end - p >= REACH) {
        step = read_window(p, look(p, separator), bases, edge, &count, &all);
        p += step;
    }
    if (count > before) add_lanes(&all, extent);
    *n = count;
    return p;
}

/* What stands after the first id, if it may be between ids. */
static bool find_separator(const unsigned char *p, unsigned char allowed, unsigned char *out)
{
    int digits = 0;
    while (digits < DIGITS && p[digits] >= '0' && p[digits] <= '9') digits++;
    *out = p[digits];
    return *out == ' ' || *out == '\t' || *out == allowed;
}

const unsigned char *spmv__short_edges_read(const unsigned char *p, const unsigned char *end,
                                            const spmv__edges_header *header,
                                            unsigned char separator, spmv__edge_ids *edge,
                                            int64_t *n, spmv__edges_extent *extent)
{
    unsigned char between;
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi2") || end - p < REACH ||
        !find_separator(p, separator, &between) || between == '\n')
        return p;
    return read_lines(p, end, header->base, (char)between, edge, n, extent);
}

#else

const unsigned char *spmv__short_edges_read(const unsigned char *p, const unsigned char *end,
                                            const spmv__edges_header *header,
                                            unsigned char separator, spmv__edge_ids *edge,
                                            int64_t *n, spmv__edges_extent *extent)
{
    (void)end, (void)header, (void)separator, (void)edge, (void)n, (void)extent;
    return p;
}

#endif
