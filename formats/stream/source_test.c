/* source_test.c -- input from files, pipes and what is neither. */
#include "formats/stream/input.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[64], path[96];

static void make_folder(void)
{
    snprintf(folder, sizeof folder, "/tmp/spmv-source-%ld", (long)getpid());
    cr_assert_eq(mkdir(folder, 0777), 0);
    snprintf(path, sizeof path, "%s/file", folder);
}

static void remove_folder(void)
{
    chmod(folder, 0777);
    unlink(path);
    if (rmdir(folder) == 0) return;
    fprintf(stderr, "something was left in %s\n",
            folder); /* where an assertion would count nothing */
    abort();
}

TestSuite(source, .init = make_folder, .fini = remove_folder);

static void write_file(const char *text)
{
    FILE *f = fopen(path, "w");
    fputs(text, f);
    fclose(f);
}

static void assert_holds(const spmv__source *src, const char *text)
{
    cr_assert_eq(src->size, (int64_t)strlen(text));
    cr_assert_eq(memcmp(src->data, text, strlen(text)), 0);
}

static void assert_fails(const char *name, int why)
{
    spmv__source src;
    spmv_error err;
    cr_assert_eq(spmv__source_open(&src, name, NULL, &err), SPMV_ERROR_FILE_IO);
    cr_assert_not_null(strstr(err.message, strerror(why)), "'%s'", err.message);
    cr_assert_str_eq(err.file, name);
    cr_assert_null(src.storage);
    cr_assert_eq(spmv__source_open(&src, name, NULL, NULL), SPMV_ERROR_FILE_IO);
}

