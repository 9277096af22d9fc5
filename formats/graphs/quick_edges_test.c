/* quick_edges_test.c -- an edge list is read to the same matrix and with the same words by any
 * number of threads, wherever it is cut into blocks; and to the graph that a naive reader makes of
 * it. */
#include "formats/graphs/quick_edges.h"
#include "core/base/random.h"
#include "core/matrix/random_matrix_test.h"
#include "formats/text/blocks_test.h"

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
    int64_t first, ids; /* ids are first .. first + ids - 1 */
    int64_t n;
    test_triple *given; /* [n], in the order of the file; nodes are their ids */
    char *text;
    size_t size;
    int64_t nodes, *id;    /* [nodes] ascending */
    test_triple *expected; /* [nnz] in order */
    int64_t nnz, loops;
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
        snprintf(number, sizeof number, draw(s, 3) == 0 ? "%.0f" : "%.3f",
                 (double)draw(s, 20001) / 1000.0 - 10.0);
        t->val.re = strtod(number, NULL);
        p += sprintf(p, "%s%s", between, number);
    }
    strcpy(p, ends[odd ? draw(s, 6) : 0]);
    s->size = (size_t)(p - s->text) + strlen(p);
}

static sample make_sample(uint64_t seed)
{
    static const int64_t sides[] = {1, 3, 20, 300, 9000, 100000, 3000000, INT64_C(40000000000)};
    sample s = {.seed = seed};
    const bool odd = draw(&s, 2) == 0;
    s.weighted = draw(&s, 2) == 0;
    s.ids = sides[draw(&s, 8)] + (int64_t)draw(&s, 3);
    s.first = draw(&s, 3) == 0 ? (int64_t)draw(&s, 50) : (int64_t)draw(&s, 2);
    s.n = 1 + (int64_t)draw(&s, seed % 10 == 0 ? 6000 : 300);
    s.declared = s.first <= 1 && s.ids < 10000 && draw(&s, 3) == 0;
    s.options.all_ids = !s.declared && s.ids < 5000000 && draw(&s, 4) == 0;
    s.options.drop_zeros = draw(&s, 4) == 0;
    s.options.duplicates = (spmv_duplicates)draw(&s, 3);
    s.given = calloc((size_t)s.n, sizeof *s.given);
    s.text = malloc(400 + 100 * (size_t)s.n);
    const uint64_t repeated = draw(&s, 2) * 8;
    for (int64_t p = 0; p < s.n; p++) {
        test_triple *t = &s.given[p];
        *t = (test_triple){.row = s.first + (int64_t)draw(&s, (uint64_t)s.ids),
                           .col = s.first + (int64_t)draw(&s, (uint64_t)s.ids)};
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
    int64_t end;
    list_nodes(s);
    s->expected = calloc((size_t)s->n, sizeof *s->expected);
    test_triple *sorted = calloc((size_t)s->n, sizeof *sorted);
    for (int64_t p = 0; p < s->n; p++) {
        const test_triple *t = &s->given[p];
        sorted[p] = (test_triple){number_of(s, t->row), number_of(s, t->col), p, t->val};
        s->loops += t->row == t->col;
    }
    qsort(sorted, (size_t)s->n, sizeof *sorted, test_by_coordinate);
    for (int64_t p = 0; p < s->n; p = end) {
        test_triple t = sorted[p];
        double sum = 0;
        for (end = p;
             end < s->n && sorted[end].row == sorted[p].row && sorted[end].col == sorted[p].col;
             end++)
            sum += sorted[end].val.re;
        if (s->options.duplicates == SPMV_DUPLICATES_SUM && end - p > 1) t.val.re = sum;
        if (s->options.duplicates == SPMV_DUPLICATES_LAST) t.val = sorted[end - 1].val;
        if (!s->weighted) t.val.re = 1;
        if (s->options.drop_zeros && t.val.re == 0) continue;
        s->expected[s->nnz++] = t;
    }
    free(sorted);
}

static void assert_expected(const sample *s, outcome *o)
{
    const unsigned long long seed = s->seed;
    cr_assert_eq(o->status, SPMV_SUCCESS, "seed %llu: %lld:%lld %s", seed, (long long)o->err.line,
                 (long long)o->err.column, o->err.message);
    to_coordinates(&o->A);
    cr_assert(o->A.head.rows == s->nodes && o->A.head.cols == s->nodes, "seed %llu: %lld of %lld",
              seed, (long long)o->A.head.rows, (long long)s->nodes);
    cr_assert_eq(o->A.head.nnz, s->nnz, "seed %llu: %lld, not %lld", seed, (long long)o->A.head.nnz,
                 (long long)s->nnz);
    cr_assert_eq(o->info.entries, s->n, "seed %llu", seed);
    cr_assert_eq(o->info.loops, s->loops, "seed %llu", seed);
    cr_assert_eq(o->A.head.type, s->weighted ? SPMV_F64 : SPMV_PATTERN, "seed %llu", seed);
    for (int64_t i = 0; i < s->nodes; i++)
        cr_assert_eq(spmv_label_at(&o->info.labels, i), s->id[i], "seed %llu, node %lld", seed,
                     (long long)i);
    for (int64_t p = 0; p < s->nnz; p++) {
        const test_triple *t = &s->expected[p];
        const double val = spmv__scalar(o->A.head.type, o->A.coo.val, p).re;
        cr_assert(o->A.coo.row_idx[p] == t->row && o->A.coo.col_idx[p] == t->col &&
                      same_value(val, t->val.re),
                  "seed %llu, edge %lld: (%lld, %lld) %.17g, not (%lld, %lld) %.17g", seed,
                  (long long)p, (long long)o->A.coo.row_idx[p], (long long)o->A.coo.col_idx[p], val,
                  (long long)t->row, (long long)t->col, t->val.re);
    }
}

static void destroy(sample *s)
{
    free(s->given);
    free(s->text);
    free(s->id);
    free(s->expected);
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
