/* write_lines.c -- lines of text, made by all threads and written in their order.
 *
 * A thread makes a block of lines in memory of its own, waits until the blocks before it are
 * written, and writes it while the others make theirs: the same bytes for any number of threads.
 * Where all threads may bring bytes to the file, it waits only until its place there is known. */
#include "formats/stream/sink.h"

#include <pthread.h>
#include <stdlib.h>

/* A block has LINES lines, or fewer where BYTES bytes may not hold as many. */
enum { LINES = 1 << 13, BYTES = 1 << 20 };

/* Whose turn it is to write.  Threads sleep until it is theirs: those that spin, as in an ordered
 * region of OpenMP, take the processor from those that work wherever a machine is shared. */
typedef struct turn {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int64_t lines;   /* of a block */
    int64_t next;    /* block */
    int64_t written; /* bytes of those before it */
} turn;

/* Bring text to its place. */
static void fill(turn *order, spmv__sink *sink, const char *text, size_t size, int64_t at)
{
    const int why = spmv__sink_fill(sink, text, size, at);
    if (why == 0) return;
    pthread_mutex_lock(&order->lock);
    spmv__sink_fail(sink, why);
    pthread_mutex_unlock(&order->lock);
}

/* Write block number `block`, text up to end; behind: lines that are still to come after it. */
static void write_in_turn(turn *order, int64_t block, int64_t behind, spmv__sink *sink,
                          const char *text, const char *end)
{
    const size_t size = (size_t)(end - text);
    int64_t at;
    pthread_mutex_lock(&order->lock);
    while (order->next != block) pthread_cond_wait(&order->changed, &order->lock);
    order->next++;
    order->written += (int64_t)size;
    const double per_block = (double)order->written / (double)order->next;
    spmv__sink_expect(sink,
                      (int64_t)size + (int64_t)(per_block * (double)behind / (double)order->lines));
    const bool reserved = spmv__sink_reserve(sink, size, &at);
    if (!reserved) spmv__sink_write(sink, text, size);
    pthread_cond_broadcast(&order->changed);
    pthread_mutex_unlock(&order->lock);
    if (reserved) fill(order, sink, text, size, at);
}

spmv_status spmv__write_lines(spmv__sink *sink, int64_t count, int line_size,
                              spmv__line_maker *make, const void *user, spmv_error *err)
{
    const int fitting = line_size > BYTES ? 1 : BYTES / line_size;
    const int64_t lines = fitting < LINES ? fitting : LINES;
    turn order = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, lines, 0, 0};
    const int64_t blocks = (count + lines - 1) / lines;
    const int available = spmv__threads(0);
    const int threads = blocks < available ? (int)blocks : available;
    char *text;
    if (count == 0) return SPMV_SUCCESS;
    const spmv_status st =
        spmv__alloc(&text, threads, (size_t)lines * (size_t)line_size, "text to write", err);
    if (st != SPMV_SUCCESS) return st;
    if (threads > 1) spmv__threads_start();

#pragma omp parallel for schedule(static, 1) num_threads(threads)
    for (int64_t b = 0; b < blocks; b++) {
        char *mine = text + (int64_t)spmv__thread() * lines * line_size;
        const int64_t begin = b * lines, end = count - begin > lines ? begin + lines : count;
        write_in_turn(&order, b, count - end, sink, mine, make(user, begin, end, mine));
    }
    free(text);
    return SPMV_SUCCESS;
}
