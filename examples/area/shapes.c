int rectangle(int width, int height) { return width * height; }
