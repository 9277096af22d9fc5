/* routes.h -- --comm: how processes with a GPU each exchange what they need of each other. */
#pragma once

#include "spmv.h"

/* The routes by their number. */
#define ROUTES "auto|ipc|mpi-host|nccl|mpi-device"
#define ROUTES_HELP(what)                                                                     \
    "how processes with a GPU each exchange " what ": ipc, straight from GPU to GPU of one "  \
    "machine; nccl, by NCCL, on any machines; mpi-host, through the memory of the hosts; or " \
    "mpi-device, by an MPI that takes memory of GPUs [auto]"

const char *tool_route_name(spmv_route route); /* as the option has it */
