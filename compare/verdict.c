/* compare/verdict.c */
#include "compare/verdict.h"
