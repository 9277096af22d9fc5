/* recognise_npz.c -- telling SciPy's archives from other zip archives. */
#include "formats/numpy/npz.h"

/* The archive begins with the header of its first member: 30 bytes, of which two at 26 are the
 * length of the name that follows. */
bool spmv__npz_recognise(const unsigned char *data, int64_t size)
{
    enum { HEADER = 30, LENGTH = 26 };
    if (size < HEADER || memcmp(data, "PK\x03\x04", 4) != 0) return false;
    const int64_t length = data[LENGTH] | data[LENGTH + 1] << 8;
    return length >= 4 && length <= size - HEADER &&
           memcmp(data + HEADER + length - 4, ".npy", 4) == 0;
}
