/* threads_test.c -- threads that were started may go where they could before, and are as many as
 * can be. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "core/base/base.h"

#include <criterion/criterion.h>
#include <limits.h>
#ifdef _OPENMP
#include <omp.h>
#endif
#include <sched.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

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

Test(threads, are_no_more_than_can_be_started)
{
    cr_assert_eq(spmv__threads(3), 3);
    cr_assert_eq(spmv__threads(SPMV_MAX_THREADS), SPMV_MAX_THREADS);
    cr_assert_eq(spmv__threads(SPMV_MAX_THREADS + 1), SPMV_MAX_THREADS);
    cr_assert_eq(spmv__threads(INT_MAX), SPMV_MAX_THREADS);
    cr_assert(spmv__threads(0) >= 1);
    cr_assert_eq(spmv__threads_at_once(1), 1);
    cr_assert_leq(spmv__threads_at_once(SPMV_MAX_THREADS), sysconf(_SC_NPROCESSORS_ONLN));
#ifdef _OPENMP
    omp_set_num_threads(65536);
    cr_assert_eq(spmv__threads(0), SPMV_MAX_THREADS);
#endif
}

#ifdef _OPENMP
static int count_team(void)
{
    atomic_int ran = 0;
#pragma omp parallel num_threads(3)
    ran++;
    return ran;
}

/* A fork works as spmv.h says. */
Test(threads, are_there_in_a_child_once_the_parent_has_paused, .timeout = 60)
{
    int status;
    omp_set_dynamic(0);
    cr_assert_eq(count_team(), 3);
    cr_assert_eq(omp_pause_resource_all(omp_pause_hard), 0);
    const pid_t child = fork();
    if (child == 0) _exit(count_team() == 3 ? 0 : 1);
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert_eq(status, 0);
    cr_assert_eq(count_team(), 3);
}
#endif
