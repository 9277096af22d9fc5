/* message.c -- what a tool says on standard error: errors, warnings, remarks.
 *
 * Names of files and pieces of their content may hold anything: what could steer a terminal is
 * shown as \x1b instead of being sent there. */
#include "cli/tool/tool.h"
#include "cli/tool/utf8.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool use_colour(void)
{
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    if (common.color != COLOR_AUTO) return common.color == COLOR_ALWAYS;
    return isatty(STDERR_FILENO) && (no_color == NULL || no_color[0] == '\0') &&
           (term == NULL || strcmp(term, "dumb") != 0);
}

void tool_print_visible(const char *text, FILE *out)
{
    char shown[UTF8_SHOWN];
    while (*text != '\0') {
        utf8_show(&text, shown);
        fputs(shown, out);
    }
}

static void print_line(const char *colour, const char *label, const char *sentence)
{
    const bool coloured = use_colour();
    tool_progress_hide();
    fprintf(stderr, "%s%s: %s%s", coloured ? colour : "", tool_self()->name, label,
            coloured ? "\033[0m" : "");
    tool_print_visible(sentence, stderr);
    fputc('\n', stderr);
}

/* The place in front of a sentence: "web.mtx:1042:7: " as far as it is known. */
static void print_error_line(const char *colour, const char *label, const spmv_error *err,
                             const char *sentence)
{
    char line[sizeof err->file + sizeof err->message + 64];
    int n = 0;
    if (err->file[0] != '\0') n = snprintf(line, sizeof line, "%s:", err->file);
    if (err->line > 0) n += snprintf(line + n, sizeof line - (size_t)n, "%" PRId64 ":", err->line);
    if (err->line > 0 && err->column > 0)
        n += snprintf(line + n, sizeof line - (size_t)n, "%" PRId64 ":", err->column);
    snprintf(line + n, sizeof line - (size_t)n, "%s%s", n > 0 ? " " : "", sentence);
    print_line(colour, label, line);
}

spmv_status tool_fail(spmv_error *err, spmv_status status, const char *format, ...)
{
    if (err != NULL) {
        va_list args;
        memset(err, 0, sizeof *err);
        va_start(args, format);
        vsnprintf(err->message, sizeof err->message, format, args);
        va_end(args);
    }
    return status;
}

void tool_print_error(spmv_status st, const spmv_error *err)
{
    const bool explained = err->message[0] != '\0';
    print_error_line("\033[1;31m", "", err, explained ? err->message : spmv_error_string(st));
}

void tool_warn_reader(void *user, const spmv_error *warning)
{
    (void)user;
    if (!common.quiet) print_error_line("\033[1;33m", "warning: ", warning, warning->message);
}

void tool_warn(const char *format, ...)
{
    char sentence[512];
    va_list args;
    if (common.quiet) return;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    print_line("\033[1;33m", "warning: ", sentence);
}

void tool_say(bool always, const char *format, ...)
{
    char sentence[512];
    va_list args;
    if (common.quiet || !(always || common.verbose)) return;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    print_line("", "", sentence);
}

void tool_misuse(const char *format, ...)
{
    char sentence[512];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    print_line("\033[1;31m", "", sentence);
    option_usage(tool_self(), stderr);
    tool_exit(spmv_exit_status(SPMV_ERROR_INVALID_ARGUMENT));
}
