/* record.h -- the sections of the JSON record, as spmv-1.schema.json describes them. */
#pragma once

#include "cli/json/json_value.h"
#include "cli/tool/phase.h"

#include <time.h>

/* A record with schema, tool, version, arguments and UTC time; destroy it with report_destroy. */
report *record_create(void);
/* The same of what was found out at another time. */
report *record_create_of(time_t when);

/* The member `matrix` of r, for what else there is to say. */
report *record_matrix(report *r, const char *file, const spmv_row_stats *stats, spmv_type type,
                      spmv_format format);
/* The same of a file that is called `name`. */
report *record_matrix_named(report *r, const char *file, const char *name,
                            const spmv_row_stats *stats, spmv_type type, spmv_format format);
void record_reading(report *r, const spmv_file_info *info);    /* its members into r */
void record_device(report *d, const spmv_device_info *device); /* its members into d */
void record_host(report *r);
void record_phases(report *r); /* those of phase.h */
void record_phase_list(report *r, const tool_phase *phases, int count);
void record_time(report *r, const double *samples, int count); /* seconds; as member time_s */
void record_bandwidth(report *r, const spmv_bandwidth *bandwidth);
/* Why there is no more in r: as member failure, for what else there is to say. */
report *record_failure(report *r, spmv_status st, const spmv_error *err);
/* `product` is the one that the figures are of, "first" or a later one.  The member `verify` of r,
 * for what else there is to say. */
report *record_verification(report *r, const spmv_verification *v, const char *product);
