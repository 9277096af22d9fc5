/* signals.c -- ends that come from outside: nothing half-written is left, and the status tells.
 *
 * A tool that a signal ends dies of that signal.  A mapped input that another program cuts off
 * raises SIGBUS, and one that it changes may raise SIGSEGV; these are failures of reading like any
 * other.  A library that calls exit() has run out of threads or of memory, and its status would be
 * one of ours. */
#include "cli/tool/signals.h"
#include "cli/tool/exit_status.h"
#include "cli/tool/message.h"
#include "cli/tool/ranks.h"
#include "cli/tool/self.h"
#include "cli/text/terminal.h"
#include "spmv.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { STACK_SIZE = 1 << 16 };

/* The signals that end a process and can be caught, but for those of real time. */
static const int ending[] = {
    SIGHUP,  SIGINT,  SIGQUIT,   SIGILL,  SIGTRAP, SIGABRT, SIGBUS,  SIGFPE,    SIGSEGV,
    SIGUSR1, SIGUSR2, SIGPIPE,   SIGALRM, SIGTERM, SIGXCPU, SIGPROF, SIGVTALRM, SIGSYS,
#ifdef __linux__
    SIGPOLL, SIGPWR,  SIGSTKFLT,
#endif
};

/* mpirun asks all ranks to end, and kills the others as soon as one has ended.  Temporary files are
 * those of rank 0, so that all others wait until it has had the time to remove them. */
static bool is_other_rank;

static void let_rank_0_end(void)
{
    static const struct timespec enough = {.tv_nsec = 500000000};
    if (is_other_rank) nanosleep(&enough, NULL);
}

/* Remove temporary files and half lines, then end as the signal says. */
static void end_by_signal(int signal_number)
{
    spmv_abandon_writes();
    terminal_clear();
    if (signal_number == SIGTERM) let_rank_0_end();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

/* Write one line about a file to stderr, from a signal handler. */
static void print_in_handler(const char *name, const char *sentence)
{
    char line[512];
    const char *const parts[] = {tool_name(), ": ", name, ": ", sentence, "\n"};
    size_t used = 0;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        for (const char *p = parts[i]; *p != '\0' && used < sizeof line; p++) {
            const bool steers = (unsigned char)*p < 0x20 || (unsigned char)*p >= 0x7f;
            line[used++] = steers && parts[i] == name ? '?' : *p;
        }
    (void)!write(STDERR_FILENO, line, used);
}

/* Reading has failed.  One thread says so. */
static void end_by_file(const char *name, const char *sentence)
{
    static atomic_flag said = ATOMIC_FLAG_INIT;
    while (atomic_flag_test_and_set(&said)) pause();
    spmv_abandon_writes();
    terminal_clear();
    print_in_handler(name, sentence);
    _exit(tool_exit_status(SPMV_ERROR_FILE_IO));
}

/* A mapped input has become shorter, or its disk fails; or an index in it is no longer the one that
 * was checked. */
static void end_by_access(int signal_number, siginfo_t *info, void *context)
{
    const char *lost = signal_number == SIGBUS ? spmv_mapped_file(info->si_addr) : NULL;
    const char *changed = spmv_changed_file(NULL);
    (void)context;
    if (lost != NULL)
        end_by_file(lost, "cannot read: the file became shorter while it was used, or its disk "
                          "fails");
    if (changed != NULL)
        end_by_file(changed, "cannot read: the file was changed while it was used");
    end_by_signal(signal_number);
}

/* Handlers that someone else has set stay: nohup and background jobs ignore on purpose, a profiler
 * and the sanitizers have their own.  Only a broken pipe must always end us, and a lost page be
 * told. */
static void set_handler(int signal_number)
{
    struct sigaction action = {.sa_handler = end_by_signal, .sa_flags = SA_ONSTACK}, before;
    if (sigaction(signal_number, NULL, &before) != 0) return;
    if (before.sa_handler != SIG_DFL && signal_number != SIGPIPE && signal_number != SIGBUS) return;
    if (signal_number == SIGSEGV || signal_number == SIGBUS) {
        action.sa_sigaction = end_by_access;
        action.sa_flags |= SA_SIGINFO;
    }
    sigfillset(&action.sa_mask);
    sigaction(signal_number, &action, NULL);
}

/* Give handlers a stack of their own, for where that of the main thread has overflowed. */
static void provide_stack(void)
{
    static char room[STACK_SIZE];
    const stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
    stack_t before;
    if (sigaltstack(NULL, &before) == 0 && (before.ss_flags & SS_DISABLE) != 0)
        sigaltstack(&stack, NULL);
}

/* ---- Ends that wait -------------------------------------------------------------------------- */

static volatile sig_atomic_t wanted; /* the signal that asked; 0: none */
static _Atomic(double) asked_at;     /* on the clock of spmv_now; 0: never */
static const char *deferred;         /* what is said then */
static const double one_wish = 0.5;  /* seconds */

/* Who ends a group of processes tells each, and the group: one wish comes twice, maybe to two
 * threads. */
static void note_end(int signal_number)
{
    const double now = spmv_now();
    double before = 0;
    if (atomic_compare_exchange_strong(&asked_at, &before, now)) {
        wanted = signal_number;
        terminal_clear();
        print_in_handler("interrupted", deferred);
    } else if (now - before > one_wish) {
        end_by_signal(signal_number);
    }
}

void tool_defer_end(const char *sentence)
{
    static const int asking[] = {SIGINT, SIGTERM};
    struct sigaction action = {.sa_handler = note_end, .sa_flags = SA_ONSTACK | SA_RESTART}, before;
    deferred = sentence;
    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < sizeof asking / sizeof asking[0]; i++)
        if (sigaction(asking[i], NULL, &before) == 0 && before.sa_handler == end_by_signal)
            sigaction(asking[i], &action, NULL);
}

bool tool_end_wanted(void)
{
    return wanted != 0;
}

void tool_end_deferred(void)
{
    if (wanted != 0) end_by_signal(wanted);
}

/* ---- Libraries that call exit() ------------------------------------------------------------- */

static bool expected;

void tool_expect_exit(void)
{
    expected = true;
}

void tool_exit(int exit_status)
{
    tool_expect_exit();
    exit(tool_rank_exit(exit_status));
}

/* At exit.  Standard output is not flushed: what it holds is not whole. */
static void end_by_library(void)
{
    if (expected) return;
    spmv_abandon_writes();
    terminal_clear();
    print_in_handler("out of memory or threads", "a library has given up");
    _exit(tool_exit_status(SPMV_ERROR_OUT_OF_MEMORY));
}

void tool_catch_ends(void)
{
    provide_stack();
    is_other_rank = tool_rank() > 0;
    for (size_t i = 0; i < sizeof ending / sizeof ending[0]; i++) set_handler(ending[i]);
    for (int i = SIGRTMIN; i <= SIGRTMAX; i++) set_handler(i);
    atexit(end_by_library);
    signal(SIGXFSZ, SIG_IGN); /* a write beyond the limit then fails like a full disk */
}
