/* bench_record.h -- the JSON record of a measurement. */
#pragma once

#include "cli/bench/measure/measure_case.h"
#include "cli/json/json_value.h"

/* Returns the record of what is to be measured: all by which a result is known again, and no times.
 */
report *bench_record_plan(const bench_matrix *m, const bench_candidate *s);
report *bench_record(const bench_measurement *m);
/* Returns the record of what could not be measured. */
report *bench_record_failure(const bench_matrix *m, const bench_candidate *s, spmv_status st,
                             const spmv_error *err);
report *bench_record_unreadable(const char *file, const char *name, spmv_status st,
                                const spmv_error *err);
