int f(int c){ if(!c){ static int n=9; return n--; } else { static int n=5; return n++; } }
