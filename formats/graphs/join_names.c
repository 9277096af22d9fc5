/* join_names.c -- the names that several threads have met become the nodes of one graph.
 *
 * Some names, sorted, cut the order of bytes into ranges with about as many names each.  Every
 * table sorts its names by range; then each range is joined and put in order by one thread alone,
 * and the ranges stand one behind the other. */
#include "formats/graphs/join_names.h"
#include "core/matrix/format.h"

#include <stdlib.h>

enum { RANGES_PER_THREAD = 4, SAMPLE_PER_RANGE = 16 };

/* A table, and its names by range. */
typedef struct table_names {
    spmv_labels all; /* its own, in the order in which they were met */
    int32_t *name;   /* [all.n] by range, */
    int64_t *begin;  /* [ranges + 1] each of which begins here */
    int32_t *number; /* [all.n] the result */
} table_names;

typedef struct join {
    table_names *table; /* [tables] */
    int tables;
    const char **cut; /* [ranges - 1] where ranges begin, but the first */
    int64_t ranges;
    spmv_labels *part; /* [ranges] names in order */
    int64_t *first;    /* [ranges + 1] the number of the first name of a range */
    int64_t *text;     /* [ranges + 1] where its text begins */
} join;

/* ---- Ranges --------------------------------------------------------------------------------- */

static const char *name_at(const spmv_labels *labels, int64_t k)
{
    return labels->names + labels->name_ptr[k];
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Take names that are spread evenly over those of all tables. */
static spmv_status choose_cuts(join *j, int64_t names, spmv_error *err)
{
    const int64_t wanted = j->ranges * SAMPLE_PER_RANGE, step = names / wanted + 1;
    const char **sample = NULL;
    int64_t n = 0;
    spmv_status st;
    SPMV__TRY(spmv__alloc(&sample, names / step + j->tables, sizeof *sample, "some names", err));
    SPMV__TRY(spmv__alloc(&j->cut, j->ranges, sizeof *j->cut, "ranges of names", err));
    for (int t = 0; t < j->tables; t++)
        for (int64_t k = 0; k < j->table[t].all.n; k += step)
            sample[n++] = name_at(&j->table[t].all, k);
    qsort(sample, (size_t)n, sizeof *sample, compare_names);
    for (int64_t r = 1; r < j->ranges; r++) j->cut[r - 1] = sample[r * n / j->ranges];
done:
    free(sample);
    return st;
}

/* How many cuts are not beyond that name. */
static int64_t range_of(const join *j, const char *name)
{
    int64_t low = 0, high = j->ranges - 1;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (strcmp(j->cut[middle], name) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Sort the names of a table by range: count, then put each into its place. */
static spmv_status sort_by_range(const join *j, table_names *table)
{
    const int64_t n = table->all.n;
    int32_t *range = NULL;
    int64_t *next = NULL;
    spmv_status st;
    SPMV__TRY(spmv__alloc(&table->begin, j->ranges + 1, sizeof *table->begin, "names", NULL));
    SPMV__TRY(spmv__alloc(&next, j->ranges, sizeof *next, "names", NULL));
    SPMV__TRY(spmv__alloc_unset(&range, n, sizeof *range, "names", NULL));
    SPMV__TRY(spmv__alloc_unset(&table->name, n, sizeof *table->name, "names", NULL));
    SPMV__TRY(spmv__alloc_unset(&table->number, n, sizeof *table->number, "names", NULL));
    for (int64_t k = 0; k < n; k++) {
        range[k] = (int32_t)range_of(j, name_at(&table->all, k));
        table->begin[range[k] + 1]++;
    }
    spmv__counts_to_offsets(table->begin, j->ranges);
    memcpy(next, table->begin, (size_t)j->ranges * sizeof *next);
    for (int64_t k = 0; k < n; k++) table->name[next[range[k]]++] = (int32_t)k;
done:
    free(range);
    free(next);
    return st;
}

/* ---- One range ------------------------------------------------------------------------------ */

/* Ask for the numbers of the names in a range of all tables. */
static spmv_status ask_for_all(const join *j, int64_t r, spmv__node_names *names, int64_t *number)
{
    spmv_status st = SPMV_SUCCESS;
    for (int t = 0; t < j->tables; t++) {
        const table_names *table = &j->table[t];
        for (int64_t i = table->begin[r]; i < table->begin[r + 1]; i++) {
            const int64_t *begin = table->all.name_ptr + table->name[i];
            SPMV__TRY(spmv__node_names_ask(names, table->all.names + begin[0],
                                           (size_t)(begin[1] - begin[0]) - 1, number++, NULL));
        }
    }
    st = spmv__node_names_answer(names, NULL);
done:
    return st;
}

/* Number the names of a range within it. */
static spmv_status join_range(const join *j, int64_t r)
{
    spmv__node_names *names = NULL;
    int64_t *number = NULL, n = 0;
    const int64_t *rank;
    spmv_status st;
    for (int t = 0; t < j->tables; t++) n += j->table[t].begin[r + 1] - j->table[t].begin[r];
    SPMV__TRY(spmv__node_names_create(&names, NULL));
    SPMV__TRY(spmv__alloc_unset(&number, n, sizeof *number, "numbers of names", NULL));
    SPMV__TRY(ask_for_all(j, r, names, number));
    SPMV__TRY(spmv__node_names_settle(names, &rank, &j->part[r], NULL));
    n = 0;
    for (int t = 0; t < j->tables; t++) {
        const table_names *table = &j->table[t];
        for (int64_t i = table->begin[r]; i < table->begin[r + 1]; i++)
            table->number[table->name[i]] = (int32_t)rank[number[n++]];
    }
done:
    spmv__node_names_destroy(names);
    free(number);
    return st;
}

/* ---- All of them ---------------------------------------------------------------------------- */

/* Move the names of a range to those before it. */
static void append_range(const join *j, int64_t r, spmv_labels *labels)
{
    const spmv_labels *part = &j->part[r];
    memcpy(labels->names + j->text[r], part->names, (size_t)part->name_ptr[part->n]);
    for (int64_t i = 0; i <= part->n; i++)
        labels->name_ptr[j->first[r] + i] = j->text[r] + part->name_ptr[i];
    for (int t = 0; t < j->tables; t++) {
        const table_names *table = &j->table[t];
        for (int64_t i = table->begin[r]; i < table->begin[r + 1]; i++)
            table->number[table->name[i]] += (int32_t)j->first[r];
    }
}

/* Put the ranges one behind the other. */
static spmv_status append_all(join *j, int threads, spmv_labels *labels, bool *fit, spmv_error *err)
{
    spmv_labels made = {.first = 1};
    spmv_status st;
    SPMV__TRY(spmv__alloc(&j->first, j->ranges + 1, sizeof *j->first, "ranges of names", err));
    SPMV__TRY(spmv__alloc(&j->text, j->ranges + 1, sizeof *j->text, "ranges of names", err));
    for (int64_t r = 0; r < j->ranges; r++) {
        j->first[r + 1] = j->first[r] + j->part[r].n;
        j->text[r + 1] = j->text[r] + j->part[r].name_ptr[j->part[r].n];
    }
    made.n = j->first[j->ranges];
    *fit = made.n <= INT32_MAX;
    if (!*fit) goto done;
    SPMV__TRY(spmv__alloc_unset(&made.name_ptr, made.n + 1, sizeof *made.name_ptr, "labels", err));
    SPMV__TRY(spmv__alloc_unset(&made.names, j->text[j->ranges], 1, "labels", err));
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (int64_t r = 0; r < j->ranges; r++) append_range(j, r, &made);
    *labels = made;
    made = (spmv_labels){0};
done:
    spmv_labels_destroy(&made);
    return st;
}

static spmv_status join_all(join *j, int threads, spmv_error *err)
{
    int64_t names = 0;
    bool enough = true;
    spmv_status st;
    for (int t = 0; t < j->tables; t++) names += j->table[t].all.n;
    SPMV__TRY(choose_cuts(j, names, err));
    SPMV__TRY(spmv__alloc(&j->part, j->ranges, sizeof *j->part, "ranges of names", err));
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) reduction(&& : enough)
    for (int t = 0; t < j->tables; t++)
        enough = enough && sort_by_range(j, &j->table[t]) == SPMV_SUCCESS;
    if (enough) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) reduction(&& : enough)
        for (int64_t r = 0; r < j->ranges; r++) enough = enough && join_range(j, r) == SPMV_SUCCESS;
    }
    if (!enough)
        st = spmv__fail(err, SPMV_ERROR_OUT_OF_MEMORY, "no memory for the names of the nodes");
done:
    return st;
}

