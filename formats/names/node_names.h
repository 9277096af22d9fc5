/* node_names.h -- nodes that are words, numbered in some order while threads meet them.
 *
 * All threads share the names.  A name gets its number from the first who meets it, so that numbers
 * differ from run to run: they say which names are the same, until spmv__node_names_settle puts
 * them in order. */
#pragma once

#include "formats/names/name_digest.h"

typedef struct spmv__node_names spmv__node_names;

/* Names for use by `threads` threads at once.  Errors: OUT_OF_MEMORY. */
spmv_status spmv__node_names_create(spmv__node_names **out, int threads, spmv_error *err);
void spmv__node_names_destroy(spmv__node_names *names); /* NULL is allowed */

/* The number of the node of that name, a new one where it was not met before.  Errors:
 * OUT_OF_MEMORY, once and for all. */
spmv_status spmv__node_names_number(spmv__node_names *names, const char *name, size_t length,
                                    int64_t *number, spmv_error *err);

/* How many names there are. */
int64_t spmv__node_names_count(const spmv__node_names *names);

/* Number nodes by ascending bytes of their names from now on: (*rank)[number], which stays with the
 * names, says what a number of before becomes.  *labels get them.  Errors: OUT_OF_MEMORY.  Time
 * O(n log n), divided by the threads.  Scratch: 4 bytes for each slot, 8 for each name, and the
 * text and some 64 bytes of each name that threads are putting in order just then. */
spmv_status spmv__node_names_settle(spmv__node_names *names, int threads, const int64_t **rank,
                                    spmv_labels *labels, spmv_error *err);

/* ---- Many names at a time ------------------------------------------------------------------- */

enum { SPMV__NAME_QUEUE = 128 };

typedef struct spmv__name_question {
    const char *name;
    int64_t *number;
    spmv__name_digest digest;
} spmv__name_question;

/* Names that one thread asks for together, so that it need not wait for memory with each. */
typedef struct spmv__name_queue {
    spmv__node_names *names;
    int n;
    spmv__name_question question[SPMV__NAME_QUEUE];
} spmv__name_queue;

/* Answer what was asked.  Errors: as above. */
spmv_status spmv__name_queue_answer(spmv__name_queue *queue, spmv_error *err);

/* Ask for the number of a name; SPMV__SHORT_NAME bytes from `name` on must be readable.  *number
 * gets it at the latest with spmv__name_queue_answer, until when the name must stay where it is.
 * Errors: as above. */
static inline spmv_status spmv__name_queue_ask(spmv__name_queue *queue, const char *name,
                                               size_t length, int64_t *number, spmv_error *err)
{
    spmv__name_question *q = &queue->question[queue->n++];
    q->name = name;
    q->number = number;
    q->digest.length = length;
    return queue->n < SPMV__NAME_QUEUE ? SPMV_SUCCESS : spmv__name_queue_answer(queue, err);
}

/* ---- For those who put them in order -------------------------------------------------------- */

typedef struct spmv__node_name {
    const char *p; /* [length] stays with the names, until one is added */
    int64_t length, number;
} spmv__node_name;

/* Names stand in the slots of shards; a slot may be empty, and spmv__node_names_at false.  Numbers
 * are less than the most names of a shard times the shards. */
int64_t spmv__node_names_shards(const spmv__node_names *names);
int64_t spmv__node_names_slots(const spmv__node_names *names, int64_t shard);
bool spmv__node_names_at(const spmv__node_names *names, int64_t shard, int64_t slot,
                         spmv__node_name *out);

/* Says that nobody asks any more while names are added: gives back what only served that. */
void spmv__node_names_close(spmv__node_names *names);

/* A number of before is rank[number] from now on; the names take the array. */
void spmv__node_names_renumber(spmv__node_names *names, int64_t *rank);
