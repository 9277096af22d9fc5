/* output_file.c -- see output_file.h.
 *
 * A regular file is written under a temporary name in the same folder, synced, and renamed, and
 * then the folder is synced, so that no reader ever sees half of it, a failure leaves what was
 * there before, and what was done outlasts a loss of power.  Standard output and what exists but is
 * no regular file (/dev/null, a FIFO) are written to directly.  The folder is held open, and so
 * stays the same one whatever becomes of its path. */
#define _GNU_SOURCE /* O_PATH, TEMP_FAILURE_RETRY */
#include "formats/stream/output_file.h"
#include "formats/stream/background.h"
#include "formats/stream/input.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

void spmv__output_none(spmv__output_file *out, const char *name, bool overwrite)
{
    *out = (spmv__output_file){.fd = -1, .folder = -1, .overwrite = overwrite};
    snprintf(out->name, sizeof out->name, "%s", name);
}

spmv_status spmv__output_fail(const spmv__output_file *out, spmv_error *err, spmv_status status,
                              const char *what, const char *why)
{
    spmv__fail(err, status, "%s: %s", what, why);
    if (err != NULL) memcpy(err->file, out->name, sizeof err->file);
    return status;
}

static spmv_status fail(const spmv__output_file *out, spmv_error *err, const char *what,
                        const char *why)
{
    return spmv__output_fail(out, err, SPMV_ERROR_FILE_IO, what, why);
}

/* A call of the system failed; `why` is what it left in errno. */
static spmv_status fail_errno(const spmv__output_file *out, spmv_error *err, const char *what,
                              int why)
{
    return spmv__output_fail(out, err, spmv__errno_status(why), what, strerror(why));
}

int spmv__write_at(int fd, const void *data, size_t size, int64_t at)
{
    const unsigned char *from = data;
    while (size > 0) {
        const ssize_t n = TEMP_FAILURE_RETRY(pwrite(fd, from, size, at));
        if (n < 0) return errno;
        from += n;
        at += n;
        size -= (size_t)n;
    }
    return 0;
}

/* ---- Opening -------------------------------------------------------------------------------- */

/* The folder of the path.  One that may be written to but not read can be held, though not
 * synced. */
