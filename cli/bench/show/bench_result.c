/* bench_result.c -- see bench_result.h. */
#include "cli/bench/show/bench_result.h"
#include "cli/measure/samples.h"
#include "cli/tool/fail.h"
#include "cli/tool/path.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool bench_result_is_peer(const bench_result *r)
{
    return strchr(r->kernel, ':') != NULL;
}

bool bench_result_measured(const bench_result *r)
{
    return r->warm.median > 0;
}

bool bench_result_works(const bench_result *r)
{
    return bench_result_measured(r) && (!r->verified || r->pass);
}

spmv_status bench_result_failure(const bench_result *r)
{
    const char *name = report_text_at(r->record, "failure.status");
#define X(status, ...) \
    if (strcmp(name, #status) == 0) return status;
    SPMV_STATUS_TABLE(X)
#undef X
    return SPMV_SUCCESS;
}

bool bench_result_counts(const bench_result *r)
{
    return bench_result_measured(r) && r->verified && r->pass;
}

bool bench_result_has_interval(const bench_result *r)
{
    return r->warm.samples == 0 || r->warm.samples >= SAMPLES_WITH_INTERVAL;
}

bool bench_result_replaces(const bench_result *later, const bench_result *earlier)
{
    return bench_result_counts(later) || !bench_result_counts(earlier);
}

const char *bench_result_tell_wrong(const bench_result *r, char text[BENCH_TEXT])
{
    const double all =
        isnan(r->product_nnz) ? (double)r->rows * (double)r->vectors : r->product_nnz;
    if (isnan(r->wrong))
        snprintf(text, BENCH_TEXT, "of the result");
    else
        snprintf(text, BENCH_TEXT, "%.0f of %.0f, as in row %.0f", r->wrong, all, r->worst_row + 1);
    return text;
}

const char *bench_result_doubt(const bench_result *r, char text[BENCH_TEXT])
{
    char wrong[BENCH_TEXT];
    if (!bench_result_measured(r) || bench_result_counts(r)) return NULL;
    if (!r->verified) return "not verified";
    snprintf(text, BENCH_TEXT, "WRONG: %.80s", bench_result_tell_wrong(r, wrong));
    return text;
}

const char *bench_result_reason(const bench_result *r, char text[BENCH_TEXT])
{
    if (isnan(r->fill)) return r->error;
    snprintf(text, BENCH_TEXT, r->fill < 100 ? "n/a (fill %.3g)" : "n/a (fill %.0f)", r->fill);
    return text;
}

static int put_number(char *out, size_t room, int64_t n, const char *what)
{
    return snprintf(out, room, ", %" PRId64 " %s%s", n, what, n == 1 ? "" : "s");
}

const char *bench_result_way(const bench_result *r, char text[BENCH_WAY])
{
    int n = snprintf(text, BENCH_WAY, "%.48s", r->precision);
    if (r->vectors > 1) n += put_number(text + n, (size_t)(BENCH_WAY - n), r->vectors, "vector");
    if (r->threads > 0) n += put_number(text + n, (size_t)(BENCH_WAY - n), r->threads, "thread");
    if (r->ranks > 0) put_number(text + n, (size_t)(BENCH_WAY - n), r->ranks, "rank");
    return text;
}

/* ---- Which are the same --------------------------------------------------------------------- */

/* A text or a number that one of the records does not hold ("", 0) fits all others. */
static bool text_fits(const char *a, const char *b)
{
    return *a == '\0' || *b == '\0' || strcmp(a, b) == 0;
}

static bool count_fits(int64_t a, int64_t b)
{
    return a == 0 || b == 0 || a == b;
}

static bool same_size(const bench_result *a, const bench_result *b)
{
    return a->rows == b->rows && a->cols == b->cols && a->nnz == b->nnz;
}

/* `name` and `other` stand for the content where there is no checksum. */
static bool same_content(const bench_result *a, const bench_result *b, const char *name,
                         const char *other)
{
    const bool known = a->checksum[0] != '\0' && b->checksum[0] != '\0';
    return known ? strcmp(a->checksum, b->checksum) == 0 : strcmp(name, other) == 0;
}

static bool same_place(const bench_result *a, const bench_result *b)
{
    return text_fits(a->device, b->device) && text_fits(a->host, b->host) &&
           count_fits(a->threads, b->threads);
}

/* Checksums of one matrix differ with the precision. */
bool bench_result_one_matrix(const bench_result *a, const bench_result *b)
{
    return same_size(a, b) && strcmp(a->matrix, b->matrix) == 0;
}

/* Copies of a matrix under several names keep their own tables. */
bool bench_result_same_matrix(const bench_result *a, const bench_result *b)
{
    return bench_result_one_matrix(a, b) && same_content(a, b, a->file, b->file) &&
           strcmp(a->precision, b->precision) == 0 && a->vectors == b->vectors &&
           text_fits(a->host, b->host) && count_fits(a->threads, b->threads) &&
           a->ranks == b->ranks && strcmp(a->operation, b->operation) == 0;
}

bool bench_result_same(const bench_result *a, const bench_result *b, bench_match how)
{
    if (!same_size(a, b) || strcmp(a->kernel, b->kernel) != 0 || a->vectors != b->vectors ||
        a->ranks != b->ranks || strcmp(a->operation, b->operation) != 0 ||
        !text_fits(a->precision, b->precision) || !text_fits(a->device_kind, b->device_kind) ||
        !same_content(a, b, tool_base_name(a->file), tool_base_name(b->file)))
        return false;
    if (how < BENCH_ELSEWHERE && !same_place(a, b)) return false;
    return how > BENCH_ALIKE ||
           (count_fits(a->block_size, b->block_size) && a->x_readonly == b->x_readonly);
}

void bench_write_place(const bench_result *r, void (*write)(const char *text, FILE *out), FILE *out)
{
    write(r->device, out);
    if (!r->other_hosts || r->host[0] == '\0') return;
    fputs(" on ", out);
    write(r->host, out);
}

/* ---- The list of them ----------------------------------------------------------------------- */

/* Returns where the first result of the matrix of `r` stands, or would. */
static int *place_of(const bench_results *all, const bench_result *r)
{
    uint64_t hash = (uint64_t)r->rows ^ (uint64_t)r->cols << 20 ^ (uint64_t)r->nnz << 40;
    for (const char *c = r->matrix; *c != '\0'; c++)
        hash = (hash ^ (unsigned char)*c) * 0x100000001b3; /* FNV-1a */
    hash ^= hash >> 32;
    const uint64_t places = 2 * (uint64_t)all->room;
    int *at = &all->first[hash % places];
    while (*at >= 0 && !bench_result_one_matrix(&all->item[*at], r))
        at = at + 1 < all->first + places ? at + 1 : all->first;
    return at;
}

/* Puts the last result behind those of its matrix. */
static void chain(bench_results *all)
{
    const int own = all->count - 1;
    bench_result *r = &all->item[own];
    int *first = place_of(all, r);
    r->next = -1;
    if (*first < 0)
        *first = own;
    else
        all->item[all->item[*first].last].next = own;
    r->first = *first;
    all->item[*first].last = own;
}

static spmv_status grow(bench_results *all, spmv_error *err)
{
    const int room = all->room > 0 ? 2 * all->room : 64;
    bench_result *item = realloc(all->item, (size_t)room * sizeof *item);
    int *first = item != NULL ? malloc(2 * (size_t)room * sizeof *first) : NULL;
    if (item != NULL) all->item = item;
    if (first == NULL)
        return tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot store %d results", room);
    free(all->first);
    all->first = first;
    all->room = room;
    for (int i = 0; i < 2 * room; i++) first[i] = -1;
    for (int i = 0; i < all->count; i++)
        if (item[i].first == i) *place_of(all, &item[i]) = i;
    return SPMV_SUCCESS;
}

spmv_status bench_results_add(bench_results *all, report *record, spmv_error *err)
{
    if (all->count == all->room) {
        const spmv_status st = grow(all, err);
        if (st != SPMV_SUCCESS) {
            report_destroy(record);
            return st;
        }
    }
    bench_result *added = &all->item[all->count++];
    *added = bench_result_view(record);
    added->max_noise = all->max_noise;
    chain(all);
    if (all->host == NULL && added->host[0] != '\0') all->host = added->host;
    const bool differs = all->host != NULL && !text_fits(all->host, added->host);
    const bool first = differs && !all->item[0].other_hosts;
    for (int i = 0; first && i < all->count; i++) all->item[i].other_hosts = true;
    added->other_hosts = all->item[0].other_hosts;
    return SPMV_SUCCESS;
}

void bench_results_destroy(bench_results *all)
{
    for (int i = 0; i < all->count; i++) report_destroy(all->item[i].record);
    free(all->item);
    free(all->first);
    *all = (bench_results){0};
}

/* ---- What they say together ----------------------------------------------------------------- */

const bench_result *bench_fastest(const bench_result *item, int count, bool peer,
                                  const char *device_kind)
{
    const bench_result *best = NULL;
    for (int i = 0; i < count; i++) {
        const bench_result *r = &item[i];
        if (!bench_result_works(r) || bench_result_is_peer(r) != peer ||
            strcmp(r->device_kind, device_kind) != 0)
            continue;
        if (best == NULL || r->warm.median < best->warm.median) best = r;
    }
    return best;
}

/* The fastest of the peers, or of our kernels, that `r` can be measured against; csr: of those that
 * take CSR as it is. */
static const bench_result *rival(const bench_results *all, const bench_result *r, bool peer,
                                 bool csr)
{
    const bench_result *best = NULL;
    for (int i = r->first; i >= 0; i = all->item[i].next) {
        const bench_result *o = &all->item[i];
        if (!bench_result_same_matrix(o, r) || !same_place(o, r) ||
            (csr && strcmp(o->format, "csr") != 0))
            continue;
        const bench_result *one = bench_fastest(o, 1, peer, r->device_kind);
        if (one != NULL && (best == NULL || one->warm.median < best->warm.median)) best = one;
    }
    return best;
}

/* The kernel of several GPUs on one of them, chosen in the same way; NULL where it was not
 * measured. */
static const bench_result *on_one_gpu(const bench_results *all, const bench_result *r)
{
    const char *kernel = report_text_at(r->record, "kernel");
    const char *number = strstr(r->device, " x ");
    if (r->gpus == 0 || number == NULL) return NULL;
    for (int i = r->first; i >= 0; i = all->item[i].next) {
        const bench_result *o = &all->item[i];
        if (o->gpus == 0 && strcmp(o->kernel, kernel) == 0 && bench_result_same_matrix(o, r) &&
            strcmp(o->device, number + 3) == 0 && strcmp(o->chosen_by, r->chosen_by) == 0 &&
            bench_result_works(o))
            return o;
    }
    return NULL;
}

/* Returns how often one has to multiply until `r`, its set-up included, takes no longer than
 * `base`. */
static double break_even(const bench_result *r, const bench_result *base)
{
    const double gain = base->warm.median - r->warm.median, cost = r->setup_s - base->setup_s;
    if (cost <= 0 && gain >= 0) return 0;
    return gain > 0 ? ceil(cost / gain) : NAN;
}

/* Without `r` one would hand CSR to the peer, or where there is none to us. */
static void relate(const bench_results *all, bench_result *r)
{
    const bench_result *peer = rival(all, r, true, false), *base = rival(all, r, true, true);
    if (base == NULL) base = rival(all, r, false, true);
    r->break_even = base != NULL ? break_even(r, base) : NAN;
    if (isfinite(r->break_even)) {
        report *o = report_object(r->record, "break_even");
        report_text(o, "kernel", base->kernel);
        report_real(o, "multiplications", r->break_even);
        report_real(o, "setup_multiplications", r->setup_s / base->warm.median);
    }
    r->peer_ratio = peer != NULL ? peer->warm.median / r->warm.median : NAN;
    if (isfinite(r->peer_ratio)) {
        report *o = report_object(r->record, "best_peer");
        report_text(o, "kernel", peer->kernel);
        report_real(o, "ratio", r->peer_ratio);
    }
    const bench_result *alone = on_one_gpu(all, r);
    r->speedup = alone != NULL && bench_result_works(r) ? alone->warm.median / r->warm.median : NAN;
    if (isfinite(r->speedup)) report_real(r->record, "speedup", r->speedup);
}

void bench_relate(bench_results *all, int first)
{
    for (int i = first; i < all->count; i++)
        if (bench_result_measured(&all->item[i])) relate(all, &all->item[i]);
}

const char *bench_result_point(const bench_results *all, const bench_result *r,
                               char text[BENCH_WAY])
{
    bool precision = false, vectors = false, threads = false, ranks = false, host = false;
    int n = 0;
    for (int i = r->first; i >= 0; i = all->item[i].next) {
        const bench_result *o = &all->item[i];
        precision = precision || !text_fits(o->precision, r->precision);
        vectors = vectors || o->vectors != r->vectors;
        threads = threads || !count_fits(o->threads, r->threads);
        ranks = ranks || o->ranks != r->ranks;
        host = host || !text_fits(o->host, r->host);
    }
    text[0] = '\0';
    if (precision) n += snprintf(text, BENCH_WAY, ", %.48s", r->precision);
    if (vectors) n += put_number(text + n, (size_t)(BENCH_WAY - n), r->vectors, "vector");
    if (threads) n += put_number(text + n, (size_t)(BENCH_WAY - n), r->threads, "thread");
    if (ranks && r->ranks > 0) n += put_number(text + n, (size_t)(BENCH_WAY - n), r->ranks, "rank");
    if (host) snprintf(text + n, (size_t)(BENCH_WAY - n), ", %.48s", r->host);
    if (text[0] != '\0') memmove(text, text + 2, strlen(text) - 1);
    return text;
}

static bool is_new_device(const bench_results *all, int i)
{
    const bench_result *r = &all->item[i];
    for (int k = 0; k < i; k++)
        if (strcmp(all->item[k].device, r->device) == 0 && text_fits(all->item[k].host, r->host))
            return false;
    return r->device[0] != '\0';
}

int bench_group_of(const bench_results *all, int k)
{
    int i = all->item[k].first;
    while (!bench_result_same_matrix(&all->item[i], &all->item[k])) i = all->item[i].next;
    return i;
}

bool bench_is_in_group(const bench_results *all, int i, int k)
{
    return bench_result_same_matrix(&all->item[i], &all->item[k]) && bench_group_of(all, k) == i;
}

int bench_gather(const bench_results *all, int i, bench_result *out)
{
    int count = 0;
    for (int k = i; k >= 0; k = all->item[k].next) {
        if (!bench_is_in_group(all, i, k)) continue;
        out[count] = all->item[k];
        out[count++].new_device = is_new_device(all, k);
    }
    return count;
}
