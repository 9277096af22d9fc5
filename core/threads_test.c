/* threads_test.c -- threads that were started may go where they could before, and are as many. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "internal.h"

#include <criterion/criterion.h>
#include <sched.h>
#include <stdatomic.h>

Test(threads, may_go_to_every_processor)
{
    cpu_set_t before;
    cr_assert_eq(sched_getaffinity(0, sizeof before, &before), 0);
    for (int round = 0; round < 2; round++) {
        atomic_int ran = 0, same = 0;
        spmv__threads_start();
#pragma omp parallel num_threads(spmv__threads(0))
        {
            cpu_set_t after;
            if (sched_getaffinity(0, sizeof after, &after) == 0) same += CPU_EQUAL(&before, &after);
            ran++;
        }
        cr_assert_eq(ran, spmv__threads(0));
        cr_assert_eq(same, ran);
    }
}
