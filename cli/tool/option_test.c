/* option_test.c -- reading a command line, and what it says when there is something wrong. */
#include "cli/tool/common.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *animal(int i)
{
    static const char *const animals[] = {"cat", "horse", "mouse"};
    return i < 3 ? animals[i] : NULL;
}

static struct test_options {
    common_options common;
    bool loud, tall;
    int64_t count, any;
    double share;
    spmv_scalar factor;
    int size;
    option_list counts, sizes;
    const char *animal, *file;
} opt;

#define AT(member) offsetof(struct test_options, member)
static const option options[] = {
    OPTION("Test", 'l', "loud", OPTION_FLAG, NULL, AT(loud), "loud"),
    OPTION("Test", 't', "tall", OPTION_FLAG, NULL, AT(tall), "tall"),
    OPTION("Test", 'n', "count", OPTION_INTEGER, "N", AT(count), "count", .low = 1, .high = 5000),
    OPTION("Test", 0, "any", OPTION_INTEGER, "N", AT(any), "any"),
    OPTION("Test", 0, "share", OPTION_REAL, "R", AT(share), "share", .low = 0, .high = 1),
    OPTION("Test", 0, "factor", OPTION_COMPLEX, "F", AT(factor), "factor"),
    OPTION("Test", 0, "size", OPTION_CHOICE, "small|large", AT(size), "size"),
    OPTION("Test", 'a', "animal", OPTION_NAME, "NAME", AT(animal), "animal", .names = animal,
           .list = "--list-animals"),
    OPTION("Test", 0, "counts", OPTION_INTEGERS, "N,...", AT(counts), "counts", .low = 1,
           .high = 5000),
    OPTION("Test", 0, "sizes", OPTION_CHOICES, "small|large", AT(sizes), "sizes"),
    OPTION("Test", 0, "seed", OPTION_FLAG, NULL, AT(tall), "hides the shared one"),
    OPTION("Test", 'f', "file", OPTION_FILE, "FILE", AT(file), "file"),
};
static const tool self = {.name = "spmv-test",
                          .operands = "FILE",
                          .summary = "Test",
                          .examples = {"spmv-test a", "spmv-test b", "spmv-test c"},
                          .options = options,
                          .option_count = sizeof options / sizeof options[0],
                          .unused = " device "};

/* Parse a command line given as words separated by one space ("~" stands for an empty word). */
static spmv_status parse_line(const char *line, operands *words, spmv_error *err)
{
    static char copy[256];
    char *argv[32] = {"spmv-test"};
    int argc = 1;
    memset(&opt, 0, sizeof opt);
    snprintf(copy, sizeof copy, "%s", line);
    for (char *w = strtok(copy, " "); w != NULL; w = strtok(NULL, " "))
        argv[argc++] = strcmp(w, "~") == 0 ? "" : w;
    memset(err, 0, sizeof *err);
    return option_parse(&self, argc, argv, &opt.common, words, err);
}

