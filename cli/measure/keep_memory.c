/* keep_memory.c -- see keep_memory.h. */
#include "cli/measure/keep_memory.h"

#include <stdlib.h> /* which says whether this is glibc */

#ifdef __GLIBC__
#include <malloc.h>

enum { LARGEST = 32 << 20 }; /* bytes: where glibc ends, too, when it settles both by itself */

void keep_memory(void)
{
    mallopt(M_MMAP_THRESHOLD, LARGEST);
    mallopt(M_TRIM_THRESHOLD, 2 * LARGEST);
}
#else
void keep_memory(void) {}
#endif
