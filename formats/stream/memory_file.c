/* memory_file.c -- a file that lies in memory is written by all threads.
 *
 * write() lets one thread at a time into a file, which makes the pages and copies to them.  Here
 * one thread makes them by fallocate, and all map and fill them: 193 MB take 29 to 32 ms so with 16
 * threads, of which fallocate takes 19, and 74 ms by write().  (When all threads are in fallocate
 * at once, it is 54 ms.)  fallocate also says when there is no memory left, which who writes to a
 * mapping would be told by a signal.
 *
 * On a disk that saves nothing, and not every file system keeps what fallocate promises. */
#define _GNU_SOURCE /* fallocate, TEMP_FAILURE_RETRY */
#include "formats/stream/memory_file.h"
#include "formats/stream/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { PIECE = 1 << 20 }; /* bytes that a thread fills at a time */

bool spmv__memory_file_is(int fd)
{
    struct statfs info;
    const int flags = fcntl(fd, F_GETFL);
    return flags >= 0 && (flags & O_ACCMODE) == O_RDWR && fstatfs(fd, &info) == 0 &&
           info.f_type == TMPFS_MAGIC && fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, 1) == 0;
}

int spmv__memory_file_extend(int fd, size_t size, int64_t at)
{
    if (size == 0) return 0;
    return TEMP_FAILURE_RETRY(fallocate(fd, 0, at, (off_t)size)) == 0 ? 0 : errno;
}

/* Copy to a place of the file, a piece at a time. */
static int fill(int fd, const unsigned char *data, size_t size, int64_t at, int threads)
{
    const size_t before = (size_t)(at % sysconf(_SC_PAGESIZE)); /* in its first page */
    const int64_t pieces = ((int64_t)size + PIECE - 1) / PIECE;
    if (size == 0) return 0;
    unsigned char *map =
        mmap(NULL, before + size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, at - (int64_t)before);
    if (map == MAP_FAILED) return spmv__write_at(fd, data, size, at);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) if (threads > 1 && pieces > 1)
    for (int64_t k = 0; k < pieces; k++) {
        const size_t begin = (size_t)(k * PIECE), rest = size - begin;
        memcpy(map + before + begin, data + begin, rest < PIECE ? rest : PIECE);
    }
    munmap(map, before + size);
    return 0;
}

int spmv__memory_file_fill(int fd, const void *data, size_t size, int64_t at)
{
    return fill(fd, data, size, at, 1);
}

int spmv__memory_file_put(int fd, const void *data, size_t size, int64_t at)
{
    const int why = spmv__memory_file_extend(fd, size, at);
    if (why != 0) return why;
    spmv__threads_start();
    return fill(fd, data, size, at, spmv__threads(0));
}
