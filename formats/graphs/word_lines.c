/* word_lines.c -- plain lines of words.
 *
 * The stops of some text are listed first, sixteen bytes at a time and without a branch for each
 * name.  Lines are then cut at the stops: where a name ends need not be known before the next is
 * looked at. */
#include "formats/graphs/word_lines.h"
#include "formats/text/plain_number.h"

#include <limits.h>

enum { GROUP = 64 };

/* ---- Stops ---------------------------------------------------------------------------------- */

typedef signed char sixteen __attribute__((vector_size(16)));

/* A bit for each of 16 bytes: those that are not printable ASCII, or are a blank, or a delimiter.
 */
static inline uint64_t find_stops(const unsigned char *p, sixteen delimiter)
{
    const sixteen graphic = {'!', '!', '!', '!', '!', '!', '!', '!',
                             '!', '!', '!', '!', '!', '!', '!', '!'};
    sixteen x;
    uint64_t half[2];
    memcpy(&x, p, sizeof x);
    const sixteen found = (sixteen)((x < graphic) | (x == delimiter) | (x == 0x7f));
    memcpy(half, &found, sizeof half);
    for (int i = 0; i < 2; i++) /* byte k leaves bit k, and the sum of all of them is on top */
        half[i] = (half[i] & UINT64_C(0x8040201008040201)) * UINT64_C(0x0101010101010101) >> 56;
    return half[1] << 8 | half[0];
}

/* Append the places of the bits of a mask; eight are written at a time. */
static inline int list_bits(uint64_t mask, int place, uint16_t *stop, int n)
{
    const int count = __builtin_popcountll(mask);
    for (int done = 0; done < count; done += 8)
        for (int i = 0; i < 8; i++, mask &= mask - 1)
            stop[n + done + i] = (uint16_t)(place + __builtin_ctzll(mask | UINT64_C(1) << 63));
    return n + count;
}

/* List the stops from p on; those of whole groups up to `safe`. */
static void list_stops(spmv__stops *stops, const unsigned char *p, const unsigned char *safe,
                       unsigned char delimiter)
{
    sixteen delimiters;
    memset(&delimiters, delimiter, sizeof delimiters);
    int n = 0;
    for (int at = 0; at < SPMV__STOPS_BYTES && safe - p >= at + GROUP; at += GROUP) {
        uint64_t mask = 0;
        for (int i = 0; i < GROUP / 16; i++)
            mask |= find_stops(p + at + 16 * i, delimiters) << 16 * i;
        n = list_bits(mask, at, stops->stop, n);
    }
    stops->base = p;
    stops->n = n;
    stops->next = 0;
}

/* Bring p, the beginning of a line, and the stop behind it together; false: the text is near its
 * end, or the line is longer than what is listed at a time. */
static inline bool reach_line(spmv__stops *stops, const unsigned char *p, const unsigned char *safe,
                              unsigned char delimiter)
{
    enum { LINE_STOPS = 2 };
    if (stops->base != NULL && p >= stops->base) {
        while (stops->next < stops->n && stops->base + stops->stop[stops->next] < p) stops->next++;
        if (stops->next + LINE_STOPS <= stops->n) return true;
    }
    list_stops(stops, p, safe, delimiter);
    return stops->n >= LINE_STOPS;
}

/* ---- Lines ---------------------------------------------------------------------------------- */

bool spmv__words_are_plain(const spmv__edges_header *header)
{
    return header->words && header->fields > 0 && !header->attributes;
}

static inline bool is_plain_name(const unsigned char *p, const unsigned char *end)
{
    static const bool begins_more[UCHAR_MAX + 1] = {
        ['"'] = true, ['#'] = true, ['%'] = true, ['{'] = true, ['/'] = true};
    return !begins_more[*p] && end > p && end - p <= SPMV_NAME_LENGTH;
}

/* The line at p, asked for as edge edges->n; returns the start of the next, or NULL. */
static inline const unsigned char *read_line(const unsigned char *p, const unsigned char *end,
                                             const spmv__edges_header *header,
                                             const spmv__stops *stops, spmv__name_queue *queue,
                                             spmv__edges *edges)
{
    const unsigned char delimiter = (unsigned char)header->delimiter;
    const unsigned char *first = stops->base + stops->stop[stops->next];
    const unsigned char *second = stops->base + stops->stop[stops->next + 1], *next = second;
    if (*first != delimiter || !is_plain_name(p, first) || !is_plain_name(first + 1, second))
        return NULL;
    if (header->fields > 2 &&
        (*second != delimiter ||
         (next = spmv__plain_real(second + 1, end, &edges->val[edges->n])) == NULL))
        return NULL;
    if (delimiter != ' ' && *next == delimiter) return NULL;
    next = spmv__plain_line_end(next, end);
    if (next == NULL) return NULL;
    /* Where there is no memory for a name, the careful way tells. */
    const bool asked =
        spmv__name_queue_ask(queue, (const char *)p, (size_t)(first - p), &edges->row[edges->n],
                             NULL) == SPMV_SUCCESS &&
        spmv__name_queue_ask(queue, (const char *)first + 1, (size_t)(second - first) - 1,
                             &edges->col[edges->n], NULL) == SPMV_SUCCESS;
    return asked ? next : NULL;
}

const unsigned char *spmv__words_read(const unsigned char *p, const unsigned char *end,
                                      const spmv__edges_header *header, spmv__stops *stops,
                                      spmv__name_queue *queue, spmv__edges *edges)
{
    const unsigned char *safe = end - SPMV__PLAIN;
    while (edges->n + edges->skipped < edges->room &&
           reach_line(stops, p, safe, (unsigned char)header->delimiter)) {
        const unsigned char *next = read_line(p, end, header, stops, queue, edges);
        if (next == NULL) break;
        p = next;
        edges->n++;
    }
    return p;
}
