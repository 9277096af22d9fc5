/* temporary.c -- see temporary.h.
 *
 * Others may write into the same folder at the same time, from other hosts and from containers
 * where processes have the same numbers.  So a name is random, long enough that it is never
 * drawn twice; its file is removed only by the process that created it, and never after the
 * renaming. */
#define _GNU_SOURCE /* renameat2, TEMP_FAILURE_RETRY */
#include "formats/stream/temporary.h"
#include "formats/stream/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

enum {
    AT_ONCE = 256,   /* in one process */
    RANDOM_WORDS = 2 /* 128 bits in a name */
};

/* A place for a name is FREE, RESERVED by someone who writes the name, or WRITTEN: the file of that
 * name is to be removed if the process ends.  One that was REMOVED by a signal handler is never
 * used again, so that its name stays what it is for a thread that still looks at it. */
enum { FREE, RESERVED, WRITTEN, REMOVED };

struct spmv__temporary {
    atomic_int state;
    pid_t owner; /* a child that inherits the table must leave its parent's files alone */
    int folder;
    char name[64];
};

static spmv__temporary in_progress[AT_ONCE];

static spmv__temporary *reserve(void)
{
    for (int i = 0; i < AT_ONCE; i++) {
        int state = FREE;
        if (atomic_compare_exchange_strong(&in_progress[i].state, &state, RESERVED))
            return &in_progress[i];
    }
    return NULL;
}

/* From WRITTEN to the given state; false when it was REMOVED. */
static bool withdraw(spmv__temporary *temp, int to)
{
    int state = WRITTEN;
    return atomic_compare_exchange_strong(&temp->state, &state, to);
}

void spmv_abandon_writes(void)
{
    for (int i = 0; i < AT_ONCE; i++) {
        spmv__temporary *temp = &in_progress[i];
        if (atomic_load(&temp->state) == WRITTEN && temp->owner == getpid() &&
            withdraw(temp, REMOVED))
            unlinkat(temp->folder, temp->name, 0);
    }
}

/* Draw a name that no other process has, on any host. */
static bool draw_name(spmv__temporary *temp)
{
    unsigned long long word[RANDOM_WORDS];
    if (getrandom(word, sizeof word, 0) != (ssize_t)sizeof word) return false;
    snprintf(temp->name, sizeof temp->name, ".spmv-%016llx%016llx.tmp", word[0], word[1]);
    return true;
}

static spmv_status fail_errno(spmv_error *err, int why)
{
    return spmv__fail(err, spmv__errno_status(why), "cannot create: %s", strerror(why));
}

/* The name is registered before the file exists, so that the handler of a signal finds it.  If the
 * handler ran in between, in another thread, the file is removed here. */
spmv_status spmv__temporary_create(spmv__temporary **out, int *fd, int folder, mode_t mode,
                                   spmv_error *err)
{
    spmv__temporary *temp = reserve();
    *out = NULL;
    if (temp == NULL)
        return spmv__fail(err, SPMV_ERROR_FILE_IO,
                          "cannot create: too many files are being written");
    temp->owner = getpid();
    temp->folder = folder;
    if (!draw_name(temp)) {
        const int why = errno;
        atomic_store(&temp->state, FREE);
        return fail_errno(err, why);
    }
    atomic_store(&temp->state, WRITTEN);
    *fd = (int)TEMP_FAILURE_RETRY(
        openat(folder, temp->name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode));
    if (*fd < 0) {
        const int why = errno;
        if (withdraw(temp, FREE)) return fail_errno(err, why);
        return spmv__fail(err, SPMV_ERROR_FILE_IO, "cannot create: it was abandoned");
    }
    if (atomic_load(&temp->state) != WRITTEN) { /* by a signal that found no file yet */
        unlinkat(folder, temp->name, 0);
        close(*fd);
        return spmv__fail(err, SPMV_ERROR_FILE_IO, "cannot create: it was abandoned");
    }
    *out = temp;
    return SPMV_SUCCESS;
}

const char *spmv__temporary_name(const spmv__temporary *temp)
{
    return temp->name;
}

static int rename_to(const spmv__temporary *temp, const char *name, bool overwrite)
{
    const int folder = temp->folder;
    if (!overwrite) {
        if (renameat2(folder, temp->name, folder, name, RENAME_NOREPLACE) == 0) return 0;
        if (errno != EINVAL && errno != ENOSYS) return errno;
        if (linkat(folder, temp->name, folder, name, 0) == 0) {
            unlinkat(folder, temp->name, 0);
            return 0;
        }
        if (errno == EEXIST) return errno;
    }
    return renameat(folder, temp->name, folder, name) == 0 ? 0 : errno;
}

int spmv__temporary_publish(spmv__temporary *temp, const char *name, bool overwrite)
{
    const int why = rename_to(temp, name, overwrite);
    if (why == 0) withdraw(temp, FREE);
    return why;
}

bool spmv__temporary_discard(spmv__temporary *temp)
{
    if (atomic_load(&temp->state) == WRITTEN && temp->owner == getpid())
        unlinkat(temp->folder, temp->name, 0);
    return withdraw(temp, FREE);
}
