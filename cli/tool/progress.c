/* progress.c -- what a phase shows while it lasts: how far it is, how fast, and how long to go.
 *
 * On a terminal this is one line, which appears once the phase has lasted half a second and is
 * erased when it ends.  An alarm writes the title, for the phases that report nothing; reports of
 * the library write the rest.  In a log (--progress=plain) each phase has its line, and a long one
 * another every five seconds. */
#include "cli/tool/progress.h"
#include "cli/tool/message.h"
#include "cli/tool/ranks.h"
#include "cli/text/number_text.h"
#include "cli/tool/self.h"
#include "cli/text/terminal.h"
#include "cli/text/utf8.h"

#include <string.h>
#include <unistd.h>

enum { LINE = 256 };
static const double first = 0.5, again_drawn = 0.2, again_logged = 5; /* seconds */

static int mode = PROGRESS_NEVER;
static char title[LINE]; /* "read web.mtx"; "" between phases */
static char batch[64];   /* "3 of 26, 2 min 5 s left: "; "" where there is none */

static struct {
    const char *stage; /* of the last report; NULL: there was none */
    double began;      /* the stage */
    double next;       /* when to show something again */
    int64_t from;      /* done at the first report */
} shown;

/* ---- A batch -------------------------------------------------------------------------------- */

void tool_progress_batch(int item, int count, double done)
{
    static double began;
    char left[TOOL_NUMBER];
    batch[0] = '\0';
    if (count < 2) return;
    if (done <= 0) began = spmv_now();
    const int used = snprintf(batch, sizeof batch, "%d of %d", item + 1, count);
    if (done > 0) {
        tool_duration_text((spmv_now() - began) * (count - done) / done, left);
        snprintf(batch + used, sizeof batch - (size_t)used, ", %s left: ", left);
    } else {
        snprintf(batch + used, sizeof batch - (size_t)used, ": ");
    }
}

/* ---- A phase -------------------------------------------------------------------------------- */

void tool_set_progress(const common_options *common)
{
    mode = common->progress;
    if (common->quiet || (mode == PROGRESS_AUTO && !tool_is_terminal(STDERR_FILENO)))
        mode = PROGRESS_NEVER;
}

/* A file name may hold anything; the terminal gets only what cannot steer it. */
static void set_title(const char *what)
{
    char visible[UTF8_SHOWN];
    size_t used = (size_t)snprintf(title, sizeof title, "%s", batch);
    while (*what != '\0') {
        utf8_show(&what, visible);
        if (used + strlen(visible) >= sizeof title) break;
        used += (size_t)snprintf(title + used, sizeof title - used, "%s", visible);
    }
}

void tool_progress_begin(const char *what)
{
    char line[2 * LINE];
    set_title(what);
    shown.stage = NULL;
    shown.next = spmv_now() + first;
    if (mode == PROGRESS_PLAIN) tool_note("%s ...", title);
    if (mode != PROGRESS_AUTO) return;
    snprintf(line, sizeof line, "%s: %s", tool_name(), title);
    terminal_draw_later(line);
}

void tool_progress_end(void)
{
    terminal_clear();
    title[0] = '\0';
}

/* ---- Reports -------------------------------------------------------------------------------- */

static const char *iterations_text(double n, char text[TOOL_NUMBER])
{
    snprintf(text, TOOL_NUMBER, "%.3g iterations", n);
    return text;
}

/* Write ", 310.0 MB/s, 2 s left"; `count_text` writes a number of what is counted. */
static void put_rate(char *out, size_t room, const spmv_progress *p, double now,
                     const char *(*count_text)(double n, char text[TOOL_NUMBER]))
{
    const double passed = now - shown.began;
    char count[TOOL_NUMBER], left[TOOL_NUMBER];
    out[0] = '\0';
    if (passed <= 0 || p->done <= shown.from) return;
    const double rate = (double)(p->done - shown.from) / passed;
    const bool ends = p->total > 0 && p->done <= p->total;
    if (ends) tool_duration_text((double)(p->total - p->done) / rate, left);
    snprintf(out, room, ", %s/s%s%s%s", count_text(rate, count), ends ? ", " : "", ends ? left : "",
             ends ? " left" : "");
}

/* Returns whether it is time to show the report. */
static bool due(const spmv_progress *p, double now)
{
    if (shown.stage != p->stage) {
        shown.stage = p->stage;
        shown.began = now;
        shown.from = p->done;
    }
    if (now < shown.next) return false;
    shown.next = now + (mode == PROGRESS_PLAIN ? again_logged : again_drawn);
    return true;
}

static void show_report(const char *text)
{
    char line[3 * LINE];
    if (mode == PROGRESS_PLAIN) {
        tool_note("%s", text);
        return;
    }
    snprintf(line, sizeof line, "%s: %s", tool_name(), text);
    terminal_draw(line);
}

static bool wanted(void)
{
    return mode != PROGRESS_NEVER && title[0] != '\0';
}

void tool_progress_bytes(void *user, const spmv_progress *p)
{
    char text[2 * LINE], rate[128], size[TOOL_NUMBER];
    (void)user;
    if (!wanted()) return;
    const double now = spmv_now();
    if (!due(p, now)) return;
    put_rate(rate, sizeof rate, p, now, tool_bytes_text);
    if (p->total > 0)
        snprintf(text, sizeof text, "%s: %s %d %% of %s%s", title, p->stage,
                 (int)(100.0 * (double)p->done / (double)p->total),
                 tool_bytes_text((double)p->total, size), rate);
    else
        snprintf(text, sizeof text, "%s: %s %s%s", title, p->stage,
                 tool_bytes_text((double)p->done, size), rate);
    show_report(text);
}

void tool_progress_iterations(void *user, const spmv_progress *p)
{
    char text[2 * LINE], rate[128];
    (void)user;
    if (!wanted()) return;
    const double now = spmv_now();
    if (!due(p, now)) return;
    put_rate(rate, sizeof rate, p, now, iterations_text);
    snprintf(text, sizeof text, "%s: %lld of at most %lld%s", title, (long long)p->done,
             (long long)p->total, rate);
    show_report(text);
}
