/* io/status.h - status codes, the thread's last error message, and fault injection for tests. */
#ifndef DC_STATUS_H
#define DC_STATUS_H

typedef enum dc_status {
    DC_OK = 0,
    DC_EARG = -1,    /* the user asked for something that cannot be */
    DC_ENOENT = -2,  /* a file or an entry is not there */
    DC_EFORMAT = -3, /* bytes do not follow their format */
    DC_EUNSUP = -4,  /* well-formed, but we do not handle it */
    DC_EEXIST = -5,  /* would overwrite */
    DC_EIO = -6,     /* the operating system refused a read or a write */
    DC_ENOSPACE = -7,
    DC_ENOMEM = -8,
    DC_ELOCKED = -9,      /* another process holds the store */
    DC_EINTERRUPTED = -10 /* a signal asked us to stop */
} dc_status;

#define DC_MUST_CHECK __attribute__((warn_unused_result))

/* Set this thread's error message and return code, so that `return dc_fail(DC_EIO, ...)` is one
 * line. The message is set once, where the fact is known; callers pass the code up untouched. Not
 * collective. */
dc_status dc_fail(dc_status code, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* As dc_fail, with ": " and the text of errno appended; ENOSPC/EDQUOT/EFBIG become DC_ENOSPACE,
 * ENOENT DC_ENOENT, ENOMEM DC_ENOMEM, anything else DC_EIO. */
dc_status dc_fail_errno(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The standard message for a failed allocation. Returns DC_ENOMEM (inline, so that static analysis
 * sees that it does). */
static inline dc_status dc_fail_memory(void)
{
    dc_fail(DC_ENOMEM, "out of memory");
    return DC_ENOMEM;
}
/* This thread's last message; never NULL; valid until the thread's next dc_fail. */
const char *dc_last_error(void);
/* The same without the "WHAT: " that it may begin with, for where that is told already. */
const char *dc_last_error_of(const char *what);
/* Put an error that was received from elsewhere (another process, another thread) in place as ours.
 */
dc_status dc_set_error(dc_status code, const char *message);

/* Fault injection, for tests only (compiled to nothing without DC_FAULTS). A site is a short fixed
 * name such as "store.create". Sites are armed by the environment variable
 * DC_FAULT="SITE[@PROCESS][:COUNT][=ACTION]" - the COUNT-th passage (1 = first) on that process -
 * or by dc_fault_arm. ACTION kill, stop or term raises that signal there in place of a failure. */
#ifdef DC_FAULTS
void dc_fault_arm(const char *spec); /* NULL disarms */
int dc_fault(const char *site);      /* true when this passage must fail */
void dc_fault_process(int process);  /* told once by mpi/par */
#else
static inline void dc_fault_arm(const char *spec)
{
    (void)spec;
}
static inline int dc_fault(const char *site)
{
    (void)site;
    return 0;
}
static inline void dc_fault_process(int process)
{
    (void)process;
}
#endif
#endif
