/* meter_test.c -- progress that threads of any kind tell, one after the other. */
#include "core/base/meter.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { THREADS = 4, PORTIONS = 2000 };

typedef struct seen {
    atomic_int inside;
    int calls, overlaps, falls;
    int64_t last;
} seen;

static void note(void *user, const spmv_progress *progress)
{
    seen *s = user;
    if (atomic_fetch_add(&s->inside, 1) > 0) s->overlaps++;
    if (s->calls % 16 == 0) sched_yield();
    s->calls++;
    s->falls += progress->done <= s->last || progress->done > progress->total;
    s->last = progress->done;
    atomic_fetch_sub(&s->inside, 1);
}

static void *advance(void *meter)
{
    for (int i = 0; i < PORTIONS; i++) spmv__meter_advance(meter, 1);
    return NULL;
}

Test(meter, threads_tell_one_after_the_other)
{
    seen s = {.last = 0};
    const spmv_convert_options build = {.progress = note, .user = &s};
    spmv__meter meter = spmv__meter_of(&build);
    pthread_t thread[THREADS];
    spmv__meter_begin(&meter, "counting", THREADS * PORTIONS, 4, SPMV_F64);
    for (int t = 0; t < THREADS; t++)
        cr_assert_eq(pthread_create(&thread[t], NULL, advance, &meter), 0);
    for (int t = 0; t < THREADS; t++) cr_assert_eq(pthread_join(thread[t], NULL), 0);
    cr_expect_eq(s.overlaps, 0, "%d of %d calls", s.overlaps, s.calls);
    cr_expect_eq(s.falls, 0);
    cr_expect_eq(s.calls, THREADS * PORTIONS);
    cr_expect_eq(s.last, (int64_t)THREADS * PORTIONS * 12);
}