/* Bytes of files that this process has mapped and looked at; 0: the system does not tell. */
static long file_memory(void)
{
    char line[128];
    long kilobytes = 0;
    FILE *f = fopen("/proc/self/status", "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL)
        if (sscanf(line, "RssFile: %ld", &kilobytes) == 1) break;
    if (f != NULL) fclose(f);
    return kilobytes * 1024;
}

Test(source, what_is_left_behind_is_still_there)
{
    enum { SIZE = 8 << 20 };
    char *text = malloc(SIZE + 1);
    spmv__source src;
    for (int i = 0; i < SIZE; i++) text[i] = (char)('a' + i % 25);
    text[SIZE] = '\0';
    write_file(text);
    cr_assert_eq(spmv__source_open(&src, path, NULL, NULL), SPMV_SUCCESS);
    cr_assert_eq(memcmp(src.data, text, SIZE), 0);
    const long before = file_memory();
    spmv__source_leave(&src, src.data + 100, src.data + SIZE - 100);
    if (src.mapped != NULL && before > 0) cr_assert_lt(file_memory(), before - SIZE / 2);
    cr_assert_eq(memcmp(src.data, text, SIZE), 0);
    spmv__source_close(&src);

    /* What is in memory stays there. */
    src = (spmv__source){.data = (unsigned char *)text, .size = SIZE};
    spmv__source_leave(&src, src.data, src.data + SIZE);
    cr_assert_eq(text[SIZE / 2], 'a' + SIZE / 2 % 25);
    free(text);
}

Test(source, a_file_is_mapped)
{
    spmv__source src;
    write_file("some text\n");
    cr_assert_eq(spmv__source_open(&src, path, NULL, NULL), SPMV_SUCCESS);
    assert_holds(&src, "some text\n");
    cr_assert_str_eq(src.name, path);
    cr_assert_eq((uintptr_t)src.data % (uintptr_t)sysconf(_SC_PAGESIZE), 0);
    spmv__source_close(&src);
    cr_assert_null(src.data);
    spmv__source_close(&src);
}

Test(source, its_memory_outlives_it_when_a_matrix_takes_it)
{
    spmv__source src;
    write_file("kept");
    cr_assert_eq(spmv__source_open(&src, path, NULL, NULL), SPMV_SUCCESS);
    const unsigned char *data = src.data;
    spmv_storage *storage = src.storage;
    src.storage = NULL;
    spmv__source_close(&src);
    cr_assert_eq(memcmp(data, "kept", 4), 0);
    storage->release(storage);
}

Test(source, an_empty_file_has_no_bytes)
{
    spmv__source src;
    write_file("");
    cr_assert_eq(spmv__source_open(&src, path, NULL, NULL), SPMV_SUCCESS);
    cr_assert_eq(src.size, 0);
    spmv__source_close(&src);
}

Test(source, files_without_a_size_are_read_to_their_end)
{
    spmv__source src;
    cr_assert_eq(spmv__source_open(&src, "/proc/self/status", NULL, NULL), SPMV_SUCCESS);
    cr_assert_gt(src.size, 100);
    cr_assert_eq(memcmp(src.data, "Name:", 5), 0);
    spmv__source_close(&src);
}

Test(source, missing_folder_and_unreadable)
{
    assert_fails(path, ENOENT);
    assert_fails(folder, EISDIR);
    write_file("secret");
    chmod(path, 0);
    if (geteuid() == 0) cr_assert_eq(seteuid(65534), 0); /* nothing is unreadable to root */
    assert_fails(path, EACCES);
    if (getuid() == 0) cr_assert_eq(seteuid(0), 0);
}

/* A child that writes `count` lines of 20 bytes to fd, or to the FIFO at path when fd is -1. */
static pid_t start_writer(int fd, int count)
{
    pid_t child = fork();
    if (child != 0) return child;
    if (fd < 0) fd = open(path, O_WRONLY);
    for (int i = 0; i < count; i++) {
        char line[32];
        int length = snprintf(line, sizeof line, "%019d\n", i);
        if (write(fd, line, (size_t)length) != length) _exit(1);
    }
    _exit(0);
}

static void assert_holds_lines(const spmv__source *src, int count)
{
    char line[32];
    cr_assert_eq(src->size, (int64_t)count * 20);
    for (int i = 0; i < count; i++) {
        snprintf(line, sizeof line, "%019d\n", i);
        cr_assert_eq(memcmp(src->data + (ptrdiff_t)i * 20, line, 20), 0, "line %d", i);
    }
}

Test(source, a_fifo_is_read_to_its_end)
{
    spmv__source src;
    int status;
    cr_assert_eq(mkfifo(path, 0666), 0);
    pid_t child = start_writer(-1, 20000); /* several doublings of the memory */
    cr_assert_eq(spmv__source_open(&src, path, NULL, NULL), SPMV_SUCCESS);
    assert_holds_lines(&src, 20000);
    spmv__source_close(&src);
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert_eq(status, 0);
}

Test(source, standard_input_from_a_pipe_stays_open)
{
    spmv__source src;
    int ends[2], status;
    cr_assert_eq(pipe(ends), 0);
    pid_t child = start_writer(ends[1], 100);
    close(ends[1]);
    cr_assert_eq(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    cr_assert_eq(spmv__source_open(&src, "-", NULL, NULL), SPMV_SUCCESS);
    assert_holds_lines(&src, 100);
    cr_assert_str_eq(src.name, "<stdin>");
    spmv__source_close(&src);
    cr_assert_neq(fcntl(STDIN_FILENO, F_GETFD), -1);
    cr_assert_eq(waitpid(child, &status, 0), child);
}

Test(source, standard_input_from_a_file_begins_where_the_script_left_it)
{
    spmv__source src;
    write_file("first\nsecond\n");
    int fd = open(path, O_RDONLY);
    cr_assert_eq(dup2(fd, STDIN_FILENO), STDIN_FILENO);
    cr_assert_eq(spmv__source_open(&src, "-", NULL, NULL), SPMV_SUCCESS);
    assert_holds(&src, "first\nsecond\n");
    spmv__source_close(&src);
    cr_assert_eq(lseek(fd, 6, SEEK_SET), 6);
    cr_assert_eq(spmv__source_open(&src, "-", NULL, NULL), SPMV_SUCCESS);
    assert_holds(&src, "second\n");
    spmv__source_close(&src);
    close(fd);
}

Test(source, what_cannot_be_read_says_why)
{
    spmv__source src;
    spmv_error err;
    int fd = open("/dev/null", O_WRONLY);
    cr_assert_eq(dup2(fd, STDIN_FILENO), STDIN_FILENO);
    cr_assert_eq(spmv__source_open(&src, "-", NULL, &err), SPMV_ERROR_FILE_IO);
    cr_assert_not_null(strstr(err.message, strerror(EBADF)), "%s", err.message);
    cr_assert_str_eq(err.file, "<stdin>");
    close(STDIN_FILENO);
    cr_assert_eq(spmv__source_open(&src, "-", NULL, &err), SPMV_ERROR_FILE_IO);
    close(fd);
}
