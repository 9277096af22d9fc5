/* export.h -- how results are shown: one exporter a file, one line in the table. */
#pragma once

#include "cli/bench/show/bench_result.h"

#include <stdio.h>

/* All results come first to last through `begin`, once per matrix `matrix`, and `end`; each may be
 * NULL.  They return false when there is too little memory to write what they should. */
typedef struct bench_exporter {
    const char *name;   /* word of --format */
    const char *suffix; /* of a file in this format */
    void (*begin)(FILE *out);
    bool (*matrix)(const bench_result *item, int count, FILE *out);
    bool (*end)(const bench_results *all, FILE *out);
} bench_exporter;

extern const bench_exporter bench_export_table, bench_export_json, bench_export_jsonl,
    bench_export_csv, bench_export_markdown;

#define BENCH_FORMATS "table|json|jsonl|csv|markdown"
enum { BENCH_TABLE, BENCH_JSON, BENCH_JSONL };
extern const bench_exporter *const bench_exporters[];  /* in the order of BENCH_FORMATS */
extern const bench_exporter bench_summary_exporters[]; /* of the summary alone, in this order */
const bench_exporter *bench_exporter_of(int format, bool summary); /* of either */
int bench_format_of(const char *suffix); /* in bench_exporters; -1: none has it */

/* The summary after the results: of those that are of several matrices.  They return false where
 * there is too little memory. */
bool bench_summarise_table(const bench_results *all, FILE *out);
bool bench_summarise_markdown(const bench_results *all, FILE *out);
bool bench_record_summary(report *r, const bench_results *all); /* as the member `summary` */

/* ---- Where to: standard output as the run goes on; a file whole at the end, but for JSON lines,
 * which a broken run leaves behind to be continued. */
typedef struct bench_output bench_output;

/* Opens an output.  With `kept` it goes on after that many bytes of the file; with -1 it begins the
 * file or, with `force`, replaces it, but with `resume` goes on in what another run has begun
 * since. Either is done with the first results: until then a file of JSON lines stays as it is. */
spmv_status bench_output_open(bench_output **out, const bench_exporter *exporter, const char *path,
                              int64_t kept, bool force, bool resume, spmv_error *err);
/* Results from `first` on are new, all of one matrix. */
spmv_status bench_output_add(bench_output *o, const bench_results *all, int first, spmv_error *err);
/* Both release the output; NULL is allowed. */
spmv_status bench_output_close(bench_output *o, const bench_results *all, spmv_error *err);
void bench_output_discard(bench_output *o); /* lines that are written stay */

/* What `write` writes, to standard output or into a file, which appears whole; it returns false
 * where there is too little memory.  Errors: FILE_IO, OUT_OF_MEMORY. */
spmv_status bench_write_text(bool (*write)(const void *what, FILE *out), const void *what,
                             const char *path, bool force, spmv_error *err);

/* All results at once. */
spmv_status bench_export_all(const bench_exporter *exporter, const bench_results *all,
                             const char *path, bool force, spmv_error *err);
