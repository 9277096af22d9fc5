/* phase.c -- the phases of a run, timed. */
#include "cli/tool/phase.h"
#include "cli/tool/message.h"
#include "cli/text/number_text.h"
#include "cli/tool/progress.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static tool_phase phases[TOOL_PHASES];
static int phase_count;
static tool_phase *current;
static double started;
static char title[192]; /* "read web.mtx" */

void tool_phase_begin(const char *name, const char *subject)
{
    int i = 0;
    while (i < phase_count && strcmp(phases[i].name, name) != 0) i++;
    assert(i < TOOL_PHASES);
    if (i == phase_count) phases[phase_count++].name = name;
    current = &phases[i];
    snprintf(title, sizeof title, "%s%s%s", name, subject != NULL ? " " : "",
             subject != NULL ? subject : "");
    tool_progress_begin(title);
    started = spmv_now();
}

void tool_phase_end(int64_t bytes)
{
    const double seconds = spmv_now() - started;
    char time[TOOL_NUMBER], size[TOOL_NUMBER];
    tool_progress_end();
    current->seconds += seconds;
    current->bytes += bytes;
    if (bytes > 0)
        tool_detail("%s: %s, %s", title, tool_time_text(seconds, time),
                    tool_bytes_text((double)bytes, size));
    else
        tool_detail("%s: %s", title, tool_time_text(seconds, time));
}

int tool_phase_count(void)
{
    return phase_count;
}

const tool_phase *tool_phase_at(int i)
{
    return &phases[i];
}
