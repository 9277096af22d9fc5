/* choose_device.h -- which device --device names. */
#pragma once

#include "cli/tool/common.h"

/* Store the device that --device names: SPMV_DEVICE_CPU, or a GPU's number.  `auto` is the first
 * GPU where there is one; `gpu` must find one.  Errors: INVALID_ARGUMENT (no such word),
 * NO_DEVICE. */
spmv_status common_device(const common_options *options, int *out, spmv_error *err);
