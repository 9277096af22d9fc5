/* mtx_read.c -- Matrix Market files. */
#include "io.h"

#include <string.h>
#include <strings.h>

/* Leading blanks and a byte order mark do not hide a banner. */
static bool recognise(const unsigned char *data, int64_t size)
{
    static const char banner[] = "%matrixmarket";
    const unsigned char *p = data, *end = data + size;
    if (end - p >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0) p += 3;
    while (p < end && strchr(" \t\r\n", *p) != NULL && *p != '\0') p++;
    if (end - p >= 2 && p[0] == '%' && p[1] == '%') p++;
    return end - p >= (ptrdiff_t)(sizeof banner - 1) &&
           strncasecmp((const char *)p, banner, sizeof banner - 1) == 0;
}

const spmv__file_format spmv__mtx_file = {
    .info = {"mtx", ".mtx .mm", "Matrix Market, coordinate or array", false, false},
    .recognise = recognise,
};
