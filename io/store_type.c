/* io/store_type.c - the HDF5 types of the store's slabs, see store.h. */
#include "io/dtype.h"
#include "io/store.h"

static bool as_bytes(uint32_t dtype)
{
    const dc_dtype_info *info = dc_dtype_get(dtype);
    if (info->kind == DC_KIND_OTHER || info->bits < 8)
        return true;
    return info->kind == DC_KIND_FLOAT && info->bits == 8 && dtype != DC_FLOAT8_E5M2;
}

uint32_t dc_store_element(uint32_t dtype)
{
    return as_bytes(dtype) ? 1 : dc_dtype_get(dtype)->bits / 8u;
}

static hid_t boolean(void)
{
    hid_t t = H5Tenum_create(H5T_STD_I8LE);
    int8_t no = 0, yes = 1;
    H5Tenum_insert(t, "FALSE", &no);
    H5Tenum_insert(t, "TRUE", &yes);
    return t;
}

/* An IEEE-like float narrower than 32 bits: sign, exponent bits, mantissa bits. */
static hid_t small_float(size_t bytes, size_t exponent, size_t mantissa)
{
    hid_t t = H5Tcopy(H5T_IEEE_F32LE);
    H5Tset_fields(t, exponent + mantissa, mantissa, exponent, 0, mantissa);
    H5Tset_size(t, bytes);
    H5Tset_ebias(t, ((size_t)1 << (exponent - 1)) - 1);
    return t;
}

static hid_t complex_of(hid_t part, size_t bytes, const char *re, const char *im)
{
    hid_t t = H5Tcreate(H5T_COMPOUND, 2 * bytes);
    H5Tinsert(t, re, 0, part);
    H5Tinsert(t, im, bytes, part);
    H5Tclose(part);
    return t;
}

static hid_t integer(bool is_signed, uint32_t bits)
{
    switch (bits) {
    case 8:
        return H5Tcopy(is_signed ? H5T_STD_I8LE : H5T_STD_U8LE);
    case 16:
        return H5Tcopy(is_signed ? H5T_STD_I16LE : H5T_STD_U16LE);
    case 32:
        return H5Tcopy(is_signed ? H5T_STD_I32LE : H5T_STD_U32LE);
    default:
        return H5Tcopy(is_signed ? H5T_STD_I64LE : H5T_STD_U64LE);
    }
}

static hid_t floating(uint32_t dtype)
{
    switch (dtype) {
    case DC_FLOAT64:
        return H5Tcopy(H5T_IEEE_F64LE);
    case DC_FLOAT16:
        return small_float(2, 5, 10);
    case DC_BFLOAT16:
        return small_float(2, 8, 7);
    case DC_FLOAT8_E5M2:
        return small_float(1, 5, 2);
    default:
        return H5Tcopy(H5T_IEEE_F32LE);
    }
}

hid_t dc_store_type(uint32_t dtype)
{
    const dc_dtype_info *info = dc_dtype_get(dtype);
    if (as_bytes(dtype))
        return H5Tcopy(H5T_STD_U8LE);
    switch (info->kind) {
    case DC_KIND_BOOL:
        return boolean();
    case DC_KIND_FLOAT:
        return floating(dtype);
    case DC_KIND_COMPLEX:
        if (info->bits == 32)
            return complex_of(small_float(2, 5, 10), 2, "real", "imag");
        return info->bits == 64 ? complex_of(H5Tcopy(H5T_IEEE_F32LE), 4, "r", "i")
                                : complex_of(H5Tcopy(H5T_IEEE_F64LE), 8, "r", "i");
    default:
        return integer(info->kind == DC_KIND_INT, info->bits);
    }
}
