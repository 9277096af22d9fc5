/* quick_names_test.c -- edge lists whose lines are delimited, of words or of ids, are read to the
 * same matrix and with the same words by any number of threads, wherever they are cut into blocks;
 * to what the careful way reads; and to the graph that a naive reader makes of them. */
#include "core/base/random.h"
#include "core/matrix/random_matrix_test.h"
#include "formats/graphs/quick_edges.h"
#include "formats/text/blocks_test.h"

enum { LONGEST = 700, NAME_ROOM = 4 * LONGEST };

/* A file, how it is read, and what a naive reader makes of it. */
typedef struct named_sample {
    uint64_t seed, drawn;
    spmv_read_options options;
    char delimiter;
    bool weighted, words, attributes;
    int64_t nodes;
    char **name; /* [nodes] in order, each once */
    bool *used;  /* [nodes] */
    int64_t n;
    test_triple *given; /* [n], in the order of the file */
    char *text;
    size_t size;
    test_triple *expected; /* [nnz] in order */
    int64_t nnz, loops;
} named_sample;

static uint64_t draw(named_sample *s, uint64_t below)
{
    return spmv__mix(spmv__mix(s->seed) ^ s->drawn++) % below;
}

/* ---- Names ---------------------------------------------------------------------------------- */

static char *make_id(named_sample *s)
{
    char *name = malloc(24);
    snprintf(name, 24, "%llu", (unsigned long long)draw(s, 1000000));
    return name;
}

