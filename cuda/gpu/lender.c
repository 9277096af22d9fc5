/* lender.c -- see lender.h.
 *
 * Whoever releases memory knows its address only: a table says who lent it.  Contexts may have gone
 * by then, and other threads may release, so that it belongs to the process. */
#include "cuda/gpu/lender.h"
#include "core/base/base.h"

#include <pthread.h>
#include <stdlib.h>

enum { CHAINS = 256, ADDRESS_STEP = 256 /* memory begins at a multiple of it */ };

typedef struct loan {
    struct loan *next;
    void *data;
    int64_t bytes;
    spmv__lender lender;
} loan;

static loan *loans[CHAINS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* A copy, as the context that it comes from may go first. */
static _Thread_local spmv__lender selected;

void spmv__lender_select(const spmv__lender *lender)
{
    selected = lender != NULL ? *lender : (spmv__lender){.stream = NULL};
}

bool spmv__lender_is_selected(void)
{
    return selected.allocator.allocate != NULL;
}

static loan **chain_of(const void *data)
{
    return &loans[(uintptr_t)data / ADDRESS_STEP % CHAINS];
}

void spmv__lender_allocate(void **out, int64_t bytes)
{
    const spmv_gpu_allocator *from = &selected.allocator;
    loan *made;
    *out = NULL;
    if (spmv__alloc(&made, 1, sizeof *made, "a loan", NULL) != SPMV_SUCCESS) return;
    *made = (loan){.bytes = bytes, .lender = selected};
    made->data = from->allocate(bytes, selected.stream, from->user);
    if (made->data == NULL) {
        free(made);
        return;
    }
    *out = made->data;
    pthread_mutex_lock(&lock);
    made->next = *chain_of(made->data);
    *chain_of(made->data) = made;
    pthread_mutex_unlock(&lock);
}

/* Takes a loan out of the table; NULL where there is none. */
static loan *take(const void *data)
{
    pthread_mutex_lock(&lock);
    loan **at = chain_of(data);
    while (*at != NULL && (*at)->data != data) at = &(*at)->next;
    loan *found = *at;
    if (found != NULL) *at = found->next;
    pthread_mutex_unlock(&lock);
    return found;
}

bool spmv__lender_release(void *data)
{
    loan *found = take(data);
    if (found == NULL) return false;
    const spmv_gpu_allocator *to = &found->lender.allocator;
    to->release(data, found->bytes, found->lender.stream, to->user);
    free(found);
    return true;
}
