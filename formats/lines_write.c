/* lines_write.c -- lines of text, made by all threads and written in their order.
 *
 * A thread makes a block of lines in memory of its own, waits until the blocks before it are
 * written, and writes it while the others make theirs: the same bytes for any number of threads. */
#include "io.h"

#include <stdlib.h>

enum { BLOCK = 1 << 13 }; /* lines */

spmv_status spmv__write_lines(spmv__sink *sink, int64_t count, int line_size,
                              spmv__line_maker *make, const void *user, spmv_error *err)
{
    const int64_t blocks = (count + BLOCK - 1) / BLOCK;
    const int available = spmv__threads(0);
    const int threads = blocks < available ? (int)blocks : available;
    int64_t written = 0;
    char *text;
    if (count == 0) return SPMV_SUCCESS;
    const spmv_status st =
        spmv__alloc(&text, threads, (size_t)BLOCK * (size_t)line_size, "text to write", err);
    if (st != SPMV_SUCCESS) return st;

#pragma omp parallel for ordered schedule(static, 1) num_threads(threads)
    for (int64_t b = 0; b < blocks; b++) {
        char *mine = text + (int64_t)spmv__thread() * BLOCK * line_size;
        const int64_t begin = b * BLOCK, end = count - begin > BLOCK ? begin + BLOCK : count;
        const char *last = make(user, begin, end, mine);
#pragma omp ordered
        {
            written += last - mine;
            const double rest = (double)written / (double)end * (double)(count - end);
            spmv__sink_expect(sink, last - mine + (int64_t)rest);
            spmv__sink_write(sink, mine, (size_t)(last - mine));
        }
    }
    free(text);
    return SPMV_SUCCESS;
}
