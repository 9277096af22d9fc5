/* sink.c -- buffered output that appears under its name whole or not at all.
 *
 * A regular file is written under a temporary name in the same folder, synced, and renamed, and
 * then the folder is synced, so that no reader ever sees half of it, a failure leaves what was
 * there before, and what was done outlasts a loss of power.  Standard output and what exists but is
 * no regular file (/dev/null, a FIFO) are written to directly.
 *
 * Others may write into the same folder at the same time, from other hosts and from containers
 * where processes have the same numbers.  So a temporary name is random, long enough that nobody
 * draws it twice; it is removed only by the process that created it, and never after the renaming.
 * The folder is held open, and so stays the same one whatever becomes of its path. */
#define _GNU_SOURCE /* renameat2, TEMP_FAILURE_RETRY */
#include "formats/stream/input.h"
#include "formats/stream/memory_file.h"
#include "formats/stream/sink.h"
#include "formats/stream/packing.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

enum {
    BUFFER_SIZE = 1 << 20,
    AT_ONCE = 1 << 24,  /* bytes between two reports, */
    BY_ALL = 1 << 26,   /* also where all threads bring them, */
    FOR_ALL = 1 << 22,  /* if there are at least so many, */
    THREADS = 8,        /* and so many threads: few are no faster than one */
    SINKS_AT_ONCE = 64, /* temporary files in progress in one process */
    RANDOM_WORDS = 2    /* 128 bits in a temporary name */
};

struct spmv__sink {
    int fd;
    bool is_stdout;
    bool by_all; /* a file in memory, to which all threads may bring bytes */
    bool syncs;  /* a file that another process will commit */
    spmv_write_options options;
    int64_t given, expected; /* bytes so far, and in all as far as is known */
    char name[256];          /* as the user wrote it; "<stdout>" for "-" */
    char *path;              /* where the file is to appear; NULL: written to directly */
    int folder;              /* of the path */
    const char *base;        /* the rest of the path */
    struct temporary *temp;  /* its file until then; NULL: there is none any more */
    spmv__packer *packer;    /* NULL: bytes go to the file as they are */
    unsigned char *buffer;
    size_t used;
    spmv_status status; /* the first failure, and its words */
    spmv_error error;
};

/* ---- Temporary files in progress ------------------------------------------------------------ */

/* A place for a name is FREE, RESERVED by a sink that writes the name, or WRITTEN: the file of that
 * name is to be removed if the process ends.  One that was REMOVED by a signal handler is never
 * used again, so that its name stays what it is for whoever still looks at it. */
enum { FREE, RESERVED, WRITTEN, REMOVED };

struct temporary {
    atomic_int state;
    pid_t owner; /* a child that inherits the table must leave its parent's files alone */
    int folder;
    char name[64];
};

static struct temporary in_progress[SINKS_AT_ONCE];

static struct temporary *reserve(void)
{
    for (int i = 0; i < SINKS_AT_ONCE; i++) {
        int state = FREE;
        if (atomic_compare_exchange_strong(&in_progress[i].state, &state, RESERVED))
            return &in_progress[i];
    }
    return NULL;
}

/* From WRITTEN to the given state; false when it was REMOVED. */
static bool withdraw(struct temporary *temp, int to)
{
    int state = WRITTEN;
    return atomic_compare_exchange_strong(&temp->state, &state, to);
}

void spmv_abandon_writes(void)
{
    for (int i = 0; i < SINKS_AT_ONCE; i++) {
        struct temporary *temp = &in_progress[i];
        if (atomic_load(&temp->state) == WRITTEN && temp->owner == getpid() &&
            withdraw(temp, REMOVED))
            unlinkat(temp->folder, temp->name, 0);
    }
}

/* ---- Opening -------------------------------------------------------------------------------- */

static spmv_status fail_as(const spmv__sink *sink, spmv_error *err, spmv_status status,
                           const char *what, const char *why)
{
    spmv__fail(err, status, "%s: %s", what, why);
    if (err != NULL) memcpy(err->file, sink->name, sizeof err->file);
    return status;
}

static spmv_status fail(const spmv__sink *sink, spmv_error *err, const char *what, const char *why)
{
    return fail_as(sink, err, SPMV_ERROR_FILE_IO, what, why);
}

