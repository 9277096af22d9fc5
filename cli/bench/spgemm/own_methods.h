/* own_methods.h -- our ways to make C = A B, as candidates of a benchmark. */
#pragma once

#include "core/multiply/spgemm_method.h"

/* Ends with a name that is NULL. */
extern const spmv_spgemm_method bench_own_methods[];

/* The method of this name; NULL where there is none. */
const spmv_spgemm_method *bench_own_method(const char *name);

/* The ones that are measured only when they are named: they would take too long. */
bool bench_method_is_slow(const spmv_spgemm_method *method);
