int f(int v[4],int n){ int s=0; for(int i=0;i<n;i++) s+=v[i]; return s; }
