/* io/cmp.h - one number or row before another: what qsort's comparisons are made of. */
#ifndef DC_CMP_H
#define DC_CMP_H

/* -1, 0 or 1: a below, equal to or above b. */
#define DC_CMP(a, b) (((a) > (b)) - ((a) < (b)))

/* The same for structs: of up to eight fields the first that differs decides.
 *     return DC_CMP_BY(a, b, rank, step, op); */
#define DC_CMP_BY(a, b, ...)                                                                       \
    DC_CMP_PICK(__VA_ARGS__, DC_CMP_8, DC_CMP_7, DC_CMP_6, DC_CMP_5, DC_CMP_4, DC_CMP_3, DC_CMP_2, \
                DC_CMP_1, 0)                                                                       \
    (a, b, __VA_ARGS__)
#define DC_CMP_PICK(f1, f2, f3, f4, f5, f6, f7, f8, chosen, ...) chosen

#define DC_CMP_1(a, b, f)          DC_CMP((a)->f, (b)->f)
#define DC_CMP_THEN(a, b, f, then) ((a)->f != (b)->f ? DC_CMP_1(a, b, f) : (then))
#define DC_CMP_2(a, b, f, ...)     DC_CMP_THEN(a, b, f, DC_CMP_1(a, b, __VA_ARGS__))
#define DC_CMP_3(a, b, f, ...)     DC_CMP_THEN(a, b, f, DC_CMP_2(a, b, __VA_ARGS__))
#define DC_CMP_4(a, b, f, ...)     DC_CMP_THEN(a, b, f, DC_CMP_3(a, b, __VA_ARGS__))
#define DC_CMP_5(a, b, f, ...)     DC_CMP_THEN(a, b, f, DC_CMP_4(a, b, __VA_ARGS__))
#define DC_CMP_6(a, b, f, ...)     DC_CMP_THEN(a, b, f, DC_CMP_5(a, b, __VA_ARGS__))
#define DC_CMP_7(a, b, f, ...)     DC_CMP_THEN(a, b, f, DC_CMP_6(a, b, __VA_ARGS__))
#define DC_CMP_8(a, b, f, ...)     DC_CMP_THEN(a, b, f, DC_CMP_7(a, b, __VA_ARGS__))
#endif
