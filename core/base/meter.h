/* meter.h -- work over the entries of a matrix, portion by portion, that tells how far it is. */
#pragma once

#include "spmv.h"

/* The progress of a work and the caller who is told of it; the stages of a longer work share one.
 */
typedef struct spmv__meter {
    spmv_progress_callback *progress; /* may be NULL */
    void *user;                       /* for progress */
    const char *stage;
    int64_t entry;       /* bytes of one */
    int64_t done, total; /* entries, in each walk over them */
} spmv__meter;

/* A meter that tells the progress callback of `build`, which may be NULL. */
spmv__meter spmv__meter_of(const spmv_convert_options *build);

/* Begin a stage: walks over `entries` entries of this type, each with `indices` bytes beside its
 * value. */
void spmv__meter_begin(spmv__meter *meter, const char *stage, int64_t entries, size_t indices,
                       spmv_type type);

/* Tell that n more entries are done.  Any thread may call it. */
void spmv__meter_advance(spmv__meter *meter, int64_t n);

/* The number of threads that `entries` entries are worth. */
int spmv__threads_for(int64_t entries);

/* Work on items begin .. end - 1 (rows, slices, entries); returns how many entries these had. */
typedef int64_t spmv__portion_work(void *job, int64_t begin, int64_t end);

/* Work on items 0 .. n - 1, which have `entries` entries together: on portions that any of the
 * threads takes up, or one after the other where there is one thread. */
void spmv__in_portions(spmv__portion_work *work, void *job, int64_t n, int64_t entries, int threads,
                       spmv__meter *meter);
