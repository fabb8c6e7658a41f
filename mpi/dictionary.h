/* mpi/dictionary.h - one sorted dictionary out of every process's strings. */
#ifndef DC_DICTIONARY_H
#define DC_DICTIONARY_H
#include "io/mem.h"
#include "mpi/par.h"

/* *sorted: all strings of all processes' pools, each once, in strcmp order, the same on every
 * process (caller frees); *map, malloc'd for the caller: map[id in local] = id in *sorted.
 * Collective. Errors: DC_ENOMEM, agreed. */
dc_status dc_dictionary_build(dc_pool **sorted, uint32_t **map, const dc_pool *local,
                              const dc_par *par) DC_MUST_CHECK;
#endif
