/* prediction_record.c -- the JSON records of predictions.
 *
 * The ranks may be a million: each is made and printed alone, after the rest of its record. */
#include "cli/bench/model/show_predictions.h"
#include "cli/json/record.h"
#include "cli/ranks/row_shares.h"

#include <stdlib.h>
#include <string.h>

static report *make_head(const prediction *p)
{
    const model_machine *m = &p->machine;
    report *r = record_create_of(p->made);
    record_matrix_named(r, p->file, p->name, &p->stats, p->type, SPMV_CSR);
    report_text(r, "precision", spmv_type_name(p->precision));
    report *model = report_object(r, "model");
    report_integer(model, "ranks", m->ranks);
    report_text(model, "partition", tool_partition_name(p->partition));
    report_real(model, "alpha_s", m->alpha);
    report_real(model, "beta_bytes_per_s", m->beta);
    report_real(model, "memory_bytes_per_s", m->memory);
    report_flag(model, "memory_measured", m->is_measured);
    report_real(model, "one_rank_s", p->one_rank_s);
    report_real(model, "slowest_rank_s", p->time_s);
    report_real(model, "imbalance", p->imbalance);
    report_real(model, "communication", p->communication);
    return r;
}

/* Print a record without its last brace, and release it. */
static bool print_open(report *r, FILE *out)
{
    char *text = report_print(r, false);
    if (text != NULL) fprintf(out, "%.*s", (int)(strlen(text) - 1), text);
    report_destroy(r);
    free(text);
    return text != NULL;
}

static bool write_rank(const rank_figures *figures, FILE *out)
{
    report *r = report_create();
    record_rank(r, figures);
    const bool printed = print_open(r, out);
    fputc('}', out);
    return printed;
}

static bool write_record(const prediction *p, FILE *out)
{
    bool whole = print_open(make_head(p), out);
    fputs(",\"ranks\":[", out);
    for (int64_t k = 0; k < p->machine.ranks && whole; k++) {
        const rank_figures rank = prediction_rank_at(p, k);
        if (k > 0) fputc(',', out);
        whole = write_rank(&rank, out);
    }
    fputs("]}", out);
    return whole;
}

bool prediction_write_jsonl(const void *list, FILE *out)
{
    const prediction_list *all = list;
    bool whole = true;
    for (int i = 0; i < all->count && whole; i++) {
        whole = write_record(&all->item[i], out);
        fputc('\n', out);
    }
    return whole;
}

bool prediction_write_json(const void *list, FILE *out)
{
    const prediction_list *all = list;
    report *r = record_create();
    record_host(r);
    bool whole = print_open(r, out);
    fputs(",\"results\":[", out);
    for (int i = 0; i < all->count && whole; i++) {
        fputs(i > 0 ? ",\n" : "\n", out);
        whole = write_record(&all->item[i], out);
    }
    fputs("\n]}\n", out);
    return whole;
}