/* It begins with a letter, so that it is no number. */
static char *make_word(named_sample *s, uint64_t longest, bool plain)
{
    static const char *const pieces[] = {"a", "b", "z", "0", "7",  "_", ".", "-",
                                         "é", "€", "%", "/", "\"", ",", " ", ";"};
    const uint64_t length = 1 + draw(s, longest);
    char *name = malloc(NAME_ROOM);
    strcpy(name, draw(s, 2) == 0 ? "user" : "n");
    name[length < 4 ? length : 4] = '\0';
    for (size_t n = strlen(name); n < length; n += strlen(name + n))
        strcpy(name + n, pieces[draw(s, plain ? 8 : 16)]);
    if (name[strlen(name) - 1] == ' ') strcat(name, ".");
    return name;
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int by_number(const void *a, const void *b)
{
    const long long x = atoll(*(char *const *)a), y = atoll(*(char *const *)b);
    return (x > y) - (x < y);
}

static void make_names(named_sample *s, int64_t most)
{
    static const uint64_t lengths[] = {2, 7, 9, 16, 18, 40, LONGEST};
    const uint64_t longest = lengths[draw(s, 7)];
    const bool plain = draw(s, 2) == 0;
    int64_t n = 0;
    s->name = calloc((size_t)most, sizeof *s->name);
    s->used = calloc((size_t)most, sizeof *s->used);
    for (int64_t i = 0; i < most; i++)
        s->name[i] = s->words ? make_word(s, longest, plain) : make_id(s);
    qsort(s->name, (size_t)most, sizeof *s->name, s->words ? by_bytes : by_number);
    for (int64_t i = 0; i < most; i++) {
        if (n > 0 && strcmp(s->name[i], s->name[n - 1]) == 0)
            free(s->name[i]);
        else
            s->name[n++] = s->name[i];
    }
    s->nodes = n;
}

/* ---- Files ---------------------------------------------------------------------------------- */

static void put(named_sample *s, const char *text)
{
    const size_t length = strlen(text);
    memcpy(s->text + s->size, text, length + 1);
    s->size += length;
}

static void put_between(named_sample *s)
{
    const char text[] = {s->delimiter, '\0'};
    put(s, text);
}

/* In quotes where it must be, and sometimes where it need not. */
static void put_name(named_sample *s, const char *name)
{
    const bool quoted = strpbrk(name, "\" \t,;|#%/{") != NULL || draw(s, 20) == 0;
    if (quoted) put(s, "\"");
    for (const char *p = name; *p != '\0'; p++) {
        const char one[] = {*p, '\0'};
        put(s, *p == '"' ? "\"\"" : one);
    }
    if (quoted) put(s, "\"");
}

static void put_weight(named_sample *s, test_triple *t)
{
    char number[40];
    snprintf(number, sizeof number, draw(s, 3) == 0 ? "%.0f" : "%.3f",
             (double)draw(s, 20001) / 1000.0 - 10.0);
    t->val.re = strtod(number, NULL);
    if (s->attributes) put(s, "{'weight': ");
    put(s, number);
    if (s->attributes) put(s, "}");
}

static void put_edge(named_sample *s, test_triple *t, bool odd)
{
    static const char *const ends[] = {"\n", "\r\n", "\n\n", "\n# note\n", "\n// note\n"};
    put_name(s, s->name[t->row]);
    put_between(s);
    put_name(s, s->name[t->col]);
    t->val = spmv__number(1, 0);
    if (s->weighted || s->attributes) put_between(s);
    if (s->weighted)
        put_weight(s, t);
    else if (s->attributes)
        put(s, "{}");
    if (s->options.columns != NULL) {
        put_between(s);
        put(s, "more");
    }
    put(s, ends[odd ? draw(s, 5) : 0]);
}

static void put_headings(named_sample *s)
{
    put(s, "source");
    put_between(s);
    put(s, "target");
    if (s->weighted) {
        put_between(s);
        put(s, "weight");
    }
    if (s->options.columns != NULL) {
        put_between(s);
        put(s, "note");
    }
    put(s, "\n");
}

static void choose_kind(named_sample *s)
{
    s->words = draw(s, 3) > 0;
    s->delimiter = " ,\t;|"[draw(s, 5)];
    s->weighted = draw(s, 2) == 0;
    s->attributes = s->words && s->delimiter == ' ' && draw(s, 2) == 0;
    s->options.duplicates = (spmv_duplicates)draw(s, 3);
    if (!s->words || (!s->attributes && draw(s, 3) == 0)) {
        if (s->delimiter == ' ') s->delimiter = ',';
        s->options.columns = s->weighted ? "source,target,weight" : "source,target";
    }
}

static named_sample make_sample(uint64_t seed)
{
    static const int64_t sides[] = {1, 3, 20, 300, 3000};
    named_sample s = {.seed = seed};
    choose_kind(&s);
    make_names(&s, sides[draw(&s, 5)]);
    s.n = 1 + (int64_t)draw(&s, seed % 10 == 0 ? 3000 : 200);
    const bool odd = draw(&s, 2) == 0;
    const uint64_t repeated = draw(&s, 2) * 8;
    s.given = calloc((size_t)s.n, sizeof *s.given);
    s.text = malloc(200 + (size_t)s.n * (4 * NAME_ROOM + 100));
    if (s.options.columns != NULL || (s.delimiter != ' ' && draw(&s, 2) == 0)) put_headings(&s);
    for (int64_t p = 0; p < s.n; p++) {
        test_triple *t = &s.given[p];
        *t = (test_triple){.row = (int64_t)draw(&s, (uint64_t)s.nodes),
                           .col = (int64_t)draw(&s, (uint64_t)s.nodes)};
        if (p > 0 && repeated > 0 && draw(&s, repeated) == 0) *t = s.given[draw(&s, (uint64_t)p)];
        t->index = p;
        put_edge(&s, t, odd && p > 0);
        s.used[t->row] = s.used[t->col] = true;
        s.loops += t->row == t->col;
    }
    return s;
}

/* ---- What they are -------------------------------------------------------------------------- */

/* Leave only names that are used, in order. */
static void renumber(named_sample *s)
{
    int64_t *number = calloc((size_t)s->nodes, sizeof *number), n = 0;
    for (int64_t i = 0; i < s->nodes; i++) {
        number[i] = n;
        if (s->used[i])
            s->name[n++] = s->name[i];
        else
            free(s->name[i]);
    }
    for (int64_t p = 0; p < s->n; p++) {
        s->given[p].row = number[s->given[p].row];
        s->given[p].col = number[s->given[p].col];
    }
    s->nodes = n;
    free(number);
}

static void read_naively(named_sample *s)
{
    int64_t end;
    renumber(s);
    s->expected = calloc((size_t)s->n, sizeof *s->expected);
    test_triple *sorted = calloc((size_t)s->n, sizeof *sorted);
    memcpy(sorted, s->given, (size_t)s->n * sizeof *sorted);
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
        s->expected[s->nnz++] = t;
    }
    free(sorted);
}

