/* order_names_test.c -- names that several threads meet become nodes in the order of their bytes.
 */
#include "core/base/random.h"
#include "formats/names/node_names.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 5, NAMES = 3000, ROOM = 800 };

static char name[NAMES][ROOM];
static int64_t number[THREADS][2][NAMES];

/* Names of all lengths, many of which begin and end alike; name i has i in its middle. */
static void make_names(uint64_t seed)
{
    for (int i = 0; i < NAMES; i++) {
        static const int pads[] = {0, 0, 1, 3, 6, 9, 10, 11, 12, 350};
        const int pad = pads[spmv__mix(seed ^ (uint64_t)i) % 10];
        snprintf(name[i], ROOM, "%.*s%d%.*s", pad, "aaaaaaaaaaaaaaaaaaaaaaaa", i, pad,
                 "zzzzzzzzzzzzzzzzzzzzzzzz");
        for (size_t n = strlen(name[i]); pad > 24 && n < 700; n++) strcpy(name[i] + n, "y");
    }
}

/* Whether thread t meets name i: the last one none at all, and each of the others one in three. */
static bool meets(uint64_t seed, int t, int i)
{
    return t < THREADS - 1 && spmv__mix(spmv__mix(seed ^ (uint64_t)t) ^ (uint64_t)i) % 3 == 0;
}

/* Ask in a queue and at once, in orders that differ between threads. */
static bool ask(uint64_t seed, int t, spmv__node_names *names)
{
    spmv__name_queue queue = {.names = names};
    bool asked = true;
    for (int k = 0; k < NAMES; k++) {
        const int i = t % 2 == 0 ? k : NAMES - 1 - k;
        const size_t length = strlen(name[i]);
        int64_t *first = &number[t][0][i], *second = &number[t][1][i];
        if (!meets(seed, t, i)) continue;
        asked = asked &&
                spmv__name_queue_ask(&queue, name[i], length, first, NULL) == SPMV_SUCCESS &&
                spmv__node_names_number(names, name[i], length, second, NULL) == SPMV_SUCCESS;
    }
    return asked && spmv__name_queue_answer(&queue, NULL) == SPMV_SUCCESS;
}

static void assert_ordered(uint64_t seed, const spmv_labels *labels, const int64_t *rank)
{
    int64_t n = 0;
    for (int64_t i = 1; i < labels->n; i++)
        cr_assert_lt(
            strcmp(labels->names + labels->name_ptr[i - 1], labels->names + labels->name_ptr[i]), 0,
            "seed %llu: %lld", (unsigned long long)seed, (long long)i);
    for (int i = 0; i < NAMES; i++) {
        bool met = false;
        for (int t = 0; t < THREADS; t++) {
            if (!meets(seed, t, i)) continue;
            cr_assert_eq(number[t][0][i], number[t][1][i], "seed %llu: %s",
                         (unsigned long long)seed, name[i]);
            const int64_t node = rank[number[t][0][i]];
            cr_assert(node >= 0 && node < labels->n);
            cr_assert_str_eq(labels->names + labels->name_ptr[node], name[i]);
            met = true;
        }
        n += met;
    }
    cr_assert_eq(labels->n, n);
}

Test(order_names, each_name_gets_the_number_of_its_order)
{
    for (uint64_t seed = 0; seed < 24; seed++) {
        const int threads = 1 + (int)(seed % THREADS);
        spmv__node_names *names;
        const int64_t *rank;
        spmv_labels labels = {0};
        spmv_error err;
        bool asked = true;
        int64_t again;
        make_names(seed);
        cr_assert_eq(spmv__node_names_create(&names, threads, &err), SPMV_SUCCESS);
#pragma omp parallel for schedule(static, 1) num_threads(threads) reduction(&& : asked)
        for (int t = 0; t < THREADS; t++) asked = asked && ask(seed, t, names);
        cr_assert(asked);
        cr_assert_eq(spmv__node_names_settle(names, threads, &rank, &labels, &err), SPMV_SUCCESS);
        cr_assert_eq(spmv__node_names_count(names), labels.n);
        assert_ordered(seed, &labels, rank);
        const char *last = labels.names + labels.name_ptr[labels.n - 1];
        cr_assert_eq(spmv__node_names_number(names, last, strlen(last), &again, &err),
                     SPMV_SUCCESS);
        cr_assert_eq(again, labels.n - 1, "a name that is asked for once more has its new number");
        spmv_labels_destroy(&labels);
        spmv__node_names_destroy(names);
    }
}

/* A slot has 24 bits for the length of a name. */
Test(order_names, names_of_many_megabytes_are_told_apart)
{
    enum { ASKED = 9 };
    static const struct {
        size_t length;
        char last;
        int same_as; /* which of those before it, or itself */
    } asked[ASKED] = {
        {(1 << 24) + 20, 'a', 0},
        {(1 << 24) + 20, 'b', 1},
        {20, 'a', 2},
        {(1 << 24) - 1, 'a', 3},
        {(1 << 24) + 20, 'a', 0},
        {(1 << 24) + 20, 'b', 1},
        {(1 << 24) - 1, 'a', 3},
        {20, 'a', 2},
        {(1 << 24) + 21, 'a', 8},
    };
    const size_t room = (1 << 24) + 21;
    char *text = malloc(room);
    spmv__node_names *names;
    int64_t given[ASKED];
    spmv_error err;
    memset(text, 'x', room);
    cr_assert_eq(spmv__node_names_create(&names, 1, &err), SPMV_SUCCESS);
    for (int i = 0; i < ASKED; i++) {
        char *last = &text[asked[i].length - 1], before = *last;
        *last = asked[i].last;
        cr_assert_eq(spmv__node_names_number(names, text, asked[i].length, &given[i], &err),
                     SPMV_SUCCESS);
        for (int k = 0; k < i; k++)
            cr_assert_eq(given[k] == given[i], asked[k].same_as == asked[i].same_as, "%d and %d", k,
                         i);
        *last = before;
    }
    cr_assert_eq(spmv__node_names_count(names), 5);
    spmv__node_names_destroy(names);
    free(text);
}
