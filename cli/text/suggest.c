/* suggest.c -- which of the right names is nearest to a wrong one.
 *
 * Names are in small letters, and so the word is taken as if it were.  The distance is that of
 * optimal string alignment: a dynamic programme over the prefixes of both words, of which three
 * rows are kept. */
#include "cli/text/suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum { LONGEST = 32, MOST_EDITS = 2 };

/* The best rank, 0, are two letters in the wrong order; then come the beginning of a name, if it is
 * long enough to be meant, one edit, a shorter beginning, two edits, and nothing. */
enum { MEANT = 3, LONG_PREFIX = 1, PREFIX = 3, FAR = 5 };

static int lesser(int a, int b)
{
    return a < b ? a : b;
}

static int edit_distance(const char *a, int m, const char *b, int n)
{
    int rows[3][LONGEST + 1];
    int *before = rows[0], *above = rows[1], *here = rows[2];

    for (int j = 0; j <= n; j++) here[j] = j;
    for (int i = 1; i <= m; i++) {
        int *free_row = before;
        before = above;
        above = here;
        here = free_row;
        here[0] = i;
        for (int j = 1; j <= n; j++) {
            here[j] =
                lesser(lesser(above[j], here[j - 1]) + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                here[j] = lesser(here[j], before[j - 2] + 1);
        }
    }
    return here[n];
}

/* Whether words of n letters, one edit apart, have two of them in another order. */
static bool are_swapped(const char *a, const char *b, size_t n)
{
    int differ = 0;
    for (size_t i = 0; i < n; i++) differ += a[i] != b[i];
    return differ == 2;
}

/* Whether a name says the opposite of the word: who asks for `weighted` wants nothing unweighted.
 */
static bool is_opposite(const char *word, const char *name)
{
    return strncmp(name, "un", 2) == 0 && strcmp(name + 2, word) == 0;
}

static int rank_name(const char *word, const char *name)
{
    char small[LONGEST + 1];
    const size_t m = strlen(word), n = strlen(name);
    if (m == 0 || m > LONGEST || n > LONGEST) return FAR;
    for (size_t i = 0; i <= m; i++) small[i] = (char)tolower((unsigned char)word[i]);
    if (is_opposite(small, name)) return FAR;
    const int edits = edit_distance(small, (int)m, name, (int)n);
    if (edits == 1 && m == n && are_swapped(small, name, n)) return 0;
    const bool near = edits <= MOST_EDITS && edits < (int)m;
    const int begins = strncmp(small, name, m) != 0 ? FAR : m >= MEANT ? LONG_PREFIX : PREFIX;
    return near ? lesser(2 * edits, begins) : begins;
}

void suggestion_consider(suggestion *s, const char *name)
{
    const int r = rank_name(s->word, name);
    if (r == FAR || (s->name != NULL && r >= s->rank)) return;
    s->name = name;
    s->rank = r;
}
