/* letters.h -- an alphabet for pictures that are made of pixels. */
#pragma once

#include <stdbool.h>

enum { LETTER_WIDTH = 5, LETTER_HEIGHT = 7 };

/* Returns whether a letter of ASCII, or the question mark in place of another byte, has the pixel x
 * from the left and y from the top. */
bool letter_has(char c, int x, int y);
