/* list_formats.c -- spmv-convert --list-formats, as text or JSON. */
#include "cli/convert/convert_job.h"
#include "cli/tool/tool.h"

#include <stdio.h>
#include <string.h>

enum { SUFFIXES = 26 }; /* columns of them */

/* Returns the length of as many suffixes as fit their column, at least one. */
static int first_suffixes(const char *suffixes)
{
    int length = (int)strcspn(suffixes, " ");
    while (suffixes[length] == ' ') {
        const int more = 1 + (int)strcspn(suffixes + length + 1, " ");
        if (length + more > SUFFIXES) break;
        length += more;
    }
    return length;
}

static void print_formats(void)
{
    const spmv_file_format *f;
    printf("%-9s %-7s %-26s %s\n", "File", "Use", "Suffixes", "What it is");
    for (int i = 0; (f = spmv_file_format_at(i)) != NULL; i++) {
        const char *rest = f->suffixes;
        int length = first_suffixes(rest);
        printf("%-9s %s%s%-*s %-*.*s %s\n", f->name, f->reads ? "r" : "-", f->writes ? "w" : "-", 5,
               "", SUFFIXES, length, rest, f->summary);
        for (rest += length; *rest != '\0'; rest += length) {
            rest++; /* the blank between */
            length = first_suffixes(rest);
            printf("%17s %.*s\n", "", length, rest);
        }
    }
    printf("\n%-9s %s\n", "Binary", "What it holds");
#define X(id, name, meaning) printf("%-9s %s\n", #name, meaning);
    SPMV_FORMAT_TABLE(X)
#undef X
}

int convert_list(const common_options *common)
{
    spmv_status st = SPMV_SUCCESS;
    spmv_error err = {0};
    const spmv_file_format *f;
    if (common->json == NULL) {
        print_formats();
        return tool_finish(st, &err);
    }
    report *r = record_create();
    report *files = report_array(r, "file_formats");
    for (int i = 0; (f = spmv_file_format_at(i)) != NULL; i++) {
        report *o = report_object(files, NULL);
        report_text(o, "name", f->name);
        report_text(o, "suffixes", f->suffixes);
        report_text(o, "summary", f->summary);
        report_flag(o, "reads", f->reads);
        report_flag(o, "writes", f->writes);
    }
    report *formats = report_array(r, "formats");
    report *o;
#define X(id, name, meaning)          \
    o = report_object(formats, NULL); \
    report_text(o, "name", #name);    \
    report_text(o, "summary", meaning);
    SPMV_FORMAT_TABLE(X)
#undef X
    st = report_write(r, common->json, common->force, &err);
    report_destroy(r);
    return tool_finish(st, &err);
}
