/* routes.h -- --comm: how processes with a GPU each exchange what they need of each other. */
#pragma once

#include "spmv.h"

/* The routes by their number. */
#define ROUTES "auto|ipc|mpi-host|nccl|mpi-device"

const char *tool_route_name(spmv_route route); /* as the option has it */
