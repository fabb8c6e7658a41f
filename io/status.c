/* io/status.c - see status.h */
#include "io/status.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local char last_error[2048];

static void set_message(const char *format, va_list args)
{
    char text[sizeof last_error]; /* args may point into last_error */
    vsnprintf(text, sizeof text, format, args);
    memcpy(last_error, text, sizeof text);
}

dc_status dc_fail(dc_status code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    set_message(format, args);
    va_end(args);
    return code;
}

static dc_status code_of(int err)
{
    switch (err) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
        return DC_ENOSPACE;
    case ENOENT:
        return DC_ENOENT;
    case ENOMEM:
        return DC_ENOMEM;
    default:
        return DC_EIO;
    }
}

dc_status dc_fail_errno(const char *format, ...)
{
    int err = errno;
    va_list args;
    va_start(args, format);
    set_message(format, args);
    va_end(args);
    size_t used = strlen(last_error);
    snprintf(last_error + used, sizeof last_error - used, ": %s", strerror(err));
    return code_of(err);
}

const char *dc_last_error(void)
{
    return last_error;
}

const char *dc_last_error_of(const char *what)
{
    size_t n = strlen(what);
    if (strncmp(last_error, what, n) != 0 || strncmp(last_error + n, ": ", 2) != 0)
        return last_error;
    return last_error + n + 2;
}

dc_status dc_set_error(dc_status code, const char *message)
{
    return dc_fail(code, "%s", message);
}

#ifdef DC_FAULTS
static struct {
    char site[64];
    int process; /* -1 = every process */
    int countdown;
    int armed; /* -1 = environment not read yet */
    int self;
    int signal; /* raised in place of a failure; 0 = none */
} fault = {.armed = -1};

static int action_signal(const char *action)
{
    return strcmp(action, "kill") == 0 ? SIGKILL : strcmp(action, "stop") == 0 ? SIGSTOP : SIGTERM;
}

void dc_fault_arm(const char *spec)
{
    fault.armed = 0;
    if (!spec || !*spec)
        return;
    snprintf(fault.site, sizeof fault.site, "%s", spec);
    fault.process = -1;
    fault.countdown = 1;
    char *at = strchr(fault.site, '@'), *colon = strchr(fault.site, ':');
    char *action = strchr(fault.site, '=');
    fault.signal = action ? action_signal(action + 1) : 0;
    if (action)
        *action = '\0';
    if (at)
        fault.process = (int)strtol(at + 1, NULL, 10);
    if (colon)
        fault.countdown = (int)strtol(colon + 1, NULL, 10);
    if (colon)
        *colon = '\0';
    if (at)
        *at = '\0';
    fault.armed = 1;
}

void dc_fault_process(int process)
{
    fault.self = process;
}

int dc_fault(const char *site)
{
    if (fault.armed < 0)
        dc_fault_arm(getenv("DC_FAULT"));
    if (!fault.armed || strcmp(site, fault.site) != 0)
        return 0;
    if (fault.process >= 0 && fault.process != fault.self)
        return 0;
    if (--fault.countdown != 0)
        return 0;
    if (fault.signal)
        raise(fault.signal);
    return !fault.signal;
}
#endif
