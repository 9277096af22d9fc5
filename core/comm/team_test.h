/* team_test.h -- ranks that are threads of the test, so that sanitizers see all of them. */
#pragma once

#include "core/comm/transport.h"

enum { TEAM_MOST = 16 };

/* Run work(comm, user) on each of `size` ranks.  Returns NULL, or what the lowest rank that is not
 * content has to say: assertions belong to the thread of the test. */
typedef const char *team_work(spmv_comm *comm, void *user);
const char *team_run(int size, team_work *work, void *user);
