/* signals.c -- ends that come from outside: nothing half-written is left, and the status tells.
 *
 * An interrupted tool ends as its signal says.  A mapped input that another program cuts off raises
 * SIGBUS; that is a failure of reading like any other. */
#include "tool.h"

#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

/* Leave no temporary file and no half line behind, then end as the signal says. */
static void end_by_signal(int signal_number)
{
    spmv_abandon_writes();
    tool_progress_hide();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

/* One line on stderr about a file, from a signal handler. */
static void print_in_handler(const char *name, const char *sentence)
{
    char line[512];
    const char *const parts[] = {tool_self()->name, ": ", name, ": ", sentence, "\n"};
    size_t used = 0;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        for (const char *p = parts[i]; *p != '\0' && used < sizeof line; p++) {
            const bool steers = (unsigned char)*p < 0x20 || (unsigned char)*p >= 0x7f;
            line[used++] = steers && parts[i] == name ? '?' : *p;
        }
    (void)!write(STDERR_FILENO, line, used);
}

/* A mapped input has become shorter, or its disk fails: reading has failed.  One thread says so. */
static void end_by_lost_page(int signal_number, siginfo_t *info, void *context)
{
    static atomic_flag said = ATOMIC_FLAG_INIT;
    const char *name = spmv_mapped_file(info->si_addr);
    (void)context;
    if (name == NULL) {
        end_by_signal(signal_number);
        return;
    }
    while (atomic_flag_test_and_set(&said)) pause();
    spmv_abandon_writes();
    tool_progress_hide();
    print_in_handler(name, "cannot read: the file became shorter while it was used, or its disk "
                           "fails");
    _exit(spmv_exit_status(SPMV_ERROR_FILE_IO));
}

void tool_catch_signals(void)
{
    static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    struct sigaction action = {.sa_handler = end_by_signal}, before;
    const struct sigaction lost = {.sa_sigaction = end_by_lost_page, .sa_flags = SA_SIGINFO};

    for (size_t i = 0; i < sizeof ending / sizeof ending[0]; i++) {
        /* nohup and background jobs ignore on purpose; a broken pipe must always end us. */
        sigaction(ending[i], NULL, &before);
        if (before.sa_handler == SIG_IGN && ending[i] != SIGPIPE) continue;
        sigaction(ending[i], &action, NULL);
    }
    sigaction(SIGBUS, &lost, NULL);
    signal(SIGXFSZ, SIG_IGN); /* a write beyond the limit then fails like a full disk */
}
