/* recognise_npz.c -- telling SciPy's archives from other zip archives, by the names of the members.
 *
 * Each has a header of 30 bytes: flags at 6, the packed size at 18, the lengths of its name and of
 * what else there is at 26 and 28.  A size that needs 64 bits stands behind the name. */
#include "formats/numpy/npz.h"

enum { HEADER = 30, FLAGS = 6, PACKED = 18, NAME_LENGTH = 26, EXTRA_LENGTH = 28 };

static uint64_t number(const unsigned char *p, int bytes)
{
    uint64_t value = 0;
    for (int i = bytes - 1; i >= 0; i--) value = value << 8 | p[i];
    return value;
}

/* The bytes of the member at p, of `size` up to the end of the data; 0 where that is not known, as
 * where its size follows it, or where it goes beyond them. */
static int64_t member_bytes(const unsigned char *p, int64_t size)
{
    enum { SIZE_FOLLOWS = 1 << 3, WIDE = 1, WIDE_LENGTH = 20, WIDE_PACKED = 12 };
    const int64_t name = (int64_t)number(p + NAME_LENGTH, 2);
    const int64_t extra = (int64_t)number(p + EXTRA_LENGTH, 2), head = HEADER + name + extra;
    uint64_t packed = number(p + PACKED, 4);
    if ((number(p + FLAGS, 2) & SIZE_FOLLOWS) != 0 || head > size) return 0;
    if (packed == UINT32_MAX) {
        const unsigned char *wide = p + HEADER + name;
        if (extra < WIDE_LENGTH || number(wide, 2) != WIDE) return 0;
        packed = number(wide + WIDE_PACKED, 8);
    }
    return packed <= (uint64_t)(size - head) ? head + (int64_t)packed : 0;
}

static bool ends_with(const unsigned char *name, int64_t length, const char *end)
{
    const int64_t tail = (int64_t)strlen(end);
    return length >= tail && memcmp(name + length - tail, end, (size_t)tail) == 0;
}

/* An array that nothing but a sparse matrix has; data may be of anything. */
static bool is_of_scipy(const unsigned char *name, int64_t length)
{
    bool found = false;
    for (int i = 0; i < SPMV__NPZ_MEMBERS; i++)
        found = found || (i != SPMV__NPZ_DATA && length == (int64_t)strlen(spmv__npz_names[i]) &&
                          ends_with(name, length, spmv__npz_names[i]));
    return found;
}

/* The first member is an array, and one is SciPy's; where not all are seen, one may be. */
bool spmv__npz_recognise(const unsigned char *data, int64_t size)
{
    for (int64_t at = 0, bytes; at <= size - HEADER; at += bytes) {
        const unsigned char *name = data + at + HEADER;
        if (memcmp(data + at, "PK\x03\x04", 4) != 0) return false;
        const int64_t length = (int64_t)number(data + at + NAME_LENGTH, 2);
        if (length > size - at - HEADER) return at > 0;
        if (at == 0 && !ends_with(name, length, ".npy")) return false;
        if (is_of_scipy(name, length)) return true;
        bytes = member_bytes(data + at, size - at);
        if (bytes == 0) return true;
    }
    return size >= HEADER;
}
