/* team.c -- how many threads the tool has.
 *
 * OpenMP ends the process when a thread cannot be started, because the system, a container or a
 * limit on memory allows no more.  So all of them are started once before, for nothing: about 15
 * microseconds each. */
#include "cli/tool/team.h"
#include "cli/tool/fail.h"
#include "cli/tool/message.h"
#include "cli/tool/ranks.h"

#include <pthread.h>
#include <stdlib.h>
#ifdef _OPENMP
#include <omp.h>

/* A thread lives until all others have been started. */
static void *wait_for_start(void *gate)
{
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

/* Returns how many of the wanted threads can live at once beside the calling one. */
static int count_startable(int wanted)
{
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    pthread_t *thread = malloc((size_t)wanted * sizeof *thread);
    int n = 0;
    if (thread == NULL) return 0;
    pthread_mutex_lock(&gate);
    while (n < wanted && pthread_create(&thread[n], NULL, wait_for_start, &gate) == 0) n++;
    pthread_mutex_unlock(&gate);
    for (int i = 0; i < n; i++) pthread_join(thread[i], NULL);
    free(thread);
    return n;
}

/* The team is the calling thread and all others but one, which reading a packed file takes. */
spmv_status tool_set_threads(int64_t *threads, spmv_error *err)
{
    static int usual; /* before this changed it */
    if (usual == 0) usual = tool_rank_threads(omp_get_max_threads());
    int wanted = *threads > 0 ? (int)*threads : usual;
    if (wanted > omp_get_thread_limit()) wanted = omp_get_thread_limit();
    if (wanted > SPMV_MAX_THREADS)
        return tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                         "OMP_NUM_THREADS asks for %d threads, and %d are the most", wanted,
                         SPMV_MAX_THREADS);
    const int startable = wanted > 1 ? count_startable(wanted) : wanted;
    const int most = startable > 1 ? startable : 1;
    if (most < wanted)
        tool_warn("no more than %d of %d threads can be started; going on with %d", most, wanted,
                  most);
    if (*threads > 0) *threads = most;
    omp_set_num_threads(most);
    return SPMV_SUCCESS;
}

#else

spmv_status tool_set_threads(int64_t *threads, spmv_error *err)
{
    (void)threads;
    (void)err;
    return SPMV_SUCCESS;
}

#endif
