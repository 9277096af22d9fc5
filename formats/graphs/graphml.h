/* graphml.h -- telling GraphML from other text. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Returns whether text begins as XML whose first element is, or will soon be, a graphml. */
bool spmv__graphml_recognise(const unsigned char *data, int64_t size);
