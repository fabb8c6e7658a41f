/* io/log.c - see log.h */
#include "io/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

static struct {
    char prefix[64];
    dc_log_level level;
} state = {"", DC_LOG_INFO};

void dc_log_setup(const char *program, int process, int processes, dc_log_level level)
{
    if (processes > 1)
        snprintf(state.prefix, sizeof state.prefix, "%s: [p%d] ", program, process);
    else
        snprintf(state.prefix, sizeof state.prefix, "%s: ", program);
    state.level = level;
}

dc_log_level dc_log_get_level(void)
{
    return state.level;
}

static void write_line(const char *kind, const char *format, va_list args)
{
    char line[4096];
    int n = snprintf(line, sizeof line, "%s%s", state.prefix, kind);
    int m = vsnprintf(line + n, sizeof line - (size_t)n, format, args);
    size_t len = (size_t)n + (m > 0 ? (size_t)m : 0);
    if (len > sizeof line - 2)
        len = sizeof line - 2;
    for (size_t i = 0; i < len; i++) /* a hostile name must not steer the terminal */
        if ((unsigned char)line[i] < 0x20 || line[i] == 0x7f)
            line[i] = ' ';
    line[len++] = '\n';
    ssize_t written = write(STDERR_FILENO, line, len);
    (void)written;
}

#define DEFINE_LEVEL(name, at, kind)                                                               \
    void name(const char *format, ...)                                                             \
    {                                                                                              \
        va_list args;                                                                              \
        va_start(args, format);                                                                    \
        if (state.level >= (at))                                                                   \
            write_line(kind, format, args);                                                        \
        va_end(args);                                                                              \
    }
DEFINE_LEVEL(dc_error, DC_LOG_ERROR, "error: ")
DEFINE_LEVEL(dc_warn, DC_LOG_WARN, "warning: ")
DEFINE_LEVEL(dc_info, DC_LOG_INFO, "")
DEFINE_LEVEL(dc_debug, DC_LOG_DEBUG, "debug: ")
