/* packed_bomb_test.c -- what little unpacks to too much is refused, and costs little. */
#include "formats/stream/packed_test.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* 256 MiB of blank lines in some 10 kB. */
static bytes make_bomb(void)
{
    bytes text = {malloc(1 << 22), 1 << 22}, bomb = copy_bytes("", 0);
    memset(text.data, '\n', text.size);
    bytes member = pack_zstd(text.data, text.size);
    for (int i = 0; i < 64; i++) bomb = append(bomb, member.data, member.size);
    free(member.data);
    free(text.data);
    return bomb;
}

/* Kilobytes of memory that a process needs at most to take all pieces of it, or none. */
static long measure(bytes packed, bool take)
{
    struct rusage usage;
    int status;
    const pid_t child = fork();
    if (child == 0) {
        spmv__source src = {.name = "bomb", .data = packed.data, .size = (int64_t)packed.size};
        spmv__piece piece = {.begin = packed.data};
        if (spmv__source_unpack(&src, &spmv__known_files, &(spmv_read_options){0}, NULL) !=
            SPMV_SUCCESS)
            _exit(1);
        while (take && piece.begin != piece.end) {
            if (spmv__source_next(&src, &piece, NULL) != SPMV_SUCCESS) _exit(1);
            spmv__source_release(&src, &piece);
        }
        if (take && src.given != INT64_C(64) << 22) _exit(2);
        spmv__source_close(&src);
        _exit(0);
    }
    cr_assert_eq(wait4(child, &status, 0, &usage), child);
    cr_assert_eq(status, 0);
    return usage.ru_maxrss;
}

/* Whoever needs it as a whole gets it up to 256 times its size. */
Test(packed_bomb, a_bomb_is_not_held_as_a_whole)
{
    bytes bomb = make_bomb();
    assert_unpacking_fails(bomb, SPMV_ERROR_INVALID_FORMAT, "unpack to more than 256 times");
    free(bomb.data);
}

/* A thousand to one, and every line an entry where one was announced. */
Test(packed_bomb, a_bomb_of_entries_ends_with_the_first_that_is_too_many)
{
    const char *head = "%%MatrixMarket matrix coordinate real general\n2 2 1\n";
    bytes text = copy_bytes(head, strlen(head));
    bytes lines = {malloc(6 << 20), 6 << 20};
    for (size_t i = 0; i < lines.size; i += 6) memcpy(lines.data + i, "1 1 1\n", 6);
    text = append(text, lines.data, lines.size);
    bytes bomb = pack_zstd(text.data, text.size);
    cr_assert_lt(bomb.size, text.size / 1000);
    char path[64];
    spmv_matrix A;
    spmv_error err;
    snprintf(path, sizeof path, "/tmp/spmv-bomb-%ld.mtx", (long)getpid());
    FILE *f = fopen(path, "wb");
    cr_assert_eq(fwrite(bomb.data, 1, bomb.size, f), bomb.size);
    cr_assert_eq(fclose(f), 0);
    cr_assert_eq(spmv_read(&A, path, NULL, NULL, &err), SPMV_ERROR_INVALID_FORMAT);
    unlink(path);
    cr_assert_not_null(strstr(err.message, "after the last of 1 entries"), "%s", err.message);
    free(lines.data);
    free(text.data);
    free(bomb.data);
}

Test(packed_bomb, a_bomb_takes_no_memory_while_it_is_taken_in_pieces)
{
    bytes bomb = make_bomb();
    cr_assert_lt(bomb.size, 64u << 10);
    const long little = measure(bomb, false), much = measure(bomb, true);
    cr_assert_lt(much - little, 48 << 10, "%ld kB, %ld kB", little, much);
    free(bomb.data);
}
