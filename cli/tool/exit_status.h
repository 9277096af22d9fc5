/* exit_status.h -- what a tool that stops on a failure exits with; spmv(7) says what each means. */
#pragma once

#include "spmv.h"

int tool_exit_status(spmv_status status); /* safe in a signal handler */

/* Says that a form of a matrix cannot hold it, or that there is too little memory for it; where
 * there are others, that is no failure. */
bool tool_cannot_hold(spmv_status status);
