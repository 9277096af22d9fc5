/* message.h -- what a tool says on standard error. */
#pragma once

#include "cli/tool/common.h"
#include "cli/tool/fail.h"

/* Say line by line what is said on standard error, so that those of several tools do not mix. */
void tool_speak_in_lines(void);

/* Take over from here on what the options say, --quiet, --verbose and --color, and which ones this
 * tool has. */
void tool_set_messages(const common_options *common, bool (*has_option)(const char *name));

/* Ranks have joined: from here on they learn of each other's errors. */
void tool_ranks_joined(void);

/* Say from here on what only rank 0 says otherwise. */
void tool_speak_up(void);

/* Returns the exit status of this process, where that of the run is `exit_status`: not 0 on rank 0
 * alone, because mpirun ends all others as soon as one fails, maybe before rank 0 has said why.
 * Waits two seconds where ranks have not joined and end together: whoever is not ended by then has
 * an error that rank 0 does not have, says it, and has its status. */
int tool_rank_exit(int exit_status);

/* Print "spmv-run: web.mtx:1042:7: sentence".  Control characters become visible. */
void tool_print_error(spmv_status st, const spmv_error *err);

/* Copy a sentence of the library as far as there is room, and name the options of the command line
 * instead of the members of records that it names: those of spmv-convert where this tool has none.
 */
void tool_spell_options(const char *sentence, char *out, size_t size);

/* Print a sentence as an error that has no place in a file. */
void tool_print_complaint(const char *sentence);

/* Print a name or a piece of a file, with control characters made visible. */
void tool_print_visible(const char *text, FILE *out);

/* Print a warning, unless -q is given. */
void tool_warn(const char *format, ...) TOOL_PRINTF(1, 2);
void tool_warn_reader(void *user, const spmv_error *warning); /* for spmv_read_options.warn */

/* Print one line, unless -q is given. */
void tool_note(const char *format, ...) TOOL_PRINTF(1, 2);

/* Print one line if -v is given and -q is not. */
void tool_detail(const char *format, ...) TOOL_PRINTF(1, 2);
