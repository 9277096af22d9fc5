/* feed.c -- a stream read ahead by a thread, into a ring of blocks.
 *
 * The first block is read at once, so that the beginning of an input can be looked at; the thread
 * starts when the second one is asked for.  It fills free blocks in their order until the
 * stream ends or fails, or until it is told to stop. */
#include "core/base/pages.h"
#include "formats/stream/feed.h"
#include "formats/stream/background.h"

#include <pthread.h>
#include <stdlib.h>

enum {
    BLOCKS = 8,
    AHEAD = 1 << 23 /* bytes of the file */
};

struct spmv__feed {
    spmv__stream *stream;
    spmv_storage *input;  /* what the stream reads */
    unsigned char *first; /* memory of the first block and of the rest */
    unsigned char *more;  /* of the other blocks, from when the thread starts */
    spmv__rest rest;
    spmv__block block[BLOCKS];
    int64_t filled, taken; /* blocks so far */
    int64_t present, gone; /* bytes of the file: brought in, and let go */

    pthread_t thread;
    bool running; /* the thread is to be joined */
    pthread_mutex_t lock;
    pthread_cond_t changed; /* filled, free, stop or status */
    bool stop;
    spmv_status status; /* why the thread ended early */
    spmv_error error;
};

/* ---- The thread ----------------------------------------------------------------------------- */

/* Fill the block, of which the first `size` bytes are there already. */
static spmv_status fill(spmv__feed *feed, spmv__block *block, int64_t size, spmv_error *err)
{
    spmv__stream *stream = feed->stream;
    int64_t got = 0;
    const spmv_status st =
        stream->read(stream, block->data + size, SPMV__BLOCK_SIZE - size, &got, err);
    block->size = size + got;
    block->taken = stream->taken;
    return st;
}

static void *run(void *argument)
{
    spmv__feed *feed = argument;
    bool more = true;
    pthread_mutex_lock(&feed->lock);
    while (more) {
        spmv__block *block = &feed->block[feed->filled % BLOCKS];
        while (!block->free && !feed->stop) pthread_cond_wait(&feed->changed, &feed->lock);
        if (feed->stop) break;

        pthread_mutex_unlock(&feed->lock);
        spmv_status st = fill(feed, block, 0, &feed->error);
        pthread_mutex_lock(&feed->lock);
        more = st == SPMV_SUCCESS && block->size == SPMV__BLOCK_SIZE;
        feed->status = st;
        if (st == SPMV_SUCCESS) {
            block->free = false;
            feed->filled++;
        }
        pthread_cond_broadcast(&feed->changed);
    }
    pthread_mutex_unlock(&feed->lock);
    return NULL;
}

/* A file that is smaller than the first block never needs the others. */
static spmv_status provide_blocks(spmv__feed *feed, spmv_error *err)
{
    if (feed->more != NULL) return SPMV_SUCCESS;
    spmv_status st = spmv__alloc(&feed->more, 2 * (BLOCKS - 1), SPMV__BLOCK_SIZE, "unpacking", err);
    if (st != SPMV_SUCCESS) return st;
    /* Of the room before each block only the end is used. */
    spmv__pages_stay_small(feed->more, 2 * (BLOCKS - 1) * (int64_t)SPMV__BLOCK_SIZE);
    for (size_t i = 1; i < BLOCKS; i++)
        feed->block[i].data = feed->more + (2 * i - 1) * SPMV__BLOCK_SIZE;
    return SPMV_SUCCESS;
}

static spmv_status start(spmv__feed *feed, spmv_error *err)
{
    spmv_status st = provide_blocks(feed, err);
    if (st != SPMV_SUCCESS) return st;
    const int why = spmv__start_thread(&feed->thread, run, feed);
    if (why != 0)
        return spmv__fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot start a thread: %s",
                          strerror(why));
    feed->running = true;
    return SPMV_SUCCESS;
}

static void stop(spmv__feed *feed)
{
    if (!feed->running) return;
    pthread_mutex_lock(&feed->lock);
    feed->stop = true;
    pthread_cond_broadcast(&feed->changed);
    pthread_mutex_unlock(&feed->lock);
    pthread_join(feed->thread, NULL);
    feed->running = feed->stop = false;
}

/* ---- Opening and closing -------------------------------------------------------------------- */

static spmv_status fill_first(spmv__feed *feed, int64_t size, spmv_error *err)
{
    for (int i = 0; i < BLOCKS; i++) feed->block[i].free = i > 0;
    feed->rest.size = 0;
    feed->rest.over = false;
    feed->taken = feed->present = feed->gone = 0;
    feed->filled = 1;
    feed->status = SPMV_SUCCESS;
    return fill(feed, &feed->block[0], size, err);
}

