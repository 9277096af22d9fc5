/* export.c -- the exporters, and where their text goes. */
#include "cli/bench/show/export.h"
#include "cli/files/composed.h"
#include "cli/tool/fail.h"
#include "cli/text/terminal.h"
#include "cli/tool/path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const bench_exporter *const bench_exporters[] = {&bench_export_table, &bench_export_json,
                                                 &bench_export_jsonl, &bench_export_csv,
                                                 &bench_export_markdown};

const bench_exporter *bench_exporter_of(int format, bool summary)
{
    return summary ? &bench_summary_exporters[format] : bench_exporters[format];
}

int bench_format_of(const char *suffix)
{
    int i = sizeof bench_exporters / sizeof bench_exporters[0] - 1;
    while (i >= 0 && strcmp(bench_exporters[i]->suffix, suffix) != 0) i--;
    return i;
}

static void begin(const bench_exporter *exporter, FILE *out)
{
    if (exporter->begin != NULL) exporter->begin(out);
}

static spmv_status fail_to_write(spmv_error *err)
{
    return tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot hold what is to be written");
}

static bool end(const bench_exporter *exporter, const bench_results *all, FILE *out)
{
    return exporter->end == NULL || exporter->end(all, out);
}

/* All results of the matrix of result i, when that is the first of it; group is [all->count]. */
static bool write_matrix(const bench_exporter *exporter, const bench_results *all, int i,
                         bench_result *group, FILE *out)
{
    const int count = bench_gather(all, i, group);
    return count == 0 || exporter->matrix(group, count, out);
}

/* What is exported, and how. */
typedef struct exported {
    const bench_exporter *exporter;
    const bench_results *all;
} exported;

static bool write_all(const void *what, FILE *out)
{
    const exported *e = what;
    bench_result *group = calloc((size_t)e->all->count + 1, sizeof *group);
    bool whole = group != NULL;
    begin(e->exporter, out);
    for (int i = 0; i < e->all->count && e->exporter->matrix != NULL && whole; i++)
        whole = write_matrix(e->exporter, e->all, i, group, out);
    free(group);
    return whole && end(e->exporter, e->all, out);
}

spmv_status bench_write_text(bool (*write)(const void *what, FILE *out), const void *what,
                             const char *path, bool force, spmv_error *err)
{
    if (tool_is_stdio(path)) return write(what, stdout) ? SPMV_SUCCESS : fail_to_write(err);
    return tool_write_composed(path, force, write, what, err);
}

spmv_status bench_export_all(const bench_exporter *exporter, const bench_results *all,
                             const char *path, bool force, spmv_error *err)
{
    const exported what = {exporter, all};
    return bench_write_text(write_all, &what, path, force, err);
}

/* ---- As the run goes on --------------------------------------------------------------------- */

struct bench_output {
    const bench_exporter *exporter;
    const char *path;
    bool grows;   /* with the run; else all is written at the end */
    int64_t kept; /* bytes of a file to continue; -1: there is none */
    bool force;   /* a file that exists is replaced */
    bool resume;  /* it is continued, also where another run has begun it meanwhile */
    FILE *file;   /* NULL: nothing is written so far */
};

/* Returns whether this is a pipe or a device, where there is nothing to lose. */
static bool is_special(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode);
}

/* A last line may be whole but for its end. */
static bool ends_within_line(FILE *file)
{
    return fseek(file, -1, SEEK_END) == 0 && getc(file) != '\n';
}

/* Without a buffer: what is written at once is then in one piece, also where another run adds to
 * the same file, which must be there. */
static spmv_status append_to_file(bench_output *o, spmv_error *err)
{
    const int fd = open(o->path, O_RDWR | O_APPEND | O_CLOEXEC);
    o->file = fd >= 0 ? fdopen(fd, "a+b") : NULL;
    if (o->file == NULL) {
        const spmv_status st = tool_fail_on(o->path, errno, err);
        if (fd >= 0) close(fd);
        return st;
    }
    setvbuf(o->file, NULL, _IONBF, 0);
    return SPMV_SUCCESS;
}

/* The first results replace an old file as a whole; further ones follow them, and so do all of them
 * where another run has begun the file that both were to continue: *follow says so. */
static spmv_status begin_file(bench_output *o, const bench_results *added, bool *follow,
                              spmv_error *err)
{
    spmv_status st = bench_export_all(o->exporter, added, o->path, o->force && !o->resume, err);
    *follow = st != SPMV_SUCCESS && o->resume && access(o->path, F_OK) == 0;
    if (st == SPMV_SUCCESS || *follow) st = append_to_file(o, err);
    return st;
}

/* What breaks off has no end of its line; whole lines there are another run's, which began later.
 */
static bool breaks_off(FILE *file, int64_t kept)
{
    int c = fseek(file, (long)kept, SEEK_SET) == 0 ? getc(file) : EOF;
    const bool any = c != EOF;
    while (c != EOF && c != '\n') c = getc(file);
    return any && c == EOF;
}

