/* background.h -- a thread beside those of the program. */
#pragma once

#include <pthread.h>

/* Start a thread that gets no signals but those that it causes itself: all others stay with the
 * threads of the program.  Returns 0, or why there is none, as pthread_create does. */
int spmv__start_thread(pthread_t *thread, void *(*run)(void *), void *argument);
