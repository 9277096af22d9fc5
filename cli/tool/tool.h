/* tool.h -- how every tool begins and ends.
 *
 *     int main(int argc, char **argv)
 *     {
 *         my_options options = {.common = COMMON_DEFAULTS};
 *         operands files;
 *         spmv_error err = {0};
 *         tool_start(&self, argc, argv, &options.common, &files);
 *         return tool_finish(work(&options, &files, &err), &err);
 *     }
 */
#pragma once

#include "cli/tool/common.h"
#include "cli/tool/fail.h"

/* Set up signals, read the command line, and answer -h, -V and --completion (which end the
 * process, as misuse does: one line on stderr, status 2).
 *
 *   options  first member of the record that the tables of t set; in: the defaults */
void tool_start(const tool *t, int argc, char **argv, common_options *options, operands *out);

/* Where no operand is given and a file or a pipe is standard input, make that the operand. */
void tool_take_pipe(operands *files);

/* Report a failure and close standard output; returns what main must return: 0, or the exit status
 * of `st`, or 4 when standard output could not be written. */
int tool_finish(spmv_status st, const spmv_error *err);

/* Close standard output after a run that came to its end with an answer other than yes: 1 for not
 * verified or not converged, the highest status of several files. */
int tool_finish_with(int exit_status);

/* End in misuse where an operand stands beside `mode`, an option that only lists something, or an
 * option that says anything but how and where that is told. */
void tool_check_listing(const char *mode, const common_options *options, const operands *words);

/* End because the command line makes no sense: one line, the usage line, status 2. */
void tool_misuse(const char *format, ...) TOOL_PRINTF(1, 2) TOOL_NORETURN;
