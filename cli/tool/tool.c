/* tool.c -- the beginning and the end that all tools have in common. */
#include "cli/tool/tool.h"
#include "cli/tool/exit_status.h"
#include "cli/tool/message.h"
#include "cli/tool/progress.h"
#include "cli/tool/ranks.h"
#include "cli/tool/self.h"
#include "cli/tool/signals.h"
#include "cli/tool/team.h"
#include "cli/tool/version.h"
#include "cli/tool/yield_stdout.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
    const tool *self;
    const char **operand; /* kept here, so that it does not count as leaked */
} running;

/* A file opened later must not become standard input or output by accident: where one is closed,
 * put something there that cannot be used. */
static void hold_descriptors(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) == -1 && errno == EBADF)
            (void)!open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/* ---- Beginning ------------------------------------------------------------------------------ */

/* Says whether standard input is meant to be read: neither a terminal nor /dev/null.  Of
 * several ranks only one has it. */
static bool is_piped(void)
{
    struct stat info;
    return tool_rank_count() == 1 && fstat(STDIN_FILENO, &info) == 0 && !S_ISCHR(info.st_mode) &&
           !S_ISDIR(info.st_mode);
}

void tool_take_pipe(operands *files)
{
    static const char *piped[] = {"-"};
    if (files->count == 0 && is_piped()) *files = (operands){1, piped};
}

/* Answer the options that win over everything else on the line. */
static void answer_at_once(const tool *self, const common_options *options)
{
    static void (*const complete[])(const tool *, FILE *) = {
        option_complete_bash, option_complete_zsh, option_complete_fish};
    if (options->help)
        option_help(self, stdout);
    else if (options->version)
        version_print(self->name, options->verbose, stdout);
    else if (options->completion >= 0)
        complete[options->completion](self, stdout);
    else if (options->man)
        option_man(self, stdout);
    else
        return;
    tool_exit(tool_finish(SPMV_SUCCESS, NULL));
}

/* Of several ranks only the first one prints, and not every tool knows what to do with them. */
static void begin_rank(const tool *t)
{
    char sentence[128];
    const int count = tool_rank_count();
    if (count == 1) return;
    if (tool_rank() > 0 && freopen("/dev/null", "w", stdout) == NULL)
        tool_exit(tool_exit_status(SPMV_ERROR_FILE_IO));
    if (t->ranks && spmv_comm_can_join()) return;
    snprintf(sentence, sizeof sentence,
             t->ranks ? "this build has no MPI, and %d processes of it cannot work together"
                      : "works as one process, and mpirun has started %d",
             count);
    tool_print_complaint(sentence);
    tool_exit(tool_exit_status(SPMV_ERROR_INVALID_ARGUMENT));
}

/* Print something about the usage to standard error, once. */
static void print_usage(const tool *t, void (*print)(const tool *, FILE *))
{
    if (tool_rank() == 0) print(t, stderr);
}

static bool has_option(const char *name)
{
    const option *o;
    for (int i = 0; (o = option_at(running.self, i)) != NULL; i++)
        if (strcmp(o->name, name) == 0) return true;
    return false;
}

void tool_start(const tool *t, int argc, char **argv, common_options *options, operands *out)
{
    spmv_error err = {0};

    running.self = t;
    tool_introduce(t->name, argc, argv);
    hold_descriptors();
    tool_speak_in_lines();
    tool_catch_ends();
    begin_rank(t);
    if (argc <= 1 && !is_piped()) {
        print_usage(t, option_introduction);
        tool_exit(tool_exit_status(SPMV_ERROR_INVALID_ARGUMENT));
    }
    spmv_status st = option_parse(t, argc, argv, options, out, &err);
    running.operand = out->word;
    tool_set_messages(options, has_option);
    tool_set_progress(options);
    if (st == SPMV_SUCCESS) {
        answer_at_once(t, options);
        tool_yield_stdout(&options->output, "the result", options);
        st = tool_set_threads(&options->threads, &err);
    }
    if (st == SPMV_SUCCESS) return;
    tool_print_error(st, &err);
    tool_exit(tool_exit_status(st));
}

void tool_misuse(const char *format, ...)
{
    char sentence[512];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    tool_print_complaint(sentence);
    print_usage(running.self, option_usage);
    tool_exit(tool_exit_status(SPMV_ERROR_INVALID_ARGUMENT));
}

void tool_check_listing(const char *mode, const common_options *options, const operands *words)
{
    static const char telling[] = " json force quiet verbose color progress ";
    const option *o;
    char word[32];
    if (words->count > 0) tool_misuse("%s takes no operands, not %.80s", mode, words->word[0]);
    for (int i = 0; (o = option_at(running.self, i)) != NULL; i++) {
        snprintf(word, sizeof word, " %s ", o->name);
        if (strcmp(o->name, mode + strlen("--")) == 0 || strstr(telling, word) != NULL) continue;
        if (option_given(options, (const char *)options + o->offset))
            tool_misuse("%s does not use --%s", mode, o->name);
    }
}

/* ---- End ------------------------------------------------------------------------------------ */

/* Only here is it noticed that data never reached the file. */
static spmv_status close_stdout(spmv_error *err)
{
    const bool failed_before = ferror(stdout) != 0;
    errno = 0;
    if (fclose(stdout) == 0 && !failed_before) return SPMV_SUCCESS;
    tool_fail(err, SPMV_ERROR_FILE_IO, "cannot write%s%s", errno != 0 ? ": " : "",
              errno != 0 ? strerror(errno) : "");
    snprintf(err->file, sizeof err->file, "<stdout>");
    return SPMV_ERROR_FILE_IO;
}

/* Returns the exit status of the run. */
static int end_run(int exit_status, spmv_status st, const spmv_error *err)
{
    spmv_error close_err;
    tool_expect_exit();
    if (st != SPMV_SUCCESS) tool_print_error(st, err);
    const spmv_status closed = close_stdout(&close_err);
    if (st != SPMV_SUCCESS) return tool_exit_status(st);
    if (closed != SPMV_SUCCESS) {
        tool_print_error(closed, &close_err);
        return tool_exit_status(closed);
    }
    return exit_status;
}

int tool_finish(spmv_status st, const spmv_error *err)
{
    return tool_rank_exit(end_run(0, st, err));
}

int tool_finish_with(int exit_status)
{
    return tool_rank_exit(end_run(exit_status, SPMV_SUCCESS, NULL));
}
