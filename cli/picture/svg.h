/* svg.h -- what the pictures share: head, style and text of an SVG. */
#pragma once

#include <stdio.h>

/* Write text, or the value of an attribute, of SVG and HTML: at most `room` characters; a character
 * that XML cannot hold becomes a question mark. */
void svg_write_text(const char *text, int room, FILE *out);

/* Begin the element with its title and the style of texts and ground for light and dark viewers:
 * classes s (softer text), g (ground), p (panel), t (thin line), c (line in the colour of text), d
 * (dashed).  `light` and `dark` are further rules, such as colours.  The caller ends it with
 * </svg>. */
void svg_begin(const char *title, int width, int height, const char *light, const char *dark,
               FILE *out);

/* Write the heading into the upper left corner: the title and, below it, a softer line. */
enum { SVG_MARGIN = 28, SVG_HEAD = 62 };
void svg_heading(const char *title, const char *below, int width, FILE *out);
