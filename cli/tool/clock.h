/* clock.h -- the time that passes. */
#ifndef SPMV_CLI_TOOL_CLOCK_H
#define SPMV_CLI_TOOL_CLOCK_H

double tool_now(void); /* seconds on a clock that only goes forward */

#endif
