/* mapping_test.c -- whose an address is, and what a program can make of a file that is cut off. */
#include "formats/file/any_file.h"
#include "core/base/random.h"
#include "formats/stream/input.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static char path[64];

static void choose_path(void)
{
    snprintf(path, sizeof path, "/tmp/spmv-mapping-%ld.mtx.gz", (long)getpid());
}

static void remove_file(void)
{
    unlink(path);
}

TestSuite(mapping, .init = choose_path, .fini = remove_file);

static spmv__source open_text(const char *text)
{
    spmv__source src;
    FILE *f = fopen(path, "w");
    fputs(text, f);
    fclose(f);
    cr_assert_eq(spmv__source_open(&src, path, NULL, NULL), SPMV_SUCCESS);
    return src;
}

Test(mapping, the_file_of_an_address)
{
    spmv__source src = open_text("some text");
    const unsigned char *data = src.data;
    cr_assert_str_eq(spmv_mapped_file(data), path);
    cr_assert_str_eq(spmv_mapped_file(data + 8), path);
    cr_assert_null(spmv_mapped_file(data + 9));
    cr_assert_null(spmv_mapped_file(data - 1));
    cr_assert_null(spmv_mapped_file(path));
    cr_assert_null(spmv_mapped_file(NULL));
    spmv__source_close(&src);
    cr_assert_null(spmv_mapped_file(data));
}

/* The table has an end; files beyond it are read all the same, and places are used again. */
Test(mapping, more_files_than_are_known)
{
    enum { FILES = 70 };
    spmv__source sources[FILES];
    int known = 0;
    for (int i = 0; i < FILES; i++) sources[i] = open_text("some text");
    for (int i = 0; i < FILES; i++) known += spmv_mapped_file(sources[i].data) != NULL;
    cr_assert(known >= 32 && known < FILES, "%d", known);
    for (int i = 0; i < FILES; i++) spmv__source_close(&sources[i]);
    spmv__source src = open_text("some text");
    cr_assert_str_eq(spmv_mapped_file(src.data), path);
    spmv__source_close(&src);
}

enum { FOLLOWERS = 4, ROUNDS = 500 };

/* Map a file of its own again and again; the answer is how often it was not told right. */
static void *follow(void *name)
{
    intptr_t wrong = 0;
    for (int i = 0; i < ROUNDS; i++) {
        spmv__source src;
        if (spmv__source_open(&src, name, NULL, NULL) != SPMV_SUCCESS) return (void *)1;
        const char *told = spmv_mapped_file(src.data);
        wrong += told == NULL || strcmp(told, name) != 0;
        wrong += spmv_changed_file(src.data) != NULL || spmv_changed_file(NULL) != NULL;
        spmv__source_close(&src);
    }
    return (void *)wrong;
}

/* Threads take places that others have just left, and look at all of them meanwhile.  The files
 * have different sizes, so that what is read off two of them would count as a change. */
Test(mapping, files_that_come_and_go)
{
    char names[FOLLOWERS][80];
    pthread_t threads[FOLLOWERS];
    void *wrong;
    for (int i = 0; i < FOLLOWERS; i++) {
        snprintf(names[i], sizeof names[i], "%.50s-%d", path, i);
        FILE *f = fopen(names[i], "w");
        fprintf(f, "%*d", 4096 * i + 1, i);
        fclose(f);
        cr_assert_eq(pthread_create(&threads[i], NULL, follow, names[i]), 0);
    }
    for (int i = 0; i < FOLLOWERS; i++) {
        pthread_join(threads[i], &wrong);
        unlink(names[i]);
        cr_assert_null(wrong, "file %d: %td", i, (intptr_t)wrong);
    }
}

static void end_by_lost_page(int number, siginfo_t *info, void *context)
{
    const char *name = spmv_mapped_file(info->si_addr);
    (void)number, (void)context;
    _exit(name != NULL && strcmp(name, path) == 0 ? 42 : 1);
}

/* Several blocks of digits that hardly shrink. */
static void write_packed(void)
{
    const size_t size = 12 << 20;
    char *text = malloc(size);
    for (size_t i = 0; i < size; i++)
        text[i] = (char)(i % 64 == 63 ? '\n' : '0' + spmv__mix(i) % 10);
    cr_assert_eq(spmv_write_bytes(text, size, path, NULL, NULL), SPMV_SUCCESS);
    free(text);
}

/* In a process of its own: read the first piece, cut the file off, read on. */
static void lose_pages(void)
{
    const struct sigaction action = {.sa_sigaction = end_by_lost_page, .sa_flags = SA_SIGINFO};
    const spmv_read_options options = {0};
    spmv__source src;
    spmv__piece piece = {.offset = 0};
    sigaction(SIGBUS, &action, NULL);
    if (spmv__source_open(&src, path, NULL, NULL) != SPMV_SUCCESS) _exit(2);
    if (spmv__source_unpack(&src, &spmv__known_files, &options, NULL) != SPMV_SUCCESS) _exit(3);
    if (truncate(path, 4096) != 0) _exit(4);
    do {
        if (spmv__source_next(&src, &piece, NULL) != SPMV_SUCCESS) _exit(5);
        spmv__source_release(&src, &piece);
    } while (piece.begin != piece.end);
    _exit(6);
}

/* The thread that unpacks blocks signals, but not this one: the program's handler gets it. */
Test(mapping, the_thread_that_unpacks_loses_a_page)
{
    int status;
    write_packed();
    const pid_t child = fork();
    if (child == 0) lose_pages();
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert(WIFEXITED(status), "it was killed by signal %d", WTERMSIG(status));
    cr_assert_eq(WEXITSTATUS(status), 42, "%d", WEXITSTATUS(status));
}
