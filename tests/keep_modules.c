/* tests/keep_modules.c - preloaded under a sanitizer: libraries stay loaded until exit, so that
 * reports of what Open MPI's plugins leak name them and can be suppressed. */
#include <dlfcn.h>

int dlclose(void *handle)
{
    (void)handle;
    return 0;
}
