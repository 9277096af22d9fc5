/* list_members.c -- spmv-convert --list-members: what is in an archive. */
#include "cli/convert/convert_job.h"
#include "cli/tool/message.h"

#include <inttypes.h>

/* The name comes last: it may hold blanks. */
static void print_member(const tool_input *archive, const char *name, int64_t bytes)
{
    if (bytes >= 0)
        printf("%14" PRId64 "  ", bytes);
    else
        printf("%14s  ", "?");
    tool_print_visible(archive->path, stdout);
    fputs("  ", stdout);
    tool_print_visible(name, stdout);
    putchar('\n');
}

typedef struct archive_listing {
    const tool_input *archive;
    report *members; /* NULL: they are printed */
} archive_listing;

static void tell_member(void *user, const char *name, int64_t bytes)
{
    const archive_listing *l = user;
    if (l->members == NULL) {
        print_member(l->archive, name, bytes);
        return;
    }
    report *o = report_object(l->members, NULL);
    report_text(o, "name", name);
    if (bytes >= 0) report_integer(o, "bytes", bytes);
}

static spmv_status list(convert_task *task, const tool_input *input, spmv_error *err)
{
    archive_listing l = {.archive = input};
    if (task->all == NULL) return spmv_list_members(input->path, tell_member, &l, err);
    report *o = report_object(task->all, NULL);
    report_text(o, "file", input->path);
    l.members = report_array(o, "members");
    const spmv_status st = spmv_list_members(input->path, tell_member, &l, err);
    if (st != SPMV_SUCCESS) record_failure(o, st, err);
    return st;
}

int convert_list_members(const convert_options *o, const operands *archives)
{
    convert_task task = {.options = o, .array = "archives", .prints = true, .work = list};
    return convert_run(&task, archives);
}
