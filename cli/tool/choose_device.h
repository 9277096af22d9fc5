/* choose_device.h -- which device --device names. */
#pragma once

#include "cli/tool/common.h"

/* Store the device that --device names: SPMV_DEVICE_CPU, or a GPU's number.  `auto` is the first
 * GPU where there is one; `gpu` must find one.  Errors: INVALID_ARGUMENT (no such word),
 * NO_DEVICE. */
spmv_status common_device(const common_options *options, int *out, spmv_error *err);

/* Whether --device auto was given, or nothing. */
bool common_is_automatic(const common_options *options);

/* Refuse, as misuse, that several processes are to do something (`what`: "multiply") on a GPU. */
void common_check_several(const common_options *options, const char *what);

/* The same for a tool whose processes may have a GPU each: any other device than auto, cpu and gpu.
 */
void common_check_rank_device(const common_options *options, const char *what);

/* The device of this one of several processes: those of a machine take its GPUs in turn.  All have
 * a GPU or none has: with `needed` they must, else they do where each finds one of its own. *gpus =
 * how many GPUs they have together.  Errors, which all have together: NO_DEVICE. */
spmv_status common_rank_device(const common_options *options, spmv_comm *comm, bool needed,
                               int *device, int *gpus, spmv_error *err);

/* Whether --device all was given, which a tool that offers it takes care of itself: *count = how
 * many GPUs there are.  Errors: NO_DEVICE (there is none). */
bool common_wants_all(const common_options *options);
spmv_status common_all_devices(int *count, spmv_error *err);

/* The same before anything is read, for a tool that takes the CPU for what is small: *device stays
 * the CPU with --device auto, as CUDA needs tenths of a second to say that there is a GPU.
 * --device all: *gpus = how many, of which *device is the first. */
spmv_status common_named_device(const common_options *options, int *device, int *gpus,
                                spmv_error *err);

/* Describe `count` GPUs as one that is as large as all of them, "2 x NAME". */
void common_add_up(spmv_device_info *info, int count);
