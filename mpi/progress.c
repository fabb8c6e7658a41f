/* mpi/progress.c - see progress.h */
#include "mpi/progress.h"

#include "io/log.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define LINE_EVERY 10.0 /* seconds */
#define LIVE_EVERY 0.5

double dc_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void dc_progress_begin(dc_progress *p, const char *what, const uint64_t mine_all[2],
                       dc_progress_mode mode, const dc_par *par)
{
    bool terminal = !par->launched && isatty(STDERR_FILENO);
    *p = (dc_progress){.what = what, .mine = mine_all[0], .all = (double)mine_all[1]};
    p->shown = par->process == 0 && mode != DC_PROGRESS_OFF && dc_log_get_level() >= DC_LOG_INFO;
    p->live = terminal;
    p->start = p->last = dc_seconds();
}

static void show(const dc_progress *p, double now)
{
    double part = p->mine ? (double)p->done / (double)p->mine : 1.0, seconds = now - p->start;
    double left = part > 0 ? seconds * (1 - part) / part : 0;
    char line[160];
    int n = snprintf(line, sizeof line, "%.0f %% of %.2f GB %s, %.2f GB/s, about %.0f s left",
                     100 * part, p->all / 1e9, p->what,
                     seconds > 0 ? part * p->all / 1e9 / seconds : 0, left);
    if (!p->live) {
        dc_info("%s", line);
        return;
    }
    char live[200];
    n = snprintf(live, sizeof live, "\r%-*s", n > 78 ? n : 78, line);
    ssize_t put = write(STDERR_FILENO, live, (size_t)n);
    (void)put;
}

void dc_progress_add(dc_progress *p, uint64_t bytes)
{
    p->done += bytes;
    if (!p->shown)
        return;
    double now = dc_seconds();
    if (now - p->last < (p->live ? LIVE_EVERY : LINE_EVERY))
        return;
    p->last = now;
    show(p, now);
}

void dc_progress_end(dc_progress *p)
{
    char wipe[84];
    if (!p->shown || !p->live || p->last == p->start)
        return;
    int n = snprintf(wipe, sizeof wipe, "\r%78s\r", "");
    ssize_t put = write(STDERR_FILENO, wipe, (size_t)n);
    (void)put;
}
