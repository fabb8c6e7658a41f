/* compare/optype.c - see optype.h */
#include "compare/optype.h"

#include <stddef.h>
#include <string.h>

const dc_optype *dc_optype_get(const char *type)
{
    static const dc_optype table[] = {
#define X(name, inserted, source, never_dumps, passes_on)                                          \
    {name, inserted, source, never_dumps, passes_on},
        DC_OPTYPES(X)
#undef X
            {"", false, false, false, false}};
    size_t i = 0;
    while (*table[i].name && strcmp(table[i].name, type) != 0)
        i++;
    return &table[i];
}

bool dc_optype_inserted(const char *type, const char *name)
{
    const dc_optype *t = dc_optype_get(type);
    size_t n = strlen(type); /* trans_Cast_7; a network may have a layer called trans_ itself */
    return t->inserted || (t->passes_on && strncmp(name, "trans_", 6) == 0 &&
                           strncmp(name + 6, type, n) == 0 && name[6 + n] == '_');
}

bool dc_optype_quantises(const char *type)
{
    return strncmp(type, "AscendQuant", 11) == 0 || strcmp(type, "AscendWeightQuant") == 0;
}

bool dc_optype_dequantises(const char *type)
{
    return strncmp(type, "AscendDequant", 13) == 0 || strncmp(type, "AscendAntiQuant", 15) == 0;
}

bool dc_optype_has_addition(const char *type, uint32_t inputs)
{
    static const char *const two[] = {"Conv2D",   "Conv3D",      "DepthwiseConv2D", "MatMul",
                                      "MatMulV2", "BatchMatMul", "BatchMatMulV2"};
    for (size_t i = 0; inputs > 2 && i < sizeof two / sizeof *two; i++)
        if (strcmp(two[i], type) == 0)
            return true;
    return false;
}

bool dc_optype_collective(const char *type)
{
    return strncmp(type, "Hcom", 4) == 0 || strncmp(type, "Hccl", 4) == 0;
}

bool dc_optype_branches(const char *type)
{
    static const char *const known[] = {"If", "Case", "While", "For"};
    const char *name = strncmp(type, "Stateless", 9) == 0 ? type + 9 : type;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (strcmp(name, known[k]) == 0)
            return true;
    return false;
}