Test(option, lists)
{
    operands w;
    spmv_error err;
    cr_assert_eq(parse_line("--counts 1,2K,1,7 --sizes=large,small", &w, &err), SPMV_SUCCESS);
    cr_assert_eq(opt.counts.count, 3);
    cr_assert_eq(opt.counts.value[0], 1);
    cr_assert_eq(opt.counts.value[1], 2000);
    cr_assert_eq(opt.counts.value[2], 7);
    cr_assert_eq(opt.sizes.count, 2);
    cr_assert_eq(opt.sizes.value[0], 1);
    cr_assert_eq(opt.sizes.value[1], 0);
    free(w.word);
    cr_assert_eq(parse_line("--counts 1,2 --counts 3", &w, &err), SPMV_SUCCESS);
    cr_assert_eq(opt.counts.count, 1);
    cr_assert_eq(opt.counts.value[0], 3);
    free(w.word);
    static const char *const bad[] = {"--counts 1,,2", "--counts 0",         "--counts 1,6K",
                                      "--counts ~",    "--sizes small,tiny", "--counts 1,",
                                      "--sizes ,"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        cr_assert_eq(parse_line(bad[i], &w, &err), SPMV_ERROR_INVALID_ARGUMENT, "%s", bad[i]);
}

Test(option, a_list_has_an_end)
{
    char line[256] = "--counts 1";
    operands w;
    spmv_error err;
    for (int i = 2; i <= OPTION_LIST_MOST; i++) {
        const size_t used = strlen(line);
        snprintf(line + used, sizeof line - used, ",%d", i);
    }
    cr_assert_eq(parse_line(line, &w, &err), SPMV_SUCCESS);
    cr_assert_eq(opt.counts.count, OPTION_LIST_MOST);
    free(w.word);
    strcat(line, ",5000");
    cr_assert_eq(parse_line(line, &w, &err), SPMV_ERROR_INVALID_ARGUMENT);
}

Test(option, an_option_of_the_tool_hides_a_shared_one)
{
    const option *o;
    int found = 0;
    for (int i = 0; (o = option_at(&self, i)) != NULL; i++) found += strcmp(o->name, "seed") == 0;
    cr_assert_eq(found, 1);
}

Test(option, a_shared_one_without_a_use_is_not_there)
{
    const option *o;
    operands w;
    spmv_error err;
    for (int i = 0; (o = option_at(&self, i)) != NULL; i++)
        cr_assert_str_neq(o->name, "device", "option %d", i);
    cr_assert_eq(parse_line("--device cpu", &w, &err), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_str_eq(err.message, "--device has no use here; see spmv-test --help");
    cr_assert_eq(parse_line("--threads 2", &w, &err), SPMV_SUCCESS, "%s", err.message);
    free(w.word);
}

Test(option, every_way_to_write_an_option)
{
    operands w;
    spmv_error err;
    cr_assert_eq(
        parse_line("a -lt b --count=7 --share 0.25 -acat - --size large -f -- --any=-3K -- -l", &w,
                   &err),
        SPMV_SUCCESS, "%s", err.message);
    cr_assert(opt.loud && opt.tall);
    cr_assert_eq(opt.count, 7);
    cr_assert_eq(opt.any, -3000);
    cr_assert_eq(opt.share, 0.25);
    cr_assert_eq(opt.size, 1);
    cr_assert_str_eq(opt.animal, "cat");
    cr_assert_str_eq(opt.file, "--", "the argument of an option is taken as it is");
    cr_assert_eq(w.count, 4);
    cr_assert_str_eq(w.word[0], "a");
    cr_assert_str_eq(w.word[1], "b");
    cr_assert_str_eq(w.word[2], "-");
    cr_assert_str_eq(w.word[3], "-l");
    free(w.word);
}

Test(option, the_last_of_several_wins_and_letters_bundle_with_a_value)
{
    operands w;
    spmv_error err;
    cr_assert_eq(parse_line("-n 1 -ln2K", &w, &err), SPMV_SUCCESS, "%s", err.message);
    cr_assert_eq(opt.count, 2000);
    cr_assert(opt.loud);
    free(w.word);
}

Test(option, complex_numbers_in_every_way_to_write_them)
{
    static const struct {
        const char *line;
        double re, im;
    } right[] = {
        {"--factor 2", 2, 0},
        {"--factor -.5e1", -5, 0},
        {"--factor=1+2i", 1, 2},
        {"--factor -1.5-2.5j", -1.5, -2.5},
        {"--factor=+3i", 0, 3},
        {"--factor=i", 0, 1},
        {"--factor=-i", 0, -1},
        {"--factor=1e2+1e-2i", 100, .01},
        {"--factor=2-j", 2, -1},
        {"--factor=inf", INFINITY, 0},
        {"--factor=0-infi", 0, -INFINITY},
    };
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
        operands w;
        spmv_error err;
        cr_assert_eq(parse_line(right[i].line, &w, &err), SPMV_SUCCESS, "%s", err.message);
        cr_assert(opt.factor.re == right[i].re && opt.factor.im == right[i].im, "%s: %g %g",
                  right[i].line, opt.factor.re, opt.factor.im);
        free(w.word);
    }
}

Test(option, lists_are_taken_apart_at_commas)
{
    const char *rest = "csr,,a-word-of-more-letters-than-there-is-room-for-in-what-takes-one-word,";
    char word[OPTION_WORD_SIZE];
    cr_assert(option_next_word(&rest, word));
    cr_assert_str_eq(word, "csr");
    cr_assert(option_next_word(&rest, word));
    cr_assert_str_eq(word, "");
    cr_assert(option_next_word(&rest, word));
    cr_assert_eq(strlen(word), OPTION_WORD_SIZE - 1);
    cr_assert(option_next_word(&rest, word));
    cr_assert_str_eq(word, "");
    cr_assert_not(option_next_word(&rest, word));
}

Test(option, only_what_the_command_line_sets_was_given)
{
    operands w;
    spmv_error err;
    cr_assert_eq(parse_line("--any 0 -l", &w, &err), SPMV_SUCCESS, "%s", err.message);
    const struct test_options copy = opt;
    cr_assert(option_given(&copy.common, &copy.any), "also to its default, and in a copy");
    cr_assert(option_given(&copy.common, &copy.loud));
    cr_assert_not(option_given(&copy.common, &copy.count));
    cr_assert_not(option_given(&copy.common, &copy.common.json));
    free(w.word);
}

Test(option, misuse_is_refused_with_a_sentence)
{
    static const struct {
        const char *line, *sentence;
    } wrong[] = {
        {"--laud", "unknown option --laud; did you mean --loud?"},
        {"--cou=3", "unknown option --cou; did you mean --count?"},
        {"--cuont", "unknown option --cuont; did you mean --count?"},
        {"--zzzzzz", "unknown option --zzzzzz; see spmv-test --help"},
        {"-lz", "unknown option -z; see spmv-test --help"},
        {"--loud=yes", "--loud takes no argument"},
        {"--count", "--count needs an argument: N"},
        {"-n", "-n needs an argument: N"},
        {"--count=0", "--count must lie in 1..5000, not '0'"},
        {"--count=6K", "--count must lie in 1..5000, not '6K'"},
        {"--count=7x", "--count takes a whole number, not '7x'"},
        {"--count=7.5", "--count takes a whole number, not '7.5'"},
        {"--count ~", "--count takes a whole number, not ''"},
        {"--any=\t5", "--any takes a whole number, not '\t5'"},
        {"--any=9223372036854775808",
         "--any does not fit 64 bits with a sign: '9223372036854775808'"},
        {"--any=9223372036854775807K",
         "--any does not fit 64 bits with a sign: '9223372036854775807K'"},
        {"--share=nan", "--share must lie in 0..1, not 'nan'"},
        {"--share=1.5", "--share must lie in 0..1, not '1.5'"},
        {"--share=0.5s", "--share takes a number, not '0.5s'"},
        {"--share=1e-400", "--share takes a number, not '1e-400'"},
        {"--share=\t0.5", "--share takes a number, not '\t0.5'"},
        {"--factor=1+2", "--factor takes a number such as 2 or 1+2i, not '1+2'"},
        {"--factor=1+2ix", "--factor takes a number such as 2 or 1+2i, not '1+2ix'"},
        {"--factor=2i+1", "--factor takes a number such as 2 or 1+2i, not '2i+1'"},
        {"--factor=1-+i", "--factor takes a number such as 2 or 1+2i, not '1-+i'"},
        {"--factor=k", "--factor takes a number such as 2 or 1+2i, not 'k'"},
        {"--factor=", "--factor takes a number such as 2 or 1+2i, not ''"},
        {"--size=medium", "--size takes small|large, not 'medium'"},
        {"--size=smal", "--size takes small|large, not 'smal'"},
        {"--animal=huose", "--animal: unknown name 'huose'; did you mean horse?"},
        {"--animal=elephant",
         "--animal: unknown name 'elephant'; --list-animals prints what there is"},
        {"--file=", "--file got an empty argument"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        operands w;
        spmv_error err;
        cr_assert_eq(parse_line(wrong[i].line, &w, &err), SPMV_ERROR_INVALID_ARGUMENT, "%s",
                     wrong[i].line);
        cr_assert_str_eq(err.message, wrong[i].sentence);
        cr_assert_null(w.word);
    }
}

/* Returns what a printer of the table writes; free it. */
static char *print_table(void (*printer)(const tool *, FILE *), const tool *t)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    printer(t, out);
    fclose(out);
    return text;
}

Test(option, every_option_is_in_help_man_page_and_completions)
{
    static void (*const printers[])(const tool *, FILE *) = {
        option_help, option_man, option_complete_bash, option_complete_zsh, option_complete_fish};
    const option *o;
    for (size_t k = 0; k < sizeof printers / sizeof printers[0]; k++) {
        char *text = print_table(printers[k], &self);
        for (int i = 0; (o = option_at(&self, i)) != NULL; i++) {
            char name[64], escaped[64], *p = escaped;
            snprintf(name, sizeof name, "%s%s", printers[k] == option_complete_fish ? "-l " : "--",
                     o->name);
            for (const char *q = name; *q != '\0'; q++) {
                if (*q == '-' && printers[k] == option_man) *p++ = '\\';
                *p++ = *q;
            }
            *p = '\0';
            cr_assert_eq(strstr(text, escaped) != NULL, o->help != NULL, "printer %zu, %s", k,
                         escaped);
        }
        free(text);
    }
}

static const char *kernel(int i)
{
    static const char *const kernels[] = {"csr", "graphblas:csr"};
    return i < 2 ? kernels[i] : NULL;
}

Test(option, completions_hold_words_with_colons)
{
    static const option taking[] = {
        OPTION("Test", 'k', "kernel", OPTION_NAME, "NAME", AT(animal), "see: it", .names = kernel),
        OPTION("Test", 0, "shape", OPTION_TEXT, "ones|like:x|FILE", AT(file), "shape")};
    static const tool t = {
        .name = "spmv-test", .operands = "", .summary = "", .options = taking, .option_count = 2};
    static const struct {
        void (*print)(const tool *, FILE *);
        const char *lines[3];
    } shells[] = {
        {option_complete_bash,
         {"    -k|--kernel) words='csr graphblas:csr' ;;\n",
          "    --shape) words='ones like:x' ;;\n"}},
        {option_complete_zsh,
         {"    '-k+[see\\: it]:value:(csr graphblas\\:csr)' \\\n",
          "    '--kernel=[see\\: it]:value:(csr graphblas\\:csr)' \\\n",
          "    '--shape=[shape]:value:(ones like\\:x)' \\\n"}},
        {option_complete_fish,
         {" -s k -l kernel -x -a 'csr graphblas:csr'\n", " -s k -l kernel -x -d 'see: it'\n",
          " -l shape -x -a 'ones like:x'\n"}},
    };
    for (size_t i = 0; i < sizeof shells / sizeof shells[0]; i++) {
        char *text = print_table(shells[i].print, &t);
        for (int k = 0; k < 3 && shells[i].lines[k] != NULL; k++)
            cr_assert_not_null(strstr(text, shells[i].lines[k]), "%s", shells[i].lines[k]);
        free(text);
    }
}

Test(option, names_are_unique)
{
    const option *a, *b;
    for (int i = 0; (a = option_at(&self, i)) != NULL; i++)
        for (int j = i + 1; (b = option_at(&self, j)) != NULL; j++) {
            cr_assert_str_neq(a->name, b->name);
            cr_assert(a->letter == 0 || a->letter != b->letter);
        }
}