/* Take away what breaks off of the file to continue, and end its last line. */
static spmv_status mend_file(bench_output *o, spmv_error *err)
{
    spmv_status st = append_to_file(o, err);
    if (st != SPMV_SUCCESS) return st;
    errno = 0;
    if (breaks_off(o->file, o->kept) && ftruncate(fileno(o->file), (off_t)o->kept) != 0)
        st = tool_fail_on(o->path, errno, err);
    if (st == SPMV_SUCCESS && ends_within_line(o->file)) {
        fseek(o->file, 0, SEEK_END); /* between reading and writing */
        fputc('\n', o->file);
    }
    if (fclose(o->file) != 0 && st == SPMV_SUCCESS) st = tool_fail_on(o->path, errno, err);
    o->file = NULL;
    return st;
}

spmv_status bench_output_open(bench_output **out, const bench_exporter *exporter, const char *path,
                              int64_t kept, bool force, bool resume, spmv_error *err)
{
    bench_output *o = calloc(1, sizeof *o);
    *out = o;
    if (o == NULL) return tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot open an output");
    *o = (bench_output){
        .exporter = exporter, .path = path, .kept = kept, .force = force, .resume = resume};
    o->grows = tool_is_stdio(path) ||
               (exporter == &bench_export_jsonl && spmv_path_compression(path) == NULL);
    if (tool_is_stdio(path)) o->file = stdout;
    if (o->grows && o->file == NULL && is_special(path)) {
        o->file = fopen(path, "wb");
        if (o->file == NULL) return tool_fail_on(path, errno, err);
    }
    if (o->file != NULL) begin(exporter, o->file);
    return kept >= 0 ? mend_file(o, err) : SPMV_SUCCESS;
}

/* What is added: all results of the matrix, or of JSON lines the new ones. */
typedef struct added_results {
    const bench_output *o;
    const bench_results *all;
    int first;
} added_results;

static bool write_added(const void *what, FILE *out)
{
    const added_results *a = what;
    const bench_results *all = a->all;
    const bench_exporter *exporter = a->o->exporter;
    if (exporter->matrix == NULL) return true;
    if (exporter == &bench_export_jsonl)
        return exporter->matrix(&all->item[a->first], all->count - a->first, out);
    bench_result *group = calloc((size_t)all->count, sizeof *group);
    const int i = bench_group_of(all, a->first);
    const bool whole = group != NULL && write_matrix(exporter, all, i, group, out);
    free(group);
    return whole;
}

/* A write may have failed long before the buffer is empty.  What becomes of standard output is seen
 * when the tool ends. */
static spmv_status flush(const bench_output *o, spmv_error *err)
{
    const bool failed = ferror(o->file) != 0;
    if ((fflush(o->file) == 0 && !failed) || o->file == stdout) return SPMV_SUCCESS;
    return tool_fail_on(o->path, errno != 0 ? errno : EIO, err);
}

spmv_status bench_output_add(bench_output *o, const bench_results *all, int first, spmv_error *err)
{
    const bench_results added = {.item = &all->item[first], .count = all->count - first};
    const added_results what = {o, all, first};
    char *text;
    size_t size;
    if (!o->grows || added.count == 0) return SPMV_SUCCESS;
    bool follow = true;
    spmv_status st = SPMV_SUCCESS;
    if (o->file == NULL)
        st = o->kept < 0 ? begin_file(o, &added, &follow, err) : append_to_file(o, err);
    if (st != SPMV_SUCCESS || !follow) return st;
    st = tool_compose(&text, &size, write_added, &what, err);
    if (st == SPMV_SUCCESS) {
        errno = 0;
        fwrite(text, 1, size, o->file);
        terminal_clear();
        st = flush(o, err);
    }
    free(text);
    return st;
}

spmv_status bench_output_close(bench_output *o, const bench_results *all, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    if (o == NULL) return st;
    errno = 0;
    if (!o->grows)
        st = bench_export_all(o->exporter, all, o->path, o->force, err);
    else if (o->file != NULL)
        st = end(o->exporter, all, o->file) ? SPMV_SUCCESS : fail_to_write(err);
    else if (access(o->path, F_OK) != 0) /* nothing was measured: nothing old gives way to that */
        st = bench_export_all(o->exporter, all, o->path, o->force, err);
    if (o->file != NULL && o->file != stdout) {
        if (st == SPMV_SUCCESS) st = flush(o, err);
        /* EINVAL: it is no file that lies anywhere, such as a pipe. */
        const bool synced = fsync(fileno(o->file)) == 0 || errno == EINVAL;
        if ((fclose(o->file) != 0 || !synced) && st == SPMV_SUCCESS)
            st = tool_fail_on(o->path, errno, err);
    }
    free(o);
    return st;
}

void bench_output_discard(bench_output *o)
{
    if (o != NULL && o->file != NULL && o->file != stdout) fclose(o->file);
    free(o);
}
