/* tool.h -- how every tool begins, talks and ends.
 *
 *     int main(int argc, char **argv)
 *     {
 *         operands files;
 *         spmv_error err = {0};
 *         tool_start(&self, argc, argv, &files);
 *         return tool_finish(work(&files, &err), &err);
 *     }
 */
#ifndef SPMV_CLI_TOOL_TOOL_H
#define SPMV_CLI_TOOL_TOOL_H

#include "cli/tool/common.h"

#if defined(__GNUC__)
#define TOOL_PRINTF(text, first) __attribute__((format(printf, text, first)))
#define TOOL_NORETURN __attribute__((noreturn))
#else
#define TOOL_PRINTF(text, first)
#define TOOL_NORETURN
#endif

/* Leave for the label `done` of the enclosing function when call fails; `st` holds the status. */
#define TOOL_TRY(call)                     \
    do {                                   \
        st = (call);                       \
        if (st != SPMV_SUCCESS) goto done; \
    } while (0)

/* Set up signals, read the command line, and answer -h, -V and --completion (which end the
 * process, as misuse does: one line on stderr, status 2). */
void tool_start(const tool *t, int argc, char **argv, operands *out);

/* Parts of it: what signals and libraries that call exit() do from here on; and how many threads
 * there are, which --threads and OMP_NUM_THREADS ask for.  Errors: INVALID_ARGUMENT. */
void tool_catch_ends(void);
spmv_status tool_set_threads(spmv_error *err);

/* The tool is about to end by itself; and does so. */
void tool_expect_exit(void);
void tool_exit(int exit_status) TOOL_NORETURN;

/* Report a failure and close standard output; returns what main must return: 0, or the exit status
 * of `st`, or 4 when standard output could not be written. */
int tool_finish(spmv_status st, const spmv_error *err);

/* The same for a run that came to its end with an answer other than yes: 1 for not verified or not
 * converged, the highest status of several files. */
int tool_finish_with(int exit_status);

const tool *tool_self(void);
const char *const *tool_arguments(int *count); /* as they were given, argv[0] included */

/* The command line makes no sense: one line, the usage line, status 2. */
void tool_misuse(const char *format, ...) TOOL_PRINTF(1, 2) TOOL_NORETURN;

/* Fill *err (when not NULL) with a sentence and return status. */
spmv_status tool_fail(spmv_error *err, spmv_status status, const char *format, ...)
    TOOL_PRINTF(3, 4);

/* Print "spmv-run: web.mtx:1042:7: sentence".  Control characters become visible. */
void tool_print_error(spmv_status st, const spmv_error *err);

/* Print a name or a piece of a file, with control characters made visible. */
void tool_print_visible(const char *text, FILE *out);

/* A remark, on stderr unless -q. */
void tool_warn(const char *format, ...) TOOL_PRINTF(1, 2);
void tool_warn_reader(void *user, const spmv_error *warning); /* for spmv_read_options.warn */

/* One line on stderr under -v (or when `always`), never under -q. */
void tool_say(bool always, const char *format, ...) TOOL_PRINTF(2, 3);

/* ---- Outputs -------------------------------------------------------------------------------- */

/* Refuse, before any work, an output that is one of the inputs, exists (without --force), or is a
 * terminal that would get binary data.  "-" and NULL are standard output or input.
 * Errors: INVALID_ARGUMENT, FILE_IO. */
spmv_status tool_check_output(const char *path, bool binary, const operands *inputs,
                              spmv_error *err);

/* Refuse, before any work, a file or folder that cannot be made where it is to be.  What is there
 * already, "-" and NULL are fine.  Errors: FILE_IO. */
spmv_status tool_check_folder(const char *path, spmv_error *err);

/* An output of the command line, and how it is called in a sentence. */
typedef struct tool_output {
    const char *path; /* "-": standard output; NULL: there is none */
    const char *name; /* "--json" */
} tool_output;

/* Misuse when two of them go to the same place, however their folders are spelt.  What can take
 * several, such as /dev/null, may be named again. */
void tool_check_apart(const tool_output *outputs, int count);

/* Misuse when one of them was given, though `mode`, such as --check, does not use it. */
void tool_refuse_unused(const char *mode, const tool_output *outputs, int count);

/* An option that only some of the ways to use a tool, or some file formats, know. */
typedef struct tool_scope {
    const void *value; /* of the option */
    const char *name;  /* "--trust" */
    const char *used;  /* the modes or formats that use it, with a blank before and behind each */
} tool_scope;

/* Misuse when an option was given that `mode` does not use. */
void tool_refuse_scoped(const char *mode, const tool_scope *scopes, int count);

/* Warn of options that have no effect on the file at `path`, as it is of this format. */
void tool_warn_scoped(const char *path, const char *format, const tool_scope *scopes, int count);

/* Misuse when the suffix of an output names a file format that holds no vectors. */
void tool_check_vectors(const char *path);

int64_t tool_file_bytes(const char *path); /* 0 for standard output or when it is not known */
bool tool_is_stdio(const char *path);      /* NULL or "-" */
bool tool_has_suffix(const char *path, const char *suffix); /* ".txt", perhaps compressed */
const char *tool_base_name(const char *path);

/* ---- Phases --------------------------------------------------------------------------------- */

enum { TOOL_PHASES = 16 };
typedef struct tool_phase {
    const char *name; /* "read", "convert", "upload", "multiply", "download", "write" */
    double seconds;
    int64_t bytes; /* 0: not known */
} tool_phase;

/* A phase of the work: shown as progress while it lasts, and under -v with time and bytes when it
 * ends.  `name` is static; `subject` (a file, may be NULL) only shown.  Phases do not nest; a
 * second one of the same name adds to the first in the record. */
void tool_phase_begin(const char *name, const char *subject);
void tool_phase_end(int64_t bytes);
int tool_phase_count(void);
const tool_phase *tool_phase_at(int i); /* they lie one after the other */

/* Callbacks for the library's options: how far the current phase is. */
spmv_progress_callback tool_progress_bytes, tool_progress_iterations;

/* A phase does that. */
void tool_progress_begin(const char *title);
void tool_progress_end(void);
void tool_progress_hide(void); /* before anything else is written to the terminal */

double tool_now(void); /* seconds on a clock that only goes forward */

#endif
