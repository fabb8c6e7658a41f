/* tests/demo/demo_device.h - numbers and layouts of the device: rounding to 16 bits, and tensors as
 * they lie in its memory. Written apart from io/relayout, so that each can check the other. */
#ifndef DC_DEMO_DEVICE_H
#define DC_DEMO_DEVICE_H
#include "tests/demo/demo_plan.h"

#include <stddef.h>

/* v[0..n) to the nearest value of a 16-bit float, ties to even; other dtypes leave it. None of
 * these functions is collective. */
void dc_demo_round(float *v, uint64_t n, uint32_t dtype);
/* Bytes of a tensor in device memory, padding included. */
size_t dc_demo_device_bytes(const dc_demo_tensor *t);
/* malloc'd copy of v[0..t->n) as the device holds it; NULL without memory (dc_last_error says so).
 */
void *dc_demo_to_device(const float *v, const dc_demo_tensor *t);
/* malloc'd copy of v[0..n) as packed little-endian elements of a dtype; NULL without memory. */
void *dc_demo_pack(const float *v, uint64_t n, uint32_t dtype);
#endif
