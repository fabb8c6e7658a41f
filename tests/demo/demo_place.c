/* tests/demo/demo_place.c - see demo_place.h */
#include "tests/demo/demo_place.h"

#include "io/path.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000U /* microseconds */

dc_status dc_demo_check_time(const char *time)
{
    if (strlen(time) != 14 || strspn(time, "0123456789") != 14)
        return dc_fail(DC_EARG, "--time %s: give 14 digits, YYYYmmddHHMMSS", time);
    return DC_OK;
}

static int number(const char *digits, int n)
{
    int v = 0;
    for (int i = 0; i < n; i++)
        v = 10 * v + (digits[i] - '0');
    return v;
}

static time_t start_of(const dc_demo_plan *plan)
{
    const char *t = plan->options.time;
    struct tm tm = {.tm_year = number(t, 4) - 1900, .tm_mon = number(t + 4, 2) - 1};
    tm.tm_mday = number(t + 6, 2);
    tm.tm_hour = number(t + 8, 2);
    tm.tm_min = number(t + 10, 2);
    tm.tm_sec = number(t + 12, 2);
    return timegm(&tm);
}

static void print_time(char text[DC_DEMO_TIME], const dc_demo_plan *plan, int seconds)
{
    time_t t = start_of(plan) + seconds;
    struct tm tm;
    gmtime_r(&t, &tm);
    if (!strftime(text, DC_DEMO_TIME, "%Y%m%d%H%M%S", &tm))
        text[0] = '\0';
}

void dc_demo_dump_time(char text[DC_DEMO_TIME], const dc_demo_plan *plan, int rank)
{
    print_time(text, plan, rank * 2 / 3);
}

void dc_demo_model_name(char text[DC_DEMO_MODEL], const dc_demo_plan *plan, int rank, int graph)
{
    char time[DC_DEMO_TIME];
    print_time(time, plan, 37 + 5 * graph + rank);
    snprintf(text, DC_DEMO_MODEL, "ge_default_%s_%d", time, graph);
}

uint64_t dc_demo_task_time(const dc_demo_plan *plan, int rank, int step, uint32_t task)
{
    uint64_t second = (uint64_t)start_of(plan) + 120 + (uint64_t)step * 2;
    return second * SECOND + (uint64_t)rank * 137 + task * 1500;
}

uint64_t dc_demo_golden_time(const dc_demo_plan *plan, int step, int tensor)
{
    uint64_t second = (uint64_t)start_of(plan) - 3600 + (uint64_t)step * 10;
    return second * SECOND + (uint64_t)tensor * 2100;
}

char *dc_demo_text(const char *format, ...)
{
    char *text = NULL;
    va_list args;
    va_start(args, format);
    int n = vasprintf(&text, format, args);
    va_end(args);
    if (n >= 0)
        return text;
    (void)dc_fail_memory();
    return NULL;
}

dc_status dc_demo_write_text(const char *dir, const char *name, const dc_buf *text)
{
    dc_status st = dc_mkdirs(dir);
    char *path = st == DC_OK ? dc_path_join(dir, name) : NULL;
    if (!path)
        return st == DC_OK ? DC_ENOMEM : st;
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        st = dc_fail_errno("%s: cannot create", path);
    else
        st = dc_pwrite(fd, text->data, text->n, 0, path);
    if (fd >= 0 && close(fd) != 0 && st == DC_OK)
        st = dc_fail_errno("%s: cannot write", path);
    free(path);
    return st;
}
