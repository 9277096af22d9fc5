/* cell_text.h -- text of others, such as names of files, as text in a cell. */
#pragma once

#include <stdio.h>

void tool_csv_text(const char *text, FILE *out);
void tool_markdown_text(const char *text, FILE *out);
