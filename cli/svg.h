/* svg.h -- what the pictures share. */
#ifndef SPMV_CLI_SVG_H
#define SPMV_CLI_SVG_H

#include <stdio.h>

/* At most `room` characters; what XML cannot hold becomes a question mark. */
void svg_write_text(const char *text, int room, FILE *out);

#endif