static spmv_status open_folder(spmv__output_file *out, spmv_error *err)
{
    char *slash = strrchr(out->path, '/');
    const char *name = slash == NULL ? "." : slash == out->path ? "/" : out->path;
    out->base = slash == NULL ? out->path : slash + 1;
    if (slash != NULL) *slash = '\0'; /* the base stands after it */
    out->folder = (int)TEMP_FAILURE_RETRY(open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (out->folder < 0 && errno == EACCES)
        out->folder = (int)TEMP_FAILURE_RETRY(open(name, O_PATH | O_DIRECTORY | O_CLOEXEC));
    return out->folder >= 0 ? SPMV_SUCCESS : fail_errno(out, err, "cannot create", errno);
}

/* The temporary file, with the mode of the file that it replaces, if there is one (NULL): only
 * those may read it who may read that one. */
static spmv_status create(spmv__output_file *out, const struct stat *replaced, spmv_error *err)
{
    const spmv_status st = spmv__temporary_create(&out->temp, &out->fd, out->folder,
                                                  replaced == NULL ? 0666 : 0600, err);
    if (st != SPMV_SUCCESS) {
        if (err != NULL) memcpy(err->file, out->name, sizeof err->file);
        return st;
    }
    if (replaced == NULL || fchmod(out->fd, replaced->st_mode & 0777) == 0) return SPMV_SUCCESS;
    return fail_errno(out, err, "cannot create", errno);
}

/* Where the file is to appear: through a symbolic link, so that the link itself stays. */
static spmv_status resolve(spmv__output_file *out, const char *path, bool exists, spmv_error *err)
{
    size_t length = strlen(path);
    int64_t room = (int64_t)(length < PATH_MAX ? PATH_MAX : length + 1);
    spmv_status st = spmv__alloc(&out->path, room, 1, "a file name", err);
    if (st != SPMV_SUCCESS) return st;
    if (!exists)
        memcpy(out->path, path, length + 1);
    else if (realpath(path, out->path) == NULL)
        return fail_errno(out, err, "cannot create", errno);
    return SPMV_SUCCESS;
}

bool spmv__is_stdout(const char *path)
{
    return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0;
}

static spmv_status open_direct(spmv__output_file *out, const char *path, spmv_error *err)
{
    out->fd = (int)TEMP_FAILURE_RETRY(open(path, O_WRONLY | O_CLOEXEC));
    return out->fd >= 0 ? SPMV_SUCCESS : fail_errno(out, err, "cannot open", errno);
}

spmv_status spmv__output_open(spmv__output_file *out, const char *path, spmv_error *err)
{
    struct stat info;
    spmv_status st;
    out->is_stdout = spmv__is_stdout(path);
    if (out->is_stdout) {
        out->fd = STDOUT_FILENO;
        return SPMV_SUCCESS;
    }
    const bool exists = stat(path, &info) == 0;
    if (!exists && errno != ENOENT) return fail_errno(out, err, "cannot create", errno);
    if (exists && S_ISDIR(info.st_mode)) return fail_errno(out, err, "cannot write", EISDIR);
    if (exists && !S_ISREG(info.st_mode)) return open_direct(out, path, err);
    if (exists && !out->overwrite)
        return fail(out, err, "the file exists", "`overwrite` replaces it");
    if (!exists && lstat(path, &info) == 0)
        return fail(out, err, "cannot create", "it is a symbolic link to what does not exist");
    st = resolve(out, path, exists, err);
    if (st == SPMV_SUCCESS) st = open_folder(out, err);
    if (st == SPMV_SUCCESS) st = create(out, exists ? &info : NULL, err);
    return st;
}

/* ---- Several processes ---------------------------------------------------------------------- */

spmv_status spmv__output_share(const spmv__output_file *out, char *path, size_t size,
                               spmv_error *err)
{
    /* The folder was cut off its file in out->path. */
    const char *folder = out->base == out->path ? "." : out->path;
    const int length = snprintf(path, size, "%s/%s", folder, spmv__temporary_name(out->temp));
    if (length >= 0 && (size_t)length < size) return SPMV_SUCCESS;
    return fail_errno(out, err, "cannot create", ENAMETOOLONG);
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

spmv_status spmv__output_join(spmv__output_file *out, const char *path, spmv_error *err)
{
    out->fd = (int)TEMP_FAILURE_RETRY(open(path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC));
    if (out->fd < 0) return fail_errno(out, err, "cannot open", errno);
    out->syncs = !is_local(out->fd);
    return SPMV_SUCCESS;
}

/* ---- Closing -------------------------------------------------------------------------------- */

/* What is to be synced, and what came of it. */
typedef struct sync_job {
    int fd, why;
} sync_job;

static void *sync_file(void *argument)
{
    sync_job *job = (sync_job *)argument;
    job->why = TEMP_FAILURE_RETRY(fsync(job->fd)) == 0 ? 0 : errno;
    return NULL;
}

/* Sync the file; returns 0 or an errno.  No signal interrupts fsync, and a SIGTERM may be followed
 * by a SIGKILL a second later.  So another thread waits for the disk, if one can be started, and
 * this one can still remove the file. */
static int sync_output(int fd)
{
    sync_job job = {.fd = fd};
    pthread_t thread;
    if (spmv__start_thread(&thread, sync_file, &job) == 0)
        pthread_join(thread, NULL);
    else
        (void)sync_file(&job);
    return job.why;
}

/* What only shows now is an error, too; standard output stays open for others, and a second
 * descriptor of it tells the same.  A close that a signal interrupts has closed the file. */
spmv_status spmv__output_close(spmv__output_file *out, bool good, spmv_error *err)
{
    const bool lasts = good && (out->temp != NULL || out->syncs);
    int fd = out->fd, why = lasts ? sync_output(fd) : 0;
    out->fd = -1;
    if (out->is_stdout) fd = dup(fd);
    if ((fd < 0 || (close(fd) != 0 && errno != EINTR)) && why == 0) why = errno;
    return why == 0 ? SPMV_SUCCESS : fail_errno(out, err, "cannot write", why);
}

/* Some file systems cannot sync a folder, and a folder that may not be read cannot be synced. */
static int sync_folder(int folder)
{
    const int result = (int)TEMP_FAILURE_RETRY(fsync(folder));
    return result != 0 && (errno == EINVAL || errno == EBADF) ? 0 : result;
}

spmv_status spmv__output_publish(spmv__output_file *out, spmv_error *err)
{
    int why = 0;
    if (out->temp == NULL) return SPMV_SUCCESS;
    why = spmv__temporary_publish(out->temp, out->base, out->overwrite);
    if (why != 0) return fail_errno(out, err, "cannot create", why);
    out->temp = NULL;
    if (sync_folder(out->folder) == 0) return SPMV_SUCCESS;
    return fail_errno(out, err, "cannot sync the folder", errno);
}

void spmv__output_discard(spmv__output_file *out)
{
    if (out->fd >= 0 && !out->is_stdout) close(out->fd);
    const bool removed = out->temp == NULL || spmv__temporary_discard(out->temp);
    if (removed && out->folder >= 0) close(out->folder);
    free(out->path);
}
