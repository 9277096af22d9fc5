/* recognise_npz.c -- telling SciPy's archives from other zip archives. */
#define _GNU_SOURCE /* memmem */
#include "formats/numpy/npz.h"

/* Arrays of the kinds that are not read, and what marks sparse arrays. */
static const char *const others[] = {"offsets.npy", "_is_array.npy"};
enum { OTHERS = sizeof others / sizeof others[0] };

static bool is_called(const unsigned char *name, int64_t length, const char *known)
{
    return length == (int64_t)strlen(known) && memcmp(name, known, strlen(known)) == 0;
}

/* The archive begins with the header of its first member: 30 bytes, of which two at 26 are the
 * length of the name that follows.  It is one of SciPy's, in any order, or another array: then that
 * with the format is named somewhere. */
bool spmv__npz_recognise(const unsigned char *data, int64_t size)
{
    enum { HEADER = 30, LENGTH = 26 };
    if (size < HEADER || memcmp(data, "PK\x03\x04", 4) != 0) return false;
    const unsigned char *name = data + HEADER;
    const int64_t length = data[LENGTH] | data[LENGTH + 1] << 8;
    if (length > size - HEADER) return false;
    for (int i = 0; i < SPMV__NPZ_MEMBERS; i++)
        if (is_called(name, length, spmv__npz_names[i])) return true;
    for (int i = 0; i < OTHERS; i++)
        if (is_called(name, length, others[i])) return true;
    const char *format = spmv__npz_names[SPMV__NPZ_FORMAT];
    return length >= 4 && memcmp(name + length - 4, ".npy", 4) == 0 &&
           memmem(data, (size_t)size, format, strlen(format)) != NULL;
}
