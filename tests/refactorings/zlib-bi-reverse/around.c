#define local static
