// The out-of-bounds write happens three calls below the function that got the size wrong.
//@ outcome: out-of-bounds
//@ stack: store put_pixel draw_line render main
//@ sanitizer: address
#include <stdio.h>
#include <stdlib.h>

struct image { int width, height; unsigned char *pixels; };

static void store(unsigned char *at, unsigned char value) {
    *at = value; // ERROR
}
static void put_pixel(struct image *image, int x, int y) {
    store(image->pixels + y * image->width + x, 255);
}
static void draw_line(struct image *image, int length) {
    for (int i = 0; i < length; i++) put_pixel(image, i, i);
}
static void render(struct image *image) { draw_line(image, image->width); }

int main(void) {
    struct image image = {10, 9, malloc(90)};
    render(&image);
    printf("%d\n", image.pixels[0]);
    free(image.pixels);
    return 0;
}