/* A call of the system failed; `why` is what it left in errno. */
static spmv_status fail_errno(const spmv__sink *sink, spmv_error *err, const char *what, int why)
{
    return fail_as(sink, err, spmv__errno_status(why), what, strerror(why));
}

/* A name that nobody else has, on any host. */
static bool draw_name(struct temporary *temp)
{
    unsigned long long word[RANDOM_WORDS];
    if (getrandom(word, sizeof word, 0) != (ssize_t)sizeof word) return false;
    snprintf(temp->name, sizeof temp->name, ".spmv-%016llx%016llx.tmp", word[0], word[1]);
    return true;
}

/* The folder of the path.  One that may be written to but not read can be held, though not
 * synced. */
static spmv_status open_folder(spmv__sink *sink, spmv_error *err)
{
    char *slash = strrchr(sink->path, '/');
    const char *name = slash == NULL ? "." : slash == sink->path ? "/" : sink->path;
    sink->base = slash == NULL ? sink->path : slash + 1;
    if (slash != NULL) *slash = '\0'; /* the base stands behind it */
    sink->folder = (int)TEMP_FAILURE_RETRY(open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (sink->folder < 0 && errno == EACCES)
        sink->folder = (int)TEMP_FAILURE_RETRY(open(name, O_PATH | O_DIRECTORY | O_CLOEXEC));
    return sink->folder >= 0 ? SPMV_SUCCESS : fail_errno(sink, err, "cannot create", errno);
}

/* The temporary file, with the mode of the file that it replaces; 0: created as a new one would be,
 * so that the umask gives it its mode.  Its name is published before it exists: a signal at any
 * moment finds it. */
static spmv_status create_temporary(spmv__sink *sink, mode_t mode, spmv_error *err)
{
    struct temporary *temp = reserve();
    if (temp == NULL) return fail(sink, err, "cannot create", "too many files are being written");
    temp->owner = getpid();
    temp->folder = sink->folder;
    if (!draw_name(temp)) {
        const int why = errno;
        atomic_store(&temp->state, FREE);
        return fail_errno(sink, err, "cannot create", why);
    }
    atomic_store(&temp->state, WRITTEN);
    sink->fd = (int)TEMP_FAILURE_RETRY(
        openat(temp->folder, temp->name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (sink->fd < 0) {
        const int why = errno;
        if (!withdraw(temp, FREE)) return fail(sink, err, "cannot create", "it was abandoned");
        return fail_errno(sink, err, "cannot create", why);
    }
    sink->temp = temp;
    if (mode == 0 || fchmod(sink->fd, mode) == 0) return SPMV_SUCCESS;
    return fail_errno(sink, err, "cannot create", errno);
}

/* Where the file is to appear: through a symbolic link, so that the link itself stays. */
static spmv_status resolve(spmv__sink *sink, const char *path, bool exists, spmv_error *err)
{
    size_t length = strlen(path);
    int64_t room = (int64_t)(length < PATH_MAX ? PATH_MAX : length + 1);
    spmv_status st = spmv__alloc(&sink->path, room, 1, "a file name", err);
    if (st != SPMV_SUCCESS) return st;
    if (!exists)
        memcpy(sink->path, path, length + 1);
    else if (realpath(path, sink->path) == NULL)
        return fail_errno(sink, err, "cannot create", errno);
    return SPMV_SUCCESS;
}

static spmv_status open_direct(spmv__sink *sink, const char *path, spmv_error *err)
{
    sink->fd = (int)TEMP_FAILURE_RETRY(open(path, O_WRONLY | O_CLOEXEC));
    return sink->fd >= 0 ? SPMV_SUCCESS : fail_errno(sink, err, "cannot open", errno);
}

static spmv_status open_path(spmv__sink *sink, const char *path, spmv_error *err)
{
    struct stat info;
    spmv_status st = spmv__packer_open(&sink->packer, path, err);
    if (st != SPMV_SUCCESS) {
        if (err != NULL) memcpy(err->file, sink->name, sizeof err->file);
        return st;
    }
    bool exists = stat(path, &info) == 0;
    if (!exists && errno != ENOENT) return fail_errno(sink, err, "cannot create", errno);
    if (exists && S_ISDIR(info.st_mode)) return fail_errno(sink, err, "cannot write", EISDIR);
    if (exists && !S_ISREG(info.st_mode)) return open_direct(sink, path, err);
    if (exists && !sink->options.overwrite)
        return fail(sink, err, "the file exists", "`overwrite` replaces it");
    if (!exists && lstat(path, &info) == 0)
        return fail(sink, err, "cannot create", "it is a symbolic link to what does not exist");
    st = resolve(sink, path, exists, err);
    if (st == SPMV_SUCCESS) st = open_folder(sink, err);
    if (st == SPMV_SUCCESS) st = create_temporary(sink, exists ? info.st_mode & 0777 : 0, err);
    sink->by_all = st == SPMV_SUCCESS && sink->packer == NULL && spmv__threads(0) >= THREADS &&
                   spmv__memory_file_is(sink->fd);
    return st;
}

/* A sink without a file yet. */
static spmv_status create_sink(spmv__sink **out, const char *name,
                               const spmv_write_options *options, spmv_error *err)
{
    spmv__sink *sink = NULL;
    spmv_status st;
    *out = NULL;
    SPMV__TRY(spmv__alloc(&sink, 1, sizeof *sink, "an output", err));
    sink->fd = sink->folder = -1;
    if (options != NULL) sink->options = *options;
    snprintf(sink->name, sizeof sink->name, "%s", name);
    SPMV__TRY(spmv__alloc(&sink->buffer, BUFFER_SIZE, 1, "an output buffer", err));
    *out = sink;
    sink = NULL;
done:
    free(sink);
    return st;
}

spmv_status spmv__sink_open(spmv__sink **out, const char *path, const spmv_write_options *options,
                            spmv_error *err)
{
    const bool is_stdout = strcmp(path, "-") == 0;
    spmv__sink *sink = NULL;
    spmv_status st;
    *out = NULL;
    SPMV__TRY(create_sink(&sink, is_stdout ? "<stdout>" : path, options, err));
    sink->is_stdout = is_stdout;
    if (is_stdout)
        sink->fd = STDOUT_FILENO;
    else
        SPMV__TRY(open_path(sink, path, err));
    *out = sink;
    sink = NULL;

done:
    spmv__sink_discard(sink);
    return st;
}

spmv_status spmv__sink_share(const spmv__sink *sink, char *path, size_t size, spmv_error *err)
{
    /* The folder was cut off its file in sink->path. */
    const char *folder = sink->base == sink->path ? "." : sink->path;
    const int length = snprintf(path, size, "%s/%s", folder, sink->temp->name);
    if (length >= 0 && (size_t)length < size) return SPMV_SUCCESS;
    return fail_errno(sink, err, "cannot create", ENAMETOOLONG);
}

/* A file system of one machine, on which all who write to a file share its pages, and one sync is
 * for all: two at a time would wait for each other. */
static bool is_local(int fd)
{
    static const long local[] = {BTRFS_SUPER_MAGIC, EXT4_SUPER_MAGIC, OVERLAYFS_SUPER_MAGIC,
                                 TMPFS_MAGIC, XFS_SUPER_MAGIC};
    struct statfs info;
    bool found = false;
    if (fstatfs(fd, &info) != 0) return false;
    for (size_t i = 0; i < sizeof local / sizeof *local; i++)
        found = found || info.f_type == local[i];
    return found;
}

spmv_status spmv__sink_join(spmv__sink **out, const char *path, const char *name,
                            const spmv_write_options *options, spmv_error *err)
{
    spmv__sink *sink = NULL;
    spmv_status st;
    *out = NULL;
    SPMV__TRY(create_sink(&sink, name, options, err));
    sink->fd = (int)TEMP_FAILURE_RETRY(open(path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC));
    if (sink->fd < 0) st = fail_errno(sink, err, "cannot open", errno);
    sink->syncs = sink->fd >= 0 && !is_local(sink->fd);
    if (st != SPMV_SUCCESS) goto done;
    *out = sink;
    sink = NULL;
done:
    spmv__sink_discard(sink);
    return st;
}

/* ---- Writing -------------------------------------------------------------------------------- */

static void keep_failure(spmv__sink *sink, spmv_status status, const char *what, const char *why)
{
    if (sink->status == SPMV_SUCCESS) sink->status = fail_as(sink, &sink->error, status, what, why);
}

void spmv__sink_fail(spmv__sink *sink, int why)
{
    if (why != 0) keep_failure(sink, spmv__errno_status(why), "cannot write", strerror(why));
}

static void keep_errno(spmv__sink *sink, const char *what)
{
    const int why = errno;
    keep_failure(sink, spmv__errno_status(why), what, strerror(why));
}

static void write_all(void *user, const unsigned char *data, size_t size)
{
    spmv__sink *sink = user;
    while (size > 0 && sink->status == SPMV_SUCCESS) {
        ssize_t n = TEMP_FAILURE_RETRY(write(sink->fd, data, size));
        if (n < 0) {
            keep_errno(sink, "cannot write");
            return;
        }
        data += n;
        size -= (size_t)n;
    }
}

/* So many more bytes are in the file, or have their place there. */
static void advance(spmv__sink *sink, size_t size)
{
    sink->given += (int64_t)size;
    spmv__report(sink->options.progress, sink->options.user, "writing", sink->given,
                 sink->given > sink->expected ? 0 : sink->expected);
}

/* On to the file, compressed where its name asks for it. */
static void put_some(spmv__sink *sink, const unsigned char *data, size_t size, bool last)
{
    if (sink->packer == NULL)
        write_all(sink, data, size);
    else if (!spmv__packer_write(sink->packer, data, size, last, write_all, sink))
        keep_failure(sink, SPMV_ERROR_OUT_OF_MEMORY, "cannot compress", "out of memory");
    advance(sink, size);
}

/* The next bytes of the file come from elsewhere: returns their place. */
static int64_t step_over(spmv__sink *sink, size_t size)
{
    const int64_t at = sink->given;
    if (lseek(sink->fd, at + (int64_t)size, SEEK_SET) < 0) keep_errno(sink, "cannot write");
    advance(sink, size);
    return at;
}

static void put_by_all(spmv__sink *sink, const unsigned char *data, size_t size)
{
    const int64_t at = step_over(sink, size);
    if (sink->status != SPMV_SUCCESS) return;
    spmv__sink_fail(sink, spmv__memory_file_put(sink->fd, data, size, at));
}

/* In portions, so that the progress shows. */
static void put(spmv__sink *sink, const unsigned char *data, size_t size, bool last)
{
    for (size_t n; sink->by_all && size >= FOR_ALL; data += n, size -= n) {
        n = size < BY_ALL ? size : BY_ALL;
        put_by_all(sink, data, n);
    }
    for (; size > AT_ONCE; data += AT_ONCE, size -= AT_ONCE) put_some(sink, data, AT_ONCE, false);
    put_some(sink, data, size, last);
}

void spmv__sink_expect(spmv__sink *sink, int64_t bytes)
{
    sink->expected = sink->given + (int64_t)sink->used + bytes;
}

static void flush(spmv__sink *sink, bool last)
{
    put(sink, sink->buffer, sink->used, last);
    sink->used = 0;
}

void spmv__sink_write(spmv__sink *sink, const void *data, size_t size)
{
    if (size > BUFFER_SIZE - sink->used) flush(sink, false);
    if (size >= BUFFER_SIZE) {
        put(sink, data, size, false);
    } else if (size > 0) {
        memcpy(sink->buffer + sink->used, data, size);
        sink->used += size;
    }
}

bool spmv__sink_reserve(spmv__sink *sink, size_t size, int64_t *at)
{
    if (!sink->by_all) return false;
    flush(sink, false);
    *at = step_over(sink, size);
    if (sink->status == SPMV_SUCCESS)
        spmv__sink_fail(sink, spmv__memory_file_extend(sink->fd, size, *at));
    return sink->status == SPMV_SUCCESS;
}

int spmv__sink_fill(const spmv__sink *sink, const void *data, size_t size, int64_t at)
{
    return spmv__memory_file_fill(sink->fd, data, size, at);
}

bool spmv__sink_has_places(const spmv__sink *sink)
{
    return sink->temp != NULL && sink->packer == NULL;
}

void spmv__sink_write_at(spmv__sink *sink, const void *data, size_t size, int64_t at)
{
    const unsigned char *from = data;
    while (size > 0 && sink->status == SPMV_SUCCESS) {
        const ssize_t n = TEMP_FAILURE_RETRY(pwrite(sink->fd, from, size, at));
        if (n < 0) {
            keep_errno(sink, "cannot write");
            return;
        }
        from += n;
        at += n;
        size -= (size_t)n;
        sink->given += n;
    }
    spmv__report(sink->options.progress, sink->options.user, "writing", sink->given,
                 sink->given > sink->expected ? 0 : sink->expected);
}

spmv_status spmv__sink_status(const spmv__sink *sink, spmv_error *err)
{
    if (sink->status != SPMV_SUCCESS && err != NULL) *err = sink->error;
    return sink->status;
}

void spmv__sink_printf(spmv__sink *sink, const char *format, ...)
{
    char text[4096];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (length < 0 || (size_t)length >= sizeof text)
        keep_failure(sink, SPMV_ERROR_FILE_IO, "cannot write", "a line of more than 4095 bytes");
    else
        spmv__sink_write(sink, text, (size_t)length);
}

/* ---- Closing -------------------------------------------------------------------------------- */

/* Give the complete file its name.  Without `overwrite`, a file that has appeared since the output
 * was opened is not replaced either, where the file system can promise that. */
static int rename_temporary(const spmv__sink *sink)
{
    const int folder = sink->folder;
    if (!sink->options.overwrite) {
        if (renameat2(folder, sink->temp->name, folder, sink->base, RENAME_NOREPLACE) == 0)
            return 0;
        if (errno != EINVAL && errno != ENOSYS) return -1;
    }
    return renameat(folder, sink->temp->name, folder, sink->base);
}

/* Some file systems cannot sync a folder, and a folder that may not be read cannot be synced. */
static int sync_folder(int folder)
{
    const int result = (int)TEMP_FAILURE_RETRY(fsync(folder));
    return result != 0 && (errno == EINVAL || errno == EBADF) ? 0 : result;
}

/* The temporary file becomes the output.  From then on its old name is nobody's. */
static void publish(spmv__sink *sink)
{
    if (rename_temporary(sink) != 0) {
        keep_errno(sink, "cannot create");
        return;
    }
    withdraw(sink->temp, FREE);
    sink->temp = NULL;
    if (sync_folder(sink->folder) != 0) keep_errno(sink, "cannot sync the folder");
}

/* Close the file and report what only shows now; standard output stays open for others, and a
 * second descriptor of it tells the same.  A close that a signal interrupts has closed the file. */
static void close_output(spmv__sink *sink)
{
    int fd = sink->fd;
    sink->fd = -1;
    if (sink->is_stdout) fd = dup(fd);
    if (fd < 0 || (close(fd) != 0 && errno != EINTR)) keep_errno(sink, "cannot write");
}

/* Refuse output that may come from an input which was changed meanwhile. */
static void check_inputs(spmv__sink *sink)
{
    const char *changed = spmv_changed_file(NULL);
    if (changed == NULL || sink->status != SPMV_SUCCESS) return;
    keep_failure(sink, SPMV_ERROR_FILE_IO, "cannot read", "the file was changed while it was used");
    snprintf(sink->error.file, sizeof sink->error.file, "%s", changed);
}

spmv_status spmv__sink_commit(spmv__sink **out, spmv_error *err)
{
    spmv__sink *sink = *out;
    flush(sink, true);
    if (sink->status == SPMV_SUCCESS && (sink->temp != NULL || sink->syncs) &&
        TEMP_FAILURE_RETRY(fsync(sink->fd)) != 0)
        keep_errno(sink, "cannot write");
    close_output(sink);
    if (sink->options.unchanged) check_inputs(sink);
    if (sink->status == SPMV_SUCCESS && sink->temp != NULL) publish(sink);
    spmv_status st = sink->status;
    if (st != SPMV_SUCCESS && err != NULL) *err = sink->error;
    spmv__sink_discard(sink);
    *out = NULL;
    return st;
}

/* Remove what was written.  Returns whether the folder may be closed: a signal handler in another
 * thread may still be about to remove the file from it. */
static bool discard_temporary(struct temporary *temp)
{
    if (atomic_load(&temp->state) == WRITTEN && temp->owner == getpid())
        unlinkat(temp->folder, temp->name, 0);
    return withdraw(temp, FREE);
}

void spmv__sink_discard(spmv__sink *sink)
{
    if (sink == NULL) return;
    if (sink->fd >= 0 && !sink->is_stdout) close(sink->fd);
    const bool removed = sink->temp == NULL || discard_temporary(sink->temp);
    if (removed && sink->folder >= 0) close(sink->folder);
    spmv__packer_close(sink->packer);
    free(sink->path);
    free(sink->buffer);
    free(sink);
}
