/* axes.c -- the axes of a chart. */
#include "cli/picture/axes.h"
#include "cli/picture/svg.h"

#include <math.h>

enum { LABEL = 80, NUMBER = 32 };

double axis_place(const axis *a, double value)
{
    const double share = a->logarithmic ? log(value / a->low) / log(a->high / a->low)
                                        : (value - a->low) / (a->high - a->low);
    return fmin(fmax(share, 0), 1) * a->pixels;
}

void axis_fit(axis *a, double least, double most)
{
    a->logarithmic = true;
    a->low = pow(10, floor(2 * log10(least)) / 2);
    a->high = pow(10, ceil(2 * log10(most)) / 2);
    if (a->high <= a->low) a->high = a->low * sqrt(10);
}

/* ---- Ticks ---------------------------------------------------------------------------------- */

static int add_tick(const axis *a, double value, double tick[AXIS_TICKS], int n)
{
    const double slack = 1e-9;
    const bool inside = a->logarithmic
                            ? value >= a->low * (1 - slack) && value <= a->high * (1 + slack)
                            : value >= a->low - slack * (a->high - a->low) &&
                                  value <= a->high + slack * (a->high - a->low);
    if (inside && n < AXIS_TICKS) tick[n++] = value;
    return n;
}

/* Three to nine multiples of 1, 2 or 5 times a power of ten. */
static int even_ticks(const axis *a, double tick[AXIS_TICKS])
{
    const double raw = (a->high - a->low) / 8, power = pow(10, floor(log10(raw)));
    double step = power * (raw / power > 5 ? 10 : raw / power > 2 ? 5 : 2);
    int n = 0;
    if (a->whole) step = fmax(step, 1);
    const double first = floor(a->low / step);
    for (int i = 0; (first + i) * step <= a->high + step; i++)
        n = add_tick(a, (first + i) * step, tick, n);
    return n;
}

/* 1, 2 and 5 of every power of ten, or of many powers every second one, every fifth, ... alone. */
static int power_ticks(const axis *a, double powers, double tick[AXIS_TICKS])
{
    static const double mantissa[] = {1, 2, 5};
    const int apart = powers > 60 ? 20 : powers > 24 ? 5 : powers > 12 ? 2 : 1;
    const int low = (int)floor(log10(a->low) / apart) * apart, high = (int)ceil(log10(a->high));
    int n = 0;
    for (int e = low; e <= high; e += apart)
        for (int m = 0; m < (powers > 4 ? 1 : 3); m++)
            n = add_tick(a, mantissa[m] * pow(10, e), tick, n);
    return n;
}

int axis_ticks(const axis *a, double tick[AXIS_TICKS])
{
    const double least = 1; /* powers of ten that 1, 2 and 5 of each are enough for */
    const double powers = a->logarithmic ? log10(a->high / a->low) : 0;
    return powers < least ? even_ticks(a, tick) : power_ticks(a, powers, tick);
}

/* ---- Drawing -------------------------------------------------------------------------------- */

/* Powers of ten that are long otherwise are written as such. */
static const char *show(double value, char text[NUMBER])
{
    const double power = value > 0 ? floor(log10(value) + 1e-9) : 0;
    if (power < -3 || power > 5)
        snprintf(text, NUMBER, "%.3ge%.0f", value / pow(10, power), power);
    else
        snprintf(text, NUMBER, "%.6g", value);
    return text;
}

static void draw_ticks(const axis *x, const axis *y, const axis *a, FILE *out)
{
    double tick[AXIS_TICKS];
    char text[NUMBER];
    const int count = axis_ticks(a, tick);
    for (int i = 0; i < count; i++) {
        const double at = axis_place(a, tick[i]);
        if (a == x)
            fprintf(out,
                    "<path class=\"t\" d=\"M%.1f %dv-%d\"/><text class=\"s\" x=\"%.1f\" y=\"%d\" "
                    "font-size=\"12\" text-anchor=\"middle\">%s</text>\n",
                    x->start + at, y->start, y->pixels, x->start + at, y->start + 17,
                    show(tick[i], text));
        else
            fprintf(out,
                    "<path class=\"t\" d=\"M%d %.1fh%d\"/><text class=\"s\" x=\"%d\" y=\"%.1f\" "
                    "font-size=\"12\" text-anchor=\"end\">%s</text>\n",
                    x->start, y->start - at, x->pixels, x->start - 7, y->start - at + 4,
                    show(tick[i], text));
    }
}

void axes_draw(const axis *x, const axis *y, FILE *out)
{
    draw_ticks(x, y, x, out);
    if (y->high > y->low) draw_ticks(x, y, y, out);
    fprintf(out, "<text class=\"s\" x=\"%d\" y=\"%d\" font-size=\"13\" text-anchor=\"middle\">",
            x->start + x->pixels / 2, y->start + 38);
    svg_write_text(x->label, LABEL, out);
    fprintf(out,
            "</text>\n<text class=\"s\" transform=\"translate(%d %d) rotate(-90)\" "
            "font-size=\"13\" text-anchor=\"middle\">",
            x->start - 48, y->start - y->pixels / 2);
    svg_write_text(y->label, LABEL, out);
    fputs("</text>\n", out);
}
