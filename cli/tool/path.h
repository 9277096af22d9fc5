/* path.h -- names of files on the command line. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

bool tool_is_stdio(const char *path);           /* NULL, "-", /dev/stdin or /dev/stdout */
bool tool_is_stream(const char *path);          /* that, a pipe or a device */
const char *tool_input_name(const char *path);  /* for a person: path, or "<stdin>" */
const char *tool_output_name(const char *path); /* for a person: path, or "<stdout>" */
bool tool_has_suffix(const char *path, const char *suffix); /* ".txt", perhaps compressed */
const char *tool_base_name(const char *path);
char *tool_folder_of(const char *path);    /* to be freed; NULL: there was no memory */
int64_t tool_file_bytes(const char *path); /* 0 for standard output or when it is not known */
