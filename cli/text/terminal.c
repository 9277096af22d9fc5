/* terminal.c -- one line of the terminal that changes until it is erased. */
#include "cli/text/terminal.h"
#include "cli/text/utf8.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <unistd.h>

#define ERASE "\r\033[K"
enum { LINE = 768, DELAY_USEC = 500000 };

static char later[LINE + sizeof ERASE];
static volatile sig_atomic_t later_length, visible;

int terminal_width(int descriptor)
{
    struct winsize size;
    const int known = ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? size.ws_col : 80;
}

/* Puts the line, as much of it as there are columns, into text; returns its bytes. */
static int put_line(char text[LINE + sizeof ERASE], const char *line)
{
    const int room = terminal_width(STDERR_FILENO) - 1; /* a line that is full may begin another */
    char shown[UTF8_SHOWN];
    const char *end = line;
    for (int columns = 0; *end != '\0';) {
        const char *next = end;
        columns += utf8_show(&next, shown);
        if (columns > room || next - line >= LINE) break;
        end = next;
    }
    return snprintf(text, LINE + sizeof ERASE, ERASE "%.*s", (int)(end - line), line);
}

void terminal_draw(const char *line)
{
    char erased[LINE + sizeof ERASE];
    const int size = put_line(erased, line);
    if (write(STDERR_FILENO, erased, (size_t)size) > 0) visible = 1;
}

/* This runs in a signal handler. */
static void draw_now(int signal_number)
{
    const int before = errno;
    (void)signal_number;
    visible = write(STDERR_FILENO, later, (size_t)later_length) > 0;
    errno = before;
}

void terminal_draw_later(const char *line)
{
    const struct sigaction action = {.sa_handler = draw_now, .sa_flags = SA_RESTART};
    const struct itimerval soon = {.it_value = {.tv_usec = DELAY_USEC}};
    later_length = put_line(later, line);
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &soon, NULL);
}

void terminal_clear(void)
{
    const struct itimerval never = {0};
    if (later_length > 0) setitimer(ITIMER_REAL, &never, NULL);
    later_length = 0;
    if (visible && write(STDERR_FILENO, ERASE, sizeof ERASE - 1) > 0) visible = 0;
}
