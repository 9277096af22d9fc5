/* close_gaps.c -- after duplicates were merged, lots move up to where those before them end.
 *
 * Each thread moves some neighbours.  What goes where the neighbours before them were is put aside
 * until these have moved, too. */
#include "core/assemble/assembly.h"

#include <stdlib.h>

/* Lots that a thread moves. */
typedef struct moved_part {
    int64_t lot, end; /* the first, and behind the last */
    int64_t from, to; /* entries: where they are, and go */
    int64_t kept;     /* of them */
    int32_t *col;     /* [from - to] what was put aside */
    double *val;      /* [(from - to) * parts] */
} moved_part;

static void move(const spmv__assembly *job, int64_t from, int64_t to, int64_t n)
{
    const int64_t parts = spmv__assembly_parts(job);
    double *val = job->A.val;
    memmove(job->A.col_idx + to, job->A.col_idx + from, (size_t)n * sizeof *job->A.col_idx);
    if (parts > 0) memmove(val + to * parts, val + from * parts, (size_t)(n * parts) * sizeof *val);
}

static void put_aside(const spmv__assembly *job, const moved_part *part, int64_t from, int64_t to,
                      int64_t n)
{
    const int64_t parts = spmv__assembly_parts(job);
    memcpy(part->col + to, job->A.col_idx + from, (size_t)n * sizeof *part->col);
    if (parts > 0)
        memcpy(part->val + to * parts, (double *)job->A.val + from * parts,
               (size_t)(n * parts) * sizeof *part->val);
}

static void put_back(const spmv__assembly *job, const moved_part *part)
{
    const int64_t parts = spmv__assembly_parts(job), aside = part->from - part->to;
    const int64_t n = aside < part->kept ? aside : part->kept;
    memcpy(job->A.col_idx + part->to, part->col, (size_t)n * sizeof *part->col);
    if (parts > 0)
        memcpy((double *)job->A.val + part->to * parts, part->val,
               (size_t)(n * parts) * sizeof *part->val);
}

static void move_part(const spmv__assembly *job, moved_part *part)
{
    int64_t place = part->to;
    for (int64_t k = part->lot; k < part->end; k++) {
        const spmv__lot *lot = &job->lot[k];
        const int64_t kept = lot->settled.kept, gap = lot->begin - place;
        const int64_t before = part->from - place;
        const int64_t aside = before <= 0 ? 0 : before < kept ? before : kept;
        if (aside > 0) put_aside(job, part, lot->begin, place - part->to, aside);
        if (gap > 0) move(job, lot->begin + aside, place + aside, kept - aside);
        for (int64_t r = lot->row; r < lot->row + lot->rows; r++) job->A.row_ptr[r + 1] -= gap;
        place += kept;
    }
    part->kept = place - part->to;
}

/* Cut the lots into parts of about as many entries; returns how many are put aside. */
static int64_t cut(const spmv__assembly *job, moved_part *part, int parts)
{
    int64_t place = 0, k = 0, aside = 0;
    for (int t = 0; t < parts; t++) {
        part[t] = (moved_part){
            .lot = k, .from = k < job->lots ? job->lot[k].begin : job->A.nnz, .to = place};
        aside += part[t].from - part[t].to;
        for (;
             k < job->lots && (t == parts - 1 || job->lot[k].begin < job->A.nnz / parts * (t + 1));
             k++)
            place += job->lot[k].settled.kept;
        part[t].end = k;
    }
    return aside;
}

/* Where little of a matrix is kept, one thread moves all of it and puts nothing aside. */
static int64_t cut_for(const spmv__assembly *job, moved_part *part, int *parts)
{
    const int64_t aside = cut(job, part, *parts);
    if (aside <= job->A.nnz / 32) return aside;
    *parts = 1;
    return cut(job, part, 1);
}

spmv_status spmv__close_gaps(spmv__assembly *job, int threads, spmv_error *err)
{
    const int64_t values = spmv__assembly_parts(job);
    moved_part *part = NULL;
    int32_t *col = NULL;
    double *val = NULL;
    int64_t aside = 0;
    spmv_status st;
    SPMV__TRY(spmv__alloc(&part, threads, sizeof *part, "sorting", err));
    aside = cut_for(job, part, &threads);
    SPMV__TRY(spmv__alloc_unset(&col, aside, sizeof *col, "sorting", err));
    SPMV__TRY(spmv__alloc_unset(&val, aside * values, sizeof *val, "sorting", err));
    aside = 0;
    for (int t = 0; t < threads; t++) {
        part[t].col = col + aside;
        part[t].val = val + aside * values;
        aside += part[t].from - part[t].to;
    }
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(static, 1)
        for (int t = 0; t < threads; t++) move_part(job, &part[t]);
#pragma omp for schedule(static, 1)
        for (int t = 0; t < threads; t++) put_back(job, &part[t]);
    }
    job->A.nnz = part[threads - 1].to + part[threads - 1].kept;
done:
    free(part);
    free(col);
    free(val);
    return st;
}
