/* background.c -- see background.h. */
#include "formats/stream/background.h"

#include <signal.h>

/* Reading a mapped file may raise SIGBUS, which would end the process if it were blocked. */
static const int own[] = {SIGBUS, SIGSEGV, SIGILL, SIGFPE};

int spmv__start_thread(pthread_t *thread, void *(*run)(void *), void *argument)
{
    sigset_t others, before;
    sigfillset(&others);
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) sigdelset(&others, own[i]);
    pthread_sigmask(SIG_BLOCK, &others, &before);
    const int why = pthread_create(thread, NULL, run, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return why;
}
