/* routes.c -- see routes.h. */
#include "cli/ranks/routes.h"

const char *tool_route_name(spmv_route route)
{
    static const char *const names[] = {[SPMV_ROUTE_AUTO] = "auto",
                                        [SPMV_ROUTE_IPC] = "ipc",
                                        [SPMV_ROUTE_HOST] = "mpi-host",
                                        [SPMV_ROUTE_NCCL] = "nccl",
                                        [SPMV_ROUTE_DEVICE] = "mpi-device"};
    return names[route];
}
