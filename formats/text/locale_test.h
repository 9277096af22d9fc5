/* locale_test.h -- for a test, the locale of a country, as a program has it that calls setlocale.
 */
#pragma once

#include <criterion/criterion.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Installed, or compiled here from its source. */
static inline bool locale_test_find(const char *country, const char *folder)
{
    char name[32], command[256];
    snprintf(name, sizeof name, "%s.UTF-8", country);
    if (setlocale(LC_ALL, name) != NULL) return true;
    snprintf(command, sizeof command, "localedef -i %s -f UTF-8 %s/%s 2>/dev/null", country, folder,
             name);
    cr_assert_eq(mkdir(folder, 0777), 0);
    if (system(command) < 0) return false;
    setenv("LOCPATH", folder, 1);
    return setlocale(LC_ALL, name) != NULL;
}

/* Use the locale "de_DE", or skip the test where there is none. */
static inline void locale_test_use(const char *country)
{
    char folder[64], command[128];
    snprintf(folder, sizeof folder, "/tmp/spmv-locale-%ld", (long)getpid());
    const bool found = locale_test_find(country, folder);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    cr_assert_geq(system(command), 0);
    if (!found) cr_skip_test("there is no locale %s here, and no source of it", country);
}
