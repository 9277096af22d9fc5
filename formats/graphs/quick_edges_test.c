/* quick_edges_test.c -- an edge list is read to the same matrix and with the same words by any
 * number of threads, wherever it is cut into blocks; and to the graph that a naive reader makes of
 * it. */
#include "formats/graphs/quick_edges.h"
#include "core/base/random.h"
#include "formats/graphs/naive_edges_test.h"

static void test_file(const char *path)
{
    static const spmv_read_options options[] = {{0},
                                                {.strict = true},
                                                {.all_ids = true},
                                                {.skip_invalid = true},
                                                {.duplicates = SPMV_DUPLICATES_ERROR},
                                                {.duplicates = SPMV_DUPLICATES_COUNT}};
    read_file_in_many_ways(spmv__edges_read_blocks, path, options,
                           sizeof options / sizeof options[0]);
}

Test(quick_edges, good_files_are_the_same_in_all_blocks)
{
    each_file("graphs/*.[ewtc]*", 25, test_file);
}

Test(quick_edges, bad_files_are_the_same_in_all_blocks)
{
    each_file("bad/*.[ewtc]*", 15, test_file);
}

/* ---- Random graphs -------------------------------------------------------------------------- */

/* A file, how it is read, and what a naive reader makes of it. */
typedef struct sample {
    uint64_t seed, drawn;
    spmv_read_options options;
    bool weighted, declared;
    bool uneven;        /* most ids are far less than the largest */
    int64_t first, ids; /* ids are first .. first + ids - 1 */
    int64_t n;
    test_triple *given; /* [n], in the order of the file; nodes are their ids */
    char *text;
    size_t size;
    int64_t nodes, *id; /* [nodes] ascending */
    naive_edges expected;
} sample;

static uint64_t draw(sample *s, uint64_t below)
{
    return spmv__mix(spmv__mix(s->seed) ^ s->drawn++) % below;
}

static void write_edge(sample *s, test_triple *t, bool odd)
{
    static const char *const ends[] = {"\n", "\r\n", " \n", "\n\n", "\n# note\n", "\n// note\n"};
    static const char *const betweens[] = {" ", "\t", ",", " , "};
    const char *between = betweens[odd ? draw(s, 4) : 0];
    char *p = s->text + s->size;
    t->val = spmv__number(1, 0);
    p += sprintf(p, "%lld%s%lld", (long long)t->row, between, (long long)t->col);
    if (s->weighted) {
        char number[40];
        const bool whole = draw(s, 3) == 0;
        t->val.re = weight_text(whole, draw(s, 20001), number);
        p += sprintf(p, "%s%s", between, number);
    }
    strcpy(p, ends[odd ? draw(s, 6) : 0]);
    s->size = (size_t)(p - s->text) + strlen(p);
}

static int64_t draw_id(sample *s)
{
    const uint64_t id = draw(s, (uint64_t)s->ids);
    return s->first + (int64_t)(s->uneven ? id >> draw(s, 60) : id);
}

static sample make_sample(uint64_t seed)
{
    static const int64_t sides[] = {1,
                                    3,
                                    20,
                                    300,
                                    9000,
                                    100000,
                                    3000000,
                                    INT64_C(40000000000),
                                    INT64_C(10000000000000000),
                                    INT64_MAX - 100};
    sample s = {.seed = seed};
    const bool odd = draw(&s, 2) == 0;
    s.weighted = draw(&s, 2) == 0;
    s.ids = sides[draw(&s, sizeof sides / sizeof sides[0])] + (int64_t)draw(&s, 3);
    s.uneven = draw(&s, 3) == 0;
    s.first = draw(&s, 3) == 0 ? (int64_t)draw(&s, 50) : (int64_t)draw(&s, 2);
    s.n = 1 + (int64_t)draw(&s, seed % 10 == 0 ? 6000 : 300);
    s.declared = s.first <= 1 && s.ids < 10000 && draw(&s, 3) == 0;
    s.options.all_ids = s.ids < 5000000 && draw(&s, 4) == 0;
    s.options.drop_zeros = draw(&s, 4) == 0;
    s.options.duplicates = (spmv_duplicates)draw(&s, 3);
    s.given = calloc((size_t)s.n, sizeof *s.given);
    s.text = malloc(400 + 100 * (size_t)s.n);
    const uint64_t repeated = draw(&s, 2) * 8;
    for (int64_t p = 0; p < s.n; p++) {
        test_triple *t = &s.given[p];
        *t = (test_triple){.row = draw_id(&s), .col = draw_id(&s)};
        if (p > 0 && repeated > 0 && draw(&s, repeated) == 0) *t = s.given[draw(&s, (uint64_t)p)];
        t->index = p;
        write_edge(&s, t, odd && p > 0);
    }
    if (s.declared)
        s.size += (size_t)sprintf(s.text + s.size, "# Ids: %lld to %lld\n", (long long)s.first,
                                  (long long)(s.first + s.ids - 1));
    while (draw(&s, 3) == 0 && strchr("\r\n", s.text[s.size - 1]) != NULL) s.size--;
    return s;
}

