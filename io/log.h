/* io/log.h - messages for people on stderr: one line, one write. Results go to stdout, never
 * through here. */
#ifndef DC_LOG_H
#define DC_LOG_H

typedef enum dc_log_level {
    DC_LOG_QUIET,
    DC_LOG_ERROR,
    DC_LOG_WARN,
    DC_LOG_INFO,
    DC_LOG_DEBUG
} dc_log_level;

/* Told once by main: the program's name, this process and how many there are (the prefix "[p3]"
 * appears only when there are several), and what to let through. Not collective. */
void dc_log_setup(const char *program, int process, int processes, dc_log_level level);
dc_log_level dc_log_get_level(void);
/* "dumpcap: [p3] error: text\n" in one write. Not collective; any process may speak. */
void dc_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void dc_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
void dc_info(const char *format, ...) __attribute__((format(printf, 1, 2)));
void dc_debug(const char *format, ...) __attribute__((format(printf, 1, 2)));
#endif
