/* list_members.c -- spmv-convert --list-members: what is in an archive. */
#include "cli/convert/convert_job.h"
#include "cli/tool/message.h"

#include <inttypes.h>

/* The name comes last: it may hold blanks. */
static void print_member(void *user, const char *name, int64_t bytes)
{
    const tool_input *archive = user;
    if (bytes >= 0)
        printf("%14" PRId64 "  ", bytes);
    else
        printf("%14s  ", "?");
    tool_print_visible(archive->path, stdout);
    fputs("  ", stdout);
    tool_print_visible(name, stdout);
    putchar('\n');
}

static spmv_status list(void *job, const tool_input *input, spmv_error *err)
{
    (void)job;
    tool_input archive = *input;
    return spmv_list_members(input->path, print_member, &archive, err);
}

int convert_list_members(const convert_options *o, const operands *archives)
{
    tool_inputs inputs = {0};
    spmv_error err = {0};
    int worst = 0;
    const spmv_status st = convert_find(o, archives, &inputs, &err);
    if (st == SPMV_SUCCESS) worst = convert_each(&inputs, list, NULL);
    tool_inputs_destroy(&inputs);
    return convert_finish(worst, st, &err);
}