spmv_status spmv__feed_open(spmv__feed **out, spmv__stream *stream, const unsigned char *begin,
                            int64_t size, spmv_storage *input, spmv_error *err)
{
    spmv_status st;
    spmv__feed *feed = NULL;

    SPMV__TRY(spmv__alloc(&feed, 1, sizeof *feed, "unpacking", err));
    pthread_mutex_init(&feed->lock, NULL);
    pthread_cond_init(&feed->changed, NULL);
    feed->stream = stream;
    stream = NULL;
    SPMV__TRY(spmv__alloc(&feed->first, 3, SPMV__BLOCK_SIZE, "unpacking", err));
    feed->block[0].data = feed->first + SPMV__BLOCK_SIZE;
    feed->rest.data = feed->first + 2 * (size_t)SPMV__BLOCK_SIZE;
    if (size > 0) memcpy(feed->block[0].data, begin, (size_t)size);
    SPMV__TRY(fill_first(feed, size, err));
    feed->input = input;
    *out = feed;
    feed = NULL;
done:
    if (stream != NULL) stream->close(stream);
    spmv__feed_close(feed);
    return st;
}

void spmv__feed_close(spmv__feed *feed)
{
    if (feed == NULL) return;
    stop(feed);
    if (feed->stream != NULL) feed->stream->close(feed->stream);
    if (feed->input != NULL) feed->input->release(feed->input);
    pthread_cond_destroy(&feed->changed);
    pthread_mutex_destroy(&feed->lock);
    free(feed->more);
    free(feed->first);
    free(feed);
}

void spmv__feed_empty(spmv__feed *feed)
{
    stop(feed);
    free(feed->more);
    feed->more = NULL;
    spmv__pages_release(&(struct iovec){feed->first, 3 * (size_t)SPMV__BLOCK_SIZE}, 1);
}

spmv_status spmv__feed_rewind(spmv__feed *feed, spmv_error *err)
{
    stop(feed);
    const spmv_status st = feed->stream->rewind(feed->stream, err);
    return st == SPMV_SUCCESS ? fill_first(feed, 0, err) : st;
}

/* ---- Taking --------------------------------------------------------------------------------- */

/* Pages of the file come in ahead of the thread and leave behind it: the caller, who takes blocks,
 * has more time than the thread.  For a file of 100 MB that takes 250 ms to unpack it saves 11 ms
 * of page faults, and 4 ms at the end. */
static void move_pages(spmv__feed *feed, int64_t taken)
{
    const spmv__stream *stream = feed->stream;
    const int64_t at = taken < stream->whole ? taken : stream->whole;
    const int64_t ahead = stream->whole - at < AHEAD ? stream->whole : at + AHEAD;
    spmv__pages_populate(stream->file + feed->present, ahead - feed->present);
    feed->present = ahead;
    if (spmv_mapped_file(stream->file) == NULL) return; /* it would be lost */
    const unsigned char *behind = stream->file + feed->gone;
    spmv__pages_release(&(struct iovec){(void *)(uintptr_t)behind, (size_t)(at - feed->gone)}, 1);
    feed->gone = at;
}

spmv_status spmv__feed_take(spmv__feed *feed, spmv__block **out, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    if (feed->taken > 0 && !feed->running) st = start(feed, err);
    if (st != SPMV_SUCCESS) return st;

    pthread_mutex_lock(&feed->lock);
    while (feed->taken == feed->filled && feed->status == SPMV_SUCCESS)
        pthread_cond_wait(&feed->changed, &feed->lock);
    if (feed->taken < feed->filled) {
        *out = &feed->block[feed->taken++ % BLOCKS];
    } else {
        st = feed->status;
        if (err != NULL) *err = feed->error;
    }
    pthread_mutex_unlock(&feed->lock);
    if (st == SPMV_SUCCESS && feed->running) move_pages(feed, (*out)->taken);
    return st;
}

void spmv__feed_release(spmv__feed *feed, spmv__block *block)
{
    pthread_mutex_lock(&feed->lock);
    block->free = true;
    pthread_cond_broadcast(&feed->changed);
    pthread_mutex_unlock(&feed->lock);
}

const spmv__block *spmv__feed_first(const spmv__feed *feed)
{
    return &feed->block[0];
}

spmv__stream *spmv__feed_stream(spmv__feed *feed)
{
    return feed->stream;
}

spmv__rest *spmv__feed_rest(spmv__feed *feed)
{
    return &feed->rest;
}
