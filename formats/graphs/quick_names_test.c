/* quick_names_test.c -- edge lists whose lines are delimited, of words or of ids, are read to the
 * same matrix and with the same words by any number of threads, wherever they are cut into blocks;
 * to what the careful way reads; and to the graph that a naive reader makes of them. */
#include "core/base/random.h"
#include "formats/graphs/naive_edges_test.h"
#include "formats/graphs/quick_edges.h"

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
    naive_edges expected;
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
    const bool whole = draw(s, 3) == 0;
    t->val.re = weight_text(whole, draw(s, 20001), number);
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
    renumber(s);
    s->expected = (naive_edges){.weighted = s->weighted, .nodes = s->nodes, .n = s->n};
    s->expected.edge = calloc((size_t)s->n, sizeof *s->expected.edge);
    cr_assert(s->n >= 0 && s->expected.edge != NULL);
    memcpy(s->expected.edge, s->given, (size_t)s->n * sizeof *s->given);
    merge_naively(&s->expected, &s->options);
}

static void assert_expected(const named_sample *s, outcome *o)
{
    char text[SPMV_LABEL_SIZE];
    assert_edges(o, &s->expected, s->seed);
    for (int64_t i = 0; i < s->nodes; i++)
        cr_assert_str_eq(spmv_label_text(&o->info.labels, i, text), s->name[i],
                         "seed %llu, node %lld", (unsigned long long)s->seed, (long long)i);
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
    free(s->expected.edge);
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
