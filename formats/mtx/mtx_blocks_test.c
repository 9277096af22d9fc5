/* mtx_blocks_test.c -- a file is read to the same matrix and with the same words by any number of
 * threads, wherever it is cut into blocks; and to the matrix that a naive reader makes of it. */
#include "core/base/random.h"
#include "core/matrix/modulus.h"
#include "core/matrix/random_matrix_test.h"
#include "formats/mtx/mtx.h"
#include "formats/text/blocks_test.h"

/* ---- Files ----------------------------------------------------------------------------------- */

static void test_file(const char *path)
{
    static const spmv_read_options options[] = {
        {0}, {.strict = true}, {.keep_symmetry = true}, {.skip_invalid = true}};
    read_file_in_many_ways(spmv__mtx_read_blocks, path, options,
                           sizeof options / sizeof options[0]);
}

Test(mtx_blocks, good_files_are_the_same_in_all_blocks)
{
    each_file("good/*.mtx", 50, test_file);
}

Test(mtx_blocks, bad_files_are_the_same_in_all_blocks)
{
    each_file("bad/*.mtx", 60, test_file);
}

/* ---- Random files --------------------------------------------------------------------------- */

/* A file, how it is read, and what a naive reader makes of it. */
typedef struct text_sample {
    uint64_t seed, drawn;
    spmv_read_options options;
    const char *field, *symmetry;
    int64_t rows, cols, n;
    test_triple *given;    /* [n], in the order of the file */
    test_triple *expected; /* [2 n] */
    int64_t nnz, merged;
    char *text;
    size_t size;
} text_sample;

static uint64_t draw(text_sample *s, uint64_t below)
{
    return spmv__mix(spmv__mix(s->seed) ^ s->drawn++) % below;
}

/* Numbers that a value consists of. */
static int parts_of(const text_sample *s)
{
    return s->field[0] == 'p' ? 0 : s->field[0] == 'c' ? 2 : 1;
}

/* A number as some program would write it. */
static double write_value(text_sample *s, char *out)
{
    static const char *const reals[] = {"%.0f",  "%.17g", "%.1f",  "%.16e",  "%g",      "%.3E",
                                        "%+.2f", "%.9f",  "%.0f.", "%.0fe2", "%030.17f"};
    const double x = (double)draw(s, 2000001) / 1000.0 - 1000.0;
    if (s->field[0] == 'i') {
        sprintf(out, "%lld", (long long)draw(s, 20) - 10);
    } else {
        const uint64_t kind = draw(s, 16);
        const double scale = draw(s, 3) == 0 ? ldexp(x, (int)draw(s, 400) - 200) : x / 1024.5;
        sprintf(out, reals[kind < 11 ? kind : 1], kind == 0 || kind > 7 ? floor(x) : scale);
        if (draw(s, 9) == 0) strcpy(out, draw(s, 2) ? "-.5" : "0");
        if (draw(s, 200) == 0) strcpy(out, draw(s, 2) ? "inf" : "1e999");
    }
    return strtod(out, NULL);
}

static void write_entry(text_sample *s, test_triple *t, bool odd)
{
    static const char *const ends[] = {"\n",        "\r\n", " \n",        "\t\r\n",
                                       " % note\n", "\n\n", "\n% note\n", "\r"};
    const long long base = s->options.index_base == SPMV_BASE_0 ? 0 : 1;
    char *p = s->text + s->size;
    p += sprintf(p, "%s%lld%s%lld", odd && draw(s, 9) == 0 ? "  " : "", (long long)t->row + base,
                 odd && draw(s, 9) == 0 ? " \t" : " ", (long long)t->col + base);
    t->val = spmv__number(1, 0);
    for (int i = 0; i < parts_of(s); i++) {
        const bool real = s->symmetry[0] == 'h' && t->row == t->col;
        double *part = i == 0 ? &t->val.re : &t->val.im;
        *p++ = ' ';
        if (odd && draw(s, 9) == 0) *p++ = ' ';
        *part = i == 1 && real ? 0 : write_value(s, p);
        if (i == 1 && real) strcpy(p, "0.0");
        p += strlen(p);
    }
    strcpy(p, odd ? ends[draw(s, 3) == 0 ? draw(s, 8) : 0] : "\n");
    s->size = (size_t)(p - s->text) + strlen(p);
}

