#define public
