int f(int v[6],int n){ int s=0; for(int i=0;i<n;i++) s+=v[i]; return s; }
