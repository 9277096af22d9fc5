/* elements.c -- whether the elements of a MATLAB file of version 5 are all there.
 *
 * matio leaves what a file lacks as it finds memory.  So the sizes in the tags of elements, which
 * lie in each other, are added up before, and what is packed is unpacked once: it ends with a
 * checksum. */
#include "formats/matlab/matlab.h"
#include "formats/stream/packing.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER = 128, TAG = 8, SMALL = 4 }; /* bytes */
enum { MATRIX = 14, COMPRESSED = 15 };     /* types of elements that hold others */
enum { DEEPEST = 64 };                     /* of elements within elements that are followed */
enum { UNPACKED = 1 << 16 };               /* bytes that are unpacked at a time */

/* Elements that follow each other. */
typedef struct elements {
    const unsigned char *p, *end;
    bool swapped; /* the order of bytes is the other one */
} elements;

typedef struct mat_element {
    uint32_t type;
    const unsigned char *data;
    uint32_t size;
} mat_element;

static uint32_t word_at(const unsigned char *p, bool swapped)
{
    uint32_t word;
    memcpy(&word, p, sizeof word);
    return swapped ? __builtin_bswap32(word) : word;
}

/* The next element; false where it is not whole.  Up to four bytes stand in the tag itself, and
 * others are padded to whole tags, unless they are packed. */
static bool take(elements *e, mat_element *out)
{
    if (e->end - e->p < TAG) return false;
    const uint32_t first = word_at(e->p, e->swapped);
    if (first >> 16 != 0) {
        *out = (mat_element){first & 0xffff, e->p + TAG - SMALL, first >> 16};
        e->p += TAG;
        return out->size <= SMALL;
    }
    *out = (mat_element){first, e->p + TAG, word_at(e->p + TAG - SMALL, e->swapped)};
    const int64_t left = e->end - out->data, size = out->size;
    const int64_t padded = out->type == COMPRESSED ? size : (size + TAG - 1) / TAG * TAG;
    e->p = out->data + (padded < left ? padded : left);
    return size <= left;
}

static bool are_whole(elements e, int depth)
{
    mat_element next;
    while (e.p < e.end) {
        if (!take(&e, &next)) return false;
        const elements within = {next.data, next.data + next.size, e.swapped};
        if (next.type == MATRIX && depth < DEEPEST && !are_whole(within, depth + 1)) return false;
    }
    return true;
}

#if SPMV_HAVE_ZLIB
static spmv_status unpack(const mat_element *packed, bool *whole, spmv_error *err)
{
    void *state = NULL;
    unsigned char *room = NULL;
    spmv__window window = {.in = packed->data, .in_size = packed->size};
    spmv__decoded step;
    spmv_status st;
    SPMV__TRY(spmv__zlib_decoder.open(&state, err));
    SPMV__TRY(spmv__alloc(&room, UNPACKED, 1, "unpacking a file of MATLAB", err));
    do {
        window.out = room;
        window.out_size = UNPACKED;
        step = spmv__zlib_decoder.step(state, &window);
    } while (step == SPMV__DECODE_ON && (window.in_size > 0 || window.out_size == 0));
    if (step == SPMV__DECODE_MEMORY) st = spmv__packing_memory(err);
    *whole = step == SPMV__DECODE_END;
done:
    free(room);
    if (state != NULL) spmv__zlib_decoder.close(state);
    return st;
}
#else
static spmv_status unpack(const mat_element *packed, bool *whole, spmv_error *err)
{
    (void)packed;
    (void)err;
    *whole = true;
    return SPMV_SUCCESS;
}
#endif

spmv_status spmv__matlab_check(const spmv__source *src, spmv_error *err)
{
    const uint16_t order = 'M' << 8 | 'I'; /* as the file has it, in the order of its bytes */
    elements e = {src->data + HEADER, src->data + src->size,
                  memcmp(src->data + HEADER - sizeof order, &order, sizeof order) != 0};
    spmv_status st = SPMV_SUCCESS;
    while (e.end - e.p >= TAG && st == SPMV_SUCCESS) { /* matio passes over less than a tag */
        const unsigned char *begin = e.p;
        mat_element next;
        bool whole = take(&e, &next);
        if (whole && next.type == MATRIX)
            whole = are_whole((elements){next.data, next.data + next.size, e.swapped}, 0);
        if (whole && next.type == COMPRESSED) st = unpack(&next, &whole, err);
        if (st == SPMV_SUCCESS && !whole)
            st = spmv__source_fail(src, err, SPMV_ERROR_INVALID_FORMAT, 0, 0,
                                   "the element at byte %lld is damaged, or not all of it is there",
                                   (long long)(begin - src->data));
    }
    return st;
}
