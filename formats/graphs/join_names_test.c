/* join_names_test.c -- the names of several tables become nodes in the order of their bytes. */
#include "formats/graphs/join_names.h"
#include "core/base/random.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

enum { TABLES = 5, NAMES = 3000, ROOM = 800 };

static char name[NAMES][ROOM];

/* Names of all lengths, many of which begin and end alike; name i has i in its middle. */
static void make_names(uint64_t seed)
{
    for (int i = 0; i < NAMES; i++) {
        static const int pads[] = {0, 0, 1, 3, 6, 12, 350};
        const int pad = pads[spmv__mix(seed ^ (uint64_t)i) % 7];
        snprintf(name[i], ROOM, "%.*s%d%.*s", pad, "aaaaaaaaaaaaaaaaaaaaaaaa", i, pad,
                 "zzzzzzzzzzzzzzzzzzzzzzzz");
        for (size_t n = strlen(name[i]); pad > 24 && n < 700; n++) strcpy(name[i] + n, "y");
    }
}

/* Whether table t meets name i: the last table none at all, and each of the others one in three. */
static bool meets(uint64_t seed, int t, int i)
{
    return t < TABLES - 1 && spmv__mix(spmv__mix(seed ^ (uint64_t)t) ^ (uint64_t)i) % 3 == 0;
}

static void fill(uint64_t seed, int t, spmv__node_names **names)
{
    int64_t number[2 * NAMES];
    spmv_error err;
    if (t == TABLES - 1) return;
    cr_assert_eq(spmv__node_names_create(names, &err), SPMV_SUCCESS);
    for (int i = 0; i < NAMES; i++)
        for (int k = 0; k < 2 && meets(seed, t, i); k++)
            cr_assert_eq(
                spmv__node_names_ask(*names, name[i], strlen(name[i]), &number[2 * i + k], &err),
                SPMV_SUCCESS);
    cr_assert_eq(spmv__node_names_answer(*names, &err), SPMV_SUCCESS);
    int64_t n = 0;
    for (int i = 0; i < NAMES; i++) {
        if (!meets(seed, t, i)) continue;
        cr_assert(number[2 * i] == n && number[2 * i + 1] == n, "seed %llu: %s",
                  (unsigned long long)seed, name[i]);
        n++;
    }
    cr_assert_eq(spmv__node_names_list(*names).n, n);
}

static void assert_joined(uint64_t seed, const spmv_labels *labels, int32_t *const *number)
{
    int64_t n = 0;
    for (int64_t i = 1; i < labels->n; i++)
        cr_assert_lt(
            strcmp(labels->names + labels->name_ptr[i - 1], labels->names + labels->name_ptr[i]), 0,
            "seed %llu: %lld", (unsigned long long)seed, (long long)i);
    for (int t = 0; t < TABLES; t++)
        for (int i = 0, k = 0; i < NAMES; i++) {
            if (!meets(seed, t, i)) continue;
            const int32_t node = number[t][k++];
            cr_assert(node >= 0 && node < labels->n);
            cr_assert_str_eq(labels->names + labels->name_ptr[node], name[i]);
        }
    for (int i = 0; i < NAMES; i++) {
        bool met = false;
        for (int t = 0; t < TABLES; t++) met = met || meets(seed, t, i);
        n += met;
    }
    cr_assert_eq(labels->n, n);
}

Test(join_names, each_name_gets_the_number_of_its_order)
{
    for (uint64_t seed = 0; seed < 12; seed++) {
        spmv__node_names *names[TABLES] = {NULL};
        int32_t *number[TABLES] = {NULL};
        spmv_labels labels = {0};
        spmv_error err;
        bool fit;
        make_names(seed);
        for (int t = 0; t < TABLES; t++) fill(seed, t, &names[t]);
        cr_assert_eq(spmv__join_names(names, TABLES, 1 + (int)seed, number, &labels, &fit, &err),
                     SPMV_SUCCESS);
        cr_assert(fit);
        assert_joined(seed, &labels, number);
        spmv_labels_destroy(&labels);
        for (int t = 0; t < TABLES; t++) {
            spmv__node_names_destroy(names[t]);
            free(number[t]);
        }
    }
}

/* A slot has 24 bits for the length of a name. */
Test(join_names, names_of_many_megabytes_are_told_apart)
{
    static const struct {
        size_t length;
        char last;
        int64_t number;
    } asked[] = {
        {(1 << 24) + 20, 'a', 0},
        {(1 << 24) + 20, 'b', 1},
        {20, 'a', 2},
        {(1 << 24) - 1, 'a', 3},
        {(1 << 24) + 20, 'a', 0},
        {(1 << 24) + 20, 'b', 1},
        {(1 << 24) - 1, 'a', 3},
        {20, 'a', 2},
    };
    char *text = malloc((1 << 24) + 20);
    spmv__node_names *names;
    int64_t number;
    spmv_error err;
    memset(text, 'x', (1 << 24) + 20);
    cr_assert_eq(spmv__node_names_create(&names, &err), SPMV_SUCCESS);
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        char *last = &text[asked[i].length - 1], before = *last;
        *last = asked[i].last;
        cr_assert_eq(spmv__node_names_ask(names, text, asked[i].length, &number, &err),
                     SPMV_SUCCESS);
        cr_assert_eq(spmv__node_names_answer(names, &err), SPMV_SUCCESS);
        cr_assert_eq(number, asked[i].number, "name %zu is %lld", i, (long long)number);
        *last = before;
    }
    spmv__node_names_destroy(names);
    free(text);
}
