/* faults_test.c -- loaded before libc (LD_PRELOAD): makes one chosen call of the system fail, or
 * the system a different one.
 *
 *   SPMV_FAULT        "CALL K REASON": the K-th call of that name, counted from 1, fails with
 *                     REASON (a value of errno), or for -1 gives or takes only one byte; mmap with
 *                     -1 succeeds, and then the file loses what was mapped, which write with -2
 *                     does to the file that was mapped last to be read; pthread_create fails from
 *                     the K-th call on
 *   SPMV_FAULT_FIRED  a file that comes into being when that happens
 *   SPMV_PID          the number that the process has, as another one may in another container
 *   SPMV_SLOW         microseconds that pass before a name goes or changes, as over a network
 *   SPMV_SLOW_SYNC    microseconds that a sync takes, and its thread hears no signal, as with a
 *                     busy disk; SPMV_FAULT_FIRED comes into being when that begins
 *
 * Calls that libc makes on its own account, as printf does, do not pass here. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { LOST = -2, SHORT = -1, NOTHING = 0 };

static char call[16];
static int number, reason, own_pid, slow, slow_sync;
static atomic_int seen;
static char mapped[4096]; /* the path of the file that was mapped last */

__attribute__((constructor)) static void begin(void)
{
    const char *fault = getenv("SPMV_FAULT"), *pid = getenv("SPMV_PID"),
               *delay = getenv("SPMV_SLOW"), *sync = getenv("SPMV_SLOW_SYNC");
    if (pid != NULL) own_pid = atoi(pid);
    if (delay != NULL) slow = atoi(delay);
    if (sync != NULL) slow_sync = atoi(sync);
    if (fault == NULL || sscanf(fault, "%15s %d %d", call, &number, &reason) != 3) number = 0;
}

static void tell_fired(void)
{
    const char *fired = getenv("SPMV_FAULT_FIRED");
    if (fired != NULL) syscall(SYS_openat, AT_FDCWD, fired, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
}

/* What is to happen to this call: NOTHING, SHORT, or errno. */
static int fate(const char *name)
{
    if (number == 0 || strcmp(name, call) != 0) return NOTHING;
    const int count = atomic_fetch_add(&seen, 1) + 1;
    if (count < number || (count > number && strcmp(name, "pthread_create") != 0)) return NOTHING;
    tell_fired();
    return reason;
}

static int fail(int why)
{
    errno = why;
    return -1;
}

ssize_t read(int fd, void *data, size_t size)
{
    const int why = fate("read");
    if (why > 0) return fail(why);
    return syscall(SYS_read, fd, data, why == SHORT && size > 1 ? 1 : size);
}

ssize_t write(int fd, const void *data, size_t size)
{
    const int why = fate("write");
    if (why > 0) return fail(why);
    if (why == LOST) (void)!truncate(mapped, 0);
    return syscall(SYS_write, fd, data, why == SHORT && size > 1 ? 1 : size);
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t at)
{
    const int why = fate("pwrite");
    if (why > 0) return fail(why);
    return syscall(SYS_pwrite64, fd, data, why == SHORT && size > 1 ? 1 : size, at);
}

/* As for a disk, a thread waits for what it has vforked without hearing of signals. */
static void wait_for_disk(void)
{
    const struct timespec pause = {slow_sync / 1000000, slow_sync % 1000000 * 1000L};
    tell_fired();
    if (vfork() == 0) {
        nanosleep(&pause, NULL);
        _exit(0);
    }
}

int fsync(int fd)
{
    if (slow_sync > 0) wait_for_disk();
    const int why = fate("fsync");
    return why > 0 ? fail(why) : (int)syscall(SYS_fsync, fd);
}

/* The file is closed in any case, as on Linux. */
int close(int fd)
{
    const int why = fate("close"), result = (int)syscall(SYS_close, fd);
    return why > 0 ? fail(why) : result;
}

pid_t getpid(void)
{
    return own_pid != 0 ? own_pid : (pid_t)syscall(SYS_getpid);
}

static void take_time(void)
{
    if (slow > 0) usleep((useconds_t)slow);
}

int unlink(const char *path)
{
    take_time();
    return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

int unlinkat(int folder, const char *path, int flags)
{
    take_time();
    return (int)syscall(SYS_unlinkat, folder, path, flags);
}

int renameat(int from_folder, const char *from, int to_folder, const char *to)
{
    const int why = fate("rename");
    take_time();
    if (why > 0) return fail(why);
    return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, 0);
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags)
{
    const int why = fate("rename");
    take_time();
    if (why > 0) return fail(why);
    return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
}

int open(const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    const int why = fate("open"), mode = flags & O_CREAT ? va_arg(args, int) : 0;
    va_end(args);
    return why > 0 ? fail(why) : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    const int why = fate("open"), mode = flags & O_CREAT ? va_arg(args, int) : 0;
    va_end(args);
    return why > 0 ? fail(why) : (int)syscall(SYS_openat, folder, path, flags, mode);
}

void *mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
    const int why = fd >= 0 ? fate("mmap") : NOTHING;
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (why > 0) {
        errno = why;
        return MAP_FAILED;
    }
    if (why == SHORT) (void)!truncate(path, 0);
    if (fd >= 0 && (protection & PROT_WRITE) == 0) {
        const ssize_t n = readlink(path, mapped, sizeof mapped - 1);
        mapped[n > 0 ? n : 0] = '\0';
    }
    return (void *)syscall(SYS_mmap, address, size, protection, flags, fd, offset);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *argument)
{
    int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    const int why = fate("pthread_create");
    if (why > 0) return why;
    *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
    return real(thread, attributes, run, argument);
}
