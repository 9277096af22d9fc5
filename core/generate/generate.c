/* generate.c -- the kinds of generated matrices, and how one is made.
 *
 * Every random number is a hash of the seed, the row and a counter.  So a row can be made at any
 * time by any thread, and is made again rather than stored: a first pass counts, a second fills.
 * Only rmat draws edges instead, and holds them all. */
#include "core/base/base.h"
#include "core/generate/generator.h"

#include <string.h>

static const spmv__generator *const generators[] = {
    &spmv__stencil5_generator, &spmv__stencil7_generator, &spmv__stencil27_generator,
    &spmv__fem_generator,      &spmv__uniform_generator,  &spmv__banded_generator,
    &spmv__block_generator,    &spmv__dense_generator,    &spmv__powerlaw_generator,
    &spmv__skew_generator,     &spmv__rmat_generator,     &spmv__hypersparse_generator,
};
enum { GENERATORS = sizeof generators / sizeof generators[0] };

int spmv_generator_count(void)
{
    return GENERATORS;
}

const spmv_generator *spmv_generator_at(int i)
{
    return i >= 0 && i < GENERATORS ? &generators[i]->info : NULL;
}

static const spmv__generator *find(const char *name)
{
    for (int i = 0; name != NULL && i < GENERATORS; i++)
        if (strcmp(generators[i]->info.name, name) == 0) return generators[i];
    return NULL;
}

const spmv_generator *spmv_generator_find(const char *name)
{
    const spmv__generator *generator = find(name);
    return generator == NULL ? NULL : &generator->info;
}

bool spmv_generator_uses(const spmv_generator *kind, const char *option)
{
    if (kind == NULL || option == NULL) return false;
    const size_t length = strlen(option);
    for (const char *word = kind->uses; word != NULL; word = strchr(word, ' ')) {
        word += *word == ' ';
        if (strncmp(word, option, length) == 0 && (word[length] == ' ' || word[length] == '\0'))
            return true;
    }
    return false;
}

bool spmv_generator_is_random(const spmv_generator *kind, const spmv_generate_options *options)
{
    const spmv__generator *generator = find(kind != NULL ? kind->name : NULL);
    if (generator == NULL || options == NULL) return false;
    const bool drawn = options->per_row != 0 && spmv_generator_uses(kind, "per-row");
    if (!generator->full || drawn) return true;
    return options->type != SPMV_PATTERN &&
           (options->values == SPMV_VALUES_RANDOM ||
            (options->values == SPMV_VALUES_OWN && !generator->fixed));
}

/* Shape and density of the kinds whose rows and columns are free. */
static spmv_status complete_shape(spmv__plan *plan, const spmv_generate_options *given,
                                  spmv_error *err)
{
    spmv_generate_options *o = &plan->options;
    if (o->cols == 0) o->cols = o->rows;
    if (o->cols > INT32_MAX)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "cols is %lld, the most is %d",
                          (long long)o->cols, INT32_MAX);
    if (given->density > 1 || given->nonempty > 1)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "%s is %g, the most is 1",
                          given->density > 1 ? "density" : "nonempty",
                          given->density > 1 ? given->density : given->nonempty);
    if (given->density != 0 && given->per_row != 0)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                          "density and per-row say the same thing: give one of them");
    if (given->density != 0) o->per_row = given->density * (double)o->cols;
    if (given->per_row > (double)o->cols || given->max_row > o->cols)
        return spmv__fail(
            err, SPMV_ERROR_INVALID_ARGUMENT, "%s is %.15g, more than the %lld columns",
            given->max_row > o->cols ? "max-row" : "per-row",
            given->max_row > o->cols ? (double)given->max_row : given->per_row, (long long)o->cols);
    if (o->bandwidth > 0 && given->per_row > 2 * (double)o->bandwidth - 1)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                          "per-row is %.15g, more than the columns within a bandwidth of %lld",
                          given->per_row, (long long)o->bandwidth);
    if (o->per_row > (double)o->cols) o->per_row = (double)o->cols;
    if (o->max_row > o->cols) o->max_row = o->cols;
    return SPMV_SUCCESS;
}

/* Leave out what the kind does not use, refuse what is negative (or NaN), fill in what was left
 * open. */
static spmv_status make_plan(spmv__plan *plan, const spmv__generator *generator,
                             const spmv_generate_options *options, spmv_error *err)
{
    const spmv_generate_options *defaults = &generator->info.defaults;
    spmv_generate_options given = *options, *o = &plan->options;
    spmv_status st;

    memset(plan, 0, sizeof *plan);
    plan->generator = generator;
#define X(member, number, name, argument, meaning) \
    if (!spmv_generator_uses(&generator->info, name)) given.member = 0;
    SPMV_GENERATE_PARAMETERS(X)
#undef X
    *o = given;
    st = spmv__check_values(o, err);
    if (st != SPMV_SUCCESS) return st;
#define X(member, number, name, argument, meaning)                                              \
    if (!(o->member >= 0))                                                                      \
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, name " is %g, it must be positive", \
                          (double)o->member);                                                   \
    if (o->member == 0) o->member = defaults->member;
    SPMV_GENERATE_PARAMETERS(X)
#undef X
    if (generator->length != NULL && generator->dims == 0) {
        st = complete_shape(plan, &given, err);
        if (st != SPMV_SUCCESS) return st;
    }
    return generator->prepare == NULL ? SPMV_SUCCESS : generator->prepare(plan, err);
}

spmv_status spmv_generate(spmv_csr *out, const char *kind, const spmv_generate_options *options,
                          spmv_error *err)
{
    SPMV__REQUIRE(out != NULL, err);
    static const spmv_generate_options none;
    const spmv__generator *generator = find(kind);
    spmv__plan plan;
    spmv_csr csr = {0};
    spmv_status st;

    memset(out, 0, sizeof *out);
    if (generator == NULL)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "there is no generator '%s'",
                          kind == NULL ? "" : kind);
    SPMV__TRY(make_plan(&plan, generator, options == NULL ? &none : options, err));
    SPMV__TRY(
        (generator->pattern == NULL ? spmv__generate_rows : generator->pattern)(&csr, &plan, err));
    SPMV__TRY(spmv__fill_values(&csr, &plan, err));
    *out = csr;
    memset(&csr, 0, sizeof csr);
done:
    spmv_csr_destroy(&csr);
    return st;
}
