/* product_record.h -- the JSON record of a measured product, see spmv-1.schema.json. */
#pragma once

#include "cli/bench/spgemm/measure_product.h"
#include "cli/json/json_value.h"

report *bench_product_record(const product_measurement *m);