static void choose_entries(text_sample *s)
{
    const uint64_t order = draw(s, 3), repeated = draw(s, 2) * 8;
    const bool triangle = s->symmetry[0] != 'g';
    const uint64_t side = draw(s, 6); /* 0: either; 1: above; else: below */
    for (int64_t p = 0; p < s->n; p++) {
        test_triple *t = &s->given[p];
        *t = (test_triple){.row = (int64_t)draw(s, (uint64_t)s->rows),
                           .col = (int64_t)draw(s, (uint64_t)s->cols)};
        if (p > 0 && repeated > 0 && draw(s, repeated) == 0) *t = s->given[draw(s, (uint64_t)p)];
        if (triangle && s->symmetry[1] == 'k' && t->row == t->col) t->col = (t->row + 1) % s->cols;
        const bool above = side == 1 || (side == 0 && (t->row + t->col) % 3 == 0);
        if (triangle && t->row != t->col && (t->row < t->col) != above) {
            const int64_t swap = t->row;
            t->row = t->col;
            t->col = swap;
        }
        t->index = p;
    }
    if (order < 2)
        qsort(s->given, (size_t)s->n, sizeof *s->given,
              order == 0 ? test_by_coordinate : test_by_column);
}

static text_sample make_sample(uint64_t seed)
{
    static const int64_t sides[] = {1, 2, 9, 60, 700, 70000, 900000, 40000000};
    static const char *const fields[] = {"real", "real", "integer", "complex", "pattern"};
    static const char *const symmetries[] = {"general", "general", "symmetric", "skew-symmetric",
                                             "hermitian"};
    text_sample s = {.seed = seed};
    const bool odd = draw(&s, 2) == 0;
    s.field = fields[draw(&s, 5)];
    s.symmetry = symmetries[draw(&s, (uint64_t)parts_of(&s) + 3)];
    s.rows = s.cols = sides[draw(&s, 8)] + (int64_t)draw(&s, 5) + 1;
    if (s.symmetry[0] == 'g') s.cols = sides[draw(&s, 8)] + (int64_t)draw(&s, 5);
    s.n = (int64_t)draw(&s, seed % 10 == 0 ? 6000 : 300);
    s.options.duplicates = (spmv_duplicates)draw(&s, 3);
    s.options.drop_zeros = draw(&s, 4) == 0;
    if (draw(&s, 2) == 0) s.options.complex_values = (spmv_complex_part)draw(&s, 4);
    s.options.keep_symmetry = draw(&s, 4) == 0;
    s.options.index_base = draw(&s, 4) == 0 ? SPMV_BASE_0 : SPMV_BASE_DEFAULT;
    s.given = calloc((size_t)s.n + 1, sizeof *s.given);
    s.expected = calloc(2 * (size_t)s.n + 1, sizeof *s.expected);
    s.text = malloc(400 + 250 * (size_t)s.n);
    s.size =
        (size_t)sprintf(s.text, "%%%%MatrixMarket matrix coordinate %s %s\n%lld %lld %lld\n",
                        s.field, s.symmetry, (long long)s.rows, (long long)s.cols, (long long)s.n);
    choose_entries(&s);
    for (int64_t p = 0; p < s.n; p++) {
        s.given[p].index = p;
        write_entry(&s, &s.given[p], odd);
    }
    while (s.n > 0 && draw(&s, 3) == 0 && strchr("\r\n", s.text[s.size - 1]) != NULL) s.size--;
    return s;
}

static spmv_symmetry symmetry_of(const text_sample *s)
{
    static const char letters[] = "gskh";
    const char letter = s->symmetry[0] == 's' ? s->symmetry[1] : s->symmetry[0];
    return letter == 'y' ? SPMV_SYMMETRIC : (spmv_symmetry)(strchr(letters, letter) - letters);
}

/* What is stored of a value. */
static spmv_scalar part_of(const text_sample *s, spmv_scalar v)
{
    if (s->field[0] != 'c') return spmv__number(v.re, 0);
    switch (s->options.complex_values) {
    case SPMV_COMPLEX_REAL:
        return spmv__number(v.re, 0);
    case SPMV_COMPLEX_IMAG:
        return spmv__number(v.im, 0);
    case SPMV_COMPLEX_ABS:
        return spmv__number(spmv__modulus(v), 0);
    default:
        return v;
    }
}

/* Expect an entry, and its mirror image where that is wanted. */
static int64_t expect_entry(const text_sample *s, test_triple *expected, test_triple t)
{
    const spmv_symmetry symmetry = symmetry_of(s);
    const spmv_scalar here = part_of(s, t.val), there = part_of(s, spmv__mirrored(symmetry, t.val));
    const bool imag = s->field[0] == 'c' && s->options.complex_values == SPMV_COMPLEX_IMAG;
    if (symmetry == SPMV_HERMITIAN && imag && t.row == t.col) return 0;
    if (s->options.drop_zeros && spmv__is_zero(here)) return 0;
    expected[0] = (test_triple){t.row, t.col, 0, here};
    if (symmetry == SPMV_GENERAL || s->options.keep_symmetry || t.row == t.col) return 1;
    expected[1] = (test_triple){t.col, t.row, 0, there};
    return 2;
}

