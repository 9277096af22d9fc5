/* progress.c -- what a phase shows while it lasts: how far it is, how fast, and how long to go.
 *
 * On a terminal this is one line, which appears once the phase has lasted half a second and is
 * erased when it ends.  An alarm writes the title, for the phases that report nothing; reports of
 * the library write the rest.  In a log (--progress=plain) each phase has its line, and a long one
 * another every five seconds. */
#include "cli/tool/tool.h"

#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <unistd.h>

#define ERASE "\r\033[K"
enum { LINE = 256, FIRST_USEC = 500000 };
static const double first = 0.5, again_drawn = 0.2, again_logged = 5; /* seconds */

static char title[LINE]; /* "read web.mtx"; "" between phases */
static char title_line[2 * LINE];
static volatile sig_atomic_t title_length, visible;

static struct {
    const char *stage; /* of the last report; NULL: there was none */
    double began;      /* the stage */
    double next;       /* when to show something again */
    int64_t from;      /* done at the first report */
} shown;

/* ---- The line ------------------------------------------------------------------------------- */

static bool on_terminal(void)
{
    return common.progress == PROGRESS_AUTO && !common.quiet && isatty(STDERR_FILENO);
}

/* Runs in a signal handler. */
static void show_title(int signal_number)
{
    (void)signal_number;
    visible = write(STDERR_FILENO, title_line, (size_t)title_length) > 0;
}

void tool_progress_hide(void)
{
    const struct itimerval never = {0};
    if (title_length > 0) setitimer(ITIMER_REAL, &never, NULL);
    if (visible && write(STDERR_FILENO, ERASE, sizeof ERASE - 1) > 0) visible = 0;
}

void tool_progress_end(void)
{
    tool_progress_hide();
    title_length = 0;
    title[0] = '\0';
}

void tool_progress_begin(const char *what)
{
    const struct sigaction action = {.sa_handler = show_title, .sa_flags = SA_RESTART};
    const struct itimerval soon = {.it_value = {.tv_usec = FIRST_USEC}};
    snprintf(title, sizeof title, "%s", what);
    /* A file name may hold anything; the terminal gets only what cannot steer it. */
    for (char *p = title; *p != '\0'; p++)
        if ((unsigned char)*p < 0x20 || (unsigned char)*p >= 0x7f) *p = '?';
    shown.stage = NULL;
    shown.next = tool_now() + first;
    if (common.progress == PROGRESS_PLAIN) tool_say(true, "%s ...", title);
    if (!on_terminal()) return;
    title_length =
        snprintf(title_line, sizeof title_line, ERASE "%s: %s", tool_self()->name, title);
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &soon, NULL);
}

/* ---- Reports -------------------------------------------------------------------------------- */

/* Columns of the terminal. */
static int columns(void)
{
    struct winsize size;
    const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? size.ws_col : 80;
}

static void draw(const char *text)
{
    char line[3 * LINE];
    const int room = columns() - 1; /* a line that is full may begin another */
    int length = snprintf(line, sizeof line, "%s: %s", tool_self()->name, text);
    if (length > room) length = room;
    char erased[sizeof line + sizeof ERASE];
    const int size = snprintf(erased, sizeof erased, ERASE "%.*s", length, line);
    if (write(STDERR_FILENO, erased, (size_t)size) > 0) visible = 1;
}

static int put_time(char *out, size_t room, double seconds)
{
    if (seconds < 60) return snprintf(out, room, "%.0f s", seconds);
    if (seconds < 3600)
        return snprintf(out, room, "%d min %d s", (int)seconds / 60, (int)seconds % 60);
    return snprintf(out, room, "%.1f h", seconds / 3600);
}

/* ", 310 MB/s, 2 s left"; `unit` of them are a `name`. */
static void put_rate(char *out, size_t room, const spmv_progress *p, double now, double unit,
                     const char *name)
{
    const double passed = now - shown.began;
    int used = 0;
    out[0] = '\0';
    if (passed <= 0 || p->done <= shown.from) return;
    const double rate = (double)(p->done - shown.from) / passed;
    used = snprintf(out, room, ", %.3g %s/s, ", rate / unit, name);
    if (p->total > 0 && p->done <= p->total) {
        used += put_time(out + used, room - (size_t)used, (double)(p->total - p->done) / rate);
        snprintf(out + used, room - (size_t)used, " left");
    } else {
        out[used - 2] = '\0';
    }
}

/* Is it time to show the report? */
static bool due(const spmv_progress *p, double now)
{
    if (shown.stage != p->stage) {
        shown.stage = p->stage;
        shown.began = now;
        shown.from = p->done;
    }
    if (now < shown.next) return false;
    shown.next = now + (common.progress == PROGRESS_PLAIN ? again_logged : again_drawn);
    return true;
}

static void show(const char *text)
{
    if (common.progress == PROGRESS_PLAIN)
        tool_say(true, "%s", text);
    else
        draw(text);
}

static bool wanted(void)
{
    return title_length > 0 || (common.progress == PROGRESS_PLAIN && title[0] != '\0');
}

void tool_progress_bytes(void *user, const spmv_progress *p)
{
    char text[2 * LINE], rate[64];
    (void)user;
    if (!wanted()) return;
    const double now = tool_now();
    if (!due(p, now)) return;
    put_rate(rate, sizeof rate, p, now, 1e6, "MB");
    if (p->total > 0)
        snprintf(text, sizeof text, "%s: %s %d %% of %.4g MB%s", title, p->stage,
                 (int)(100.0 * (double)p->done / (double)p->total), (double)p->total * 1e-6, rate);
    else
        snprintf(text, sizeof text, "%s: %s %.4g MB%s", title, p->stage, (double)p->done * 1e-6,
                 rate);
    show(text);
}

void tool_progress_iterations(void *user, const spmv_progress *p)
{
    char text[2 * LINE], rate[64];
    (void)user;
    if (!wanted()) return;
    const double now = tool_now();
    if (!due(p, now)) return;
    put_rate(rate, sizeof rate, p, now, 1, "iterations");
    snprintf(text, sizeof text, "%s: %lld of at most %lld%s", title, (long long)p->done,
             (long long)p->total, rate);
    show(text);
}
