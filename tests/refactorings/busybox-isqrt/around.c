#define FAST_FUNC