static int ascending(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* All nodes that there are to be, in order, each once. */
static void list_nodes(sample *s)
{
    int64_t last = 0, n = 0;
    for (int64_t p = 0; p < s->n; p++) {
        last = s->given[p].row > last ? s->given[p].row : last;
        last = s->given[p].col > last ? s->given[p].col : last;
    }
    if (s->declared) last = s->first + s->ids - 1;
    const bool all = s->declared || s->options.all_ids;
    const int64_t begin = s->declared ? s->first : 0;
    s->id = calloc((size_t)(all ? last - begin + 1 : 2 * s->n), sizeof *s->id);
    for (int64_t i = begin; all && i <= last; i++) s->id[n++] = i;
    for (int64_t p = 0; !all && p < s->n; p++) {
        s->id[n++] = s->given[p].row;
        s->id[n++] = s->given[p].col;
    }
    if (!all) qsort(s->id, (size_t)n, sizeof *s->id, ascending);
    for (int64_t i = 0; i < n; i++)
        if (i == 0 || s->id[i] != s->id[s->nodes - 1]) s->id[s->nodes++] = s->id[i];
}

static int64_t number_of(const sample *s, int64_t id)
{
    const int64_t *found = bsearch(&id, s->id, (size_t)s->nodes, sizeof *s->id, ascending);
    return found - s->id;
}

static void read_naively(sample *s)
{
    list_nodes(s);
    s->expected = (naive_edges){.weighted = s->weighted, .nodes = s->nodes, .n = s->n};
    s->expected.edge = calloc((size_t)s->n, sizeof *s->expected.edge);
    for (int64_t p = 0; p < s->n; p++) {
        const test_triple *t = &s->given[p];
        s->expected.edge[p] = (test_triple){number_of(s, t->row), number_of(s, t->col), p, t->val};
    }
    merge_naively(&s->expected, &s->options);
}

static void assert_expected(const sample *s, outcome *o)
{
    assert_edges(o, &s->expected, s->seed);
    for (int64_t i = 0; i < s->nodes; i++)
        cr_assert_eq(spmv_label_at(&o->info.labels, i), s->id[i], "seed %llu, node %lld",
                     (unsigned long long)s->seed, (long long)i);
}

static void destroy(sample *s)
{
    free(s->given);
    free(s->text);
    free(s->id);
    free(s->expected.edge);
}

Test(quick_edges, random_graphs_are_read_as_a_naive_reader_reads_them)
{
    for (uint64_t seed = 0; seed < 200; seed++) {
        sample s = make_sample(seed);
        char name[64];
        read_naively(&s);
        snprintf(name, sizeof name, "seed %llu", (unsigned long long)seed);
        outcome o = read_in_many_ways(spmv__edges_read_blocks, s.text, s.size, &s.options, name);
        assert_expected(&s, &o);
        outcome_destroy(&o);
        destroy(&s);
    }
}

/* One byte of a good file is another: it is read, or refused, in the same way everywhere. */
Test(quick_edges, damaged_files_are_the_same_in_all_blocks)
{
    for (uint64_t seed = 1000; seed < 1100; seed++) {
        sample s = make_sample(seed);
        char name[64];
        for (uint64_t k = draw(&s, 3); k < 3; k++)
            s.text[draw(&s, s.size)] = "\n\r 0123456789.-+e,#%/x\"\xff"[draw(&s, 24)];
        snprintf(name, sizeof name, "seed %llu", (unsigned long long)seed);
        outcome o = read_in_many_ways(spmv__edges_read_blocks, s.text, s.size, &s.options, name);
        outcome_destroy(&o);
        destroy(&s);
    }
}

/* ---- Long lines ----------------------------------------------------------------------------- */

/* Reads a line with so many blanks behind it, another line, and some more; returns the status. */
static spmv_status read_behind(int blanks, const char *line, spmv_matrix *A)
{
    char text[1000], *p = text;
    const spmv_read_options options = {.threads = 1, .duplicates = SPMV_DUPLICATES_ERROR};
    spmv_file_info info = {0};
    p += sprintf(p, "1 2%*s\n%s\n", blanks, "", line);
    for (int i = 10; i < 50; i++) p += sprintf(p, "%d %d\n", i, i + 1);
    spmv__source src = {
        .name = "text", .data = (const unsigned char *)text, .size = (int64_t)(p - text)};
    const spmv_status st = spmv__edges_read_blocks(A, &src, &options, 0, &info, NULL);
    spmv_labels_destroy(&info.labels);
    return st;
}

/* Marks of 64 bytes say nothing of the line behind a longer one. */
Test(quick_edges, a_line_of_many_blanks_changes_nothing_of_the_next_one)
{
    static const char *const lines[] = {"1 3", "12 3", "1 34", "1 x", "1 #", "x 3", "1x3"};
    for (size_t k = 0; k < sizeof lines / sizeof lines[0]; k++) {
        spmv_matrix plain;
        const spmv_status expected = read_behind(0, lines[k], &plain);
        for (int blanks = 50; blanks < 260; blanks++) {
            spmv_matrix A;
            cr_assert_eq(read_behind(blanks, lines[k], &A), expected, "%s, %d", lines[k], blanks);
            cr_assert(expected != SPMV_SUCCESS || spmv_identical(&A, &plain), "%s, %d blanks",
                      lines[k], blanks);
            spmv_destroy(&A);
        }
        spmv_destroy(&plain);
    }
}
