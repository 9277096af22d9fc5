/* list_members.c -- spmv-convert --list-members: what is in an archive. */
#include "cli/convert/convert_job.h"
#include "cli/tool/fail.h"
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

static spmv_status list(void *work, const tool_input *input, spmv_error *err)
{
    report *all = work; /* NULL: members are printed */
    archive_listing l = {.archive = input};
    if (all == NULL) return spmv_list_members(input->path, tell_member, &l, err);
    report *o = report_object(all, NULL);
    report_text(o, "file", input->path);
    l.members = report_array(o, "members");
    const spmv_status st = spmv_list_members(input->path, tell_member, &l, err);
    if (st != SPMV_SUCCESS) record_failure(o, st, err);
    return st;
}

int convert_list_members(const convert_options *o, const operands *archives)
{
    const common_options *common = &o->common;
    tool_inputs inputs = {0};
    spmv_error err = {0};
    spmv_status st;
    int worst = 0;
    report *r = common->json != NULL ? record_create() : NULL;
    TOOL_TRY(convert_find(o, archives, common->json == NULL, &inputs, &err));
    worst = convert_each(&inputs, list, r != NULL ? report_array(r, "archives") : NULL);
    if (r != NULL) st = report_write(r, common->json, common->force, &err);
done:
    report_destroy(r);
    tool_inputs_destroy(&inputs);
    return convert_finish(worst, st, &err);
}
