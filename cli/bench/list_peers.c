/* list_peers.c -- spmv-bench --list-peers, as text or JSON. */
#include "cli/bench/bench.h"
#include "cli/bench/peers/peers.h"
#include "cli/json/record.h"
#include "cli/tool/tool.h"

#include <stdio.h>

static void print_peers(void)
{
    bench_peer p;
    const char *library, *summary;
    printf("%-18s %-6s %s\n", "Peer", "Device", "What it does");
    for (int i = 0; (p = bench_peer_at(i)).name != NULL; i++)
        printf("%-18s %-6s %s\n", p.name, p.gpu ? "gpu" : "cpu", p.summary);
    for (int i = 0; (library = bench_missing_library(i, &summary)) != NULL; i++)
        printf("%-18s %-6s %s (not in this build)\n", library, "", summary);
}

int bench_list_peers(const common_options *common)
{
    spmv_error err = {0};
    bench_peer p;
    if (common->json == NULL) {
        print_peers();
        return tool_finish(SPMV_SUCCESS, &err);
    }
    report *r = record_create(), *all = report_array(r, "peers");
    for (int i = 0; (p = bench_peer_at(i)).name != NULL; i++) {
        report *o = report_object(all, NULL);
        report_text(o, "name", p.name);
        report_text(o, "summary", p.summary);
        report_text(o, "device", p.gpu ? "gpu" : "cpu");
    }
    const spmv_status st = report_write(r, common->json, common->force, &err);
    report_destroy(r);
    return tool_finish(st, &err);
}
