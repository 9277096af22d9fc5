/* threads.c -- how many threads there are, and where they start.
 *
 * Linux may start a thread on the processor of the one that starts it, though another has nothing
 * to do, and some systems (small virtual machines) move it only milliseconds later.  Threads of
 * OpenMP wait for each other awake, so that two of them share one processor until then. */
#define _GNU_SOURCE /* sched_getcpu, sched_setaffinity */
#include "core/base/base.h"

#ifdef _OPENMP
#include <omp.h>
#endif
#include <sched.h>

int spmv__threads(int threads)
{
#ifdef _OPENMP
    if (threads <= 0) threads = omp_get_max_threads();
#endif
    if (threads < 1) return 1;
    return threads < SPMV_MAX_THREADS ? threads : SPMV_MAX_THREADS;
}

int spmv__threads_at_once(int threads)
{
#ifdef _OPENMP
    const int processors = omp_get_num_procs();
#else
    const int processors = 1;
#endif
    return threads < processors ? threads : processors;
}

int spmv__thread(void)
{
#ifdef _OPENMP
    return omp_get_thread_num();
#else
    return 0;
#endif
}

#if defined _OPENMP && defined __linux__

/* The processor that comes `steps` of `all` after `from`. */
static int processor_after(const cpu_set_t *all, int from, int steps)
{
    int cpu = from;
    while (steps > 0) {
        cpu = (cpu + 1) % CPU_SETSIZE;
        if (CPU_ISSET((size_t)cpu, all)) steps--;
    }
    return cpu;
}

/* Go to one of the processors; from there on the system may move the thread as before. */
static void move_to(int cpu, const cpu_set_t *all)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((size_t)cpu, &one);
    if (sched_setaffinity(0, sizeof one, &one) == 0) sched_setaffinity(0, sizeof *all, all);
}

/* With one thread more than processors none waits awake (in GCC's OpenMP), while they start. */
void spmv__threads_start(void)
{
    static bool started;
    const int processors = omp_get_num_procs(), here = sched_getcpu();
    cpu_set_t all;
    if (processors == 1 || omp_get_max_threads() != processors || omp_in_parallel()) return;
    if (omp_get_proc_bind() != omp_proc_bind_false || here < 0) return;
    if (sched_getaffinity(0, sizeof all, &all) != 0 || CPU_COUNT(&all) != processors) return;
    if (__atomic_exchange_n(&started, true, __ATOMIC_RELAXED)) return;
#pragma omp parallel num_threads(processors + 1)
    {
        const int thread = omp_get_thread_num();
        if (thread > 0 && thread < processors) move_to(processor_after(&all, here, thread), &all);
    }
}

#else

void spmv__threads_start(void) {}

#endif
