/* phase.c -- the phases of a run: timed, and shown while they last.
 *
 * On a terminal the name of a phase appears once the phase has lasted half a second; an alarm
 * writes it, so that no phase has to look at a clock.  It is erased when the phase ends. */
#include "tool.h"

#include <assert.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static tool_phase phases[TOOL_PHASES];
static int phase_count;
static tool_phase *current;
static double started;
static char title[192]; /* "read web.mtx" */

static char progress_text[256];
static volatile sig_atomic_t progress_length, progress_visible;

double tool_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Runs in a signal handler. */
static void show_progress(int signal_number)
{
    (void)signal_number;
    progress_visible = write(STDERR_FILENO, progress_text, (size_t)progress_length) > 0;
}

void tool_progress_hide(void)
{
    static const char erase[] = "\r\033[K";
    const struct itimerval never = {0};
    if (progress_length > 0) setitimer(ITIMER_REAL, &never, NULL);
    if (progress_visible && write(STDERR_FILENO, erase, sizeof erase - 1) > 0) progress_visible = 0;
}

static void schedule_progress(void)
{
    struct sigaction action = {.sa_handler = show_progress, .sa_flags = SA_RESTART};
    const struct itimerval soon = {.it_value = {.tv_usec = 500000}};
    if (common.progress != PROGRESS_AUTO || common.quiet || !isatty(STDERR_FILENO)) return;
    progress_length =
        snprintf(progress_text, sizeof progress_text, "%s: %s", tool_self()->name, title);
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &soon, NULL);
}

void tool_phase_begin(const char *name, const char *subject)
{
    int i = 0;
    while (i < phase_count && strcmp(phases[i].name, name) != 0) i++;
    assert(i < TOOL_PHASES);
    if (i == phase_count) phases[phase_count++].name = name;
    current = &phases[i];
    snprintf(title, sizeof title, "%s%s%s", name, subject != NULL ? " " : "",
             subject != NULL ? subject : "");
    /* A file name may hold anything; the terminal gets only what cannot steer it. */
    for (char *p = title; *p != '\0'; p++)
        if ((unsigned char)*p < 0x20 || (unsigned char)*p >= 0x7f) *p = '?';
    if (common.progress == PROGRESS_PLAIN) tool_say(true, "%s ...", title);
    schedule_progress();
    started = tool_now();
}

void tool_phase_end(int64_t bytes)
{
    const double seconds = tool_now() - started;
    tool_progress_hide();
    current->seconds += seconds;
    current->bytes += bytes;
    if (bytes > 0)
        tool_say(false, "%s: %.6f s, %.4g MB", title, seconds, (double)bytes * 1e-6);
    else
        tool_say(false, "%s: %.6f s", title, seconds);
}

int tool_phase_count(void)
{
    return phase_count;
}

const tool_phase *tool_phase_at(int i)
{
    return &phases[i];
}
