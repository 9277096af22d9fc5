/* word_lines.c -- plain lines of words.
 *
 * The stops of some text are listed first, sixteen bytes at a time and without a branch for each
 * name.  Lines are then cut at the stops: where a name ends need not be known before the next is
 * looked at. */
#include "formats/graphs/word_lines.h"
#include "formats/text/marks.h"
#include "formats/text/plain_number.h"

#include <limits.h>

/* ---- Stops ---------------------------------------------------------------------------------- */

/* A bit for each of 64 bytes: those that are not printable ASCII, or are a blank, or a delimiter.
 */
static inline uint64_t find_stops(const unsigned char *p, signed char delimiter)
{
    uint64_t stops = 0;
    for (int i = 0; i < SPMV__MARKED; i += 16) {
        const spmv__sixteen x = spmv__sixteen_at(p + i);
        const spmv__sixteen found = (spmv__sixteen)((x < '!') | (x == delimiter) | (x == 0x7f));
        stops |= spmv__marks_of(found) << i;
    }
    return stops;
}

/* Append the places of marks; eight are written at a time. */
static inline int list_marks(uint64_t marks, int place, uint16_t *stop, int n)
{
    const int count = __builtin_popcountll(marks);
    for (int done = 0; done < count; done += 8)
        for (int i = 0; i < 8; i++)
            stop[n + done + i] = (uint16_t)(place + spmv__next_mark(&marks));
    return n + count;
}

/* List the stops from p on; those of each 64 bytes up to `safe`. */
static void list_stops(spmv__stops *stops, const unsigned char *p, const unsigned char *safe,
                       char delimiter)
{
    int n = 0;
    for (int at = 0; at < SPMV__STOPS_BYTES && safe - p >= at + SPMV__MARKED; at += SPMV__MARKED)
        n = list_marks(find_stops(p + at, (signed char)delimiter), at, stops->stop, n);
    stops->base = p;
    stops->n = n;
    stops->next = 0;
}

/* Bring p, the beginning of a line, and the stop after it together; false: the text is near its
 * end, or the line is longer than what is listed at a time. */
static inline bool reach_line(spmv__stops *stops, const unsigned char *p, const unsigned char *safe,
                              char delimiter)
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
    const bool weight = header->field[SPMV__WEIGHT] == SPMV__WEIGHT;
    return header->words && header->fields == header->columns && !header->attributes &&
           spmv__edges_in_order(header) && weight == (header->columns > SPMV__WEIGHT);
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
         (next = spmv__plain_weight(second + 1, end, &edges->val[edges->n])) == NULL))
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
           reach_line(stops, p, safe, header->delimiter)) {
        const unsigned char *next = read_line(p, end, header, stops, queue, edges);
        if (next == NULL) break;
        p = next;
        edges->n++;
    }
    return p;
}
