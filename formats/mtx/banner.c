/* banner.c -- the first line of a Matrix Market file, read and written with NIST's mmio.
 *
 * mmio knows the words; we bring the line into the one form that it reads safely and that leaves
 * no choice: five words of printable ASCII, shorter than its buffers, lower case, one blank
 * between them, extensions replaced by the words that they mean. */
#include "core/base/ascii.h"
#include "formats/mtx/mtx.h"

#include <mmio.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { WORDS = 5, WORD_SIZE = 32 };

typedef struct banner_word {
    const unsigned char *p, *end;
    char lower[WORD_SIZE]; /* "?" when it is too long or not plain ASCII */
} banner_word;

/* The words of a banner, by position. */
static const struct {
    const char *what, *choices;
} expected[WORDS] = {
    {"banner", ""},
    {"object", "matrix"},
    {"format", "coordinate or array"},
    {"field", "real, integer, complex or pattern"},
    {"symmetry", "general, symmetric, skew-symmetric or hermitian"},
};

static void lower_case(banner_word *w)
{
    strcpy(w->lower, "?");
    if (w->end - w->p >= WORD_SIZE) return;
    char out[WORD_SIZE] = "";
    for (int i = 0; i < w->end - w->p; i++) {
        unsigned char c = w->p[i];
        if (c <= 0x20 || c >= 0x7f) return;
        out[i] = (char)spmv__small_letter(c);
    }
    strcpy(w->lower, out);
}

/* Words of the banner end at blanks only: its own first bytes are %. */
static void take_word(spmv__text *text, banner_word *w)
{
    w->p = w->end = text->p;
    while (w->end < text->end && *w->end == '%') w->end++;
    w->end = spmv__text_word_end(text, w->end);
    text->p = w->end;
    lower_case(w);
}

/* Returns whether a word may stand at a position. */
static bool fits(const banner_word *w, int position)
{
    const size_t length = strlen(w->lower);
    for (const char *p = expected[position].choices; *p != '\0'; p += strspn(p, ", ")) {
        const size_t n = strcspn(p, ", ");
        if (n == length && memcmp(p, w->lower, n) == 0) return true;
        p += n;
    }
    return false;
}

/* The banner has only `count` words: one was left out, perhaps before others that are there. */
static bool miss_word(spmv__text *text, const banner_word words[WORDS], int count)
{
    for (int i = 1; i < count; i++)
        if (!fits(&words[i], i) && fits(&words[i], i + 1))
            return spmv__text_fault(text, words[i].p,
                                    "the banner leaves out its %s before '%s': %s",
                                    expected[i].what, words[i].lower, expected[i].choices);
    return spmv__text_fault(text, text->p, "the banner ends where its %s is expected: %s",
                            expected[count].what, expected[count].choices);
}

static bool read_words(spmv__text *text, banner_word words[WORDS])
{
    for (int i = 0; i < WORDS; i++) {
        spmv__text_skip_blanks(text);
        if (i > 0 && spmv__text_line_is_over(text)) return miss_word(text, words, i);
        take_word(text, &words[i]);
        if (i > 0) continue;
        if (strcmp(words[0].lower, "%matrixmarket") == 0)
            spmv__text_note(text, SPMV__ODD_ONE_PERCENT, words[0].p);
        else if (strcmp(words[0].lower, "%%matrixmarket") != 0)
            return spmv__text_fault(text, words[0].p,
                                    "a Matrix Market file begins with a banner such as "
                                    "'%%%%MatrixMarket matrix coordinate real general'");
    }
    spmv__text_skip_blanks(text);
    if (!spmv__text_line_is_over(text)) {
        spmv__text_note(text, SPMV__ODD_EXTRA_WORD, text->p);
        while (!spmv__text_line_is_over(text)) text->p++;
    }
    return spmv__text_finish_line(text);
}

/* Words beyond the specification: note what they say and put in the word that mmio knows. */
static void replace_extensions(spmv__text *text, banner_word words[WORDS], spmv__mtx_header *header)
{
    if (strcmp(words[1].lower, "vector") == 0) {
        header->vector = true;
        strcpy(words[1].lower, "matrix");
    }
    if (strcmp(words[3].lower, "double") == 0) {
        spmv__text_note(text, SPMV__ODD_DOUBLE, words[3].p);
        strcpy(words[3].lower, "real");
    }
    if (strcmp(words[3].lower, "unsigned-integer") == 0) {
        header->field = SPMV__MTX_UNSIGNED;
        strcpy(words[3].lower, "integer");
    }
}