static void assert_expected(const named_sample *s, outcome *o)
{
    const unsigned long long seed = s->seed;
    char text[SPMV_LABEL_SIZE];
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
        cr_assert_str_eq(spmv_label_text(&o->info.labels, i, text), s->name[i],
                         "seed %llu, node %lld", seed, (long long)i);
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

/* A comment behind blanks is odd: with one at its end a file is left to the careful way, which
 * comes to the same and remarks on no more than that. */
static void assert_careful(named_sample *s, outcome *quick)
{
    put(s, " # odd\n");
    outcome o = read_blocks(spmv__edges_read_blocks, s->text, s->size, &s->options, 1000, 2);
    cr_assert_eq(o.status, SPMV_SUCCESS, "seed %llu", (unsigned long long)s->seed);
    cr_assert_eq(o.A.format, SPMV_COO, "seed %llu", (unsigned long long)s->seed);
    cr_assert(spmv_identical(&o.A, &quick->A), "seed %llu", (unsigned long long)s->seed);
    cr_assert_eq(o.warnings.n, quick->warnings.n + 1, "seed %llu", (unsigned long long)s->seed);
    for (int i = 0; i < quick->warnings.n; i++)
        assert_same_place(&quick->warnings.list[i], &o.warnings.list[i], "a remark");
    outcome_destroy(&o);
}

static void destroy(named_sample *s)
{
    for (int64_t i = 0; i < s->nodes; i++) free(s->name[i]);
    free(s->name);
    free(s->used);
    free(s->given);
    free(s->text);
    free(s->expected);
}

Test(quick_names, random_names_are_read_as_a_naive_reader_reads_them)
{
    for (uint64_t seed = 0; seed < 200; seed++) {
        named_sample s = make_sample(seed);
        char name[64];
        read_naively(&s);
        snprintf(name, sizeof name, "seed %llu", (unsigned long long)seed);
        outcome o = read_in_many_ways(spmv__edges_read_blocks, s.text, s.size, &s.options, name);
        if (s.words) cr_assert_eq(o.A.format, SPMV_CSR, "%s", name);
        assert_expected(&s, &o);
        assert_careful(&s, &o);
        outcome_destroy(&o);
        destroy(&s);
    }
}

/* One byte of a good file is another: it is read, or refused, in the same way everywhere. */
Test(quick_names, damaged_names_are_the_same_in_all_blocks)
{
    for (uint64_t seed = 1000; seed < 1100; seed++) {
        named_sample s = make_sample(seed);
        char name[64];
        for (uint64_t k = draw(&s, 3); k < 3; k++)
            s.text[draw(&s, s.size)] = "\n\r 0123.-,;|\t#%/{}'x\"\xff\x01"[draw(&s, 24)];
        snprintf(name, sizeof name, "seed %llu", (unsigned long long)seed);
        outcome o = read_in_many_ways(spmv__edges_read_blocks, s.text, s.size, &s.options, name);
        outcome_destroy(&o);
        destroy(&s);
    }
}

/* Of a repeated edge between words, the second line is told, wherever the blocks are cut. */
Test(quick_names, a_repeated_edge_of_words_is_told_with_its_line)
{
    static const char text[] = "n1\tn2\nn2\tn3\n# a note\nn1\tn3\n\nn1\tn2\nn2\tn3\nn1\tn2\n";
    const spmv_read_options options = {.duplicates = SPMV_DUPLICATES_ERROR};
    outcome o = read_in_many_ways(spmv__edges_read_blocks, text, strlen(text), &options, "words");
    cr_assert_eq(o.status, SPMV_ERROR_INVALID_FORMAT);
    cr_assert_str_eq(o.err.message, "the edge from n1 to n2 is repeated");
    cr_assert(o.err.line == 6 && o.err.column == 1, "%lld:%lld", (long long)o.err.line,
              (long long)o.err.column);
}
