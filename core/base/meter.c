/* meter.c -- see meter.h. */
#include "core/base/base.h"
#include "core/base/meter.h"

#include <pthread.h>

/* Threads take long stretches of portions first, and single ones only in the end: where they work
 * side by side from the beginning, they wait for each other's new pages (5 to 10 % of the time to
 * ELL, HYB and JDS, which are stored by columns). */
enum { SHARES = 16 }; /* portions for each thread at least: they do not take equally long */

spmv__meter spmv__meter_of(const spmv_convert_options *build)
{
    if (build == NULL) return (spmv__meter){0};
    return (spmv__meter){.progress = build->progress, .user = build->user};
}

void spmv__meter_begin(spmv__meter *meter, const char *stage, int64_t entries, size_t indices,
                       spmv_type type)
{
    meter->stage = stage;
    meter->entry = (int64_t)(indices + spmv_type_size(type));
    meter->done = 0;
    meter->total = entries;
}

void spmv__meter_advance(spmv__meter *meter, int64_t n)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* not all threads are OpenMP's */
    if (meter->progress == NULL) return;
    pthread_mutex_lock(&lock);
    meter->done += n;
    spmv__report(meter->progress, meter->user, meter->stage, meter->done * meter->entry,
                 meter->total * meter->entry);
    pthread_mutex_unlock(&lock);
}

int spmv__threads_for(int64_t entries)
{
    return entries > SPMV__PARALLEL_NNZ ? spmv__threads(0) : 1;
}

void spmv__in_portions(spmv__portion_work *work, void *job, int64_t n, int64_t entries, int threads,
                       spmv__meter *meter)
{
    int64_t portions = entries / SPMV__PORTION + 1;
    if (threads > 1 && portions < SHARES * threads) portions = SHARES * threads;
    const int64_t step = n / portions + 1;
    if (threads > 1) spmv__threads_start();
#pragma omp parallel for schedule(guided) num_threads(threads) if (threads > 1)
    for (int64_t begin = 0; begin < n; begin += step) {
        const int64_t end = n - begin < step ? n : begin + step;
        spmv__meter_advance(meter, work(job, begin, end));
    }
}