/* Have mmio read the words.  Its code tells how far it understood them. */
static bool ask_mmio(spmv__text *text, const banner_word words[WORDS], MM_typecode *code)
{
    char line[WORDS * WORD_SIZE + 32];
    int length = snprintf(line, sizeof line, "%s %s %s %s %s\n", MatrixMarketBanner, words[1].lower,
                          words[2].lower, words[3].lower, words[4].lower);
    FILE *f = fmemopen(line, (size_t)length, "r");
    if (f == NULL) {
        spmv__text_fault(text, words[0].p, "cannot allocate memory to read the banner");
        text->status = SPMV_ERROR_OUT_OF_MEMORY;
        return false;
    }
    int refused = mm_read_banner(f, code);
    fclose(f);
    if (refused == 0) return true;

    char quote[SPMV__TEXT_QUOTE];
    int i = 1;
    while (i < WORDS - 1 && (*code)[i - 1] != ' ') i++;
    return spmv__text_fault(text, words[i].p, "'%s' is not %s %s that is known: %s expected",
                            spmv__text_quote(quote, words[i].p, words[i].end), i == 1 ? "an" : "a",
                            expected[i].what, expected[i].choices);
}

/* Fields and symmetries that do not go together. */
static bool check_combination(spmv__text *text, const banner_word words[WORDS],
                              spmv__mtx_header *header)
{
    bool pattern = header->field == SPMV__MTX_PATTERN, general = header->symmetry == SPMV_GENERAL;
    if (pattern && header->array)
        return spmv__text_fault(text, words[3].p,
                                "an array lists all its values, so it cannot be a "
                                "pattern");
    if (pattern && !general && header->symmetry != SPMV_SYMMETRIC)
        return spmv__text_fault(text, words[4].p,
                                "a pattern has no values, so it cannot be %s, only general or "
                                "symmetric",
                                words[4].lower);
    if (header->vector && !general)
        return spmv__text_fault(text, words[4].p, "a vector cannot be %s, only general",
                                words[4].lower);
    if (header->symmetry == SPMV_HERMITIAN && header->field != SPMV__MTX_COMPLEX) {
        spmv__text_note(text, SPMV__ODD_REAL_HERMITIAN, words[4].p);
        header->symmetry = SPMV_SYMMETRIC;
    }
    return true;
}

bool spmv__mtx_read_banner(spmv__text *text, spmv__mtx_header *header)
{
    banner_word words[WORDS];
    MM_typecode code;

    spmv__text_skip_byte_order_mark(text);
    const unsigned char *start = text->p;
    while (text->p < text->end && strchr(" \t\r\n", *text->p) != NULL && *text->p != '\0')
        text->p++;
    if (text->p > start) spmv__text_note(text, SPMV__ODD_EARLY_BLANK, start);

    if (!read_words(text, words)) return false;
    replace_extensions(text, words, header);
    if (!ask_mmio(text, words, &code)) return false;

    header->array = mm_is_array(code);
    if (mm_is_complex(code)) header->field = SPMV__MTX_COMPLEX;
    if (mm_is_pattern(code)) header->field = SPMV__MTX_PATTERN;
    if (mm_is_integer(code) && header->field != SPMV__MTX_UNSIGNED)
        header->field = SPMV__MTX_INTEGER;
    header->symmetry = mm_is_symmetric(code)   ? SPMV_SYMMETRIC
                       : mm_is_skew(code)      ? SPMV_SKEW
                       : mm_is_hermitian(code) ? SPMV_HERMITIAN
                                               : SPMV_GENERAL;
    return check_combination(text, words, header);
}

spmv_status spmv__mtx_write_banner(spmv__sink *sink, bool array, spmv_type type,
                                   spmv_symmetry symmetry, spmv_error *err)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* mmio has a static buffer */
    char line[WORDS * WORD_SIZE] = "";
    MM_typecode code;
    mm_initialize_typecode(&code);
    mm_set_matrix(&code);
    if (array)
        mm_set_array(&code);
    else
        mm_set_coordinate(&code);
    if (type == SPMV_PATTERN)
        mm_set_pattern(&code);
    else if (spmv_type_is_complex(type))
        mm_set_complex(&code);
    else
        mm_set_real(&code);
    if (symmetry == SPMV_SYMMETRIC) mm_set_symmetric(&code);
    if (symmetry == SPMV_SKEW) mm_set_skew(&code);
    if (symmetry == SPMV_HERMITIAN) mm_set_hermitian(&code);

    FILE *f = fmemopen(line, sizeof line, "w");
    if (f == NULL)
        return spmv__fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot allocate memory for a banner");
    pthread_mutex_lock(&lock);
    mm_write_banner(f, code);
    pthread_mutex_unlock(&lock);
    fclose(f);
    spmv__sink_write(sink, line, strlen(line));
    return SPMV_SUCCESS;
}