/* Sort, merge, expand, drop: each in the most obvious way. */
static void read_naively(text_sample *s)
{
    test_triple *sorted = calloc((size_t)s->n + 1, sizeof *sorted);
    const bool triangle = s->symmetry[0] != 'g';
    int64_t q = 0, end;
    memcpy(sorted, s->given, (size_t)s->n * sizeof *sorted);
    for (int64_t p = 0; triangle && p < s->n; p++)
        if (sorted[p].row < sorted[p].col) {
            const int64_t swap = sorted[p].row;
            sorted[p].row = sorted[p].col;
            sorted[p].col = swap;
            sorted[p].val = spmv__mirrored(symmetry_of(s), sorted[p].val);
        }
    qsort(sorted, (size_t)s->n, sizeof *sorted, test_by_coordinate);
    for (int64_t p = 0; p < s->n; p = end) {
        spmv_scalar sum = {0, 0};
        for (end = p;
             end < s->n && sorted[end].row == sorted[p].row && sorted[end].col == sorted[p].col;
             end++)
            sum = spmv__number(sum.re + sorted[end].val.re, sum.im + sorted[end].val.im);
        test_triple t = sorted[p];
        if (s->options.duplicates == SPMV_DUPLICATES_SUM && end - p > 1) t.val = sum;
        if (s->options.duplicates == SPMV_DUPLICATES_LAST) t.val = sorted[end - 1].val;
        if (s->field[0] == 'p') t.val.re = 1;
        s->merged += end - p - 1;
        q += expect_entry(s, &s->expected[q], t);
    }
    qsort(s->expected, (size_t)q, sizeof *s->expected, test_by_coordinate);
    s->nnz = q;
    free(sorted);
}

static void assert_expected(const text_sample *s, outcome *o)
{
    const bool csr = s->rows <= 1 << 20;
    cr_assert_eq(o->status, SPMV_SUCCESS, "seed %llu: %lld:%lld %s", (unsigned long long)s->seed,
                 (long long)o->err.line, (long long)o->err.column, o->err.message);
    cr_assert_eq(o->A.format, csr ? SPMV_CSR : SPMV_COO, "seed %llu", (unsigned long long)s->seed);
    to_coordinates(&o->A);
    cr_assert_eq(o->A.head.nnz, s->nnz, "seed %llu: %lld, not %lld", (unsigned long long)s->seed,
                 (long long)o->A.head.nnz, (long long)s->nnz);
    cr_assert_eq(o->info.duplicates, s->merged, "seed %llu", (unsigned long long)s->seed);
    for (int64_t p = 0; p < s->nnz; p++) {
        const test_triple *t = &s->expected[p];
        const spmv_scalar val = spmv__scalar(o->A.head.type, o->A.coo.val, p);
        cr_assert(o->A.coo.row_idx[p] == t->row && o->A.coo.col_idx[p] == t->col &&
                      same_value(val.re, t->val.re) && same_value(val.im, t->val.im),
                  "seed %llu, entry %lld: (%lld, %lld) %.17g %.17g, not (%lld, %lld) %.17g %.17g",
                  (unsigned long long)s->seed, (long long)p, (long long)o->A.coo.row_idx[p],
                  (long long)o->A.coo.col_idx[p], val.re, val.im, (long long)t->row,
                  (long long)t->col, t->val.re, t->val.im);
    }
}

Test(mtx_blocks, random_files_are_read_as_a_naive_reader_reads_them)
{
    for (uint64_t seed = 0; seed < 400; seed++) {
        text_sample s = make_sample(seed);
        char name[64];
        read_naively(&s);
        snprintf(name, sizeof name, "seed %llu", (unsigned long long)seed);
        outcome o = read_in_many_ways(spmv__mtx_read_blocks, s.text, s.size, &s.options, name);
        assert_expected(&s, &o);
        spmv_destroy(&o.A);
        free(s.given);
        free(s.expected);
        free(s.text);
    }
}

/* One byte of a good file is another: it is read, or refused, in the same way everywhere. */
Test(mtx_blocks, damaged_files_are_the_same_in_all_blocks)
{
    for (uint64_t seed = 1000; seed < 1150; seed++) {
        text_sample s = make_sample(seed);
        char name[64];
        for (uint64_t k = draw(&s, 3); s.size > 0 && k < 3; k++)
            s.text[draw(&s, s.size)] = "\n\r 0123456789.-+eE%x\x1a\xff"[draw(&s, 22)];
        snprintf(name, sizeof name, "seed %llu", (unsigned long long)seed);
        outcome o = read_in_many_ways(spmv__mtx_read_blocks, s.text, s.size, &s.options, name);
        spmv_destroy(&o.A);
        free(s.given);
        free(s.expected);
        free(s.text);
    }
}
