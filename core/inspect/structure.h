/* structure.h -- what the parts of spmv_structure_compute share. */
#pragma once

#include "spmv.h"

/* Fill in the members that follow from the values val[n] alone. */
void spmv__scan_values(spmv_structure *s, spmv_type type, const void *val, int64_t n);
