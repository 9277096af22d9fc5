/* pages.h -- what the system may do with the pages of large memory.  It is only asked: whether it
 * complies makes no difference to the caller. */
#pragma once

#include <stdint.h>
#include <sys/uio.h>

enum { SPMV__HUGE_PAGE = 1 << 21 }; /* bytes, of most systems */

/* Have the pages of bytes that are about to be read brought in at once instead of one by one. */
void spmv__pages_populate(const void *p, int64_t bytes);

/* Have pages of an array that are about to be written made at once: the huge pages that bytes begin
 * .. end - 1 reach and those before them do not, but for the last, which goes with the bytes after
 * it.  So different threads make different pages of neighbouring parts. */
void spmv__pages_make(void *array, int64_t begin, int64_t end);

/* Pages of a mapped file that are hardly read again leave the process; reading them brings them
 * back. */
void spmv__pages_leave(const void *p, int64_t bytes);

/* Part of this is going to be released: do not make it whole again as huge pages. */
void spmv__pages_stay_small(void *p, int64_t bytes);

/* Give the whole pages of some stretches of memory back, within allocations that live on; what they
 * hold is lost.  Each stretch is cut down to its whole pages. */
void spmv__pages_release(struct iovec *part, int n);
