/* terminal.h -- one line of the terminal that changes until it is erased.
 *
 * It is drawn on standard error, past the stream: a signal handler may draw or erase it. */
#pragma once

/* Returns the columns of the terminal that this is; 80 where it is none, or does not tell. */
int terminal_width(int descriptor);

/* Draw the line, as much of it as there are columns, in the place of the one before. */
void terminal_draw(const char *line);

/* Draw the line half a second later, unless it is cleared before; an alarm does it. */
void terminal_draw_later(const char *line);

/* Erase the line, if there is one, before anything else is written to the terminal. */
void terminal_clear(void);
