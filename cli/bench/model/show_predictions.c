/* show_predictions.c -- predictions for people, and as comma-separated values. */
#include "cli/bench/model/show_predictions.h"
#include "cli/bench/model/prediction_columns.h"
#include "cli/json/json_value.h"
#include "cli/text/cell_text.h"
#include "cli/ranks/row_shares.h"
#include "cli/tool/message.h"

/* ---- For people ----------------------------------------------------------------------------- */

/* The text of a cell. */
static const char *show(const prediction_column *c, const prediction_row *row,
                        char text[BENCH_TEXT])
{
    if (row->label != NULL && c->offset == offsetof(rank_figures, rank)) return row->label;
    return c->show(rank_figure_at(&row->figures, c->offset), text);
}

static void write_machine(const prediction *p, FILE *out)
{
    const model_machine *m = &p->machine;
    char ranks[BENCH_TEXT], alpha[BENCH_TEXT], beta[BENCH_TEXT], memory[BENCH_TEXT];
    fprintf(out, "%s rank%s by %s, %s a message, %s/s between ranks, memory %s/s (%s)\n",
            tool_count_text(m->ranks, ranks), m->ranks == 1 ? "" : "s",
            tool_partition_name(p->partition), tool_time_text(m->alpha, alpha),
            tool_bytes_text(m->beta, beta), tool_bytes_text(m->memory, memory),
            m->is_measured ? "measured here" : "as given");
}

static void write_whole(const prediction *p, FILE *out)
{
    char time[BENCH_TEXT], one[BENCH_TEXT], share[BENCH_TEXT];
    fprintf(out, "%s on the slowest rank, %.4g times as fast as %s on one rank\n",
            tool_time_text(p->time_s, time), p->time_s > 0 ? p->one_rank_s / p->time_s : 1,
            tool_time_text(p->one_rank_s, one));
    fprintf(out, "the largest part is %.3g times the mean; communication takes %s of the time\n",
            p->imbalance, bench_show_percent(p->communication, share));
}

static void write_shape(const prediction *p, FILE *out)
{
    char rows[BENCH_TEXT], cols[BENCH_TEXT], nnz[BENCH_TEXT];
    fprintf(out, "%s x %s, %s nonzeros of %s, vectors of %s\n",
            tool_count_text(p->stats.rows, rows), tool_count_text(p->stats.cols, cols),
            tool_count_text(p->stats.nnz, nnz), spmv_type_name(p->type),
            spmv_type_name(p->precision));
}

static void write_table(const prediction *p, FILE *out)
{
    prediction_row row[PREDICTION_ROWS];
    char text[BENCH_TEXT];
    const int rows = prediction_choose_rows(p, row);
    tool_print_visible(p->name, out);
    fputs(": a model's prediction, not a measurement\n", out);
    write_shape(p, out);
    write_machine(p, out);
    write_whole(p, out);
    for (int r = -1; r < rows; r++) {
        for (int i = 0; i < PREDICTION_COLUMNS; i++) {
            const prediction_column *c = &prediction_columns[i];
            fputc(' ', out);
            bench_print_right(r < 0 ? c->heading : show(c, &row[r], text), c->width - 1, out);
        }
        fputc('\n', out);
    }
}

static bool write_tables(const void *list, FILE *out)
{
    const prediction_list *all = list;
    for (int i = 0; i < all->count; i++) {
        if (i > 0) fputc('\n', out);
        write_table(&all->item[i], out);
    }
    return true;
}

static void write_markdown_row(const prediction_row *row, FILE *out)
{
    char text[BENCH_TEXT];
    for (int i = 0; i < PREDICTION_COLUMNS; i++) {
        const prediction_column *c = &prediction_columns[i];
        fprintf(out, "| %s ", row != NULL ? show(c, row, text) : c->heading);
    }
    fputs("|\n", out);
}

static bool write_markdown(const void *list, FILE *out)
{
    const prediction_list *all = list;
    prediction_row row[PREDICTION_ROWS];
    for (int i = 0; i < all->count; i++) {
        const prediction *p = &all->item[i];
        const int rows = prediction_choose_rows(p, row);
        fputs("\n**", out);
        tool_markdown_text(p->name, out);
        fputs("**: a model's prediction, not a measurement\n\n", out);
        write_shape(p, out);
        fputs("\n", out);
        write_machine(p, out);
        fputs("\n", out);
        write_whole(p, out);
        fputs("\n", out);
        write_markdown_row(NULL, out);
        for (int c = 0; c < PREDICTION_COLUMNS; c++) fputs("|--:", out);
        fputs("|\n", out);
        for (int r = 0; r < rows; r++) write_markdown_row(&row[r], out);
    }
    return true;
}

/* ---- Comma-separated values ----------------------------------------------------------------- */

/* What all ranks of a prediction have in common. */
static void write_common_fields(const prediction *p, FILE *out)
{
    const model_machine *m = &p->machine;
    const double number[] = {m->alpha,  m->beta,      m->memory,       p->one_rank_s,
                             p->time_s, p->imbalance, p->communication};
    char text[REPORT_REAL_SIZE];
    fputs("model,", out);
    tool_csv_text(p->file, out);
    fputc(',', out);
    tool_csv_text(p->name, out);
    fprintf(out, ",%s,%s,%lld,%s", spmv_type_name(p->type), spmv_type_name(p->precision),
            (long long)m->ranks, tool_partition_name(p->partition));
    for (size_t i = 0; i < sizeof number / sizeof number[0]; i++)
        fprintf(out, ",%s", report_show_real(number[i], text));
}

static void write_lines(const prediction *p, FILE *out)
{
    char text[REPORT_REAL_SIZE];
    for (int64_t k = 0; k < p->machine.ranks; k++) {
        const rank_figures r = prediction_rank_at(p, k);
        write_common_fields(p, out);
        for (int i = 0; i < RANK_FIGURES; i++) {
            const double number = rank_figure_at(&r, rank_figure_table[i].offset);
            fprintf(out, ",%s", report_show_real(number, text));
        }
        fputs("\r\n", out);
    }
}

static bool write_csv(const void *list, FILE *out)
{
    const prediction_list *all = list;
    fputs("source,file,matrix,type,precision,ranks,partition,alpha_s,beta_bytes_per_s,"
          "memory_bytes_per_s,one_rank_s,slowest_rank_s,imbalance,communication",
          out);
    for (int i = 0; i < RANK_FIGURES; i++) fprintf(out, ",%s", rank_figure_table[i].key);
    fputs("\r\n", out);
    for (int i = 0; i < all->count; i++) write_lines(&all->item[i], out);
    return true;
}

prediction_writer *const prediction_writers[] = {write_tables, prediction_write_json,
                                                 prediction_write_jsonl, write_csv, write_markdown};
