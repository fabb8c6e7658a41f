/* io/interrupt.c - see interrupt.h */
#include "io/interrupt.h"

#include <signal.h>
#include <string.h>

static volatile sig_atomic_t interrupted;

static void note(int signal_number)
{
    (void)signal_number;
    interrupted = 1;
}

void dc_interrupt_setup(void)
{
    static const int caught[] = {SIGTERM, SIGINT, SIGUSR1};
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = note;
    action.sa_flags = SA_RESTART;
    for (unsigned i = 0; i < sizeof caught / sizeof *caught; i++)
        sigaction(caught[i], &action, NULL);
    action.sa_handler = SIG_IGN;
    sigaction(SIGXFSZ, &action, NULL);
}

bool dc_interrupted(void)
{
    return interrupted != 0;
}
