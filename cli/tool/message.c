/* message.c -- what a tool says on standard error: errors, warnings, remarks.
 *
 * Names of files and pieces of their content may hold anything: what could steer a terminal is
 * shown as \x1b instead of being sent there. */
#include "cli/tool/message.h"
#include "cli/tool/ranks.h"
#include "cli/tool/self.h"
#include "cli/text/terminal.h"
#include "cli/text/utf8.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define RED "\033[1;31m"
#define YELLOW "\033[1;33m"

static struct {
    bool (*has_option)(const char *name); /* NULL: the command line is not known yet */
    bool quiet, verbose;
    bool have_joined; /* all ranks */
    bool speaks;      /* whatever its rank */
    int color;        /* COLOR_* */
} settings;
static char kept_back[1024]; /* the last error that is for rank 0 to say */

void tool_speak_in_lines(void)
{
    static char line[BUFSIZ];
    setvbuf(stderr, line, _IOLBF, sizeof line);
}

void tool_set_messages(const common_options *common, bool (*has_option)(const char *name))
{
    settings.has_option = has_option;
    settings.quiet = common->quiet;
    settings.verbose = common->verbose;
    settings.color = common->color;
}

void tool_ranks_joined(void)
{
    settings.have_joined = true;
}

void tool_speak_up(void)
{
    settings.speaks = true;
}

static bool use_colour(void)
{
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    if (settings.color != COLOR_AUTO) return settings.color == COLOR_ALWAYS;
    return tool_is_terminal(STDERR_FILENO) && (no_color == NULL || no_color[0] == '\0') &&
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
    const bool coloured = colour[0] != '\0' && use_colour();
    if (tool_rank() > 0 && !settings.speaks) { /* rank 0 says the same */
        if (strcmp(colour, RED) == 0) snprintf(kept_back, sizeof kept_back, "%s", sentence);
        return;
    }
    terminal_clear();
    fprintf(stderr, "%s%s: %s%s", coloured ? colour : "", tool_name(), label,
            coloured ? "\033[0m" : "");
    tool_print_visible(sentence, stderr);
    fputc('\n', stderr);
}

static void print_format(const char *colour, const char *label, const char *format, va_list args)
{
    char sentence[512];
    vsnprintf(sentence, sizeof sentence, format, args);
    print_line(colour, label, sentence);
}

/* Members of the library's options, which its sentences put between backquotes, and how the command
 * line spells them.  What is no member does not compile. */
#define SPELLED_AS(record, member, option)                          \
    {                                                               \
        "`" #member "`", &(option)[0 * sizeof((record *)0)->member] \
    }
static const struct {
    const char *member, *option;
} spelled[] = {
    SPELLED_AS(spmv_read_options, all_ids, "--all-ids"),
    SPELLED_AS(spmv_read_options, complex_values, "--complex"),
    SPELLED_AS(spmv_read_options, file_format, "--from"),
    SPELLED_AS(spmv_read_options, columns, "--columns"),
    SPELLED_AS(spmv_read_options, headings, "--header"),
    SPELLED_AS(spmv_read_options, delimiter, "--delimiter"),
    SPELLED_AS(spmv_read_options, index_base, "--index-base"),
    SPELLED_AS(spmv_read_options, member, "--member"),
    SPELLED_AS(spmv_write_options, overwrite, "--force"),
    SPELLED_AS(spmv_convert_options, hyb_width, "--hyb-width"),
    SPELLED_AS(spmv_pagerank_options, unweighted, "--unweighted"),
};
enum { SPELLED = sizeof spelled / sizeof spelled[0] };

void tool_spell_options(const char *sentence, char *out, size_t size)
{
    size_t n = 0;
    while (*sentence != '\0' && n + 1 < size) {
        int i = 0;
        while (i < SPELLED && strncmp(sentence, spelled[i].member, strlen(spelled[i].member)) != 0)
            i++;
        if (i == SPELLED) {
            out[n++] = *sentence++;
            continue;
        }
        const char *own = spelled[i].option;
        const bool elsewhere = settings.has_option != NULL && !settings.has_option(own + 2);
        const int length =
            snprintf(out + n, size - n, "%s%s", elsewhere ? "spmv-convert " : "", own);
        n = (size_t)length < size - n ? n + (size_t)length : size - 1;
        sentence += strlen(spelled[i].member);
    }
    out[n] = '\0';
}

/* Print a sentence after its place, "web.mtx:1042:7: ", as far as that is known. */
static void print_error_line(const char *colour, const char *label, const spmv_error *err,
                             const char *sentence)
{
    char line[sizeof err->file + sizeof err->message + 64];
    int n = 0;
    if (err->file[0] != '\0') n = snprintf(line, sizeof line, "%s:", err->file);
    if (err->line > 0) n += snprintf(line + n, sizeof line - (size_t)n, "%" PRId64 ":", err->line);
    if (err->line > 0 && err->column > 0)
        n += snprintf(line + n, sizeof line - (size_t)n, "%" PRId64 ":", err->column);
    if (n > 0) line[n++] = ' ';
    tool_spell_options(sentence, line + n, sizeof line - (size_t)n);
    print_line(colour, label, line);
}

void tool_print_error(spmv_status st, const spmv_error *err)
{
    const bool explained = err->message[0] != '\0';
    print_error_line(RED, "", err, explained ? err->message : spmv_error_string(st));
}

void tool_print_complaint(const char *sentence)
{
    print_line(RED, "", sentence);
}

void tool_warn_reader(void *user, const spmv_error *warning)
{
    (void)user;
    if (!settings.quiet) print_error_line(YELLOW, "warning: ", warning, warning->message);
}

void tool_warn(const char *format, ...)
{
    va_list args;
    if (settings.quiet) return;
    va_start(args, format);
    print_format(YELLOW, "warning: ", format, args);
    va_end(args);
}

void tool_note(const char *format, ...)
{
    va_list args;
    if (settings.quiet) return;
    va_start(args, format);
    print_format("", "", format, args);
    va_end(args);
}

void tool_detail(const char *format, ...)
{
    va_list args;
    if (settings.quiet || !settings.verbose) return;
    va_start(args, format);
    print_format("", "", format, args);
    va_end(args);
}

int tool_rank_exit(int exit_status)
{
    static const struct timespec enough = {.tv_sec = 2}; /* mpirun asks to end after one */
    if (tool_rank() == 0) return exit_status;
    if (exit_status == 0 || settings.have_joined || !tool_ranks_end_together()) return 0;
    nanosleep(&enough, NULL);
    tool_speak_up();
    if (kept_back[0] != '\0') print_line(RED, "", kept_back);
    return exit_status;
}
