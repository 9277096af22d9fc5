/* explain_choice.c -- what was weighed in the choice of a kernel, as lines and as JSON. */
#include "cli/run/run.h"
#include "cli/text/number_text.h"
#include "cli/tool/message.h"

#include <inttypes.h>
#include <math.h>

static void tell_weighed(const spmv_weighed *k)
{
    char product[TOOL_NUMBER], setup[TOOL_NUMBER];
    tool_time_text(k->product_s, product);
    if (k->setup_s == 0)
        tool_note("%s: about %s a multiplication (%s)", k->options.kernel, product, k->reason);
    else if (isinf(k->break_even))
        tool_note("%s: about %s a multiplication, and %s to set up, which never pays (%s)",
                  k->options.kernel, product, tool_time_text(k->setup_s, setup), k->reason);
    else
        tool_note("%s: about %s a multiplication, and %s to set up, which pays from %.0f "
                  "multiplications on (%s)",
                  k->options.kernel, product, tool_time_text(k->setup_s, setup), k->break_even,
                  k->reason);
}

void run_explain(const run_job *job)
{
    const spmv_weighing *w = &job->weighing;
    char time[TOOL_NUMBER];
    for (int i = 0; i < w->count; i++) tell_weighed(&w->kernel[i]);
    for (int i = 0; i < job->tried_count; i++)
        tool_note("%s: %s a multiplication", job->tried[i].kernel,
                  tool_time_text(job->tried[i].seconds, time));
    if (w->count > 0)
        tool_note("%s takes the least time for %" PRId64 " multiplications",
                  w->kernel[w->best].options.kernel, job->options->repeat);
    else
        tool_note("%s: %s", job->kernel->name, job->reason);
}

void run_record_weighed(report *r, const run_job *job)
{
    const spmv_weighing *w = &job->weighing;
    if (w->count == 0) return;
    report *all = report_array(r, "weighed");
    for (int i = 0; i < w->count; i++) {
        report *o = report_object(all, NULL);
        report_text(o, "kernel", w->kernel[i].options.kernel);
        report_real(o, "time_s", w->kernel[i].product_s);
        report_real(o, "setup_s", w->kernel[i].setup_s);
        if (isfinite(w->kernel[i].break_even))
            report_real(o, "break_even", w->kernel[i].break_even);
    }
}
