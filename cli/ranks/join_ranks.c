/* join_ranks.c -- see join_ranks.h. */
#include "cli/ranks/join_ranks.h"
#include "cli/tool/exit_status.h"
#include "cli/tool/message.h"
#include "cli/tool/ranks.h"

#define PATIENCE 3.0 /* seconds */

static int tell(spmv_status st, const spmv_error *err)
{
    tool_speak_up();
    tool_print_error(st, err);
    return tool_exit_status(st);
}

spmv_status tool_join_ranks(spmv_comm **out, spmv_error *err)
{
    if (tool_rank_count() == 1) return spmv_comm_alone(out, err);
    const spmv_status st = spmv_comm_join(out, err);
    if (st == SPMV_SUCCESS) {
        tool_ranks_joined();
        spmv_comm_set_patience(*out, PATIENCE, tell);
    }
    return st;
}
