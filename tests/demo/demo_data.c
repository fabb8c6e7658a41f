/* tests/demo/demo_data.c - the training data: digits drawn from a 5x7 font, shifted about; labels
 * beside them. Every value is exact in bfloat16. */
#include "io/mem.h"
#include "tests/demo/demo_kernel.h"
#include "tests/demo/demo_net.h"

#include <string.h>

#define WIDTH  5
#define HEIGHT 7

static const char font[10][HEIGHT][WIDTH + 1] = {
    {" ### ", "#   #", "#  ##", "# # #", "##  #", "#   #", " ### "},
    {"  #  ", " ##  ", "  #  ", "  #  ", "  #  ", "  #  ", " ### "},
    {" ### ", "#   #", "    #", "   # ", "  #  ", " #   ", "#####"},
    {"#####", "   # ", "  #  ", "   # ", "    #", "#   #", " ### "},
    {"   # ", "  ## ", " # # ", "#  # ", "#####", "   # ", "   # "},
    {"#####", "#    ", "#### ", "    #", "    #", "#   #", " ### "},
    {"  ## ", " #   ", "#    ", "#### ", "#   #", "#   #", " ### "},
    {"#####", "    #", "   # ", "  #  ", " #   ", " #   ", " #   "},
    {" ### ", "#   #", "#   #", " ### ", "#   #", "#   #", " ### "},
    {" ### ", "#   #", "#   #", " ####", "    #", "   # ", " ##  "}};

/* One side x side image; random bits choose the place, the scale and the ink. */
static void draw(float *image, uint64_t side, int digit, uint64_t random)
{
    uint64_t scale = side / (HEIGHT + 1), w = WIDTH * scale, h = HEIGHT * scale;
    uint64_t left = random % (side - w + 1), top = (random >> 16) % (side - h + 1);
    float ink = 1.0F - (float)(random >> 32 & 3) / 8;
    memset(image, 0, side * side * sizeof *image);
    for (uint64_t i = 0; i < w * h; i++)
        if (font[digit][i / w / scale][i % w / scale] == '#')
            image[(top + i / w) * side + left + i % w] = ink;
}

/* The rank's batch of this step: images, and labels in the next tensor. */
void dc_demo_next(const dc_demo_call *call)
{
    const uint64_t *x = dc_demo_shape(call)->dim;
    float *labels = call->v[call->row->id + 1];
    uint64_t batch = call->step * DC_DEMO_MAX_RANKS + call->rank, first = dc_mix64(batch + 1) % 10;
    for (uint64_t i = 0; i < x[0]; i++) {
        uint64_t random = dc_mix64(batch * x[0] + i + 1);
        int digit = (int)((first + 3 * i) % 10); /* all different */
        labels[i] = (float)digit;
        draw(dc_demo_out(call) + i * x[1] * x[2], x[1], digit, random);
    }
}
