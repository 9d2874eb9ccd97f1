int f(int (*log)(const char*,...),int k){ return log("%d",k); }
