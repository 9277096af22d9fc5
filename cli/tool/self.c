/* self.c -- the tool that this process is, and how it was called. */
#include "cli/tool/self.h"

static struct {
    const char *name;
    int count;
    const char *const *word;
} self;

void tool_introduce(const char *name, int argc, char **argv)
{
    self.name = name;
    self.count = argc;
    self.word = (const char *const *)argv;
}

const char *tool_name(void)
{
    return self.name;
}

const char *const *tool_arguments(int *count)
{
    *count = self.count;
    return self.word;
}