/* The names of one table alone. */
static spmv_status settle_one(spmv__node_names *names, int32_t **number, spmv_labels *labels,
                              spmv_error *err)
{
    const int64_t *rank;
    spmv_status st;
    SPMV__TRY(spmv__node_names_settle(names, &rank, labels, err));
    SPMV__TRY(spmv__alloc_unset(number, labels->n, sizeof **number, "numbers of names", err));
    for (int64_t k = 0; k < labels->n; k++) (*number)[k] = (int32_t)rank[k];
done:
    return st;
}

static void destroy(join *j)
{
    for (int t = 0; j->table != NULL && t < j->tables; t++) {
        free(j->table[t].name);
        free(j->table[t].begin);
        free(j->table[t].number);
    }
    for (int64_t r = 0; j->part != NULL && r < j->ranges; r++) spmv_labels_destroy(&j->part[r]);
    free(j->table);
    free(j->cut);
    free(j->part);
    free(j->first);
    free(j->text);
}

spmv_status spmv__join_names(spmv__node_names *const *names, int tables, int threads,
                             int32_t **number, spmv_labels *labels, bool *fit, spmv_error *err)
{
    join j = {.tables = tables, .ranges = (int64_t)threads * RANGES_PER_THREAD};
    spmv_status st = SPMV_SUCCESS;
    *fit = true;
    for (int t = 0; t < tables; t++)
        *fit = *fit && (names[t] == NULL || spmv__node_names_list(names[t]).n <= INT32_MAX);
    if (!*fit) goto done;
    if (tables == 1) return settle_one(names[0], &number[0], labels, err);
    SPMV__TRY(spmv__alloc(&j.table, tables, sizeof *j.table, "tables of names", err));
    for (int t = 0; t < tables; t++)
        if (names[t] != NULL) j.table[t].all = spmv__node_names_list(names[t]);
    SPMV__TRY(join_all(&j, threads, err));
    SPMV__TRY(append_all(&j, threads, labels, fit, err));
    for (int t = 0; t < tables; t++) {
        number[t] = j.table[t].number;
        j.table[t].number = NULL;
    }
done:
    destroy(&j);
    return st;
}
